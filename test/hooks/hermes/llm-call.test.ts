// Holds the hooks around a model call to one thing: what the user typed is kept, and nobody else's words are taken for it.
import { createHmac } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionOf, type NewEvent } from '../../../src/events/event-catalog.js'
import { llmCallHooks } from '../../../src/hooks/hermes/llm-call.js'
import type { HookContext } from '../../../src/hooks/hook.js'
import { type SessionContext, sessionContext } from '../../../src/projections/session-context.js'

const test = suite('llm-call')

const handle = 's0123456789abcdef'
const seen: SessionContext = { ...sessionContext.initial(), begun: true, turns: 3, hostTurn: 'turn-c' }

test('the first message of a session is turn 1 and the next one has the next number', () => {
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

test('row P81: a message of no words, or of nothing but the host’s own blocks, is skipped by name and count, and has no words', () => {
  const blocks = "[The user sent a document: 'a.pdf'. The file is saved at: /x]\n\n"
  for (const user_message of ['', '  \n', blocks, [{ type: 'image_url', image_url: { url: 'FOREIGN' } }], []]) {
    const { facts, words } = skipped({ user_message, platform: 'telegram' }, contextOf(seen))
    const characters = typeof user_message === 'string' ? [...user_message].length : 0
    assert.equal(facts, { turn: 4, platform: 'telegram', characters, why: 'no_words', source: 'unattested' })
    assert.is(words, undefined)
  }
})

test('row P82: cron, children, the curator and webhooks are not the user, though they begin a turn of their session', () => {
  for (const platform of ['cron', 'subagent', 'curator', 'webhook', 'msgraph_webhook']) {
    const event = skipped({ user_message: 'FOREIGN words', platform, turn_id: 'turn-d' }, contextOf(seen))
    assert.equal(event.facts, { turn: 4, platform, characters: 13, why: platform, source: 'unattested' })
    assert.not.match(JSON.stringify(event), 'FOREIGN')
  }
})

test('what the host says to itself in the user’s session is told by its write origin, and begins no turn', () => {
  const context = { ...contextOf(seen), host: { write_origin: 'background_review' } }
  const { facts } = skipped({ user_message: 'anything at all', platform: 'cli', turn_id: 'turn-r' }, context)
  assert.equal([facts.turn, facts.why], [0, 'self_review'])
  assert.is(captured({ user_message: 'hi' }, { ...contextOf(seen), host: { write_origin: 'assistant_tool' } }).facts.turn, 4)
})

test('what the host put around the words is named among the facts, and the sender’s label among the words', () => {
  const { facts, words } = captured(
    { user_message: '[Replying to: "ship it?"]\n\n[Dana] yes', platform: 'discord', sender_id: 'user-7' },
    contextOf(seen),
  )
  assert.equal(facts.stripped, ['reply_pointer', 'sender_label'])
  assert.is(facts.characters, 3)
  assert.is(facts.digest, hmac('text', 'yes'))
  assert.equal(words, { text: 'yes', sender: 'user-7', senderLabel: 'Dana' })
})

test('who vouches for a payload and how it came stands among the facts, of what is kept and of what is skipped', () => {
  const provenance = { source: 'attached', attach: 4, seq: 17, late: true, at: '2026-11-29T20:40:00.123Z' } as const
  const context = { ...contextOf(seen), provenance }
  for (const event of [captured({ user_message: 'hi' }, context), skipped({ user_message: '' }, context)]) {
    const facts: Record<string, unknown> = { ...event.facts }
    for (const [name, value] of Object.entries(provenance)) assert.is(facts[name], value, `${event.type} ${name}`)
  }
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
  ]
  const event = captured({ user_message: parts }, contextOf())
  assert.is(event.facts.otherParts, 1)
  const canonical = '{"image_url":{"url":"FOREIGN"},"type":"image_url"}'
  assert.equal(event.words?.otherParts, [
    { type: 'image_url', bytes: Buffer.byteLength(canonical), digest: hmac('file', canonical) },
  ])
  assert.not.match(JSON.stringify(event), 'FOREIGN')
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

test('case 74: typed words that go with a line like a host’s marker are counted in the event of their message', () => {
  const line = '[Content of a.md]:\n'
  const kept = captured({ user_message: `first\n\n${line}last 😀`, platform: 'telegram' }, contextOf(seen))
  assert.equal([kept.words?.text, kept.facts.lost], ['first', 6])
  const gone = skipped({ user_message: `${line}last 😀`, platform: 'telegram' }, contextOf(seen))
  assert.equal([gone.facts.why, gone.facts.lost], ['no_words', 6])
  const whole = 'first\n\n[System note: a new day]\n\nlast'
  const all = captured({ user_message: whole, platform: 'telegram' }, contextOf(seen))
  assert.equal([all.words?.text, all.facts.lost], [whole, undefined])
})

type Captured = Extract<NewEvent, { type: 'message.captured' }>
type Skipped = Extract<NewEvent, { type: 'message.skipped' }>

function captured(extra: Record<string, unknown>, context: HookContext): Captured {
  const event = eventOf(extra, context)
  if (event.type !== 'message.captured') throw new Error(`it became ${event.type}`)
  return event
}

function skipped(extra: Record<string, unknown>, context: HookContext): Skipped {
  const event = eventOf(extra, context)
  if (event.type !== 'message.skipped') throw new Error(`it became ${event.type}`)
  return event
}

/** The only event of a message; it fits its schema, as the ledger asserts. */
function eventOf(extra: Record<string, unknown>, context: HookContext): NewEvent {
  const hook = llmCallHooks.pre_llm_call
  const payload = { hook_event_name: 'pre_llm_call', session_id: 'h', extra }
  const [event, ...more] = hook.observe(payload, hook.extra.parse(extra), context)
  assert.ok(event !== undefined)
  assert.equal(more, [])
  assert.is(definitionOf(event.type)?.facts.safeParse(event.facts).success, true, JSON.stringify(event.facts))
  return event
}

function contextOf(view: SessionContext = sessionContext.initial()): HookContext {
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
    digest: hmac,
  }
}

function hmac(use: string, text: string): string {
  return createHmac('sha256', Buffer.alloc(32, 3)).update(`stele/digest/v1\n${use}\n${text}`).digest('hex')
}

test.run()
