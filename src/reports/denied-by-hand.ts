// What a person has refused when they were asked: the paths and commands of those calls, and the tool itself where a call has neither.
import type { PathStyle } from '../gates/capability/allowlist.js'
import { commandTools } from '../gates/capability/host-tools.js'
import type { UsedCall } from '../projections/used-calls.js'
import { slashed } from './suggested-paths.js'

export interface DeniedByHand {
  readonly tools: ReadonlySet<string>
  readonly touches: readonly { readonly access: 'read' | 'write'; readonly path: string; readonly tree: boolean }[]
  readonly commands: readonly (readonly string[])[]
}

export function deniedByHand(calls: readonly UsedCall[], style: PathStyle): DeniedByHand {
  const denied = calls.filter((call) => call.deniedByHand)
  return {
    tools: new Set(denied.filter(({ tool, reaches }) => reaches === 0 && !commandTools.has(tool)).map(({ tool }) => tool)),
    touches: denied.flatMap(({ access }) =>
      (access?.touches ?? []).flatMap(({ access: how, tree, typed, resolved }) =>
        [typed, resolved].flatMap((path) => (path === null ? [] : [{ access: how, tree, path: slashed(path, style) }])),
      ),
    ),
    commands: denied.flatMap(({ access }) =>
      (access?.commands ?? []).map(({ program, operands }) => [program, ...operands].map(({ text }) => text)),
    ),
  }
}

/** Also where what was refused lies beneath, or all of a folder above it was refused. */
export function deniesPath({ touches }: DeniedByHand, path: string, access: 'read' | 'write', tree: boolean): boolean {
  return touches.some(
    (denied) =>
      denied.access === access &&
      (sameName(denied.path, path) || (tree && isBeneath(path, denied.path)) || (denied.tree && isBeneath(denied.path, path))),
  )
}

export function deniesCommand({ commands }: DeniedByHand, words: readonly string[]): boolean {
  return commands.some((denied) => denied.length === words.length && denied.every((word, at) => word === words[at]))
}

/** Not every volume tells upper from lower case. */
export function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

export function isBeneath(folder: string, path: string): boolean {
  return path.toLowerCase().startsWith(folder === '/' ? '/' : `${folder.toLowerCase()}/`)
}
