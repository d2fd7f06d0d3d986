// What was forgotten.
import { z } from 'zod'
import { countSchema, event, indexSchema } from './event-definition.js'

export const payloadEvents = {
  'payload.erased': event({
    version: 1,
    status: 'released',
    summary: 'Words were forgotten; the proof stays.',
    facts: z.strictObject({
      /** Pairs of indices, both ends included, ascending, all below this entry's own index. */
      entries: z.array(z.tuple([indexSchema, indexSchema])).min(1),
      by: z.enum(['owner', 'terminal', 'retention']),
      /** Stays for ever. */
      reason: z.string().max(2000),
      bytes: countSchema,
    }),
    describe: (facts) => `words of ${countOf(facts.entries)} entries forgotten by ${facts.by}: ${facts.reason}`,
  }),
}

function countOf(ranges: readonly (readonly [number, number])[]): number {
  return ranges.reduce((count, [first, last]) => count + last - first + 1, 0)
}
