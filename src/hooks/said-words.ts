// What a user typed, for a gate that is about to judge a write: of this session and those it goes on from, and where the settings say so of
// the whole profile. Read when it is first needed, and kept in step with the session from then on.
import type { SaidMessage, SaidWords } from '../gates/gate.js'
import type { RedactedEvent } from '../ledger/redacted-event.js'
import { type GateContextView, gateContext, readGateContext, typedWords } from '../projections/gate-context.js'
import { foldEvents } from '../projections/projection.js'
import type { HookHouse, HookLedger, Place, SaidElsewhere } from './hook-house.js'
import type { HeldSession, SaidReading } from './session-memory.js'

/** Reads what is not known yet. Afterwards `session.said` holds everything of the session that was built so far. */
export async function holdSaid({ ledger }: Pick<HookHouse, 'ledger'>, handle: string, session: HeldSession): Promise<void> {
  const isCurrent = session.saidErasures === ledger.erasures && session.said?.goesOnFrom === session.saidFrom
  if (session.said !== undefined && isCurrent) return
  if (session.reading === undefined) {
    const built: SaidReading['built'] = []
    session.reading = { built, done: readSaid(ledger, handle, session, built) }
  }
  await session.reading.done
}

async function readSaid(ledger: HookLedger, handle: string, session: HeldSession, built: SaidReading['built']): Promise<void> {
  try {
    // In the writer's turn: what stands below is on disk when this is answered, and what is built from there on is told to `built`.
    let erasures = 0
    const { result: from = 0 } = await ledger.appendMade(
      ({ index }) => {
        built.length = 0
        erasures = ledger.erasures
        return { events: [], result: index }
      },
      { entries: 0 },
    )
    const said =
      handle === '' ? gateContext.initial() : await readGateContext((one) => ledger.reader.sessionEntries(one), handle, from)
    // A link among what is built behind makes it be read once more.
    session.saidFrom = said.goesOnFrom
    session.saidErasures = erasures
    session.said = built.reduce((view, { events, place }) => foldEvents(gateContext, view, events, place), said)
  } finally {
    session.reading = undefined
  }
}

/** Keeps what is held in step with what is built. */
export function addSaid(session: HeldSession, events: readonly RedactedEvent[], place: Place): void {
  session.reading?.built.push({ events, place })
  if (session.said !== undefined) session.said = foldEvents(gateContext, session.said, events, place)
}

export interface SaidAt {
  /** When the entries are made, as they say it. */
  readonly time: string
  /** Days that words back anything; 0 for ever. */
  readonly days: number
  /** The turn that is judged in: what was refused in an earlier one is not counted in it. */
  readonly turn: number
}

/** As the gate is handed it: words that are older than words are kept are as good as forgotten. */
export function saidWords(
  said: GateContextView | 'unavailable' | undefined,
  elsewhere: readonly SaidElsewhere[] | 'unavailable',
  { time, days, turn }: SaidAt,
): SaidWords {
  const view = said === undefined || said === 'unavailable' ? gateContext.initial() : said
  const at = { atMs: Date.parse(time), days }
  const kept = new Set(typedWords(view.messages, at).map(({ index }) => index))
  const here = view.messages.map(
    ({ index, text, sender, source }): SaidMessage => ({
      index,
      text: kept.has(index) ? text : undefined,
      session: 'this',
      sender,
      attested: source === 'attached',
    }),
  )
  const others = typedWords(elsewhere === 'unavailable' ? [] : elsewhere, at).map(({ time: _, ...message }) => message)
  return {
    messages: [...others, ...here],
    unavailable: said === 'unavailable' || elsewhere === 'unavailable',
    refused: turn > view.turn ? {} : view.refused,
  }
}
