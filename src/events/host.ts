// The programs that speak to us for an agent.
import { z } from 'zod'
import { event, hex32Schema, hex64Schema, indexSchema, nameSchema } from './event-definition.js'

export const hostEvents = {
  'host.attached': event({
    version: 1,
    status: 'released',
    summary: 'A host process attached with a secret made in its memory.',
    facts: z.strictObject({
      /** The name that the process gave itself: chance, no secret. */
      attach: hex32Schema,
      /** SHA-256 of the secret with the name: whoever attaches under it again must hold the same. */
      secret: hex64Schema,
      /** Index of the first `host.attached` of this process; null where this is the first. */
      first: indexSchema.nullable(),
      /** The number of the next payload that was not answered. */
      next: z.int().min(1),
      host: nameSchema,
      hostVersion: nameSchema,
      pluginVersion: nameSchema,
      /** Digest of the plugin's own files, as the host read them. */
      files: hex64Schema,
      pid: z.int().min(1),
      /** When that process started, in the system's own ticks since it came up; absent where it could not be seen. */
      pidStarted: z.int().min(0).optional(),
      /** Whether the system showed us that this process holds the secret, or we believe it. */
      peer: z.enum(['proved', 'claimed']),
    }),
    describe: (facts) =>
      `${facts.host} ${facts.hostVersion} attached${facts.first === null ? '' : ' again'} (process ${facts.pid}, ${facts.peer})`,
  }),
}
