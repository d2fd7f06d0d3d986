// What the owner said of what the gates flagged: each answer is about entries of one cause, and may be taken back.
import { z } from 'zod'
import { event, indexSchema, nameSchema } from './event-definition.js'

/** So many entries are answered at once. */
export const reviewedMax = 1000

/** The person at the terminal, or whoever holds the passphrase or said yes beforehand. */
const by = z.enum(['owner', 'terminal'])

export const reviewEvents = {
  'review.answered': event({
    version: 1,
    status: 'released',
    summary: 'The owner said whether entries were rightly flagged.',
    facts: z.strictObject({
      /** `grant`: it should have been let through. `refuse`: rightly flagged. `false_alarm`: the gate is mistaken about it. */
      label: z.enum(['grant', 'refuse', 'false_alarm']),
      /** Of all the entries: the gate, and the code of its decision or the reason of its claim. */
      gate: nameSchema,
      code: nameSchema,
      /** By which a sentence was taken for a claim; empty where it is about a call. */
      rule: nameSchema,
      tool: nameSchema,
      /** The `gate.decided` or `claim.judged` that are answered, ascending. A later answer about one of them holds instead. */
      entries: z.array(indexSchema).min(1).max(reviewedMax),
      by,
    }),
    words: z.strictObject({ note: z.string() }),
    describe: ({ label, gate, code, entries }, words) => {
      const [first = 0] = entries
      const of = entries.length === 1 ? `entry ${first}` : `${entries.length} entries from ${first} to ${entries.at(-1) ?? first}`
      return `${gate} ${code}: ${labelWords[label]} (${of})${words.note === undefined ? '' : `: ${words.note}`}`
    },
  }),
  'review.cancelled': event({
    version: 1,
    status: 'released',
    summary: 'The owner took an answer of a review back.',
    facts: z.strictObject({
      /** Index of the `review.answered`. */
      answer: indexSchema,
      by,
    }),
    describe: ({ answer }) => `the answer of entry ${answer} was taken back`,
  }),
}

const labelWords = { grant: 'should be granted', refuse: 'rightly flagged', false_alarm: 'a false alarm' } as const
