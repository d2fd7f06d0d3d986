// One user turn of a session.
import { z } from 'zod'
import { asBefore, event, hookFacts, hookFactsBeforeAttach, hostTurnWords } from './event-definition.js'

const endedFacts = {
  /** Number of the turn in its session, from 1; 0 where the turn began before we listened. */
  turn: z.int().min(0),
  completed: z.boolean().optional(),
  interrupted: z.boolean().optional(),
  failed: z.boolean().optional(),
}

export const turnEvents = {
  'turn.ended': event({
    version: 2,
    status: 'released',
    summary: 'The host finished a turn.',
    facts: z.strictObject({ ...endedFacts, ...hookFacts }),
    words: z.strictObject(hostTurnWords),
    ids: ['turn', 'task'],
    describe: (facts) =>
      `turn ${facts.turn} ended${facts.failed ? ', failed' : ''}${facts.interrupted ? ', interrupted' : ''}${facts.completed === false ? ', not completed' : ''}`,
    history: [
      {
        version: 1,
        facts: z.strictObject({ ...endedFacts, ...hookFactsBeforeAttach }),
        words: z.strictObject(hostTurnWords),
        upcast: asBefore,
      },
    ],
  }),
}
