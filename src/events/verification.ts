// Whether the agent checked its own work.
import { z } from 'zod'
import { event, hookFacts, indexSchema, nameSchema } from './event-definition.js'

export const verificationEvents = {
  'verification.observed': event({
    version: 1,
    status: 'draft',
    summary: 'The agent ran, or did not run, a check of its work.',
    facts: z.strictObject({ turn: z.int().min(0), attempt: z.int().min(0), changed: z.int().min(0), ...hookFacts }),
    words: z.strictObject({ paths: z.array(z.string()) }),
    paths: ['paths'],
    describe: (facts) => `attempt ${facts.attempt} would end with ${facts.changed} changed files`,
  }),
  'verification.proposed': event({
    version: 1,
    status: 'draft',
    summary: 'The agent was asked to check its work first.',
    facts: z.strictObject({ about: indexSchema, attempt: z.int().min(0), code: nameSchema }),
    describe: (facts) => `asked to verify (${facts.code})`,
  }),
}
