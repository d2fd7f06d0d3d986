// Holds the search for a patch's place to the host's ways, each by a case worked out by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { replacements, type SpanStrategy, spanSearch } from '../../../src/gates/provenance/span-search.js'
import { makeRandom } from '../../support/seeded-random.js'

const test = suite('span-search')

interface Case {
  readonly strategy: SpanStrategy
  readonly text: string
  readonly wanted: string
  /** What the spans hold. */
  readonly holds: readonly string[]
}

const cases: readonly Case[] = [
  { strategy: 'exact', text: 'one two three', wanted: 'two', holds: ['two'] },
  { strategy: 'exact', text: 'aaaa', wanted: 'aa', holds: ['aa', 'aa'] },
  // Each line is stripped at both ends.
  { strategy: 'line_trimmed', text: 'a\n  b  \n\tc\nd', wanted: 'b\nc', holds: ['  b  \n\tc'] },
  { strategy: 'line_trimmed', text: 'a\n  b', wanted: 'b ', holds: ['  b'] },
  // Runs of blanks and tabs count as one blank; line feeds are kept.
  { strategy: 'whitespace_normalized', text: 'say: one  two\t three, ok', wanted: 'one two three', holds: ['one  two\t three'] },
  // The host has two more ways for these: one in which only the beginning of a line is free, one in which only the first and the last line
  // are stripped. Its second way has found them before.
  { strategy: 'line_trimmed', text: 'x\n    if a: \n        b \ny', wanted: 'if a: \n  b ', holds: ['    if a: \n        b '] },
  { strategy: 'line_trimmed', text: 'x\n  a\n  m  \nz  \n', wanted: 'a \n  m  \n z', holds: ['  a\n  m  \nz  '] },
  // The model wrote two characters where it meant one.
  { strategy: 'escape_normalized', text: 'a\nb\tc', wanted: 'a\\nb\\tc', holds: ['a\nb\tc'] },
  {
    strategy: 'unicode_normalized',
    text: 'He said \u201cno\u201d \u2014 twice\u2026',
    wanted: '"no" -- twice...',
    holds: ['\u201cno\u201d \u2014 twice\u2026'],
  },
  { strategy: 'unicode_normalized', text: "it's 5-6", wanted: 'it\u2019s 5\u20136', holds: ["it's 5-6"] },
  { strategy: 'unicode_normalized', text: 'a\u00a0b\u2009c \u22121', wanted: 'a b c -1', holds: ['a\u00a0b\u2009c \u22121'] },
  { strategy: 'unicode_normalized', text: 'x\n  \u201ca\u201d  \ny', wanted: '"a"\ny', holds: ['  \u201ca\u201d  \ny'] },
]

test('row P27: a case a strategy: the place is found the way that the host finds it', () => {
  for (const { strategy, text, wanted, holds } of cases) {
    const found = spanSearch(text, wanted)
    assert.is(found?.strategy, strategy, wanted)
    assert.equal(
      found?.spans.map(({ from, to }) => text.slice(from, to)),
      holds,
      wanted,
    )
  }
})

test('row P27: the first way that finds anything counts, also where a later one would find more', () => {
  const text = 'a  b\na b'
  assert.equal(spanSearch(text, 'a b'), { strategy: 'exact', spans: [{ from: 5, to: 8 }] })
  assert.equal(spanSearch('  a\n\ta', 'a ')?.strategy, 'line_trimmed')
})

test('row P27: what only likeness would find is not found: same first and last line, most of the lines alike, nothing alike', () => {
  const text = 'begin\nthe middle of it all\nend\nother line here'
  for (const wanted of ['begin\nthe middle of them all\nend', 'begin\nthe middle of it al\nend it', 'nothing of the kind'])
    assert.is(spanSearch(text, wanted), undefined, wanted)
})

test('nothing wanted is nowhere', () => {
  assert.is(spanSearch('text', ''), undefined)
  assert.is(spanSearch('', 'text'), undefined)
})

test('a place within a character that stands for several is no place', () => {
  assert.is(spanSearch('a\u2026b', '..b'), undefined)
  assert.equal(spanSearch('a\u2026b', '...b'), { strategy: 'unicode_normalized', spans: [{ from: 1, to: 3 }] })
})

test('after a match that is not exact the new text gets the indentation of the file', () => {
  const text = 'def f():\n        old()\n'
  const wanted = 'def f():\n    old()'
  const found = spanSearch(text, wanted)
  assert.ok(found !== undefined)
  assert.is(found.strategy, 'line_trimmed')
  assert.equal(replacements(text, found, wanted, 'def g():\n    new()'), ['def g():\n    new()'])
  const inner = spanSearch(text, '  old() ')
  assert.ok(inner !== undefined)
  // The model's two blanks stand for the file's eight; what has fewer gets eight as well, and a blank line nothing.
  assert.equal(replacements(text, inner, '  old() ', '  a\n    b\nc\n\n'), ['        a\n          b\n        c\n\n'])
})

test('an exact match is replaced by the new text as it is, but for tabs that were written as two characters', () => {
  const replaced = (text: string, given: string) => {
    const found = spanSearch(text, 'x')
    assert.ok(found !== undefined)
    return replacements(text, found, 'x', given)
  }
  assert.equal(replaced('  x', 'a\\tb\n c'), ['a\\tb\n c'])
  const tabbed = spanSearch('\tx y', '\tx')
  assert.ok(tabbed !== undefined)
  assert.equal(replacements('\tx y', tabbed, '\tx', '\\ta\\nb'), ['\ta\\nb'])
})

test('white space is what the host takes for it: no byte-order mark, but the separators of files and records', () => {
  assert.is(spanSearch('\ufeffa', 'a ')?.strategy, undefined)
  assert.is(spanSearch('x\n\u001ca\u0085', 'a\u3000')?.strategy, 'line_trimmed')
})

test('spans ascend, are not empty, and hold the wanted text once white space and typography are taken out of both', () => {
  const random = makeRandom(7)
  const pieces = ['a', 'b', ' ', '\t', '\n', '\u201c', '"', '\u2014', '--', '\u2026', '...', '\u00a0', '\\n', '\\t']
  const bare = (text: string) => {
    const meant = text.replaceAll('\\n', '\n').replaceAll('\\t', '\t')
    return meant.replace(/\s/g, '').replaceAll('\u201c', '"').replaceAll('\u2014', '--').replaceAll('\u2026', '...')
  }
  let found = 0
  for (let round = 0; round < 5000; round += 1) {
    const text = Array.from({ length: random.int(30) }, () => random.pick(pieces)).join('')
    const wanted = Array.from({ length: random.int(6) + 1 }, () => random.pick(pieces)).join('')
    const { spans = [] } = spanSearch(text, wanted) ?? {}
    found += spans.length
    for (const [at, { from, to }] of spans.entries()) {
      assert.ok(from <= to && to <= text.length && from >= (spans[at - 1]?.from ?? 0), `${from} to ${to}`)
      assert.is(bare(text.slice(from, to)), bare(wanted), JSON.stringify([text, wanted]))
    }
  }
  assert.ok(found > 1000, `${found} spans`)
})

test.run()
