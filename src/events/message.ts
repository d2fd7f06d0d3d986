// What a person typed.
import { z } from 'zod'
import {
  asBefore,
  countSchema,
  event,
  hex64Schema,
  hookFacts,
  hookFactsBeforeAttach,
  hostTurnWords,
  nameSchema,
} from './event-definition.js'

const capturedFacts = {
  turn: z.int().min(0),
  platform: nameSchema,
  /** Unicode code points of the text. */
  characters: countSchema,
  /** Keyed digest of the text, use `text`. */
  digest: hex64Schema,
  /** Parts of a multimodal message that are not text; absent where the message was plain text. */
  otherParts: countSchema.optional(),
}

/** What the host had put around the words, and what went with it. */
const aroundFacts = {
  /** Names of blocks that were taken away, in order. */
  stripped: z.array(nameSchema).optional(),
  /** Code points that stood behind an inlined attachment or an attached context and went with it; some may have been typed. */
  lost: z.int().min(1).optional(),
  /** Combining marks cut out of runs of more than 30. */
  marksCut: z.int().min(1).optional(),
}

const capturedWords = {
  text: z.string(),
  sender: z.string().optional(),
  ...hostTurnWords,
  /** Parts that are not text, in order: bytes and keyed digest (use `file`) of their canonical JSON. */
  otherParts: z.array(z.strictObject({ type: z.string(), bytes: countSchema, digest: hex64Schema })).optional(),
}

export const messageEvents = {
  'message.captured': event({
    version: 2,
    status: 'released',
    summary: 'Words that the user typed were kept.',
    facts: z.strictObject({ ...capturedFacts, ...aroundFacts, ...hookFacts }),
    words: z.strictObject({
      ...capturedWords,
      /** The name that a shared chat put before the words. */
      senderLabel: z.string().optional(),
    }),
    ids: ['sender', 'turn', 'task', 'otherParts.digest'],
    describe: (facts, words) => `user: ${words.text ?? `(${facts.characters} characters, forgotten)`}`,
    history: [
      {
        version: 1,
        facts: z.strictObject({ ...capturedFacts, ...hookFactsBeforeAttach }),
        words: z.strictObject(capturedWords),
        upcast: asBefore,
      },
    ],
  }),
  'message.skipped': event({
    version: 1,
    status: 'released',
    summary: 'A message was not kept as the user’s, and why.',
    facts: z.strictObject({
      /** The turn that it began; 0 where it began none of the user’s. */
      turn: z.int().min(0),
      platform: nameSchema,
      /** Unicode code points of all that was skipped. */
      characters: countSchema,
      why: nameSchema,
      /** Code points behind an inlined attachment or an attached context; some may have been typed. */
      lost: z.int().min(1).optional(),
      ...hookFacts,
    }),
    describe: (facts) => `message of ${facts.characters} characters not captured (${facts.why})`,
  }),
}
