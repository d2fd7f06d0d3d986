// Events as the ledger takes them, for tests whose words hold no secret: they stay what they are.
import type { NewEvent } from '../../src/events/event-catalog.js'
import { type RedactedEvent, redactEvent } from '../../src/ledger/redacted-event.js'
import { makeRedactor } from '../../src/redaction/redact.js'

const redactor = makeRedactor()

export function asRedacted(event: NewEvent): RedactedEvent {
  return redactEvent(event, redactor).event
}
