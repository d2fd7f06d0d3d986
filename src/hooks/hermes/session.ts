// What the host says of sessions and turns.
import { z } from 'zod'
import type { NewEvent } from '../../events/event-catalog.js'
import { asModelName, asName } from '../../events/event-definition.js'
import { type HookContext, type HookPayload, hook, hookFactsOf } from '../hook.js'

const hostTurn = { turn_id: z.string().nullish(), task_id: z.string().nullish() }

export const sessionHooks = {
  // The start itself is written for every session that is heard of first, whatever hook it is heard from.
  on_session_start: hook({ extra: z.looseObject({}), needsSession: true, observe: () => [] }),
  on_session_end: hook({
    extra: z.looseObject({
      ...hostTurn,
      completed: z.boolean().optional(),
      interrupted: z.boolean().optional(),
      failed: z.boolean().optional(),
    }),
    // The host fires it at the end of every turn, whatever its name says.
    observe: (_, extra, context) => {
      const { completed, interrupted, failed } = extra
      const told = Object.entries({ completed, interrupted, failed }).filter(([, value]) => value !== undefined)
      const facts = { turn: turnOf(extra, context), ...Object.fromEntries(told), ...hookFactsOf(context) }
      return [{ type: 'turn.ended', session: context.session, facts, words: turnWords(extra) }]
    },
  }),
  on_session_finalize: hook({
    extra: z.looseObject({ reason: z.string().nullish() }),
    observe: (_, { reason }, context) => [
      { type: 'session.ended', session: context.session, facts: { reason: asName(reason ?? ''), ...hookFactsOf(context) } },
    ],
  }),
}

/** The first entry of a session, for whichever payload it is first heard from. */
export function sessionStarted(payload: HookPayload, context: HookContext): NewEvent {
  const { platform, model } = payload.extra
  const modelName = typeof model === 'string' ? asModelName(model) : undefined
  return {
    type: 'session.started',
    session: context.session,
    facts: {
      platform: asName(typeof platform === 'string' ? platform : ''),
      ...(modelName === undefined ? {} : { model: modelName }),
      how: payload.hook_event_name === 'on_session_start' ? 'announced' : 'first_seen',
      ...hookFactsOf(context),
    },
    words: {
      session: payload.session_id ?? '',
      ...(typeof payload.cwd === 'string' ? { cwd: payload.cwd } : {}),
      ...(typeof payload.profile === 'string' ? { profile: payload.profile } : {}),
      ...(modelName === 'unnamed' ? { model: String(model) } : {}),
    },
  }
}

/** Host ids of a turn, as words. */
export function turnWords({ turn_id, task_id }: { turn_id?: string | null | undefined; task_id?: string | null | undefined }) {
  return { ...(typeof turn_id === 'string' ? { turn: turn_id } : {}), ...(typeof task_id === 'string' ? { task: task_id } : {}) }
}

/** The number of the turn that a payload speaks of: the newest one, or 0 where that has another id or is not known. */
export function turnOf({ turn_id }: { turn_id?: string | null | undefined }, { seen }: HookContext): number {
  if (seen === undefined) return 0
  return typeof turn_id === 'string' && turn_id !== '' && seen.hostTurn !== undefined && turn_id !== seen.hostTurn
    ? 0
    : seen.turns
}
