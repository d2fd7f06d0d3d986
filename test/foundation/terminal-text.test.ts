// Holds the escaper to its job: no stored text can steer a terminal or turn its reading order round.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { terminalLine, terminalText } from '../../src/foundation/terminal-text.js'

const test = suite('terminal-text')

/** C0 without the line feed, DEL, C1, and the bidirectional controls of Unicode (UAX #9, table 4). */
const controls = [
  ...range(0x00, 0x1f).filter((code) => code !== 0x0a),
  ...range(0x7f, 0x9f),
  0x061c,
  0x200e,
  0x200f,
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
].map((code) => String.fromCodePoint(code))

/** A tab moves the cursor and nothing else; it may stay or be escaped. */
const steering = controls.filter((control) => control !== '\t')

test('ordinary text of any script passes unchanged', () => {
  for (const text of ['', 'plain, 100 % "quoted" \\ /', '我决定周五发布', 'שלום', 'مرحبا', 'e\u0301', '\u{1F600}', 'ﬃ']) {
    assert.is(terminalText(text), text)
    assert.is(terminalLine(text), text)
  }
})

test('every control and bidirectional character is shown instead of being sent to the terminal', () => {
  for (const control of steering) {
    const name = `U+${control.codePointAt(0)?.toString(16)}`
    for (const shown of [terminalText(`a${control}b`), terminalLine(`a${control}b`)]) {
      assert.not.ok(shown.includes(control), `${name} is taken out`)
      assert.match(shown, /^a.+b$/, `${name} leaves something to see in its place`)
    }
  }
})

test('different control characters look different', () => {
  const shown = steering.map((control) => terminalText(control))
  assert.is(new Set(shown).size, steering.length)
})

test('escape sequences that colour, clear, retitle or answer lose their power', () => {
  for (const sequence of [
    '\u001b[2J',
    '\u001b[31mred\u001b[0m',
    '\u001b]0;title\u0007',
    '\u009b31m',
    '\u001bP$q\u001b\\',
    '\r\u001b[K',
    '\b\b\b',
  ]) {
    for (const shown of [terminalText(sequence), terminalLine(sequence)]) {
      for (const control of steering) assert.not.ok(shown.includes(control), JSON.stringify(sequence))
    }
  }
})

test('a text keeps its line feeds and a line has none', () => {
  assert.is(terminalText('a\nb\n'), 'a\nb\n')
  for (const text of ['a\nb', 'a\r\nb', '\n\n', 'a\n']) assert.not.match(terminalLine(text), /[\r\n]/)
})

test('a carriage return cannot overwrite what stands in its line', () => {
  assert.not.match(terminalText('verdict: block\rverdict: allow'), /\r/)
})

test('a line is cut to the number of characters with an ellipsis at its end', () => {
  assert.is(terminalLine('abcdef', 6), 'abcdef')
  assert.is(terminalLine('abcdef', 7), 'abcdef')
  const cut = terminalLine('abcdef', 4)
  assert.ok(cut.endsWith('…'))
  assert.ok('abcdef'.startsWith(cut.slice(0, -1)))
  assert.is([...cut].length, 4)
})

test('a cut never splits a character of two units', () => {
  for (let length = 1; length < 12; length += 1) {
    const cut = terminalLine('\u{1F600}'.repeat(12), length)
    assert.ok(cut.isWellFormed(), `cut to ${length}`)
    assert.ok([...cut].length <= length, `cut to ${length}`)
  }
})

test('a cut never lets a control character through', () => {
  for (let length = 1; length < 30; length += 1) {
    const cut = terminalLine('ab\u001b[31mcd\u202eef\u0007gh', length)
    for (const control of steering) assert.not.ok(cut.includes(control), `cut to ${length}`)
  }
})

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, step) => first + step)
}

test.run()
