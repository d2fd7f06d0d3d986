// What the agent's own memory and skill files held at the end of a turn, where no judged write explains it.
import { z } from 'zod'
import { countSchema, event, hex64Schema, indexSchema } from './event-definition.js'

export const fileEvents = {
  'file.noticed': event({
    version: 1,
    status: 'released',
    summary: 'Memory or skill files hold something else than was known of them, and no judged write left them so.',
    facts: z.strictObject({
      /** Index of the `turn.ended` behind which they were read. */
      turn: indexSchema,
      /** Those that changed come first, then those of which nothing was known. */
      files: z.array(
        z.strictObject({
          target: z.enum(['memory', 'user', 'skill']),
          /** Keyed digest of profile and name, use `target`: the same file has the same. */
          place: hex64Schema,
          /** Keyed digest of its text as it was known before, use `file`; null where there was none, absent where nothing was known. */
          before: hex64Schema.nullable().optional(),
          /** The same as it was found now. */
          found: hex64Schema.nullable(),
          /** Index of the entry by which it was known before. */
          since: indexSchema.optional(),
          /** A judged write that may touch it was under way, so that may be what changed it. */
          disturbed: z.literal(true).optional(),
        }),
      ),
      /** Files that were too many to look at. */
      unread: countSchema.optional(),
    }),
    words: z.strictObject({
      /** Of each file: `memory`, `user`, or where it lies among the skills. */
      names: z.array(z.string()),
    }),
    paths: ['names'],
    describe: ({ turn, files }, words) => {
      const changed = files.filter(({ before }) => before !== undefined).length
      const all = changed === 0 ? files.length : changed
      const names = words.names?.slice(0, Math.min(all, namedMax)).join(', ')
      const told = names === undefined || names === '' ? '' : `: ${names}${all > namedMax ? ' …' : ''}`
      if (changed === 0) return `${files.length} memory and skill files seen for the first time${told}`
      return `${changed} memory or skill ${changed === 1 ? 'file' : 'files'} changed before entry ${turn}, not by a judged write${told}`
    },
  }),
}

const namedMax = 3
