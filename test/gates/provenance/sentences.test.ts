// Holds folding and cutting to section 2 of the specification: what is invisible, where lines join, where sentences end.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { detectClaims } from '../../../src/gates/provenance/claim-detector.js'
import { foldedText } from '../../../src/gates/provenance/folded-text.js'
import { sentences } from '../../../src/gates/provenance/sentences.js'

const test = suite('sentences')

function textsOf(text: string): string[] {
  return sentences(text).map((sentence) => sentence.text)
}

function formsOf(text: string): string[] {
  return sentences(text).map((sentence) => sentence.form)
}

function claimsOf(text: string): string[] {
  return detectClaims(text, { scope: 'decisions', isTyped: () => false }).claims.map((claim) => claim.text)
}

/** Every code point with the property, found one by one and not by the expression that the fold uses. */
function defaultIgnorable(): string[] {
  const one = /^\p{Default_Ignorable_Code_Point}$/u
  const found: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const char = String.fromCodePoint(code)
    if (one.test(char)) found.push(char)
  }
  return found
}

test('row P32: full-width letters are folded', () => {
  assert.equal(claimsOf('Ｕｓｅｒ　ａｐｐｒｏｖｅｄ the trip'), ['User approved the trip'])
  assert.is(foldedText('ＡＢＣ：１').text, 'ABC:1')
})

test('row P32: each invisible code point of Unicode, inside a claim, changes nothing', () => {
  const invisible = defaultIgnorable()
  for (const named of ['\u200b', '\u200d', '\u00ad', '\u2061', '\u2064', '\u180e', '\u034f', '\ufe0f', '\u{e0041}', '\u3164']) {
    assert.ok(invisible.includes(named), named.codePointAt(0)?.toString(16))
  }
  const plain = detectClaims('The user approved the trip', { scope: 'decisions', isTyped: () => false })
  for (const char of invisible) {
    const hidden = `The us${char}er ap${char}pro${char}ved the trip`
    if (foldedText(hidden).text !== 'The user approved the trip') assert.unreachable(char.codePointAt(0)?.toString(16))
  }
  const all = invisible.join('')
  const detection = detectClaims(`The us${all}er app${all}roved the trip`, { scope: 'decisions', isTyped: () => false })
  assert.equal(detection, plain)
})

test('row P32: emphasis round any word changes nothing', () => {
  const words = ['The', 'user', 'approved', 'the', 'trip']
  for (const mark of ['**', '__']) {
    for (const place of words.keys()) {
      const text = words.map((word, at) => (at === place ? `${mark}${word}${mark}` : word)).join(' ')
      assert.equal(claimsOf(text), ['The user approved the trip'], text)
    }
    assert.equal(claimsOf(`${mark}The user approved the trip${mark}`), ['The user approved the trip'])
  }
})

test('runs of more than 30 combining marks are cut before NFKC, and counted', () => {
  const { text, marksCut } = foldedText(`a${'\u0301\u0316'.repeat(50)}`)
  assert.is(marksCut, 70)
  assert.ok(text.length <= 31)
  assert.is(detectClaims(`a${'\u0316'.repeat(31)}`, { scope: 'decisions', isTyped: () => false }).marksCut, 1)
})

test('invisible code points do not part a run of marks', () => {
  assert.is(foldedText(`a${'\u0301\u200d'.repeat(40)}`).marksCut, 10)
})

test('row P33: English sentences end with a full stop, an exclamation or question mark or a semicolon', () => {
  assert.equal(textsOf('One is here. Two is there! Three? Four; five'), [
    'One is here.',
    'Two is there!',
    'Three?',
    'Four;',
    'five',
  ])
})

test('row P33: Chinese sentences end without a space behind', () => {
  assert.equal(textsOf(foldedText('第一句。第二句！第三句？第四句；第五句').text), [
    '第一句。',
    '第二句!',
    '第三句?',
    '第四句;',
    '第五句',
  ])
})

test('row P33: abbreviations, versions and file names end nothing', () => {
  assert.equal(textsOf('Use e.g. this one, vs. that, in v1.2.3 of main.ts at No. 5 etc. and so on.').length, 1)
  assert.equal(textsOf('The user said no. Then it rained.').length, 2)
  assert.equal(textsOf('Well... maybe. Well... Then.'), ['Well... maybe.', 'Well...', 'Then.'])
})

test('row P33: a sentence end inside a quotation does not cut', () => {
  for (const [open, close] of ['“”', '‘’', '「」', '『』', '""', "''", '``'].map((pair) => [pair.charAt(0), pair.charAt(1)])) {
    const text = `He wrote ${open}go on. Then stop; please${close} and left. Bye.`
    assert.equal(textsOf(text), [text.slice(0, -5), 'Bye.'], text)
    const chinese = `他写${open}好。停；走${close}就走了。再见。`
    assert.equal(textsOf(chinese), [chinese.slice(0, -3), '再见。'], chinese)
  }
})

test('a mark that nothing closes, and an inch mark, keep nothing together', () => {
  assert.equal(textsOf('He said “go on. Then he left.').length, 2)
  assert.equal(textsOf('It is 27" wide. It is 6" long.').length, 2)
})

test('a parenthesis keeps its sentence together, but a semicolon in it ends one', () => {
  assert.equal(textsOf('It went (ticket? see. it) well. Yes.'), ['It went (ticket? see. it) well.', 'Yes.'])
  assert.equal(textsOf('It went (so; so) well').length, 2)
})

test('row P34: a line one to three spaces in joins the one before, four spaces do not', () => {
  for (const spaces of [1, 2, 3]) {
    assert.equal(textsOf(`One line\n${' '.repeat(spaces)}goes on`), ['One line goes on'])
  }
  assert.equal(formsOf('One line\n    goes on'), ['prose', 'code'])
  assert.equal(textsOf('One line\ngoes on'), ['One line', 'goes on'])
})

test('row P34: a line that stops at "the user" goes on in the next one', () => {
  assert.equal(claimsOf('In March the user\ndecided to move'), ['In March the user decided to move'])
  assert.equal(claimsOf('In March the owner has already\r\ndecided to move'), ['In March the owner has already decided to move'])
  assert.equal(claimsOf('三月用户已经\n决定搬家'), ['三月用户已经 决定搬家'])
  assert.equal(claimsOf('In March the user\n\ndecided to move'), [])
})

test('a list item, a heading, a table row and the next member of a mapping join nothing', () => {
  assert.equal(textsOf('One\n - two\n # three\n | a | b |'), ['One', 'two', 'three', '| a | b |'])
  assert.equal(formsOf('config:\n  user confirmed: false\n  depth: 3'), ['prose', 'key-value', 'key-value'])
})

test('row P35: each sentence knows the form of its line', () => {
  const text = '# head\nprose. more\n- item\n\t- nested\n```\ncode\n```\n    code\n| a | b |\nKey: value\n> quoted'
  assert.equal(formsOf(text), [
    'heading',
    'prose',
    'prose',
    'list',
    'list',
    'code',
    'code',
    'code',
    'code',
    'table-row',
    'key-value',
    'prose',
  ])
})

test('a fence closes with a fence of its kind, at least as long, and hides what follows where it never does', () => {
  assert.equal(formsOf('````\n```\n````\nout'), ['code', 'code', 'code', 'prose'])
  assert.equal(formsOf('~~~\n```\n~~~\nout'), ['code', 'code', 'code', 'prose'])
  assert.equal(formsOf('```\nin\nin'), ['code', 'code', 'code'])
})

test('list marks and ticked boxes are taken off, an open box is told', () => {
  assert.equal(
    sentences('- [ ] one\n- [x] two\n1. three\n• four\n一、五').map(({ text, unticked }) => [text, unticked]),
    [
      ['one', true],
      ['two', false],
      ['three', false],
      ['four', false],
      ['五', false],
    ],
  )
})

test('only lines that matter are cut', () => {
  assert.equal(
    sentences('one. two\nthree. four', (line) => line.startsWith('three')).map(({ text }) => text),
    ['three.', 'four'],
  )
})

test.run()
