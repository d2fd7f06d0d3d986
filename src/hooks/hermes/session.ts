// What the host says of sessions and turns.
import { z } from 'zod'
import type { NewEvent } from '../../events/event-catalog.js'
import { asModelName, asName } from '../../events/event-definition.js'
import { type HookContext, type HookPayload, hook } from '../hook.js'

const hostTurn = { turn_id: z.string().nullish(), task_id: z.string().nullish() }

export const sessionHooks = {
  // The start itself is written for every session that is heard of first, whatever hook it is heard from.
  on_session_start: hook({ extra: z.looseObject({}), needsSession: true, observe: () => [] }),
  // A new session follows with a start of its own.
  on_session_reset: hook({ extra: z.looseObject({}), observe: () => [] }),
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
      const facts = { turn: turnOf(extra, context), ...Object.fromEntries(told), ...context.provenance }
      return [{ type: 'turn.ended', session: context.session, facts, words: turnWords(extra) }]
    },
  }),
  on_session_finalize: hook({
    extra: z.looseObject({ reason: z.string().nullish() }),
    observe: (_, { reason }, { session, provenance }) => [
      { type: 'session.ended', session, facts: { reason: asName(reason ?? ''), ...provenance } },
    ],
  }),
}

/** The first entry of a session, for whichever payload it is first heard from. */
export function sessionStarted(payload: HookPayload, { session, provenance }: HookContext): NewEvent {
  const { platform, model } = payload.extra
  const modelName = typeof model === 'string' ? asModelName(model) : undefined
  return {
    type: 'session.started',
    session,
    facts: {
      platform: asName(typeof platform === 'string' ? platform : ''),
      ...(modelName === undefined ? {} : { model: modelName }),
      how: payload.hook_event_name === 'on_session_start' ? 'announced' : 'first_seen',
      ...provenance,
    },
    words: {
      session: payload.session_id ?? '',
      ...(typeof payload.cwd === 'string' ? { cwd: payload.cwd } : {}),
      ...(typeof payload.profile === 'string' ? { profile: payload.profile } : {}),
      ...(modelName === 'unnamed' ? { model: String(model) } : {}),
    },
  }
}

/** The id of the session that a payload says it goes on from: after a compression the host gives a conversation a new one. */
export function parentIdOf({ session_id, extra }: HookPayload): string | undefined {
  const parent = extra['parent_session_id']
  // The host's own review of a conversation names the very session that it speaks in.
  return typeof parent === 'string' && parent !== '' && parent !== session_id ? parent : undefined
}

/** The link to the session before, once. */
export function sessionLinked(payload: HookPayload, { session, seen, parent, provenance }: HookContext): NewEvent[] {
  const hostParent = parentIdOf(payload)
  if (hostParent === undefined || seen.linked || session === '') return []
  const why = payload.extra['platform'] === 'subagent' ? ('subagent' as const) : ('compression' as const)
  return [{ type: 'session.linked', session, facts: { parent, why, ...provenance }, words: { parent: hostParent } }]
}

/** Host ids of a turn, as words. */
export function turnWords({ turn_id, task_id }: { turn_id?: string | null | undefined; task_id?: string | null | undefined }) {
  return { ...(typeof turn_id === 'string' ? { turn: turn_id } : {}), ...(typeof task_id === 'string' ? { task: task_id } : {}) }
}

/** The number of the turn that a payload speaks of: the newest one, or 0 where that has another id or is not known. */
export function turnOf({ turn_id }: { readonly turn_id?: unknown }, { seen }: Pick<HookContext, 'seen'>): number {
  return typeof turn_id === 'string' && turn_id !== '' && seen.hostTurn !== undefined && turn_id !== seen.hostTurn
    ? 0
    : seen.turns
}
