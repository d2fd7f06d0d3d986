// Answers of the gates.
import { z } from 'zod'
import { event, hex64Schema, indexSchema, nameSchema } from './event-definition.js'

export const gateEvents = {
  'gate.decided': event({
    version: 1,
    status: 'released',
    summary: 'A gate gave its answer about one entry.',
    facts: z.strictObject({
      gate: nameSchema,
      gateVersion: z.int().min(1),
      judges: indexSchema,
      /** Every entry below this index was known to the gate. */
      asOf: indexSchema,
      mode: nameSchema,
      verdict: z.enum(['allow', 'deny', 'ask']),
      code: nameSchema,
      enforced: z.boolean(),
      skill: nameSchema.optional(),
      policy: hex64Schema.optional(),
      /** About a question of `stele doctor`. */
      probe: z.literal(true).optional(),
    }),
    words: z.strictObject({
      reason: z.string(),
      paths: z.array(z.strictObject({ asked: z.string(), resolved: z.string().nullable() })).optional(),
    }),
    paths: ['paths.asked', 'paths.resolved'],
    describe: (facts) => `${facts.gate}: ${facts.verdict} (${facts.code})${facts.enforced ? '' : ', not enforced'}`,
  }),
}
