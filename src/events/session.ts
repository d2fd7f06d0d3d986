// The life of a session. Its host id is a word; facts name it by its handle, which stands in the header.
import { z } from 'zod'
import { asBefore, event, handleSchema, hookFacts, hookFactsBeforeAttach, nameSchema } from './event-definition.js'

const startedFacts = {
  platform: nameSchema,
  model: nameSchema.optional(),
  /** Whether the host announced it, or another hook spoke of it first. */
  how: z.enum(['announced', 'first_seen']),
}

const startedWords = z.strictObject({
  session: z.string(),
  cwd: z.string().optional(),
  profile: z.string().optional(),
  model: z.string().optional(),
})

export const sessionEvents = {
  'session.started': event({
    version: 2,
    status: 'released',
    summary: 'A session was heard of for the first time.',
    facts: z.strictObject({ ...startedFacts, ...hookFacts }),
    words: startedWords,
    ids: ['session'],
    paths: ['cwd'],
    describe: (facts, words) =>
      `session started on ${facts.platform === '' ? 'an unnamed surface' : facts.platform}${
        words.session === undefined ? '' : ` (${words.session})`
      }`,
    history: [
      {
        version: 1,
        facts: z.strictObject({ ...startedFacts, ...hookFactsBeforeAttach }),
        words: startedWords,
        upcast: asBefore,
      },
    ],
  }),
  'session.linked': event({
    version: 1,
    status: 'released',
    summary: 'A session goes on from another one.',
    facts: z.strictObject({
      /** The handle of the session that it goes on from; null for one that we never heard of. */
      parent: handleSchema.nullable(),
      why: z.enum(['compression', 'subagent']),
      ...hookFacts,
    }),
    words: z.strictObject({ parent: z.string() }),
    ids: ['parent'],
    describe: (facts) => `goes on from ${facts.parent ?? 'an unknown session'} (${facts.why})`,
  }),
  'session.ended': event({
    version: 2,
    status: 'released',
    summary: 'The host tore a session down.',
    facts: z.strictObject({ reason: nameSchema, ...hookFacts }),
    describe: (facts) => `session ended${facts.reason === '' ? '' : ` (${facts.reason})`}`,
    history: [{ version: 1, facts: z.strictObject({ reason: nameSchema, ...hookFactsBeforeAttach }), upcast: asBefore }],
  }),
}
