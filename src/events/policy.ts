// Which allowlist was in force.
import { z } from 'zod'
import { event, hex64Schema, nameSchema } from './event-definition.js'

export const policyEvents = {
  'policy.activated': event({
    version: 1,
    status: 'released',
    summary: 'A policy came into force.',
    facts: z.strictObject({ policy: nameSchema, digest: hex64Schema, how: nameSchema }),
    words: z.strictObject({
      text: z.string(),
      /** JSON of the policy as the gate read it: variables and `~` expanded. */
      policy: z.string().optional(),
    }),
    describe: (facts) => `policy ${facts.digest.slice(0, 12)} in force (${facts.how})`,
  }),
  'policy.rejected': event({
    version: 1,
    status: 'draft',
    summary: 'A policy file could not be used.',
    facts: z.strictObject({ policy: nameSchema, code: nameSchema, line: z.int().min(1), column: z.int().min(1) }),
    describe: (facts) => `policy rejected at line ${facts.line} (${facts.code})`,
  }),
}
