// What a person was asked to approve, and what was answered.
import { z } from 'zod'
import { countSchema, event, hex64Schema, hookFacts, hostTurnWords, indexSchema, nameSchema } from './event-definition.js'

export const approvalEvents = {
  'approval.requested': event({
    version: 1,
    status: 'released',
    summary: 'The host asked somebody to approve a call.',
    facts: z.strictObject({
      /** Index of the `tool.requested` that it is about; null where none is known. */
      call: indexSchema.nullable(),
      /** Where it was shown. */
      surface: nameSchema,
      /** `rule`: a plugin wanted it, ours or another; `host`: a rule of the host's own did. */
      asked: z.enum(['rule', 'host']),
      /** Keyed digest of what was shown, command and description with a line feed between them, use `text`; and its bytes. */
      shown: hex64Schema,
      shownBytes: countSchema,
      ...hookFacts,
    }),
    words: z.strictObject({
      ...hostTurnWords,
      call: z.string().optional(),
      command: z.string(),
      description: z.string(),
      /** Under which keys a lasting answer would be kept. */
      keys: z.array(z.string()),
    }),
    ids: ['turn', 'task', 'call', 'keys'],
    describe: ({ surface, asked }, words) =>
      `approval asked on ${surface === '' ? 'an unnamed surface' : surface} by ${asked === 'rule' ? 'a rule of a plugin' : 'the host'}${
        words.command === undefined ? '' : `: ${words.command}`
      }`,
  }),
  'approval.answered': event({
    version: 1,
    status: 'released',
    summary: 'A request for approval was answered, or nobody did.',
    facts: z.strictObject({
      /** Index of the `approval.requested` and of the `tool.requested`; null where none is known. */
      request: indexSchema.nullable(),
      call: indexSchema.nullable(),
      /** In the host's words: `once`, `session`, `always`, `deny`, `timeout` and others. */
      answer: nameSchema,
      /** `model`: a model answered in a person's place. `nobody`: it ran out, or could not be shown. */
      by: z.enum(['person', 'model', 'nobody', 'unknown']),
      ...hookFacts,
    }),
    words: z.strictObject({ ...hostTurnWords, call: z.string().optional(), keys: z.array(z.string()) }),
    ids: ['turn', 'task', 'call', 'keys'],
    describe: ({ answer, by }) =>
      `approval: ${answer === '' ? 'no answer' : answer}, by ${by === 'person' ? 'a person' : by === 'model' ? 'a model' : by}`,
  }),
}
