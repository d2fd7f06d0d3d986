// What a person typed.
import { z } from 'zod'
import { countSchema, event, hex64Schema, hookFacts, hostTurnWords, nameSchema } from './event-definition.js'

export const messageEvents = {
  'message.captured': event({
    version: 1,
    status: 'released',
    summary: 'Words that the user typed were kept.',
    facts: z.strictObject({
      turn: z.int().min(0),
      platform: nameSchema,
      /** Unicode code points of the text. */
      characters: countSchema,
      /** Keyed digest of the text, use `text`. */
      digest: hex64Schema,
      /** Parts of a multimodal message that are not text; absent where the message was plain text. */
      otherParts: countSchema.optional(),
      ...hookFacts,
    }),
    words: z.strictObject({
      text: z.string(),
      sender: z.string().optional(),
      ...hostTurnWords,
      /** Parts that are not text, in order: bytes and keyed digest (use `file`) of their canonical JSON. */
      otherParts: z.array(z.strictObject({ type: z.string(), bytes: countSchema, digest: hex64Schema })).optional(),
    }),
    describe: (facts, words) => `user: ${words.text ?? `(${facts.characters} characters, forgotten)`}`,
  }),
  'message.skipped': event({
    version: 1,
    status: 'draft',
    summary: 'A message was not kept as the user’s, and why.',
    facts: z.strictObject({ turn: z.int().min(0), platform: nameSchema, characters: countSchema, why: nameSchema, ...hookFacts }),
    describe: (facts) => `message of ${facts.characters} characters not captured (${facts.why})`,
  }),
}
