// What the semantic stage classified, proposed, abstained from or failed at.
import { z } from 'zod'
import { event, indexSchema, nameSchema } from './event-definition.js'

const asked = { stage: nameSchema, about: indexSchema, mode: nameSchema, model: nameSchema, complete: z.boolean() }

export const jevEvents = {
  'jev.classified': event({
    version: 1,
    status: 'draft',
    summary: 'A turn was classified.',
    facts: z.strictObject({ ...asked, label: nameSchema, confidence: z.number(), applied: z.boolean() }),
    describe: (facts) => `jev: ${facts.label}`,
  }),
  'jev.proposed': event({
    version: 1,
    status: 'draft',
    summary: 'The semantic stage proposed something that can only tighten.',
    facts: z.strictObject({ ...asked, proposal: nameSchema, confidence: z.number(), applied: z.boolean() }),
    describe: (facts) => `jev proposes ${facts.proposal}`,
  }),
  'jev.abstained': event({
    version: 1,
    status: 'draft',
    summary: 'The semantic stage gave no opinion.',
    facts: z.strictObject({ ...asked, why: nameSchema }),
    describe: (facts) => `jev abstains (${facts.why})`,
  }),
  'jev.failed': event({
    version: 1,
    status: 'draft',
    summary: 'The semantic stage could not ask.',
    facts: z.strictObject({ ...asked, category: nameSchema }),
    describe: (facts) => `jev failed (${facts.category})`,
  }),
}
