// The pattern of a path as an owner writes it, made absolute and plain: `~` and variables expanded, `.`, `..` and doubled slashes gone.
// What cannot be expanded, or would match nothing, is told instead of being kept.
import type { PathStyle } from './allowlist.js'
import { normalisedPattern, type PatternProblem } from './path-glob.js'
import type { PolicyProblemCode } from './policy-problem.js'

export interface PatternWorld {
  /** What `~` stands for; undefined where nobody knows. */
  readonly home: string | undefined
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly pathStyle: PathStyle
}

export type PathPattern =
  | { readonly pattern: string; readonly isFolderAlone: boolean }
  | { readonly code: PolicyProblemCode; readonly message: string }

export function pathPatternOf(text: string, world: PatternWorld): PathPattern {
  if (text.trim() === '') return wrong('empty_pattern', 'an empty pattern matches nothing; name a path, such as `~/projects/**`')
  const expanded = expand(text, world)
  if ('code' in expanded) return expanded
  const normal = normalisedPattern(expanded.text, world.pathStyle)
  if ('problem' in normal) return wrong(...told(normal.problem, text))
  const { pattern } = normal
  return { pattern, isFolderAlone: text.length > 1 && /[\\/]$/.test(text) && !pattern.endsWith('**') }
}

function told(problem: PatternProblem, text: string): readonly [PolicyProblemCode, string] {
  switch (problem) {
    case 'empty':
      return ['empty_pattern', 'an empty pattern matches nothing; name a path, such as `~/projects/**`']
    case 'not_absolute': {
      const anywhere = text.startsWith('**') ? `; for anywhere at all write \`/${text}\`` : ''
      return ['outside_every_root', `\`${text}\` is no absolute path: begin with \`/\`, \`~/\` or a variable${anywhere}`]
    }
    case 'climbs':
      return ['parent_behind_wildcard', '`..` behind a wildcard leads nobody knows where; write the path out']
    case 'unreadable':
    case 'never':
      return ['matches_nothing', 'no path can match it: it holds a character that no name has here']
  }
}

type Expanded = { readonly text: string } | { readonly code: PolicyProblemCode; readonly message: string }

/** `~` alone or before a slash at the beginning; `$NAME` and `${NAME}` anywhere. */
function expand(text: string, { home, variables, pathStyle }: PatternWorld): Expanded {
  if (!text.startsWith('~')) return expandVariables(text, variables)
  if (!(pathStyle === 'windows' ? /^~(?=$|[\\/])/ : /^~(?=$|\/)/).test(text))
    return wrong('unset_variable', '`~` stands for your own home folder only: write `~/…`, or the whole path')
  if (home === undefined || home === '')
    return wrong('unset_variable', '`~` cannot be expanded, since no home folder is known: set HOME, or write the whole path')
  if (hasWildcard(home)) return wildcardIn('`~`')
  const rest = expandVariables(text.slice(1), variables)
  return 'code' in rest ? rest : { text: `${home}${rest.text}` }
}

function expandVariables(text: string, variables: PatternWorld['variables']): Expanded {
  let mistake: Expanded | undefined
  const expanded = text.replace(variable, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare
    const value = name !== undefined && Object.hasOwn(variables, name) ? variables[name] : undefined
    mistake ??= name === undefined ? oddDollar : whyNot(name, value)
    return value ?? ''
  })
  return mistake ?? { text: expanded }
}

const variable = /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*)|)/g

const oddDollar = wrong('unset_variable', 'a `$` begins the name of a variable, as in `$HERMES_HOME`; here is none')

function whyNot(name: string, value: string | undefined): Expanded | undefined {
  if (value === undefined || value === '')
    return wrong('unset_variable', `the variable ${name} is not set: set it for the service, or write the path out`)
  return hasWildcard(value) ? wildcardIn(name) : undefined
}

function hasWildcard(text: string): boolean {
  return /[*?]/.test(text)
}

/** It would grant more than is written. */
function wildcardIn(name: string): Expanded {
  return wrong('wildcard_in_variable', `the value of ${name} holds \`*\` or \`?\`, which would match more than that one path`)
}

function wrong(code: PolicyProblemCode, message: string): { readonly code: PolicyProblemCode; readonly message: string } {
  return { code, message }
}
