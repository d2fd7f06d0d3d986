// Holds the session hooks to the host's contract: a turn ends with every run, a session only when it is torn down.
import { createHmac } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { NewEvent } from '../../../src/events/event-catalog.js'
import { parentIdOf, sessionHooks, sessionLinked, sessionStarted, turnOf, turnWords } from '../../../src/hooks/hermes/session.js'
import type { HookContext, HookPayload } from '../../../src/hooks/hook.js'
import { type SessionContext, sessionContext } from '../../../src/projections/session-context.js'

const test = suite('session')

const handle = 's0123456789abcdef'
const seen: SessionContext = { ...sessionContext.initial(), begun: true, turns: 3, hostTurn: 'turn-c' }
const parentHandle = 'sfedcba9876543210'

test('a session that is announced starts with its host id, folder and profile as words, platform and model as facts', () => {
  const payload = payloadOf('on_session_start', { model: 'fake-model', platform: 'cli' })
  const event = sessionStarted(payload, contextOf())
  assert.is(event.type, 'session.started')
  assert.is(event.session, handle)
  assert.equal(event.facts, { platform: 'cli', model: 'fake-model', how: 'announced', source: 'unattested' })
  assert.equal(event.words, { session: 'host-session', cwd: '/srv/agent', profile: 'default' })
})

test('a session that another hook speaks of first is told apart from one that was announced', () => {
  const event = sessionStarted(payloadOf('pre_tool_call', {}), contextOf())
  assert.is((event.facts as { how: string }).how, 'first_seen')
})

test('a model name with blanks is a word and no fact', () => {
  const event = sessionStarted(payloadOf('on_session_start', { model: 'a model with blanks', platform: 'cli' }), contextOf())
  assert.not.match(JSON.stringify(event.facts), 'blanks')
  assert.is((event.words as { model?: string }).model, 'a model with blanks')
})

test('a session goes on from the one that the host names as its parent, after a compression', () => {
  const payload = payloadOf('pre_llm_call', { parent_session_id: 'old', platform: 'cli' })
  assert.equal(sessionLinked(payload, { ...contextOf(seen), parent: parentHandle }), [
    {
      type: 'session.linked',
      session: handle,
      facts: { parent: parentHandle, why: 'compression', source: 'unattested' },
      words: { parent: 'old' },
    },
  ])
  const [unheard] = sessionLinked(payload, contextOf(seen))
  assert.equal(unheard?.facts, { parent: null, why: 'compression', source: 'unattested' })
})

test('a session of a child that was sent out says so', () => {
  const [event] = sessionLinked(payloadOf('pre_llm_call', { parent_session_id: 'old', platform: 'subagent' }), contextOf())
  assert.equal(event?.facts, { parent: null, why: 'subagent', source: 'unattested' })
})

test('a session that is linked already, that has no name, or that names no other parent than itself is not linked', () => {
  const payload = payloadOf('pre_llm_call', { parent_session_id: 'old' })
  assert.equal(sessionLinked(payload, contextOf({ ...seen, linked: true })), [])
  assert.equal(sessionLinked(payload, { ...contextOf(seen), session: '' }), [])
  for (const parent_session_id of ['host-session', '', null, undefined, 5]) {
    const other = payloadOf('pre_llm_call', { parent_session_id })
    assert.is(parentIdOf(other), undefined, String(parent_session_id))
    assert.equal(sessionLinked(other, contextOf(seen)), [], String(parent_session_id))
  }
  assert.is(parentIdOf(payload), 'old')
})

test('on_session_end ends the turn that it names and never the session', () => {
  const extra = { turn_id: 'turn-c', task_id: 'task-c', completed: true, interrupted: false, model: 'm', platform: 'cli' }
  const [event, ...more] = observed('on_session_end', extra, contextOf(seen))
  assert.equal(more, [])
  assert.is(event?.type, 'turn.ended')
  assert.equal(event?.facts, { turn: 3, completed: true, interrupted: false, source: 'unattested' })
  assert.equal(event?.words, { turn: 'turn-c', task: 'task-c' })
})

test('a turn that failed says so, and what the host left out is left out', () => {
  const [failed] = observed(
    'on_session_end',
    { turn_id: 'turn-c', failed: true, completed: false, interrupted: true },
    contextOf(seen),
  )
  assert.equal(failed?.facts, { turn: 3, completed: false, interrupted: true, failed: true, source: 'unattested' })
  const [bare] = observed('on_session_end', { reason: 'exit' }, contextOf(seen))
  const facts = bare?.facts ?? {}
  for (const name of ['completed', 'interrupted', 'failed']) assert.not.ok(Object.hasOwn(facts, name), name)
})

test('a turn that began before we listened, or has another id than the newest one, ends as turn 0', () => {
  for (const [extra, context] of [
    [{ turn_id: 'turn-x' }, contextOf(seen)],
    [{ turn_id: 'turn-a' }, contextOf()],
  ] as const) {
    assert.is(factsOf('on_session_end', extra, context)['turn'], 0)
    assert.is(turnOf(extra, context), 0)
  }
  assert.is(turnOf({ turn_id: 'turn-c' }, contextOf(seen)), 3)
})

test('what names no turn, or comes while the newest one has no id, is of the newest turn', () => {
  for (const extra of [{}, { turn_id: '' }, { turn_id: null }]) assert.is(turnOf(extra, contextOf(seen)), 3)
  assert.is(turnOf({ turn_id: 'turn-x' }, contextOf({ ...seen, hostTurn: undefined })), 3)
})

test('on_session_finalize ends the session with the reason that the host gives', () => {
  for (const reason of ['shutdown', 'session_boundary', 'new_session', 'session_expired']) {
    const [event, ...more] = observed('on_session_finalize', { platform: 'cli', reason }, contextOf(seen))
    assert.equal(more, [])
    assert.is(event?.type, 'session.ended')
    assert.equal(event?.facts, { reason, source: 'unattested' })
  }
})

test('a reason that is missing is empty, and one that is a sentence is no fact', () => {
  for (const reason of [undefined, null]) {
    assert.is(factsOf('on_session_finalize', reason === undefined ? {} : { reason }, contextOf(seen))['reason'], '')
  }
  const [event] = observed('on_session_finalize', { reason: 'the user went away' }, contextOf(seen))
  assert.not.match(JSON.stringify(event?.facts), 'user')
})

test('the ids of a turn are words where the host names them and left out where it does not', () => {
  assert.equal(turnWords({ turn_id: 'a', task_id: 'b' }), { turn: 'a', task: 'b' })
  assert.equal(turnWords({ turn_id: 'a', task_id: null }), { turn: 'a' })
  assert.equal(turnWords({}), {})
})

test('who vouches for a payload and how it came stands among the facts of every event', () => {
  const provenance = { source: 'attached', attach: 4, seq: 17, late: true, at: '2026-11-29T20:40:00.123Z', repaired: 2 } as const
  const context: HookContext = { ...contextOf(seen), provenance }
  const payload = payloadOf('pre_llm_call', { parent_session_id: 'old' })
  const events = [
    sessionStarted(payload, context),
    ...sessionLinked(payload, context),
    ...observed('on_session_end', { turn_id: 'turn-c' }, context),
    ...observed('on_session_finalize', {}, context),
  ]
  assert.is(events.length, 4)
  for (const { type, facts } of events) {
    const found: Record<string, unknown> = { ...facts }
    for (const [name, value] of Object.entries(provenance)) assert.is(found[name], value, `${type} ${name}`)
  }
})

test('a reset is no event: the session before is finalized, and the next one starts with its own first payload', () => {
  assert.equal(observed('on_session_reset', { reason: 'new_session', old_session_id: 'a' }, contextOf(seen)), [])
  assert.equal(observed('on_session_start', {}, contextOf(seen)), [])
})

/** The events of a payload, read as the catalogue reads it. */
function observed(name: keyof typeof sessionHooks, extra: Record<string, unknown>, context: HookContext): NewEvent[] {
  const hook = sessionHooks[name]
  return hook.observe(payloadOf(name, extra), hook.extra.parse(extra), context)
}

function factsOf(name: keyof typeof sessionHooks, extra: Record<string, unknown>, context: HookContext): Record<string, unknown> {
  const [event] = observed(name, extra, context)
  return { ...event?.facts }
}

function payloadOf(hook_event_name: string, extra: Record<string, unknown>): HookPayload {
  return { hook_event_name, session_id: 'host-session', cwd: '/srv/agent', profile: 'default', extra }
}

function contextOf(view: SessionContext = sessionContext.initial()): HookContext {
  const digest: HookContext['digest'] = (use, text) => createHmac('sha256', 'x').update(`${use}\n${text}`).digest('hex')
  const provenance = { source: 'unattested' } as const
  return {
    session: handle,
    seen: view,
    provenance,
    host: {},
    keep: 'judged',
    judged: true,
    argumentsText: '{}',
    parent: null,
    child: null,
    digest,
  }
}

test.run()
