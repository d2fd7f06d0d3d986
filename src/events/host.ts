// The programs that speak to us for an agent.
import { z } from 'zod'
import { event, hex64Schema, nameSchema } from './event-definition.js'

export const hostEvents = {
  'host.attached': event({
    version: 1,
    status: 'draft',
    summary: 'A host process attached with a secret made in its memory.',
    facts: z.strictObject({
      attach: z.int().min(1),
      host: nameSchema,
      hostVersion: nameSchema,
      pluginVersion: nameSchema,
      /** Digest of the plugin's own files, as the host read them. */
      files: hex64Schema,
      peer: z.enum(['proved', 'claimed']),
    }),
    describe: (facts) => `${facts.host} ${facts.hostVersion} attached (${facts.peer})`,
  }),
}
