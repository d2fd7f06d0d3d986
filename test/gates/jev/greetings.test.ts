// Holds the greetings to their vectors.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { greetings, isGreeting } from '../../../src/gates/jev/greetings.js'

const test = suite('greetings')

const vectors: readonly (readonly [id: string, text: unknown, expected: boolean])[] = [
  ['B1', 'Hey!!', true],
  ['B2', ' GOOD EVENING ', true],
  ['B3', 'how are you?!', true],
  ['B4', 'hi bot', false],
  ['B5', 'good night', false],
  ['B6', 'good  evening', false],
  ['B7', 'Hi ,', false],
  ['B8', 'Yep, ship the branch', false],
  ['B9', 'proceed with step four of the plan', false],
  ['B10', 'ja bitte', false],
  ['B11', 'fix them!', false],
  ['B12', 'do the checks again', false],
  ['B13', 'THEM', false],
  ['B14', '', false],
  ['B14', '   ', false],
  ['B14', null, false],
  ['B14', 5, false],
  ['B15', 'Rename it to util.ts', false],
  ['B16', 'okapi facts', false],
  ['B17', 'ok-button colour should be blue', false],
  ['B18', '👍', false],
]

for (const [id, text, expected] of vectors)
  test(`vector ${id}: ${JSON.stringify(text)} is ${expected ? 'a greeting' : 'none'}`, () =>
    assert.is(isGreeting(text), expected))

test('row J18: there are ten greetings, and each is known with a sign behind it', () => {
  assert.is(greetings.size, 10)
  for (const greeting of greetings) assert.is(isGreeting(` ${greeting.toUpperCase()}?! `), true, greeting)
})

test('compat W31: the original knows its ten and no other; ours takes a list', () => {
  assert.is(isGreeting('Moin!'), false)
  assert.is(isGreeting('Moin!', new Set(['moin'])), true)
})

test.run()
