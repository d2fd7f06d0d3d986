// One user turn of a session.
import { z } from 'zod'
import { event, hookFacts, hostTurnWords } from './event-definition.js'

export const turnEvents = {
  'turn.ended': event({
    version: 1,
    status: 'released',
    summary: 'The host finished a turn.',
    facts: z.strictObject({
      /** Number of the turn in its session, from 1; 0 where the turn began before we listened. */
      turn: z.int().min(0),
      completed: z.boolean().optional(),
      interrupted: z.boolean().optional(),
      failed: z.boolean().optional(),
      ...hookFacts,
    }),
    words: z.strictObject(hostTurnWords),
    describe: (facts) =>
      `turn ${facts.turn} ended${facts.failed ? ', failed' : ''}${facts.interrupted ? ', interrupted' : ''}${facts.completed === false ? ', not completed' : ''}`,
  }),
}
