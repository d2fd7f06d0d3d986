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
  /** The number of the newest turn. */
  turn: number
  /** Writes that were refused in that turn: by the digest of their target how many, and the call of the last. */
  refused: Record<string, { count: number; call: number }>
}

export const gateContext: Projection<GateContextView> = {
  name: 'gate-context',
  version: 1,
  initial: () => ({ messages: [], goesOnFrom: undefined, turn: 0, refused: {} }),
  on: {
    'session.linked': (view, { facts }) => {
      if (facts.why === 'compression' && facts.parent !== null) view.goesOnFrom = facts.parent
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
export async function readGateContext(
  entriesOf: (handle: string) => AsyncIterable<Entry>,
  handle: string,
  asOf = Number.POSITIVE_INFINITY,
): Promise<GateContextView> {
  let own = gateContext.initial()
  const read = new Set<string>()
  const messages: TypedMessage[] = []
  for (let next: string | undefined = handle; next !== undefined && !read.has(next) && read.size < sessionsMax; ) {
    let view = gateContext.initial()
    read.add(next)
    for await (const entry of entriesOf(next)) if (entry.header.index < asOf) view = fold(gateContext, view, entry)
    messages.push(...view.messages)
    if (next === handle) own = view
    next = view.goesOnFrom
  }
  return { ...own, messages: messages.sort((one, other) => one.index - other.index) }
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
