// Payloads that could not become events of their own.
import { z } from 'zod'
import { countSchema, event, hex64Schema, hookFacts, indexSchema, nameSchema } from './event-definition.js'

const rejectedFacts = {
  /** The hook's name where it could be read, else empty. */
  hook: nameSchema,
  code: z.enum([
    'empty',
    'not_utf8',
    'syntax',
    'name_twice',
    'number_overflow',
    'too_deep',
    'too_many',
    'too_large',
    'shape',
    'hook_unknown',
  ]),
  bytes: countSchema,
  /** Keyed digest of the bytes, use `text`; absent where they were too many to be read whole. */
  digest: hex64Schema.optional(),
}

/** Before a bound on the number of values. */
const rejectedFactsBefore = { ...rejectedFacts, code: rejectedFacts.code.exclude(['too_many']) }

export const hookEvents = {
  'hook.rejected': event({
    version: 2,
    status: 'released',
    summary: 'A payload could not be read; its size and digest are kept.',
    facts: z.strictObject({ ...rejectedFacts, ...hookFacts }),
    describe: (facts) =>
      `payload of ${facts.bytes} bytes rejected (${facts.code})${facts.hook === '' ? '' : ` for ${facts.hook}`}`,
    // Until then nobody vouched for anything.
    history: [
      {
        version: 1,
        facts: z.strictObject(rejectedFactsBefore),
        upcast: (facts) => ({ ...facts, source: 'unattested' }),
      },
    ],
  }),
  'hook.foreign': event({
    version: 1,
    status: 'released',
    summary: 'Somebody else than the attached host spoke for it, or for its session.',
    facts: z.strictObject({
      hook: nameSchema,
      /** `bad_mac`: in its name, without its secret. `no_attach`: from nobody. `other_attach`: from another host process. */
      why: z.enum(['bad_mac', 'no_attach', 'other_attach']),
      /** Index of the first `host.attached` of the process whose session or name it is. */
      attach: indexSchema,
      /** The same of the process that spoke, where it was one. */
      speaker: indexSchema.optional(),
      bytes: countSchema,
      /** Keyed digest of the bytes, use `text`. */
      digest: hex64Schema,
    }),
    describe: (facts) => `foreign ${facts.hook === '' ? 'payload' : facts.hook} of ${facts.bytes} bytes (${facts.why})`,
  }),
}
