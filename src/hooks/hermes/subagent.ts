// What the host says of children that an agent sends out. A child has a session of its own, which is linked to its sender's before it speaks.
import { z } from 'zod'
import type { NewEvent } from '../../events/event-catalog.js'
import { asName } from '../../events/event-definition.js'
import { type HookPayload, hook } from '../hook.js'
import { extraText } from './extra-text.js'

const childExtra = z.looseObject({})

export const subagentHooks = {
  subagent_start: hook({
    extra: childExtra,
    toldApartBy: ['child_session_id', 'child_subagent_id'],
    observe: (_, extra, { session, child, provenance }) => {
      const facts = { role: asName(extraText(extra, 'child_role')), child: child?.handle ?? null, ...provenance }
      const words = {
        ...wordOf('goal', extraText(extra, 'child_goal')),
        ...wordOf('session', extraText(extra, 'child_session_id')),
        ...wordOf('agent', extraText(extra, 'child_subagent_id')),
        ...wordOf('sender', extraText(extra, 'parent_subagent_id')),
      }
      const started: NewEvent = { type: 'subagent.started', ...(session === '' ? {} : { session }), facts, words }
      if (child === null || child.known || session === '') return [started]
      const link = { parent: session, why: 'subagent' as const, ...provenance }
      return [started, { type: 'session.linked', session: child.handle, facts: link, words: { parent: '' } }]
    },
  }),
  subagent_stop: hook({
    extra: childExtra,
    toldApartBy: ['child_session_id', 'child_status', 'duration_ms'],
    observe: (_, extra, { session, child, provenance }) => {
      const ms = extra['duration_ms']
      const facts = {
        role: asName(extraText(extra, 'child_role')),
        status: asName(extraText(extra, 'child_status')),
        child: child?.handle ?? null,
        ...(typeof ms === 'number' && ms >= 0 && ms <= Number.MAX_SAFE_INTEGER ? { durationMs: Math.round(ms) } : {}),
        ...provenance,
      }
      const words = {
        ...wordOf('summary', extraText(extra, 'child_summary')),
        ...wordOf('session', extraText(extra, 'child_session_id')),
      }
      return [{ type: 'subagent.stopped', ...(session === '' ? {} : { session }), facts, words }]
    },
  }),
}

/** The host's id of the child's session, of a payload that speaks of a child. */
export function childIdOf({ hook_event_name, extra }: HookPayload): string | undefined {
  if (hook_event_name !== 'subagent_start' && hook_event_name !== 'subagent_stop') return undefined
  const child = extra['child_session_id']
  return typeof child === 'string' && child !== '' ? child : undefined
}

function wordOf<Name extends string>(name: Name, value: string): Partial<Record<Name, string>> {
  return value === '' ? {} : ({ [name]: value } as Record<Name, string>)
}
