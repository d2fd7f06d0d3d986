// Which allowlist was in force.
import { z } from 'zod'
import { event, hex64Schema, nameSchema } from './event-definition.js'

export const policyEvents = {
  'policy.activated': event({
    version: 1,
    status: 'released',
    summary: 'A policy came into force.',
    facts: z.strictObject({
      policy: nameSchema,
      /** Keyed digest of the policy as the gate reads it, use `file`. */
      digest: hex64Schema,
      /**
       * `started`: with a service. `edited`: its file was changed. `used`: the owner wanted it. `found`: a folder in it, or a place that
       * nothing may write, was looked for again, which had not answered before.
       */
      how: z.enum(['started', 'edited', 'used', 'found']),
      /** Keyed digest of a text that grants more and waits for the owner, use `file`: until then only what both grant is granted. */
      waiting: hex64Schema.optional(),
    }),
    words: z.strictObject({
      /** As it was written. */
      text: z.string(),
      /** JSON of the policy as the gate reads it: variables and `~` expanded, with the places that nothing may write. */
      policy: z.string(),
    }),
    ids: ['policy'],
    describe: ({ digest, how, waiting }) =>
      `policy ${digest.slice(0, 12)} in force (${how})${waiting === undefined ? '' : ', a wider one waits for the owner'}`,
  }),
  'policy.rejected': event({
    version: 1,
    status: 'released',
    summary: 'A policy file could not be used; the last good one stays.',
    facts: z.strictObject({ policy: nameSchema, code: nameSchema, line: z.int().min(1), column: z.int().min(1) }),
    describe: (facts) => `policy rejected at line ${facts.line} (${facts.code})`,
  }),
}
