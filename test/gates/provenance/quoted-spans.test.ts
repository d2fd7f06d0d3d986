// Holds the finder of quoted spans to the marks of sections 5 and 6 of the specification.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { quotedSpans } from '../../../src/gates/provenance/quoted-spans.js'

const test = suite('quoted-spans')

function shown(sentence: string): (readonly [mark: string, text: string, evidence: boolean])[] {
  return quotedSpans(sentence).map(({ mark, text, evidence }) => [mark, text, evidence])
}

test('row P53: the marks that can hold evidence do, with one word or many; single marks hold two words or none', () => {
  assert.equal(shown("a \"b\" “c” 「d」 『e』 'f g' 'h' ‘i j’ ‘k’"), [
    ['double', 'b', true],
    ['curly', 'c', true],
    ['corner', 'd', true],
    ['white-corner', 'e', true],
    ['single', 'f g', true],
    ['single', 'h', false],
    ['curly-single', 'i j', true],
    ['curly-single', 'k', false],
  ])
})

test('backticks delimit but are no evidence; other marks of the world are', () => {
  assert.equal(shown('`a b` ``c ` d`` «e f» „g h“ „i j”'), [
    ['backtick', 'a b', false],
    ['backtick', 'c ` d', false],
    ['angle', 'e f', true],
    ['curly', 'g h', true],
    ['curly', 'i j', true],
  ])
})

test('a span tells where its marks stand', () => {
  const sentence = 'He said "go on" twice'
  const [span] = quotedSpans(sentence)
  assert.is(sentence.slice(span?.from, span?.to), '"go on"')
})

test('apostrophes, plurals and years open nothing', () => {
  assert.equal(shown("don't, it's, the users' list, rock 'n roll, o’clock"), [])
  assert.equal(shown('‘I don’t want it’'), [['curly-single', 'I don’t want it', true]])
})

test('row P52: inch marks do not hide a span, nor are they one', () => {
  assert.equal(shown('27" wide and 6" long'), [])
  assert.equal(shown('The 27" screen ("buy the big one")'), [['double', 'buy the big one', true]])
})

test('spans in one another are all found, in the order of their openings', () => {
  assert.equal(
    shown("“a 「b 『c』」 'd e'”").map(([, text]) => text),
    ["a 「b 『c』」 'd e'", 'b 『c』', 'c', 'd e'],
  )
})

test('a mark that nothing closes delimits nothing, and a straight one closes a curly', () => {
  assert.equal(shown('“a "b c" d'), [['double', 'b c', true]])
  assert.equal(shown('“a b" c'), [['curly', 'a b', true]])
})

test('row P65: the first 32 spans of a sentence are looked at', () => {
  const spans = quotedSpans(Array.from({ length: 40 }, (_, place) => `"word ${place}"`).join(' '))
  assert.is(spans.length, 32)
  assert.is(spans.at(-1)?.text, 'word 31')
})

test('a million openers, and as many that close, cost no more than a pass', () => {
  assert.is(quotedSpans(`${'“'.repeat(1_000_000)}a`).length, 0)
  assert.is(quotedSpans('“'.repeat(500_000) + '”'.repeat(500_000)).length, 32)
})

test.run()
