// What should have been there: gaps, contradictions, and what was brought in from elsewhere.
import { z } from 'zod'
import { asBefore, countSchema, event, hex64Schema, indexSchema, nameSchema, timeSchema } from './event-definition.js'

const mismatchFacts = {
  /** Index of the entry that was judged or answered; null where there is none. */
  judged: indexSchema.nullable(),
  /** Keyed digest of the arguments that ran, use `arguments`. */
  ran: hex64Schema.optional(),
  /** The number of the payload that was not answered, and what was done without us. */
  seq: z.int().min(1).optional(),
  did: z.enum(['blocked', 'let_go', 'lost']).optional(),
  attach: indexSchema.optional(),
}

export const coverageEvents = {
  'gap.recorded': event({
    version: 1,
    status: 'released',
    summary: 'Something that should be here never came.',
    facts: z.strictObject({
      /** `numbers`: payloads that a host counted and nobody saw. `rate`: more than is taken in a minute. */
      kind: z.enum(['numbers', 'rate']),
      /** Index of the first `host.attached` of the process that it concerns; absent for speakers that are no attached host. */
      attach: indexSchema.optional(),
      /** Of numbers, the first and the last that are missing. */
      from: z.int().min(1).optional(),
      to: z.int().min(1).optional(),
      /** How many payloads, and their bytes where they were counted. */
      count: z.int().min(1),
      bytes: countSchema.optional(),
    }),
    describe: ({ kind, from, to, count }) =>
      kind === 'numbers'
        ? `gap: ${from === to ? `number ${from}` : `numbers ${from} to ${to}`} never came`
        : `gap: ${count} payloads beyond the bound of a minute`,
  }),
  'mismatch.found': event({
    version: 2,
    status: 'released',
    summary: 'What happened is not what was judged or answered.',
    facts: z.strictObject({
      /**
       * `arguments`: a tool ran with others than were judged. `unanswered`: the host did not hear our answer in time. `written`: a file of
       * the `write.proposed` that was judged holds something else than was foretold. `denied`: a tool ran though a gate had refused it.
       * `undecided`: a tool ran that no gate was asked about.
       */
      kind: z.enum(['arguments', 'unanswered', 'written', 'denied', 'undecided']),
      ...mismatchFacts,
      /** Of `denied`: the index of the decision. */
      decision: indexSchema.optional(),
      /** Which of the files of the write, from 0, and the keyed digest of what was found there, use `file`; null where there is no such file. */
      file: indexSchema.optional(),
      found: hex64Schema.nullable().optional(),
    }),
    describe: ({ kind, judged, seq, did, file }) => {
      if (kind === 'arguments') return `mismatch: the call of entry ${judged} ran with other arguments`
      if (kind === 'denied') return `mismatch: the call of entry ${judged} ran though it was refused`
      if (kind === 'undecided') return 'mismatch: a tool ran that no gate was asked about'
      if (kind === 'written') return `mismatch: file ${file} of the write of entry ${judged} holds something else than was judged`
      return `mismatch: number ${seq} was not answered in time (${did})`
    },
    history: [
      {
        version: 1,
        facts: z.strictObject({ kind: z.enum(['arguments', 'unanswered']), ...mismatchFacts }),
        upcast: asBefore,
      },
    ],
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
