// Children that an agent sent out.
import { z } from 'zod'
import { event, hookFacts, nameSchema } from './event-definition.js'

export const subagentEvents = {
  'subagent.started': event({
    version: 1,
    status: 'draft',
    summary: 'An agent sent a child out.',
    facts: z.strictObject({ role: nameSchema, ...hookFacts }),
    words: z.strictObject({ goal: z.string(), parent: z.string(), child: z.string() }),
    ids: ['parent', 'child'],
    describe: (facts) => `child started as ${facts.role}`,
  }),
  'subagent.stopped': event({
    version: 1,
    status: 'draft',
    summary: 'A child came back.',
    facts: z.strictObject({ role: nameSchema, status: nameSchema, durationMs: z.int().min(0), ...hookFacts }),
    words: z.strictObject({ summary: z.string(), child: z.string() }),
    ids: ['child'],
    describe: (facts) => `child ${facts.status}`,
  }),
}
