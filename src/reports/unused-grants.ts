// Which parts of the policy in force no call has used: tools by the names that were asked for, paths and commands by the words of calls.
import type { CommandPart, Touch } from '../gates/capability/access.js'
import { accessOfWords } from '../gates/capability/access-words.js'
import type { Grant, PathGrant, PathStyle, Policy } from '../gates/capability/allowlist.js'
import { commandGrantText } from '../gates/capability/command-grant.js'
import { commandScope } from '../gates/capability/command-scope.js'
import { compilePathGlob, matchesPath } from '../gates/capability/path-glob.js'
import { matchesToolPattern } from '../gates/capability/tool-pattern.js'
import type { NamedDecision } from '../projections/grants.js'

export interface UnusedGrant {
  readonly skill: string
  readonly what: 'tool' | 'path' | 'command'
  /** As it stands in force: variables and `~` are expanded. */
  readonly granted: string
}

interface Reached {
  readonly tool: string
  readonly touches: readonly Touch[]
  readonly commands: readonly CommandPart[]
}

/** In the order of the allowlist, each once. `tools` are the names that were asked for, whatever became of it. */
export function unusedGrants(
  { allowlists, pathStyle }: Policy,
  tools: readonly string[],
  decisions: readonly NamedDecision[],
  words: ReadonlyMap<number, Readonly<Record<string, unknown>>>,
): UnusedGrant[] {
  const reached = decisions.flatMap(({ tool, judged }): Reached[] => {
    const said = words.get(judged)
    return said === undefined ? [] : [{ tool, ...accessOfWords(said) }]
  })
  const found = allowlists.flatMap(({ skills }) =>
    skills.flatMap(({ name: skill, grants }) =>
      grants.flatMap((grant) => unusedOf(grant, tools, reached, pathStyle).map((one) => ({ skill, ...one }))),
    ),
  )
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]
}

function unusedOf(
  grant: Grant,
  tools: readonly string[],
  reached: readonly Reached[],
  style: PathStyle,
): Omit<UnusedGrant, 'skill'>[] {
  const commands = reached.flatMap((one) => one.commands)
  // Commands reach paths too, whatever the tool that runs them is called.
  const own = reached.filter(
    (one) => one.commands.length > 0 || grant.tools.some((pattern) => matchesToolPattern(pattern, one.tool)),
  )
  const touches = own.flatMap((one) => one.touches)
  const operands = own.flatMap((one) => one.commands.flatMap((part) => part.operands.flatMap(({ path }) => path ?? [])))
  return [
    ...grant.tools
      .filter((pattern) => !tools.some((tool) => matchesToolPattern(pattern, tool)))
      .map((granted) => ({ what: 'tool' as const, granted })),
    ...grant.paths
      .filter((path) => !isReached(path, touches, operands, style))
      .map(({ pattern, access }) => ({ what: 'path' as const, granted: access === 'any' ? pattern : `${pattern} (${access})` })),
    ...grant.commands
      .filter((command) => !commands.some((one) => commandScope(one, command).scope !== 'not'))
      .map((command) => ({ what: 'command' as const, granted: commandGrantText(command) })),
  ]
}

function isReached(
  { pattern, access, resolvedPattern }: PathGrant,
  touches: readonly Touch[],
  operands: readonly Pick<Touch, 'typed' | 'resolved' | 'foldsCase'>[],
  style: PathStyle,
): boolean {
  const globs = [pattern, ...(resolvedPattern === undefined ? [] : [resolvedPattern])].map((one) => compilePathGlob(one, style))
  const fits = ({ typed, resolved, foldsCase }: Pick<Touch, 'typed' | 'resolved' | 'foldsCase'>): boolean =>
    [typed, resolved].some((path) => path !== null && globs.some((glob) => matchesPath(glob, path, foldsCase === true)))
  return touches.some((touch) => (access === 'any' || touch.access === access) && fits(touch)) || operands.some(fits)
}
