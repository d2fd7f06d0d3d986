// Whether one grant covers another, and one allowlist another, by spelling alone. True is always true: nothing that the narrower one allows
// is denied or asked about under the wider one. False may be too careful.
import type {
  Allowlist,
  CommandGrant,
  CommandGrantWord,
  DenyList,
  Grant,
  GrantContext,
  PathGrant,
  PathStyle,
} from './allowlist.js'
import { commandTools } from './host-tools.js'
import { nameGlob, nameIsNarrower } from './name-glob.js'
import { compilePathGlob, isNarrower } from './path-glob.js'
import { foldedName } from './path-spelling.js'
import { coversToolPattern, matchesToolPattern } from './tool-pattern.js'
import { climbsNoFurther } from './word-pattern.js'

/** Every grant of the narrow one is covered by one of the wide one, and nothing is denied or asked about less. */
export function policyCover(wide: Allowlist, narrow: Allowlist, style: PathStyle): boolean {
  const isEachGranted = narrow.skills.every(({ name, grants }) => {
    const skill = wide.skills.find((one) => one.name === name)
    // A skill that is not listed has nothing either.
    return (
      grants.length === 0 ||
      (skill !== undefined && grants.every((grant) => skill.grants.some((one) => coversGrant(one, grant, style))))
    )
  })
  return isEachGranted && asksAsMuch(wide, narrow) && coversDeny(narrow.deny, wide.deny, style)
}

function asksAsMuch(wide: Allowlist, narrow: Allowlist): boolean {
  return wide.requireApproval.every((pattern) => narrow.requireApproval.some((one) => coversToolPattern(one, pattern)))
}

export function coversGrant(wide: Grant, narrow: Grant, style: PathStyle): boolean {
  return (
    coversContext(wide.when, narrow.when) &&
    (wide.expires === undefined || (narrow.expires !== undefined && narrow.expires <= wide.expires)) &&
    narrow.tools.every((pattern) => wide.tools.some((one) => coversToolPattern(one, pattern))) &&
    narrow.paths.every((path) => coversPath(wide.paths, path, style)) &&
    (grantsEveryCommand(wide) || narrow.commands.every((command) => wide.commands.some((one) => coversCommand(one, command))))
  )
}

function grantsEveryCommand({ tools }: Grant): boolean {
  return [...commandTools].every((tool) => tools.some((pattern) => matchesToolPattern(pattern, tool)))
}

function coversContext(wide: GrantContext | undefined, narrow: GrantContext | undefined): boolean {
  if (wide === undefined) return true
  if (narrow === undefined) return false
  return (
    isAmong(narrow.platform, wide.platform) &&
    isAmong(narrow.job, wide.job) &&
    (wide.subagent === undefined || wide.subagent === narrow.subagent)
  )
}

function isAmong(narrow: readonly string[] | undefined, wide: readonly string[] | undefined): boolean {
  return wide === undefined || narrow?.every((name) => wide.includes(name)) === true
}

/** Where a pattern led when it was read has to be covered too: a link below what is granted may lead out of it. */
function coversPath(wide: readonly PathGrant[], { pattern, access, resolvedPattern }: PathGrant, style: PathStyle): boolean {
  const patterns = resolvedPattern === undefined ? [pattern] : [pattern, resolvedPattern]
  return patterns.every((inner) =>
    wide.some(
      (one) =>
        (one.access === 'any' || one.access === access) &&
        [one.pattern, one.resolvedPattern].some((outer) => outer !== undefined && coversPattern(outer, inner, style)),
    ),
  )
}

/** On volumes that tell case and on those that do not: folding can make one character two. */
function coversPattern(outer: string, inner: string, style: PathStyle): boolean {
  if (outer === inner) return true
  return [(text: string) => text, foldedName].every((form) =>
    isNarrower(compilePathGlob(form(inner), style), compilePathGlob(form(outer), style)),
  )
}

/** Word by word; what stands for any further words takes whatever is left. */
function coversCommand(wide: CommandGrant, narrow: CommandGrant): boolean {
  for (const [at, word] of wide.entries()) {
    const other = narrow[at]
    if (word.kind === 'rest') return word.of === 'words' || (narrow.length === at + 1 && isSameRest(word, other))
    if (other === undefined || !(at === 0 ? coversProgram(word, other) : coversWord(word, other))) return false
  }
  return wide.length === narrow.length
}

function isSameRest(wide: Extract<CommandGrantWord, { of: 'paths' }>, narrow: CommandGrantWord | undefined): boolean {
  return narrow?.kind === 'rest' && narrow.of === 'paths' && narrow.access === wide.access
}

/** A name is looked up and a path is not, and an assignment is neither: only among names does one pattern cover another. */
function coversProgram(wide: CommandGrantWord, narrow: CommandGrantWord): boolean {
  if (wide.kind !== 'word' || narrow.kind !== 'word') return false
  return (
    wide.pattern === narrow.pattern ||
    ([wide, narrow].every(({ pattern }) => !/[/\\=]/.test(pattern)) && coversWord(wide, narrow))
  )
}

function coversWord(wide: CommandGrantWord, narrow: CommandGrantWord): boolean {
  if (wide.kind === 'path') return narrow.kind === 'path' && narrow.access === wide.access
  if (wide.kind !== 'word' || narrow.kind === 'rest') return false
  // A path needs a grant of its own beside, so a pattern for any word covers it.
  if (narrow.kind === 'path') return wide.pattern === '*'
  return climbsNoFurther(wide.pattern, narrow.pattern) && nameIsNarrower(nameGlob(narrow.pattern), nameGlob(wide.pattern))
}

function coversDeny(wide: DenyList, narrow: DenyList, style: PathStyle): boolean {
  return (
    narrow.tools.every((pattern) => wide.tools.some((one) => coversToolPattern(one, pattern))) &&
    narrow.paths.every((path) => coversPath(wide.paths, path, style)) &&
    narrow.commands.every((command) => wide.commands.some((one) => coversCommand(one, command)))
  )
}
