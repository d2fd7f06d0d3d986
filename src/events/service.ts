// That the service was awake: it says so at quiet times and when it ends in order. Its start is told by `config.activated`.
import { z } from 'zod'
import { countSchema, event } from './event-definition.js'

export const serviceEvents = {
  'service.continued': event({
    version: 1,
    status: 'released',
    summary: 'The service ran on with nothing to record.',
    facts: z.strictObject({
      /** Milliseconds that it really ran since the entry before, by a clock that stands still while the machine sleeps. */
      ranMs: countSchema,
    }),
    describe: ({ ranMs }) => `nothing came; the service ran for ${Math.round(ranMs / 60_000)} minutes since the entry before`,
  }),
  'service.ended': event({
    version: 1,
    status: 'released',
    summary: 'The service ended in order.',
    facts: z.strictObject({
      /** `idle`: nobody had asked for a while; the next hook starts another. */
      why: z.enum(['stopped', 'idle']),
    }),
    describe: ({ why }) => `the service ended (${why === 'idle' ? 'nobody asked for anything' : 'it was stopped'})`,
  }),
}
