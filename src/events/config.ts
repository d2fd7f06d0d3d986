// Which settings were in force.
import { z } from 'zod'
import { asBefore, event, nameSchema } from './event-definition.js'

const activatedFacts = {
  why: z.enum(['started', 'changed', 'accepted']),
  /** Keys whose value differs from what was in force before. */
  changed: z.array(nameSchema),
  /** What protects: written out, so that the next start knows what would be a loosening. */
  provenanceMode: z.enum(['off', 'observe', 'block']),
  capabilityMode: z.enum(['off', 'observe', 'enforce']),
  captureArguments: z.enum(['judged', 'full', 'none']),
  reload: z.enum(['owner', 'auto']),
}

/** Days that words are kept; 0 for ever. */
const daysSchema = z.int().min(0).max(36_500)

/** As a name, and with the brackets of an address on loopback. The settings take nothing else. */
const addressSchema = z.string().regex(/^[A-Za-z0-9._:/[\]-]{1,96}$/)

export const configEvents = {
  'config.activated': event({
    version: 2,
    status: 'released',
    summary: 'Settings came into force.',
    facts: z.strictObject({
      ...activatedFacts,
      /** Absent where an older version wrote it: then what was in force is not known. */
      retention: z
        .strictObject({
          days: daysSchema,
          messagesDays: daysSchema,
          toolsDays: daysSchema,
          sessionsDays: daysSchema,
          judgementsDays: daysSchema,
        })
        .optional(),
      /** Version of the service that started; absent for one that says nothing of its end. */
      program: nameSchema.optional(),
      /** Whether words leave the machine for the decision model, and where they go. Absent in entries from before. */
      jev: z.strictObject({ enabled: z.boolean(), mode: z.enum(['shadow', 'enforce']), baseUrl: addressSchema }).optional(),
    }),
    describe: (facts) =>
      `settings in force (${facts.why}): provenance ${facts.provenanceMode}, capability ${facts.capabilityMode}${
        facts.changed.length === 0 ? '' : `; changed: ${facts.changed.join(', ')}`
      }`,
    history: [{ version: 1, facts: z.strictObject(activatedFacts), upcast: asBefore }],
  }),
  'config.rejected': event({
    version: 1,
    status: 'released',
    summary: 'Settings could not be used; the last good ones stay.',
    facts: z.strictObject({ key: nameSchema, place: nameSchema, line: z.int().min(1).optional() }),
    describe: (facts) => `settings rejected: ${facts.key === '' ? '' : `${facts.key} in `}${facts.place}`,
  }),
  'config.loosened': event({
    version: 1,
    status: 'released',
    summary: 'Settings asked for less protection.',
    facts: z.strictObject({
      key: nameSchema,
      from: nameSchema,
      to: nameSchema,
      /** False while it waits for the owner. */
      accepted: z.boolean(),
    }),
    describe: (facts) => `${facts.key} from ${facts.from} to ${facts.to}${facts.accepted ? '' : ', waits for the owner'}`,
  }),
}
