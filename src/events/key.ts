// Changes of the signing key.
import { z } from 'zod'
import { event } from './event-definition.js'

/** Base64 of 64 bytes. */
const signatureSchema = z.string().regex(/^[A-Za-z0-9+/]{86}==$/)

export const keyEvents = {
  'key.rotated': event({
    version: 1,
    status: 'draft',
    summary: 'The signing key or the origin changed; both keys signed the change.',
    facts: z.strictObject({
      oldVkey: z.string(),
      newVkey: z.string(),
      oldSignature: signatureSchema,
      newSignature: signatureSchema,
    }),
    describe: (facts) => `key changed to ${facts.newVkey}`,
  }),
}
