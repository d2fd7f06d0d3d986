// What a host tells of payloads whose answer it did not get.
import type { NewEvent } from '../events/event-catalog.js'
import type { Speaker } from './attach.js'
import type { HookCall, HookHouse } from './hook-house.js'
import { seqDigest } from './once-ids.js'
import type { ReadPayload } from './read-payload.js'

/** Numbers whose answer the host did not get, and what it did without us: told once each. */
export async function unansweredOf(
  house: HookHouse,
  call: HookCall,
  speaker: Speaker,
  { host: { unanswered = [] } }: ReadPayload,
): Promise<{ events: NewEvent[]; forget: () => void }> {
  const events: NewEvent[] = []
  if (speaker.kind !== 'attached' || unanswered.length === 0) return { events, forget: () => {} }
  const { attach } = speaker
  const news = unanswered.filter(({ seq }) => !attach.toldUnanswered.has(seq))
  for (const { seq } of news) attach.toldUnanswered.add(seq)
  // What the host could not deliver waits in the spool; it comes before what it says now. A spool that cannot be read waits on.
  if (!call.late) await house.takeSpool().catch(() => {})
  for (const { seq, did } of news) {
    const first = await house.ledger.firstUnder(seqDigest(house.ledger, attach.id, seq))
    events.push({
      type: 'mismatch.found',
      facts: { kind: 'unanswered', judged: first?.index ?? null, seq, did, attach: attach.index },
    })
  }
  return {
    events,
    forget: () => {
      for (const { seq } of news) attach.toldUnanswered.delete(seq)
    },
  }
}
