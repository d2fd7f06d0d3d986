// Holds the folding to the list of the specification: what it folds, that it folds nothing else, and that folding again changes nothing.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { foldQuote, foldText } from '../../../src/gates/provenance/fold-quote.js'

const test = suite('fold-quote')

test('row P54: NFKC, white space, letter case and curly quotes are folded', () => {
  assert.is(foldText('Ｄｅｌｅｔｅ  the\tＤＢ'), 'delete the db')
  assert.is(foldText(' a\u00a0b\u3000c\u0085d '), 'a b c d')
  assert.is(foldText('SHIP it On FRIDAY'), 'ship it on friday')
  assert.is(foldText('“I’m ‘in’ it”'), `"i'm 'in' it"`)
  assert.is(foldText('２０２４年，發布！'), '2024年,發布!')
})

test('row P54: only the punctuation that ends a quote is left out, and of a message none', () => {
  assert.is(foldQuote('We ship, on Friday?!…'), 'we ship, on friday')
  assert.is(foldQuote('周五发布。'), '周五发布')
  assert.is(foldQuote('raise it to 20%'), 'raise it to 20%')
  assert.is(foldQuote('?! 。'), '')
  assert.is(foldText('We ship on Friday.'), 'we ship on friday.')
})

test('row P54: accents, commas, hyphens, brackets, guillemets and Traditional forms are not folded', () => {
  for (const [one, other] of [
    ['café', 'cafe'],
    ['a, b', 'a b'],
    ['re-use', 'reuse'],
    ['(a)', 'a'],
    ['«a»', '"a"'],
    ['发布', '發布'],
    ['*a*', 'a'],
    ["'a'", '"a"'],
  ] as const) {
    assert.is.not(foldText(one), foldText(other), one)
  }
})

test('case 79: emphasis marks and backticks go on both sides, single stars and underscores stay', () => {
  assert.is(foldText('run `npm test` **now**, __please__'), 'run npm test now, please')
  assert.is(foldText('*a* snake_case'), '*a* snake_case')
  assert.is(foldText('***a***'), '*a*')
})

test('case 80: line breaks of every kind are blanks', () => {
  assert.is(foldText('we ship\r\non\u2028Friday\n\nthen'), 'we ship on friday then')
})

test('a folded text folded again is the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const folded = foldText(text)
      assert.is(foldText(folded), folded)
      assert.is(foldQuote(foldQuote(text)), foldQuote(text))
    }),
    { numRuns: 5_000, seed: 1 },
  )
  const hostile = [
    '*',
    '_',
    '`',
    ' ',
    'a',
    'İ',
    'Σ',
    '\u0301',
    '\u0344',
    '\u0327',
    '\u034f',
    '\u1fef',
    '´',
    '“',
    '.',
    'ﷺ',
    '\u3099',
    'か',
    '가',
    'ᆨ',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...hostile), { maxLength: 60 }), (parts) => {
      const folded = foldText(parts.join(''))
      assert.is(foldText(folded), folded)
    }),
    { numRuns: 5_000, seed: 2 },
  )
})

test('characters that are invisible by default change nothing, wherever they stand', () => {
  const invisible: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (/\p{Default_Ignorable_Code_Point}/u.test(character)) invisible.push(character)
  }
  assert.ok(invisible.length > 4_000, 'the tags and variation selectors alone are more')
  const text = 'Never delete “the” **prod** café データ 数据库'
  for (const character of invisible)
    assert.is(foldText([...text].join(character)), foldText(text), character.codePointAt(0)?.toString(16))
})

test('a run of more than thirty marks is cut to thirty before NFKC sorts it', () => {
  const run = (length: number) => `a${'\u0323\u0308'.repeat(length / 2)}`
  assert.is(foldText(run(100_000)), foldText(run(30)))
  assert.is(foldText(run(100_000)).normalize('NFD').length, 31)
  assert.is.not(foldText(run(28)), foldText(run(30)))
})

test.run()
