// Holds the fast search in texts and lines to a slow one.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lineSearch, textHolds, textSearch } from '../../../src/gates/provenance/sequence-search.js'
import { makeRandom } from '../../support/seeded-random.js'

const test = suite('sequence-search')

test('lines are found where a slow search finds them, overlapping ones too', () => {
  const random = makeRandom(5)
  for (let round = 0; round < 2000; round += 1) {
    const lines = Array.from({ length: random.int(14) }, () => random.pick(['a', 'b']))
    const wanted = Array.from({ length: random.int(5) }, () => random.pick(['a', 'b']))
    const slow = lines.flatMap((_, at) => (wanted.length > 0 && wanted.every((line, by) => lines[at + by] === line) ? [at] : []))
    assert.equal(lineSearch(lines, wanted), slow, `${lines} / ${wanted}`)
  }
})

test('a text is found where a slow search finds it, long ones too, and no two places overlap', () => {
  const random = makeRandom(6)
  for (let round = 0; round < 2000; round += 1) {
    const word = 'ab'.repeat(random.int(30))
    const text = Array.from({ length: random.int(12) }, () => random.pick([word, 'a', 'b', 'ab', '茶'])).join('')
    const wanted = random.pick([word, `${word}a`, `b${word}`, 'ab', text, `${text}a`, ''])
    const slow: number[] = []
    for (let at = 0; at + wanted.length <= text.length && wanted !== ''; at += 1) {
      if (text.slice(at, at + wanted.length) !== wanted) continue
      slow.push(at)
      at += wanted.length - 1
    }
    assert.equal(textSearch(text, wanted), slow, `${text} / ${wanted}`)
    if (wanted !== '') assert.is(textHolds(text, wanted), slow.length > 0)
  }
})

test('texts that are made to be slow are searched to their end', () => {
  const text = 'a'.repeat(1_000_000)
  for (const wanted of [`${'a'.repeat(300_000)}b${'a'.repeat(300_000)}`, `b${'a'.repeat(300_000)}`, `${'a'.repeat(300_000)}b`])
    assert.equal(textSearch(text, wanted), [])
  assert.is(textSearch(text, 'a'.repeat(300_000)).length, 3)
})

test.run()
