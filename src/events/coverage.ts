// What should have been there: gaps, contradictions, and what was brought in from elsewhere.
import { z } from 'zod'
import { countSchema, event, indexSchema, nameSchema, timeSchema } from './event-definition.js'

export const coverageEvents = {
  'gap.recorded': event({
    version: 1,
    status: 'draft',
    summary: 'Something that should be here never came.',
    facts: z.strictObject({
      kind: nameSchema,
      from: countSchema,
      to: countSchema,
      since: timeSchema.optional(),
      until: timeSchema.optional(),
    }),
    describe: (facts) => `gap: ${facts.kind} ${facts.from} to ${facts.to}`,
  }),
  'mismatch.found': event({
    version: 1,
    status: 'draft',
    summary: 'What ran is not what was judged.',
    facts: z.strictObject({ kind: nameSchema, judged: indexSchema.nullable(), found: indexSchema.nullable() }),
    describe: (facts) => `mismatch: ${facts.kind}`,
  }),
  'entry.imported': event({
    version: 1,
    status: 'draft',
    summary: 'A line of another tool’s log was brought in; Stele did not witness it.',
    facts: z.strictObject({ from: nameSchema, line: countSchema, time: timeSchema, kind: nameSchema }),
    words: z.strictObject({ text: z.string() }),
    describe: (facts) => `imported from ${facts.from}: ${facts.kind}`,
  }),
}
