// What is used up: more room than the owner wants the home to take, or too little left on its disk.
import { z } from 'zod'
import { countSchema, event } from './event-definition.js'

export const budgetEvents = {
  'budget.exceeded': event({
    version: 1,
    status: 'released',
    summary: 'The home takes more room than it should, or its disk is nearly full.',
    facts: z.strictObject({
      /** `home`: all files of the home together. `disk`: what is free on the file system that it lies on. */
      what: z.enum(['home', 'disk']),
      /** Bytes that the home takes, or that are free. */
      bytes: countSchema,
      /** The setting at that moment: the most that the home should take, or the least that should be free. */
      budget: countSchema,
    }),
    describe: ({ what, bytes, budget }) =>
      what === 'home'
        ? `budget: the home takes ${bytes} bytes, more than ${budget}`
        : `budget: ${bytes} bytes are free on the disk, fewer than ${budget}`,
  }),
}
