// Holds what a gate is told of the user's words to what was typed: no older than words are kept, and vouched for where that is asked.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type GateContextView, gateContext } from '../../src/projections/gate-context.js'
import { isAttestedOnly, saidWords } from '../../src/projections/said-words.js'

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

test('words that nobody vouches for count, but where the setting says otherwise, or the gate blocks and a host could vouch for them', () => {
  for (const mode of ['off', 'observe', 'block'] as const) {
    for (const attached of [true, false]) {
      assert.is(isAttestedOnly({ evidence: 'any', mode, attached }), false)
      assert.is(isAttestedOnly({ evidence: 'attached', mode, attached }), true)
      assert.is(isAttestedOnly({ evidence: undefined, mode, attached }), mode === 'block' && attached)
    }
  }
})

test.run()
