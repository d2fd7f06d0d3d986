// What a host tells of payloads whose answer it did not get.
import type { RedactedEvent } from '../ledger/redacted-event.js'
import type { Speaker } from './attach.js'
import type { HookCall, HookHouse } from './hook-house.js'
import { seqDigest } from './once-ids.js'
import type { ReadPayload } from './read-payload.js'

/** Numbers whose answer the host did not get, and what it did without us. Hosts tell of each until they know that we heard. */
export interface Unanswered {
  /** What is news, as events; from then on it is told. Called in the writer's turn. */
  take(): RedactedEvent[]
  /** What was taken could not be written: it is news again. */
  putBack(): void
}

/** So many a payload; a host that has more to tell brings the rest with the next. */
const unansweredMax = 64

/** What the host could not deliver waits in the spool, and comes before what it says now. A spool that cannot be read waits on. */
export async function unansweredOf(
  house: HookHouse,
  call: HookCall,
  speaker: Speaker,
  { host: { unanswered = [] } }: ReadPayload,
): Promise<Unanswered> {
  if (speaker.kind !== 'attached' || unanswered.length === 0) return { take: () => [], putBack: () => {} }
  const { index, id, toldUnanswered } = speaker.attach
  const earlier = unanswered.filter(({ seq }) => seq < speaker.seq).slice(0, unansweredMax)
  if (!call.late && earlier.some(({ seq }) => !toldUnanswered.has(seq))) await house.takeSpool().catch(() => {})
  const told = await Promise.all(
    earlier.map(async ({ seq, did }) => {
      const first = await house.ledger.firstUnder(seqDigest(house.ledger, id, seq))
      return { seq, did, judged: first?.index ?? null }
    }),
  )
  const taken = new Set<number>()
  return {
    take: () =>
      told.flatMap(({ seq, did, judged }): RedactedEvent[] => {
        if (toldUnanswered.has(seq)) return []
        toldUnanswered.add(seq)
        taken.add(seq)
        return [{ type: 'mismatch.found', facts: { kind: 'unanswered', judged, seq, did, attach: index } }]
      }),
    putBack: () => {
      for (const seq of taken) toldUnanswered.delete(seq)
    },
  }
}
