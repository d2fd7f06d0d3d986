// Calls as they are read of a ledger, by hand: for tests of what is made of them.
import type { CommandPart, Touch } from '../../src/gates/capability/access.js'
import type { UsedCall } from '../../src/projections/used-calls.js'

/** A touch as `read /srv/a`, `write /srv/a`, `tree /srv`, or `read /srv/a -> /mnt/a` where a link leads elsewhere. */
export function touch(text: string): Touch {
  const [, how = '', typed = '', resolved = typed] = /^(read|write|tree) (.*?)(?: -> (.*))?$/.exec(text) ?? []
  return { asked: typed, access: how === 'write' ? 'write' : 'read', tree: how === 'tree', typed, resolved }
}

/** Word by word; one that begins with `$` is opaque. */
export function command(...words: readonly string[]): CommandPart {
  const [program, ...operands] = words.map((text) => (text.startsWith('$') ? ({ text, opaque: 'variable' } as const) : { text }))
  return { program: program ?? { text: '' }, operands }
}

export interface UsedCallParts {
  readonly session?: string
  readonly day?: string
  readonly skill?: string
  readonly touches?: readonly string[]
  readonly commands?: readonly (readonly string[])[]
  readonly more?: Partial<UsedCall>
}

/** Allowed, in session `s1` on the first of March, unless it says otherwise. */
export function usedCall(index: number, tool: string, parts: UsedCallParts = {}): UsedCall {
  const { session = 's1', day = '2026-03-01', skill = '', touches = [], commands = [], more = {} } = parts
  return {
    ...{ index, time: `${day}T10:00:00.000Z`, session, turn: 1, tool, cwd: '/srv', afterOutside: false, skill },
    access: { touches: touches.map(touch), commands: commands.map((words) => command(...words)) },
    ...{ reaches: touches.length + commands.length, unread: undefined, deniedByHand: false, cameBackRefused: false },
    decision: { verdict: 'deny', code: 'policy_unavailable', enforced: false },
    ...more,
  }
}
