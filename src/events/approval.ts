// What a person was asked to approve, and what they said.
import { z } from 'zod'
import { event, hex64Schema, hookFacts, indexSchema, nameSchema } from './event-definition.js'

export const approvalEvents = {
  'approval.requested': event({
    version: 1,
    status: 'draft',
    summary: 'A person was asked.',
    facts: z.strictObject({
      call: indexSchema.nullable(),
      surface: nameSchema,
      shown: hex64Schema,
      shownBytes: z.int().min(0),
      ...hookFacts,
    }),
    words: z.strictObject({ command: z.string(), description: z.string() }),
    describe: (facts) => `approval asked on ${facts.surface}`,
  }),
  'approval.answered': event({
    version: 1,
    status: 'draft',
    summary: 'A person, or something in their place, answered.',
    facts: z.strictObject({ request: indexSchema.nullable(), answer: nameSchema, by: nameSchema, ...hookFacts }),
    describe: (facts) => `approval answered: ${facts.answer} by ${facts.by}`,
  }),
}
