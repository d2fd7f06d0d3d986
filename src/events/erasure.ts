// Erasures that wait: asked for by somebody who could not confirm it, and called off.
import { z } from 'zod'
import { countSchema, event, indexSchema, timeSchema } from './event-definition.js'

export const erasureEvents = {
  'erasure.asked': event({
    version: 1,
    status: 'released',
    summary: 'Words are to be forgotten; nobody has confirmed it, so it waits.',
    facts: z.strictObject({
      selected: z.enum(['index', 'session', 'sender', 'age', 'all']),
      /** Entries whose words go, and the bytes of those. */
      entries: countSchema,
      bytes: countSchema,
      /** When it is done unless it is called off. */
      due: timeSchema,
    }),
    describe: ({ selected, entries, due }) => `words of ${entries} entries (by ${selected}) are to be forgotten at ${due}`,
  }),
  'erasure.cancelled': event({
    version: 1,
    status: 'released',
    summary: 'An erasure that waited was called off.',
    facts: z.strictObject({
      /** Index of the `erasure.asked`. */
      asked: indexSchema,
    }),
    describe: ({ asked }) => `the erasure of entry ${asked} was called off`,
  }),
}
