// Holds the sentences of a typed message to where they end, which of them ask, and that their places fit the folded text.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { foldText } from '../../../src/gates/provenance/fold-quote.js'
import { userSentencesOf } from '../../../src/gates/provenance/user-sentences.js'

const test = suite('user-sentences')

function sentences(text: string): string[] {
  const folded = foldText(text)
  return userSentencesOf(text).map(({ start, end }) => folded.slice(start, end))
}

test('row P58: sentences end in English and Chinese, and at a semicolon', () => {
  assert.equal(sentences('Do it. Now! Really? Yes; fine'), ['do it.', 'now!', 'really?', 'yes;', 'fine'])
  assert.equal(sentences('先备份。再删除！好吗？好；行'), ['先备份。', '再删除!', '好吗?', '好;', '行'])
  assert.equal(sentences('He said "do it." Then left.'), ['he said "do it."', 'then left.'])
})

test('names, versions, addresses and abbreviations end no sentence', () => {
  for (const text of [
    'see v2.3 of a.txt',
    'at https://x.test/a?b=c&d now',
    'never, e.g. on fridays, etc. and so',
    'mr. smith i.e. bob',
    '1. first thing',
  ]) {
    assert.equal(sentences(text), [text])
  }
})

test('case 80: a line break alone ends no sentence; a blank line, a list item and a heading begin one', () => {
  assert.equal(sentences('never\ndelete it'), ['never delete it'])
  assert.equal(sentences('never\r\n \r\ndelete it'), ['never', 'delete it'])
  assert.equal(sentences('a\n- b\n2. c\n# d\n> e'), ['a', '- b', '2. c', '# d', '> e'])
})

test('row P58: items of a list know the sentence over it that ends with a colon', () => {
  const leads = userSentencesOf('Never do this:\n- one\n- two\n\nElse:\nthree\n- four').map(({ lead }) => lead?.typed)
  assert.equal(leads, [undefined, 'Never do this:', 'Never do this:', undefined, undefined])
})

test('row P60: a sentence asks that ends with a question mark, also with marks and brackets behind it', () => {
  for (const text of [
    'Shall we?',
    'Shall we？',
    'shall we ?!',
    '(shall we?)',
    '"shall we?"',
    '**shall we?**',
    '可以吗？',
    'هل نفعل؟',
  ]) {
    assert.equal(
      userSentencesOf(text).map(({ question }) => question),
      [true],
      text,
    )
  }
  for (const text of ['We shall.', 'a?b=c is it', 'what?! no. ok']) {
    assert.is(userSentencesOf(text).at(-1)?.question, false, text)
  }
})

test('whatever is typed, sentences lie in order within the folded text and leave out nothing but blanks', () => {
  const part = fc.constantFrom(
    'a',
    'B.',
    '? ',
    '。',
    '**',
    '`',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    ' ',
    '\u200b',
    '\u0301',
    'ﬁ',
    '不',
    '；',
    'e.g. ',
    ':',
    '_',
    '"',
    'Σ',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = parts.join('')
      const folded = foldText(text)
      let behind = 0
      for (const { start, end } of userSentencesOf(text)) {
        assert.ok(start >= behind && end >= start)
        assert.is(folded.slice(behind, start).trim(), '')
        behind = end
      }
      assert.is(behind, folded.length)
    }),
    { numRuns: 3_000, seed: 4 },
  )
})

test.run()
