// Payloads that could not become events of their own.
import { z } from 'zod'
import { countSchema, event, hex64Schema, nameSchema } from './event-definition.js'

export const hookEvents = {
  'hook.rejected': event({
    version: 1,
    status: 'released',
    summary: 'A payload could not be read; its size and digest are kept.',
    facts: z.strictObject({
      /** The hook's name where it could be read, else empty. */
      hook: nameSchema,
      code: z.enum([
        'empty',
        'not_utf8',
        'syntax',
        'name_twice',
        'number_overflow',
        'too_deep',
        'too_large',
        'shape',
        'hook_unknown',
      ]),
      bytes: countSchema,
      /** Keyed digest of the bytes, use `text`; absent where they were too many to be read whole. */
      digest: hex64Schema.optional(),
    }),
    describe: (facts) =>
      `payload of ${facts.bytes} bytes rejected (${facts.code})${facts.hook === '' ? '' : ` for ${facts.hook}`}`,
  }),
  'hook.foreign': event({
    version: 1,
    status: 'draft',
    summary: 'Somebody else than the attached host spoke for its session.',
    facts: z.strictObject({ hook: nameSchema, bytes: countSchema, digest: hex64Schema }),
    describe: (facts) => `foreign ${facts.hook} of ${facts.bytes} bytes`,
  }),
}
