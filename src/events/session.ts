// The life of a session. Its host id is a word; facts name it by its handle, which stands in the header.
import { z } from 'zod'
import { event, hookFacts, indexSchema, nameSchema } from './event-definition.js'

export const sessionEvents = {
  'session.started': event({
    version: 1,
    status: 'released',
    summary: 'A session was heard of for the first time.',
    facts: z.strictObject({
      platform: nameSchema,
      model: nameSchema.optional(),
      /** Whether the host announced it, or another hook spoke of it first. */
      how: z.enum(['announced', 'first_seen']),
      ...hookFacts,
    }),
    words: z.strictObject({
      session: z.string(),
      cwd: z.string().optional(),
      profile: z.string().optional(),
      model: z.string().optional(),
    }),
    describe: (facts, words) =>
      `session started on ${facts.platform === '' ? 'an unnamed surface' : facts.platform}${
        words.session === undefined ? '' : ` (${words.session})`
      }`,
  }),
  'session.linked': event({
    version: 1,
    status: 'draft',
    summary: 'A session goes on from another one.',
    facts: z.strictObject({ parent: indexSchema, why: z.enum(['compression', 'subagent', 'resumed']), ...hookFacts }),
    words: z.strictObject({ parent: z.string() }),
    describe: (facts) => `goes on from the session of entry ${facts.parent} (${facts.why})`,
  }),
  'session.ended': event({
    version: 1,
    status: 'released',
    summary: 'The host tore a session down.',
    facts: z.strictObject({ reason: nameSchema, ...hookFacts }),
    describe: (facts) => `session ended${facts.reason === '' ? '' : ` (${facts.reason})`}`,
  }),
}
