// Calls with what they would reach and what was decided, as events: by hand, for tests of what is read of them.
import type { NewEvent } from '../../src/events/event-catalog.js'

const digest = 'd1'.repeat(32)

type EventOf<Type extends NewEvent['type']> = Extract<NewEvent, { type: Type }>

export interface Requested {
  readonly session?: string
  readonly turn?: number
  readonly cwd?: string | undefined
}

export function requested(tool: string, { session = 's1', turn = 1, cwd }: Requested = {}): EventOf<'tool.requested'> {
  return {
    type: 'tool.requested',
    session,
    facts: { turn, tool, arguments: { count: 0, bytes: 2, digest }, source: 'unattested' },
    words: cwd === undefined ? {} : { cwd },
  }
}

export interface TouchAsked {
  readonly asked: string
  readonly typed: string | null
  readonly resolved?: string | null
  readonly access?: 'read' | 'write'
  readonly tree?: boolean
  readonly problem?: 'dangling' | 'looping' | 'unreadable' | 'unresolved'
}

export interface Reach {
  readonly session?: string
  readonly tool?: string
  readonly skill?: string
  readonly touches?: readonly TouchAsked[]
  /** Word by word; a word that begins with `$` is opaque. */
  readonly commands?: readonly (readonly string[])[]
  readonly unread?: 'arguments' | 'unbalanced'
}

/** Without a link in the way, unless `resolved` says where one leads. */
export function proposed(call: number, reach: Reach): EventOf<'access.proposed'> {
  const { session = 's1', tool = 'read_file', skill = '', touches = [], commands = [], unread } = reach
  const asked = touches.map(({ access = 'read', tree = false, resolved, ...touch }) => ({
    ...{ ...touch, access, tree },
    resolved: resolved === undefined ? touch.typed : resolved,
  }))
  const wordOf = (text: string) =>
    text.startsWith('$') ? { text, opaque: 'variable' as const, variable: text.slice(1) } : { text }
  return {
    type: 'access.proposed',
    session,
    facts: {
      ...{ call, tool, skill, lineage: [], attended: 'attended', asks: 'yes', commands: commands.length },
      touches: asked.length,
      writes: asked.filter(({ access }) => access === 'write').length,
      ...(unread === undefined ? {} : { unread }),
    },
    words: {
      touches: asked,
      programs: commands.map(([program = '']) => wordOf(program)),
      operands: commands.flatMap(([, ...operands], of) => operands.map((text) => ({ of, ...wordOf(text) }))),
    },
  }
}

export interface Decision {
  readonly session?: string
  readonly verdict?: 'allow' | 'deny' | 'ask'
  readonly code?: string
  readonly enforced?: boolean
  readonly reason?: string
}

export function toolDecided(judges: number, decision: Decision = {}): EventOf<'gate.decided'> {
  const { session = 's1', verdict = 'deny', code = 'policy_unavailable', enforced = false, reason = 'because' } = decision
  const mode = enforced ? 'enforce' : 'observe'
  return {
    type: 'gate.decided',
    session,
    facts: { gate: 'capability', gateVersion: 1, judges, asOf: judges, mode, verdict, code, enforced },
    words: { reason },
  }
}
