// What an agent is about to write into its own memory and skills.
import { z } from 'zod'
import { event, hex64Schema, indexSchema, nameSchema } from './event-definition.js'

export const writeEvents = {
  'write.proposed': event({
    version: 1,
    status: 'draft',
    summary: 'A memory or skill call, worked out into the text that it would produce.',
    facts: z.strictObject({
      call: indexSchema,
      target: nameSchema,
      targetDigest: hex64Schema,
      readable: z.boolean(),
      texts: z.int().min(0),
    }),
    words: z.strictObject({
      name: z.string().optional(),
      judged: z.array(z.string()),
      stored: z.array(z.string()),
    }),
    describe: (facts) => `would write ${facts.texts} texts to ${facts.target}`,
  }),
}
