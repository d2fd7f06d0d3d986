// Which settings were in force.
import { z } from 'zod'
import { event, hex64Schema, nameSchema } from './event-definition.js'

export const configEvents = {
  'config.activated': event({
    version: 1,
    status: 'draft',
    summary: 'Settings came into force.',
    facts: z.strictObject({ digest: hex64Schema, changed: z.array(nameSchema) }),
    describe: (facts) => `settings in force (${facts.changed.join(', ')})`,
  }),
  'config.rejected': event({
    version: 1,
    status: 'draft',
    summary: 'A settings file could not be used; the last good ones stay.',
    facts: z.strictObject({ key: nameSchema, code: nameSchema, line: z.int().min(1) }),
    describe: (facts) => `settings rejected: ${facts.key} (${facts.code})`,
  }),
  'config.loosened': event({
    version: 1,
    status: 'draft',
    summary: 'A file asked for less protection; it waits for the owner.',
    facts: z.strictObject({ key: nameSchema, from: nameSchema, to: nameSchema, accepted: z.boolean() }),
    describe: (facts) => `${facts.key} from ${facts.from} to ${facts.to}${facts.accepted ? '' : ', waits for the owner'}`,
  }),
}
