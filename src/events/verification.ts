// Whether the agent checked its own work, and whether it was asked to.
import { z } from 'zod'
import { countSchema, event, indexSchema, nameSchema } from './event-definition.js'
import { completionJudgedSchema, jevAnswer, jevInput, jevModeSchema } from './jev.js'

export const verificationEvents = {
  'verification.observed': event({
    version: 1,
    status: 'released',
    summary: 'The agent ran a check of its work.',
    facts: z.strictObject({
      /** The call that ended. */
      about: indexSchema,
      /** Of the table of runners. */
      runner: nameSchema,
      /** How it ended; null where that cannot be said. */
      success: z.boolean().nullable(),
      exitCode: z.int().nullable(),
      failure: z.enum(['exit_code', 'tool_error', 'status']).optional(),
      /** Tests, as the runner counts them. */
      passed: countSchema.optional(),
      failed: countSchema.optional(),
      ...jevInput,
      /** Raised by each change of the work in this turn. */
      generation: countSchema,
    }),
    words: z.strictObject({ command: z.string(), summary: z.string() }),
    describe: (facts) =>
      `${facts.runner}: ${facts.success === null ? 'end unknown' : facts.success ? 'passed' : `failed (${facts.failure ?? 'unknown'})`}`,
  }),
  'verification.invalidated': event({
    version: 1,
    status: 'released',
    summary: 'What was checked before no longer counts as it did.',
    facts: z.strictObject({
      about: indexSchema,
      observations: countSchema,
      generation: countSchema,
    }),
    describe: (facts) => `${facts.observations} checks no longer count`,
  }),
  'verification.proposed': event({
    version: 1,
    status: 'released',
    summary: 'The agent was, or would have been, asked for one more pass.',
    facts: z.strictObject({
      about: indexSchema,
      mode: jevModeSchema,
      ...jevInput,
      ...jevAnswer,
      applied: z.boolean(),
      judged: completionJudgedSchema,
    }),
    words: z.strictObject({ message: z.string() }),
    describe: (facts) => `attempt ${facts.judged.attempt}: asked to check its work${facts.applied ? '' : ', not applied'}`,
  }),
}
