// Holds what a gate is told of the user's words to what was typed: read once, kept in step, no older than words are kept.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { holdSaid, saidWords } from '../../src/hooks/said-words.js'
import type { HeldSession } from '../../src/hooks/session-memory.js'
import { type GateContextView, gateContext } from '../../src/projections/gate-context.js'
import { sessionContext } from '../../src/projections/session-context.js'
import { backedClaim, friday, judgingHouse, memoryAdd, typedIn, verdictsOf } from '../support/judged-writes.js'

const test = suite('said-words')

const dayMs = 24 * 60 * 60 * 1000
const now = Date.UTC(2026, 10, 29)
const at = (days: number) => new Date(now - days * dayMs).toISOString()

function view(more: Partial<GateContextView> = {}): GateContextView {
  const typed = { turn: 1, source: 'attached' as const, sender: 'ann' }
  return {
    ...gateContext.initial(),
    messages: [
      { ...typed, index: 4, time: at(40), text: 'old words' },
      { ...typed, index: 7, time: at(1), text: 'new words', source: 'unattested' },
    ],
    turn: 2,
    refused: { aa: { count: 2, call: 9 } },
    ...more,
  }
}

const nowAt = { time: new Date(now).toISOString(), days: 30, turn: 2 }

test('messages come with who vouches for them, and those past their days without their words', () => {
  const { messages, unavailable } = saidWords(view(), [], nowAt)
  assert.equal(messages, [
    { index: 4, text: undefined, session: 'this', sender: 'ann', attested: true },
    { index: 7, text: 'new words', session: 'this', sender: 'ann', attested: false },
  ])
  assert.is(unavailable, false)
})

test('with no bound of days all words count', () => {
  assert.equal(
    saidWords(view(), [], { ...nowAt, days: 0 }).messages.map(({ text }) => text),
    ['old words', 'new words'],
  )
})

test('of other sessions only words within their days are handed on', () => {
  const other = { session: 'other' as const, sender: '', attested: true }
  const elsewhere = [
    { ...other, index: 1, time: at(31), text: 'long ago' },
    { ...other, index: 2, time: at(30), text: 'just in time' },
    { ...other, index: 3, time: at(2), text: undefined },
  ]
  const { messages } = saidWords(undefined, elsewhere, nowAt)
  assert.equal(messages, [{ ...other, index: 2, text: 'just in time' }])
})

test('refusals of an earlier turn are not counted in a later one; a call of no known turn counts with the newest', () => {
  assert.equal(saidWords(view(), [], nowAt).refused, { aa: { count: 2, call: 9 } })
  assert.equal(saidWords(view(), [], { ...nowAt, turn: 0 }).refused, { aa: { count: 2, call: 9 } })
  assert.equal(saidWords(view(), [], { ...nowAt, turn: 3 }).refused, {})
})

test('what could not be read is told, here and elsewhere', () => {
  assert.is(saidWords('unavailable', [], nowAt).unavailable, true)
  assert.is(saidWords(view(), 'unavailable', nowAt).unavailable, true)
  assert.is(saidWords(view(), 'unavailable', nowAt).messages.length, 2)
  assert.is(saidWords(undefined, [], nowAt).unavailable, false)
})

test('a session is read when it is first needed, and again only when it turns out to go on from another', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday, 'turn-1', { session_id: 'one' }))
  await house.send(typedIn('hello', 'turn-2', { session_id: 'two' }))
  const handle = await house.ledger.sessionHandle('two')
  const session: HeldSession = {
    context: sessionContext.initial(),
    said: undefined,
    saidFrom: undefined,
    saidErasures: 0,
    origin: undefined,
    reading: undefined,
  }
  await holdSaid(house.house, handle, session)
  const first = session.said
  assert.equal(
    first?.messages.map(({ text }) => text),
    ['hello'],
  )
  await holdSaid(house.house, handle, session)
  assert.is(session.said, first)
  await house.send(typedIn('go on', 'turn-3', { session_id: 'two', parent_session_id: 'one' }))
  session.said = { ...gateContext.initial(), goesOnFrom: await house.ledger.sessionHandle('one') }
  await holdSaid(house.house, handle, session)
  assert.equal(
    session.said?.messages.map(({ text }) => text),
    [friday, 'hello', 'go on'],
  )
})

test('words and writes that come at once are judged in the order in which they are recorded', async () => {
  const house = await judgingHouse()
  await house.send(typedIn('hello'))
  const payloads = Array.from({ length: 40 }, (_, at) => {
    const words = `I decided we ship release number ${at} today`
    return [
      typedIn(words, `turn-${at + 2}`),
      memoryAdd(`User decided to ship release number ${at} today ("${words}").`, { turn_id: `turn-${at + 2}` }),
    ]
  }).flat()
  await Promise.all(payloads.map((payload) => house.send(payload)))
  const entries = await house.entries()
  const typedAt = new Map(
    entries
      .filter(({ header }) => header.type === 'message.captured')
      .map(({ header, words }) => [words?.['text'], header.index]),
  )
  const claims = entries.filter(({ header }) => header.type === 'claim.judged')
  assert.is(claims.length, 40)
  for (const { payload, words } of claims) {
    const message = typedAt.get(words?.['quote'])
    // Backed exactly where the words were recorded before the call.
    assert.is(payload['message'], Number(message) < Number(payload['call']) ? message : null)
  }
})

test('a restart changes nothing of what backs a claim', async () => {
  const house = await judgingHouse()
  await house.send(typedIn(friday))
  await house.send(memoryAdd(backedClaim))
  await house.restart()
  await house.send(memoryAdd(backedClaim))
  assert.equal(await verdictsOf(house), ['pass this-session', 'pass this-session'])
})

test.run()
