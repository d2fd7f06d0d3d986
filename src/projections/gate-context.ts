// What the user typed in one session, as a gate may rely on it. Made from the session's own entries on first use, and never kept: words
// that are forgotten are gone from it with the ledger's.
import type { Entry } from '../events/entry.js'
import { fold, type Projection } from './projection.js'

export interface TypedMessage {
  readonly index: number
  readonly time: string
  readonly turn: number
  readonly source: 'attached' | 'unattested'
  /** Undefined where the words are forgotten. */
  readonly text: string | undefined
  /** Empty where the host names nobody. */
  readonly sender: string
}

export interface GateContextView {
  /** Oldest first. */
  readonly messages: TypedMessage[]
  /** The session that this one goes on from after its conversation was compressed; it counts as this one. */
  goesOnFrom: string | undefined
  /** Index of the entry that says so: what is typed there from then on is another conversation. */
  goesOnAt: number
  /** The number of the newest turn. */
  turn: number
  /** Writes that were refused in that turn: by the digest of their target how many, and the call of the last. */
  refused: Record<string, { count: number; call: number }>
}

export const gateContext: Projection<GateContextView> = {
  name: 'gate-context',
  version: 1,
  initial: () => ({ messages: [], goesOnFrom: undefined, goesOnAt: 0, turn: 0, refused: {} }),
  on: {
    'session.linked': (view, { index, facts: { why, parent } }) => {
      // Told again, it goes on from where it did.
      if (why !== 'compression' || parent === null || parent === view.goesOnFrom) return view
      view.goesOnFrom = parent
      view.goesOnAt = index
      return view
    },
    'message.captured': (view, { index, time, facts, words }) => {
      const { turn, source } = facts
      view.messages.push({ index, time, turn, source, text: words?.text, sender: words?.sender ?? '' })
      return inTurn(view, turn)
    },
    'tool.requested': (view, { facts }) => inTurn(view, facts.turn),
    'claim.judged': (view, { facts: { verdict, call, targetDigest } }) => {
      const before = view.refused[targetDigest]
      // A write of many claims is refused once.
      if (verdict === 'blocked' && before?.call !== call) view.refused[targetDigest] = { count: (before?.count ?? 0) + 1, call }
      return view
    },
  },
}

function inTurn(view: GateContextView, turn: number): GateContextView {
  if (turn > view.turn) {
    view.turn = turn
    view.refused = {}
  }
  return view
}

/** A longer chain of compressed sessions is read so far back. */
const sessionsMax = 64

/**
 * The context of a session and of those that it goes on from, of the entries below `asOf`. `entriesOf` reads the entries of one session,
 * in order.
 */
export function readGateContext(
  entriesOf: (handle: string) => AsyncIterable<Entry>,
  handle: string,
  asOf = Number.POSITIVE_INFINITY,
): Promise<GateContextView> {
  return chainedContext((one) => readOwnContext(entriesOf(one), asOf), handle)
}

/** The context of one session by itself. */
export async function readOwnContext(entries: AsyncIterable<Entry>, asOf: number): Promise<GateContextView> {
  let view = gateContext.initial()
  for await (const entry of entries) if (entry.header.index < asOf) view = fold(gateContext, view, entry)
  return view
}

/** That of a session with what was typed in those that it goes on from, until it did; `ownOf` gives each by itself. */
export async function chainedContext(
  ownOf: (handle: string) => Promise<GateContextView>,
  handle: string,
): Promise<GateContextView> {
  const own = await ownOf(handle)
  const read = new Set([handle])
  const messages = [own.messages]
  let below = own.goesOnAt
  for (let next = own.goesOnFrom; next !== undefined && !read.has(next) && read.size < sessionsMax; ) {
    read.add(next)
    const view = await ownOf(next)
    const until = below
    messages.push(view.messages.filter(({ index }) => index < until))
    next = view.goesOnFrom
    below = Math.min(below, view.goesOnAt)
  }
  return { ...own, messages: messages.flat().sort((one, other) => one.index - other.index) }
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Those messages whose words still back anything at a moment: not forgotten, and no older than they are kept, whether or not a sweep has
 * been there. `days` 0 keeps them for ever. A message of a later time than the moment is of a clock that was wrong, and counts.
 */
export function typedWords<Message extends Pick<TypedMessage, 'time' | 'text'>>(
  messages: readonly Message[],
  { atMs, days }: { readonly atMs: number; readonly days: number },
): Message[] {
  return messages.filter(({ text, time }) => text !== undefined && (days === 0 || atMs - Date.parse(time) <= days * dayMs))
}
