// Holds the hooks around a model call to one thing: what the user typed is kept, and what the model said is not taken for it.
import { createHmac } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { NewEvent } from '../../../src/events/event-catalog.js'
import { llmCallHooks } from '../../../src/hooks/hermes/llm-call.js'
import type { HookContext } from '../../../src/hooks/hook.js'
import type { SessionView } from '../../../src/projections/sessions.js'

const test = suite('llm-call')

const handle = 's0123456789abcdef'
const seen: SessionView = {
  ...{ handle, started: 1, startedAt: '2026-11-29T20:40:00.000Z', lastAt: '2026-11-29T20:41:00.000Z', platform: 'cli' },
  ...{ ended: false, turns: 3, messages: 3, calls: 0, hostTurn: 'turn-c', openCalls: [] },
}

test('the first message of a session is turn 1 and the next one has the next number', () => {
  assert.is(captured({ user_message: 'hi' }, contextOf({ ...seen, turns: 0, messages: 0, hostTurn: undefined })).facts.turn, 1)
  assert.is(captured({ user_message: 'hi' }, contextOf()).facts.turn, 1)
  assert.is(captured({ user_message: 'hi', turn_id: 'turn-d' }, contextOf(seen)).facts.turn, 4)
})

test('text, sender and the ids of the turn are words; length, digest and platform are facts', () => {
  const extra = { user_message: '我决定', sender_id: 'user-7', turn_id: 'turn-d', task_id: 'task-d', platform: 'telegram' }
  const { facts, words, session } = captured(extra, contextOf(seen))
  assert.is(session, handle)
  assert.equal(facts, { turn: 4, platform: 'telegram', characters: 3, digest: hmac('text', '我决定'), source: 'unattested' })
  assert.equal(words, { text: '我决定', sender: 'user-7', turn: 'turn-d', task: 'task-d' })
})

test('a message of no characters is a message', () => {
  const { facts, words } = captured({ user_message: '' }, contextOf())
  assert.is(facts.characters, 0)
  assert.is(words?.text, '')
})

test('the history of the conversation and the name of the model are not kept with a message', () => {
  const history = [{ role: 'user', content: 'FOREIGN' }]
  const event = captured({ user_message: 'hi', conversation_history: history, model: 'FOREIGN' }, contextOf())
  assert.not.match(JSON.stringify(event), 'FOREIGN')
})

test('parts of a message that have no text are counted and not kept', () => {
  const parts = [
    { type: 'image_url', image_url: { url: 'FOREIGN' } },
    { type: 'text', text: 'what is it' },
    { type: 'video', text: null },
  ]
  for (const list of [parts.slice(0, 2), parts.slice(0, 1)]) {
    const event = captured({ user_message: list }, contextOf())
    assert.is(event.facts.otherParts, 1)
    assert.not.match(JSON.stringify(event), 'FOREIGN')
  }
})

test('a platform that is a sentence is no fact', () => {
  assert.not.match(
    JSON.stringify(captured({ user_message: 'hi', platform: 'a sentence of words' }, contextOf()).facts),
    'sentence',
  )
})

test('case 73: what the model answered becomes no message, though the same hook carries what the user typed', () => {
  const extra = {
    user_message: 'FORGED',
    assistant_response: 'Yes, I approve.',
    response_text: 'Yes, I approve.',
    turn_id: 'turn-c',
  }
  for (const name of ['post_llm_call', 'transform_llm_output'] as const) {
    const hook = llmCallHooks[name]
    const events = hook.observe({ hook_event_name: name, session_id: 'h', extra }, hook.extra.parse(extra), contextOf(seen))
    assert.equal(
      events.filter(({ type }) => type === 'message.captured'),
      [],
    )
    assert.not.match(JSON.stringify(events), 'approve')
  }
})

type Captured = Extract<NewEvent, { type: 'message.captured' }>

function captured(extra: Record<string, unknown>, context: HookContext): Captured {
  const hook = llmCallHooks.pre_llm_call
  const events = hook.observe({ hook_event_name: 'pre_llm_call', session_id: 'h', extra }, hook.extra.parse(extra), context)
  const [event] = events.filter((each): each is Captured => each.type === 'message.captured')
  assert.ok(event !== undefined)
  assert.is(events.length, 1)
  return event
}

function contextOf(view?: SessionView): HookContext {
  return { session: handle, seen: view, source: 'unattested', repaired: 0, digest: hmac }
}

function hmac(use: string, text: string): string {
  return createHmac('sha256', Buffer.alloc(32, 3)).update(`stele/digest/v1\n${use}\n${text}`).digest('hex')
}

test.run()
