// What happens to the ledger itself: its beginning, and its confirmed new starts.
import { z } from 'zod'
import { countSchema, event, hex64Schema, ledgerIdSchema } from './event-definition.js'

const vkeySchema = z.string().regex(/^[^ +]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+$/)

const newStart = {
  vkey: vkeySchema,
  abandoned: z.strictObject({ epoch: countSchema, size: countSchema, head: hex64Schema, root: hex64Schema.nullable() }),
  /** The owner's own sentence; it stays for ever. */
  reason: z.string().max(2000),
}

export const ledgerEvents = {
  'ledger.created': event({
    version: 1,
    status: 'released',
    summary: 'The ledger began.',
    facts: z.strictObject({ ledger: ledgerIdSchema, format: z.int().min(1), program: z.string().max(100), vkey: vkeySchema }),
    describe: (facts) => `ledger ${facts.ledger} created by ${facts.program}`,
  }),
  'ledger.reanchored': event({
    version: 1,
    status: 'released',
    summary: 'The owner confirmed a loss and started a new epoch.',
    facts: z.strictObject(newStart),
    describe: (facts) => `new epoch after ${facts.abandoned.size} entries were abandoned: ${facts.reason}`,
  }),
  'ledger.restored': event({
    version: 1,
    status: 'draft',
    summary: 'A backup was put back, which starts a new epoch.',
    facts: z.strictObject(newStart),
    describe: (facts) => `restored, ${facts.abandoned.size} entries abandoned: ${facts.reason}`,
  }),
}
