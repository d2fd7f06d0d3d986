// What the wall clock did.
import { z } from 'zod'
import { event, timeSchema } from './event-definition.js'

export const clockEvents = {
  'clock.stepped': event({
    version: 1,
    status: 'released',
    summary: 'The wall clock went back by more than a second.',
    facts: z.strictObject({
      from: timeSchema,
      to: timeSchema,
      /** Milliseconds that really passed by the monotonic clock; null where another process wrote the entry before. */
      elapsedMs: z.int().min(0).nullable(),
    }),
    describe: (facts) => `clock stepped back from ${facts.from} to ${facts.to}`,
  }),
}
