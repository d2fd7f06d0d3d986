// What is known of the completeness of a text that leaves the machine: what was cut and where, never with a word of what stood there.

export interface InputMetadata {
  /** Nothing that matters was cut, dropped or replaced. What was taken out as a single secret value does not count, unless a rule says so. */
  readonly input_complete: boolean
  readonly truncated: boolean
  readonly redacted: boolean
  /** At most eight paths, by fixed names and positions. */
  readonly truncated_fields: readonly string[]
  /** At most eight, of texts that were cut. */
  readonly field_lengths: readonly FieldLength[]
}

export interface FieldLength {
  readonly field: string
  readonly original_chars: number
  readonly processed_chars: number
}

export const pathsMax = 8

/** The fixed names of the states: only these stand in paths. */
export const schemaNames: ReadonlySet<string> = new Set([
  'user_message',
  'platform',
  'model',
  'tool_name',
  'arguments',
  'turn_intent',
  'changed_paths',
  'final_response',
  'verification_evidence',
  'conversation',
  'evidence_freshness',
  'input_metadata',
])

/** A path of ours: a fixed name or `state`, and positions. */
const path = /^[a-z_]{1,32}(?:\.field\[[0-9]{1,9}\]|\[[0-9]{1,9}\]){0,16}$/

/** What an earlier pass said, read as strange data: nothing but flags, our own paths and numbers gets through. Undefined where it is no object. */
export function readInputMetadata(given: unknown): InputMetadata | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const flags = given as Readonly<Record<string, unknown>>
  const fields = Array.isArray(flags['truncated_fields']) ? flags['truncated_fields'].slice(0, pathsMax) : []
  const lengths = Array.isArray(flags['field_lengths']) ? flags['field_lengths'].slice(0, pathsMax) : []
  return {
    input_complete: flags['input_complete'] === true,
    truncated: flags['truncated'] === true,
    redacted: flags['redacted'] === true,
    truncated_fields: fields.filter(isPath),
    field_lengths: lengths.flatMap((length) => {
      const read = readFieldLength(length)
      return read === undefined ? [] : [read]
    }),
  }
}

/** The state is too large to say more. */
export function compactMetadata({ redacted }: InputMetadata): InputMetadata {
  return { input_complete: false, truncated: true, redacted, truncated_fields: ['state'], field_lengths: [] }
}

function readFieldLength(given: unknown): FieldLength | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const { field, original_chars, processed_chars } = given as Readonly<Record<string, unknown>>
  if (!isPath(field) || !isCount(original_chars) || !isCount(processed_chars)) return undefined
  return { field, original_chars, processed_chars }
}

function isPath(given: unknown): given is string {
  return typeof given === 'string' && path.test(given) && (schemaNames.has(firstName(given)) || firstName(given) === 'state')
}

function firstName(given: string): string {
  return /^[a-z_]*/.exec(given)?.[0] ?? ''
}

function isCount(given: unknown): given is number {
  return typeof given === 'number' && Number.isSafeInteger(given) && given >= 0
}
