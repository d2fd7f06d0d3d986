// What is wrong, or odd, about an allowlist: a stable name, the place, and one sentence for its owner.
import type { Place } from './placed-value.js'

export interface PolicyProblem extends Place {
  /** An allowlist with an error is not used at all. */
  readonly severity: 'error' | 'warning'
  readonly code: PolicyProblemCode
  /** What is wrong and what to do, in one line. */
  readonly message: string
}

export type PolicyProblemCode =
  // Of the file itself.
  | 'file_too_long'
  | 'not_utf8'
  | 'not_yaml'
  | 'duplicate_key'
  | 'merge_key'
  | 'alias'
  | 'tag'
  | 'directive'
  | 'several_documents'
  | 'too_deep'
  // Of its shape.
  | 'wrong_type'
  | 'unknown_key'
  | 'wrong_version'
  | 'wrong_value'
  // Of what it grants.
  | 'empty_pattern'
  | 'unset_variable'
  | 'wildcard_in_variable'
  | 'outside_every_root'
  | 'parent_behind_wildcard'
  | 'matches_nothing'
  | 'never_matches'
  | 'misspelt_tool'
  | 'command_unreadable'
  | 'command_and_tool'
  // Odd, and no error.
  | 'every_command'
  | 'expired'
  | 'no_paths'
  | 'children_only'
  | 'ambiguous_server'

export function problemAt(
  { line, column }: Place,
  code: PolicyProblemCode,
  message: string,
  severity: PolicyProblem['severity'] = 'error',
): PolicyProblem {
  return { severity, code, line, column, message }
}

/** In the order of the file; what stands at one place stays in the order in which it was found. */
export function inFileOrder(problems: readonly PolicyProblem[]): PolicyProblem[] {
  return [...problems].sort((one, other) => one.line - other.line || one.column - other.column)
}
