// Takes the secrets out of what a payload has become, before anything is judged by it: gates and the ledger see the same words.
import type { NewEvent } from '../events/event-catalog.js'
import type { DigestUse } from '../foundation/digest.js'
import { type RedactedEvent, redactEvent } from '../ledger/redacted-event.js'
import type { Redactor } from '../redaction/redact.js'

/** The event without secrets; `redacted` among its facts counts them, beside those that the host's plugin had taken out. */
export function redactObserved(
  event: NewEvent,
  redactor: Redactor,
  digest: (use: DigestUse, text: string) => string,
): RedactedEvent {
  const { event: kept, count } = redactEvent(event, redactor)
  if (count === 0) return kept
  const counted = 'source' in kept.facts ? withCount(kept, (kept.facts.redacted ?? 0) + count) : kept
  if (counted.type !== 'message.captured' || counted.words === undefined) return counted
  // They tell of the text that is kept: of another one, nobody could show that the digest is its.
  const { text } = counted.words
  return { ...counted, facts: { ...counted.facts, characters: codePointsIn(text), digest: digest('text', text) } }
}

function withCount(event: RedactedEvent, redacted: number): RedactedEvent {
  return { ...event, facts: { ...event.facts, redacted } } as RedactedEvent
}

/** Unicode code points; a list of them would cost many times the text. */
function codePointsIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
