// Holds what a user typed in a session and those it goes on from, for a gate that is about to judge a write: read when it is first needed,
// and kept in step with the session from then on.
import type { RedactedEvent } from '../ledger/redacted-event.js'
import { gateContext, readGateContext } from '../projections/gate-context.js'
import { foldEvents } from '../projections/projection.js'
import type { HookHouse, HookLedger, Place } from './hook-house.js'
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
