// Each session by its handle: when it ran, where, what it goes on from, and what was counted in it. Facts alone: whoever shows a
// session looks its host's id up in the ledger, where it may be forgotten.
import { namedCounts } from './named-counts.js'
import type { FoldedEntry, KeptProjection } from './projection.js'

export interface GateCounts {
  allow: number
  deny: number
  ask: number
  /** Denials and requests for approval that the host was held to. */
  enforced: number
}

export interface SessionView {
  /** Of its first and its last entry. */
  first: { index: number; time: string }
  last: { index: number; time: string }
  entries: number
  /** Index of its `session.started`, whose words hold the host's id; null where it has none. */
  started: number | null
  platform: string
  model: string
  /** The session that it goes on from; `handle` is null for one that was never heard of. */
  parent: { handle: string | null; why: 'compression' | 'subagent' } | null
  ended: { time: string; reason: string } | null
  /** The highest number of a turn. */
  turns: number
  messages: number
  characters: number
  /** Messages that were not the user's. */
  skipped: number
  calls: { asked: number; completed: number; failed: number }
  /** By the name of the gate. */
  gates: Record<string, GateCounts>
  /** Payloads of somebody else that named it. */
  foreign: number
  /** Everything in it was asked by `stele doctor`. */
  probe: boolean
  /** Whether anything in it came from an attached host, and whether anything came from elsewhere. */
  sources: { attached: boolean; unattested: boolean }
}

interface HookFacts {
  readonly source: 'attached' | 'unattested'
  readonly probe?: true | undefined
}

export const sessions: KeptProjection<SessionView> = {
  name: 'sessions',
  version: 1,
  partOf: ({ session }) => (session === '' ? undefined : session),
  initial: () => ({
    first: { index: -1, time: '' },
    last: { index: -1, time: '' },
    entries: 0,
    started: null,
    platform: '',
    model: '',
    parent: null,
    ended: null,
    turns: 0,
    messages: 0,
    characters: 0,
    skipped: 0,
    calls: { asked: 0, completed: 0, failed: 0 },
    gates: {},
    foreign: 0,
    probe: false,
    sources: { attached: false, unattested: false },
  }),
  each: (view, { index, time }) => {
    if (view.entries === 0) view.first = { index, time }
    view.last = { index, time }
    view.entries += 1
    return view
  },
  on: {
    'session.started': (view, { index, facts }) => {
      view.started = index
      view.platform = facts.platform
      view.model = facts.model ?? ''
      view.probe = facts.probe === true
      return from(view, facts)
    },
    'session.linked': (view, { facts }) => {
      view.parent = { handle: facts.parent, why: facts.why }
      return from(view, facts)
    },
    'session.ended': (view, { time, facts }) => {
      view.ended = { time, reason: facts.reason }
      return from(view, facts)
    },
    'message.captured': (view, { facts }) => {
      view.messages += 1
      view.characters += facts.characters
      return inTurn(from(view, facts), facts)
    },
    'message.skipped': (view, { facts }) => {
      view.skipped += 1
      return inTurn(from(view, facts), facts)
    },
    'turn.ended': (view, { facts }) => inTurn(from(view, facts), facts),
    'tool.requested': (view, { facts }) => {
      view.calls.asked += 1
      return inTurn(from(view, facts), facts)
    },
    'tool.completed': (view, { facts }) => {
      view.calls.completed += 1
      if (facts.errorType !== undefined) view.calls.failed += 1
      return inTurn(from(view, facts), facts)
    },
    'gate.decided': (view, { facts }) => {
      countDecision(view.gates, facts)
      return view
    },
    'hook.foreign': (view) => {
      view.foreign += 1
      return view
    },
  },
}

/** Counts one decision under the name of its gate. */
export function countDecision(
  gates: Record<string, GateCounts>,
  { gate, verdict, enforced }: FoldedEntry<'gate.decided'>['facts'],
): void {
  const of = namedCounts(gates, gate, () => ({ allow: 0, deny: 0, ask: 0, enforced: 0 }))
  of[verdict] += 1
  if (enforced && verdict !== 'allow') of.enforced += 1
}

function from(view: SessionView, { source }: HookFacts): SessionView {
  view.sources[source] = true
  return view
}

function inTurn(view: SessionView, { turn }: { readonly turn: number }): SessionView {
  view.turns = Math.max(view.turns, turn)
  return view
}
