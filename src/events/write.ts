// What an agent is about to write into its own memory and skills.
import { z } from 'zod'
import { countSchema, event, hex64Schema, indexSchema, nameSchema } from './event-definition.js'

export const writeEvents = {
  'write.proposed': event({
    version: 1,
    status: 'released',
    summary: 'A memory or skill call, worked out into the text that it would produce.',
    facts: z.strictObject({
      /** Index of the `tool.requested`. */
      call: indexSchema,
      tool: nameSchema,
      /** `unknown` where the arguments cannot be read. */
      target: z.enum(['memory', 'user', 'skill', 'unknown']),
      /** Keyed digest of kind and name, use `target`. */
      targetDigest: hex64Schema,
      readable: z.boolean(),
      /** Why and where the arguments cannot be read: the operation from 0, and the name of a member that the host knows. */
      unreadable: z
        .strictObject({ code: nameSchema, operation: indexSchema.optional(), field: nameSchema.optional() })
        .optional(),
      operations: countSchema,
      /** Every operation takes something away. */
      removedOnly: z.boolean(),
      /** How each operation that looks for a place found it, in order. */
      strategies: z.array(nameSchema),
      /** What is judged, and the stored text that it is held against. */
      judged: z.strictObject({ texts: countSchema, bytes: countSchema }),
      stored: z.strictObject({ texts: countSchema, bytes: countSchema }),
      /** Bytes that were too many to keep; without them, everything is there. */
      cut: z.strictObject({ judged: countSchema, stored: countSchema }).optional(),
      /** Why some of the stored text could not be read. */
      unavailable: nameSchema.optional(),
      /**
       * The files that the call changes: keyed digests of their text before and after, use `file`; null where there is no such file. One
       * that is not `foretold` may come out otherwise.
       */
      files: z.array(z.strictObject({ before: hex64Schema.nullable(), after: hex64Schema.nullable(), foretold: z.boolean() })),
    }),
    words: z.strictObject({
      /** Of a skill; of several, with commas. */
      name: z.string().optional(),
      /** The name of a member that the host does not know. */
      field: z.string().optional(),
      judged: z.array(z.string()),
      stored: z.array(z.string()),
    }),
    describe: ({ target, readable, unreadable, removedOnly, judged }, words) => {
      const where = words.name === undefined ? target : `${target} ${words.name}`
      if (!readable) return `would write what cannot be read (${unreadable?.code ?? 'unknown'})`
      if (judged.texts === 0) return removedOnly ? `would only take away from ${where}` : `would write nothing new to ${where}`
      return `would write ${judged.texts} ${judged.texts === 1 ? 'text' : 'texts'} of ${judged.bytes} bytes to ${where}`
    },
  }),
}
