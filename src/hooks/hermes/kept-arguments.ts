// Which arguments of a call are kept whole: by default those that a gate judges. Of all others only the name, the size and a keyed digest.
import { argumentKind } from '../../events/argument-kind.js'
import { canonicalJson } from '../../foundation/canonical-json.js'
import type { HookContext, KeptArguments } from '../hook.js'

/** Tools whose whole text is judged: what an agent writes into its own memory and skills. */
const judgedTools: ReadonlySet<string> = new Set(['memory', 'skill_manage'])

/** Beside paths and commands: names under which tools take what decides how those are meant. */
const judgedNames: ReadonlySet<string> = new Set(['action', 'mode', 'name', 'patch', 'url'])

/** A call with more arguments than this keeps the first so many; the whole's count, size and digest stand among the facts. */
const keptMax = 256

export interface KeptArgument {
  name: string
  /** Bytes of the value's canonical JSON. */
  bytes: number
  digest: string
  value?: unknown
}

/** The arguments in the order of their names. Arguments that are no object have no names and are known by the whole's digest alone. */
export function keptArguments(tool: string, value: unknown, { digest, keep }: HookContext): KeptArgument[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const members = value as Record<string, unknown>
  return Object.keys(members)
    .sort()
    .slice(0, keptMax)
    .map((name) => {
      const text = canonicalJson(members[name])
      const kept = { name, bytes: Buffer.byteLength(text), digest: digest('arguments', text) }
      return isKept(tool, name, keep) ? { ...kept, value: members[name] } : kept
    })
}

function isKept(tool: string, name: string, keep: KeptArguments): boolean {
  if (keep === 'judged') return judgedTools.has(tool) || judgedNames.has(name) || argumentKind(name) !== 'other'
  return keep === 'full'
}
