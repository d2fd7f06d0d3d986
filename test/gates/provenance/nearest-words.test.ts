// Holds the nearest words and the stitched quotes to what a person would call so.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { contentTokens } from '../../../src/gates/provenance/content-tokens.js'
import { isStitched, nearestWords, shortened } from '../../../src/gates/provenance/nearest-words.js'
import { FoldedMessage } from '../../../src/gates/provenance/quote-matcher.js'

const test = suite('nearest-words')

const messages = (...texts: string[]) => texts.map((text) => new FoldedMessage(text))
const nearest = (quote: string, ...texts: string[]) => nearestWords(contentTokens(quote), messages(...texts))

test('the sentence that shares most content tokens is the nearest, as it was typed', () => {
  assert.is(
    nearest('ship the release on friday', 'Ship it. The Release ships on Friday, ok', 'Friday release? Ship!'),
    'The Release ships on Friday, ok',
  )
  assert.is(nearest('周五发布新版本', '今天开会', '下周五再发布。别急'), '下周五再发布。')
})

test('nothing is near that shares less than two tokens', () => {
  assert.is(nearest('ship the release on friday', 'friday is fine'), null)
  assert.is(nearest('yes', 'yes'), null)
})

test('of equals the newer message is told', () => {
  assert.is(nearest('release on friday', 'newer: release friday', 'older: release friday'), 'newer: release friday')
})

test('words are shown on one line and cut where they are long', () => {
  assert.is(shortened(' a\n b '), 'a b')
  assert.is(shortened('x'.repeat(200)), `${'x'.repeat(159)}…`)
  assert.is([...shortened('😀'.repeat(200), 10)].length, 10)
})

test('a quote is stitched whose pieces of two words or more all stand apart, in one message or in several', () => {
  const typed = messages('Please delete the logs today.', 'And never touch the prod database!')
  assert.ok(isStitched('delete the logs the prod database', typed))
  assert.ok(isStitched('please delete ... the prod database', typed))
  assert.ok(isStitched('logs today please delete', typed))
  assert.ok(isStitched('发布新版本周五', messages('周五开会，然后发布新版本')))
})

test('a quote is not stitched where a piece was never typed, is a single word, cuts a word, or there are too many', () => {
  const typed = messages('Please delete the logs today.', 'And never touch the prod database!')
  assert.not.ok(isStitched('delete the logs and go', typed))
  assert.not.ok(isStitched('delete database', typed))
  assert.not.ok(isStitched('delete the log the prod data', typed))
  const letters = messages('a b', 'c d', 'e f', 'g h', 'i j')
  assert.ok(isStitched('a b c d e f g h', letters))
  assert.not.ok(isStitched('a b c d e f g h i j', letters))
})

test.run()
