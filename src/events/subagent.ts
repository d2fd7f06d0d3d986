// Children that an agent sent out.
import { z } from 'zod'
import { event, handleSchema, hookFacts, nameSchema } from './event-definition.js'

export const subagentEvents = {
  'subagent.started': event({
    version: 1,
    status: 'released',
    summary: 'An agent sent a child out.',
    facts: z.strictObject({
      role: nameSchema,
      /** The handle of the child's session; null where the host names none. */
      child: handleSchema.nullable(),
      ...hookFacts,
    }),
    words: z.strictObject({
      goal: z.string().optional(),
      /** Host ids: of the child's session, of the child, of the child that sent it. */
      session: z.string().optional(),
      agent: z.string().optional(),
      sender: z.string().optional(),
    }),
    ids: ['session', 'agent', 'sender'],
    describe: ({ role, child }) =>
      `child started as ${role === '' ? 'an unnamed role' : role}${child === null ? '' : ` (${child})`}`,
  }),
  'subagent.stopped': event({
    version: 1,
    status: 'released',
    summary: 'A child came back.',
    facts: z.strictObject({
      role: nameSchema,
      status: nameSchema,
      child: handleSchema.nullable(),
      durationMs: z.int().min(0).optional(),
      ...hookFacts,
    }),
    words: z.strictObject({ summary: z.string().optional(), session: z.string().optional() }),
    ids: ['session'],
    describe: ({ status, durationMs }) =>
      `child ${status === '' ? 'came back' : status}${durationMs === undefined ? '' : `, ${durationMs} ms`}`,
  }),
}
