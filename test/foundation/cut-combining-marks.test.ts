// Holds the cutter of combining marks to its bound, its count and its speed.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cutCombiningMarks } from '../../src/foundation/cut-combining-marks.js'

const test = suite('cut-combining-marks')

test('a run of 30 marks stays, of a longer one the first 30 stay and the rest is counted', () => {
  assert.equal(cutCombiningMarks(`a${'\u0301'.repeat(30)}b`), { text: `a${'\u0301'.repeat(30)}b`, marksCut: 0 })
  assert.equal(cutCombiningMarks(`a${'\u0301\u0316'.repeat(20)}b`), { text: `a${'\u0301\u0316'.repeat(15)}b`, marksCut: 10 })
})

test('two runs are counted together, and marks beyond the first plane are one each', () => {
  assert.equal(cutCombiningMarks(`a${'\u0301'.repeat(31)}b${'\u{1d165}'.repeat(32)}c`), {
    text: `a${'\u0301'.repeat(30)}b${'\u{1d165}'.repeat(30)}c`,
    marksCut: 3,
  })
})

test('half-width sound marks, which become combining marks under NFKC, belong to the run', () => {
  assert.equal(cutCombiningMarks(`か${'\uff9e\u0316'.repeat(20)}`), { text: `か${'\uff9e\u0316'.repeat(15)}`, marksCut: 10 })
})

test('a run of a million marks is cut without overflowing anything', () => {
  const { text, marksCut } = cutCombiningMarks(`a${'\u0301\u0316'.repeat(500_000)}`)
  assert.is(text.length, 31)
  assert.is(marksCut, 999_970)
})

test.run()
