// Holds texts of others to being seen as they are: one line, nothing hidden, nothing turned round, and no name of a script spoiled.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { shownText } from '../../src/reports/shown-text.js'
import { anyHostileName, neverShown } from '../support/hostile-names.js'

const test = suite('shown-text')

test('names of any script and emoji pass as they are', () => {
  for (const name of ['plain_name-1.2', '会议', 'שיחה', 'می‌خواهم', 'क्‍ष', '👩‍👩‍👧', '❤️', 'é']) {
    assert.is(shownText(name), name)
  }
})

test('what has no width is shown by its number, so that two names that differ look different', () => {
  assert.is(shownText('ter\u200bminal'), 'ter\\u200bminal')
  assert.is(shownText('ter\u200dminal'), 'ter\\u200dminal')
  assert.is(shownText('a\u{e0041}'), 'a\\u{e0041}')
  assert.is(shownText('a\ufe0fb'), 'a\\ufe0fb')
  assert.is(shownText('\u3164'), '\\u3164')
})

test('whatever comes is one well-formed line without hidden or steering characters', () => {
  fc.assert(
    fc.property(anyHostileName, (name) => {
      const shown = shownText(name)
      assert.not.match(shown, neverShown)
      assert.not.match(shown, /\n/)
      assert.ok(shown.isWellFormed())
      assert.ok(Array.from(shown).length <= 200)
    }),
  )
})

test.run()
