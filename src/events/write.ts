// What an agent is about to write into its own memory and skills, and what stood there once the call had come back.
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
       * The files that the call changes: keyed digests of their text before and after, use `file`; null where there is no such file. Line
       * ends are line feeds. One that is not `foretold` may come out otherwise.
       */
      files: z.array(z.strictObject({ before: hex64Schema.nullable(), after: hex64Schema.nullable(), foretold: z.boolean() })),
      /** What of the moment its verdict hangs on, beside the words of its session. */
      known: z
        .strictObject({
          /** The settings in force; `evidence` is absent where it follows from the mode and from `attached`. */
          search: z.enum(['session', 'profile']),
          scope: z.enum(['decisions', 'decisions+preferences']),
          evidence: z.enum(['any', 'attached']).optional(),
          /** Days that what was typed backs anything; 0 for ever. */
          days: z.int().min(0),
          /** Whether a host that can vouch for words had attached. */
          attached: z.boolean(),
          /** Messages of other sessions in which its quotes were looked for. */
          elsewhere: z.array(indexSchema).optional(),
          /** What was typed in the session, or in others, could not be read. */
          sessionUnread: z.literal(true).optional(),
          elsewhereUnread: z.literal(true).optional(),
        })
        .optional(),
    }),
    words: z.strictObject({
      /** Of a skill; of several, with commas. */
      name: z.string().optional(),
      /** The name of a member that the host does not know. */
      field: z.string().optional(),
      /** Where each of the `files` lies: `memory`, `user`, or skill and path as `skill/path`; empty for one that is too long to keep. */
      places: z.array(z.string()),
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
  'write.landed': event({
    version: 1,
    status: 'released',
    summary: 'A memory or skill call came back: what its files hold now, beside what was judged.',
    facts: z.strictObject({
      /** Index of the `tool.requested`, and of the `write.proposed` that it is held against. */
      call: indexSchema,
      write: indexSchema,
      /** One for each of the `files` of `write.proposed`, in their order. */
      files: z.array(
        z.strictObject({
          /** Keyed digest of the text that was found, use `file`; null where there is no such file, absent where it could not be read. */
          found: hex64Schema.nullable().optional(),
          /** `unchanged`: the host refused the call, failed, or put it off. */
          compared: z.enum(['as_judged', 'unchanged', 'otherwise', 'unread']),
          /** Why it could not be read. */
          unread: nameSchema.optional(),
          /** As `write.proposed` says it: only then does `otherwise` contradict what was judged. */
          foretold: z.boolean(),
          /** Another write of the session may have changed it meanwhile, so what was foretold could not know what is there. */
          disturbed: z.literal(true).optional(),
        }),
      ),
      /** Asked by `stele doctor`. */
      probe: z.literal(true).optional(),
    }),
    describe: ({ write, files }) => {
      const told = landings.flatMap(({ compared, says }) => {
        const count = files.filter((file) => file.compared === compared).length
        return count === 0 ? [] : [`${count} ${says}`]
      })
      return `files of entry ${write}: ${told.join(', ')}`
    },
  }),
}

const landings = [
  { compared: 'as_judged', says: 'as judged' },
  { compared: 'unchanged', says: 'unchanged' },
  { compared: 'otherwise', says: 'otherwise' },
  { compared: 'unread', says: 'not read' },
] as const
