// Holds the matcher to where a quote stands, and to which of its places cut a word in half.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FoldedMessage, findQuote, matcherOf, placesMax } from '../../../src/gates/provenance/quote-matcher.js'

const test = suite('quote-matcher')

function places(message: string, quote: string): { whole: number; cut: number } {
  const found = findQuote(new FoldedMessage(message).folded, matcherOf(quote).folded)
  return { whole: found.filter(({ cutsWord }) => !cutsWord).length, cut: found.filter(({ cutsWord }) => cutsWord).length }
}

test('row P54: a quote is found verbatim, at each of its places', () => {
  assert.equal(places('Ship it now. Then ship it now again.', 'ship it now'), { whole: 2, cut: 0 })
  assert.equal(places('周五发布，周五发布', '周五发布'), { whole: 2, cut: 0 })
  assert.equal(places('ship it today', 'ship it now'), { whole: 0, cut: 0 })
})

test('row P54: a word is not cut by a letter, a digit, a mark, nor across - _ . / and the apostrophe', () => {
  for (const message of [
    'reship it now',
    'ship it nowadays',
    'ship it now2',
    'pre-ship it now',
    'ship it now-ish',
    'pre_ship it now',
    'ship it now_1',
    'v2.ship it now',
    'ship it now.sh',
    'a/ship it now',
    'ship it now/later',
    "o'ship it now",
    "ship it now's",
    'ship it now’s',
    'ship it now\u0332',
    'ship it now‑ish',
  ]) {
    assert.equal(places(message, 'ship it now'), { whole: 0, cut: 1 }, message)
  }
  assert.equal(places('limit it to 1,000', 'limit it to 1'), { whole: 0, cut: 1 })
  assert.equal(places('meet us at 10:30', 'meet us at 10'), { whole: 0, cut: 1 })
})

test('row P54: punctuation beside a quote cuts nothing, nor do neighbours in scripts without blanks', () => {
  for (const message of [
    '(ship it now)',
    'ok, ship it now, ok',
    'ok...ship it now...',
    'ok—ship it now—ok',
    '"ship it now"',
    '- ship it now - ok',
    "'ship it now'",
  ]) {
    assert.equal(places(message, 'ship it now'), { whole: 1, cut: 0 }, message)
  }
  assert.equal(places('我们周五发布新版本', '周五发布'), { whole: 1, cut: 0 })
  assert.equal(places('用API发布新版本', 'API发布'), { whole: 1, cut: 0 })
  assert.equal(places('用API2发布新版本', '用API'), { whole: 0, cut: 1 })
  assert.equal(places('来週リリースします', 'リリース'), { whole: 1, cut: 0 })
})

test('a quote that begins or ends with a joining mark cuts as well', () => {
  assert.equal(places('re-ship it now', '-ship it now'), { whole: 0, cut: 1 })
  assert.equal(places('use -f here and now', '-f here and now'), { whole: 1, cut: 0 })
})

test('half of a character beyond the basic plane is never a place', () => {
  assert.equal(
    findQuote('a😀b', '\ud83d').map(({ cutsWord }) => cutsWord),
    [true],
  )
})

test('places are bounded in one message, and an empty quote stands nowhere', () => {
  assert.is(findQuote('a '.repeat(10_000), 'a').length, placesMax)
  assert.equal(findQuote('some words', ''), [])
})

test('row P62: a quote is short under four words or four CJK characters', () => {
  for (const [quote, short] of [
    ['ship it now', true],
    ['ship it right now', false],
    ['rm -rf build now', false],
    ['rm - f', true],
    ['周五发', true],
    ['周五发布', false],
    ['用 Postgres 吧', true],
    ['好', true],
    ['👍', true],
  ] as const) {
    assert.is(matcherOf(quote).short, short, quote)
  }
})

test('whatever words a message has, each run of its words is found in it and cuts nothing', () => {
  const word = fc.constantFrom('ship', 'it', 'now', "don't", 'v2.1', 'a/b', 'snake_case', 'x-ray', 'Ünï', '发布', 'ok')
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (words, one, other) => {
      const [from, to] = [one % words.length, other % words.length].sort((a, b) => a - b)
      assert.ok(places(words.join(' '), words.slice(from, (to ?? 0) + 1).join('  ')).whole > 0)
    }),
    { numRuns: 500, seed: 3 },
  )
})

test('sentences of a message are kept with places in its folded text', () => {
  const message = new FoldedMessage('First  THING. Is it so?\nYes')
  assert.equal(
    message.sentences.map(({ start, end }) => message.folded.slice(start, end)),
    ['first thing.', 'is it so?', 'yes'],
  )
  assert.equal(
    message.sentencesBetween(14, 15).map(({ typed }) => typed),
    ['Is it so?'],
  )
  assert.is(message.sentencesBetween(0, message.folded.length).length, 3)
})

test.run()
