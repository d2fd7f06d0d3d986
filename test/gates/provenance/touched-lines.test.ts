// Holds to it which lines a change touches: whole lines, those that hang together with them, and none that stood there before.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { touchedLines } from '../../../src/gates/provenance/touched-lines.js'

const test = suite('touched-lines')

const spanOf = (text: string, part: string) => ({ from: text.indexOf(part), to: text.indexOf(part) + part.length })

test('a span within a line touches that line, a span over several all of them', () => {
  const text = 'One.\nTwo.\nThree.\nFour.\n'
  assert.equal(touchedLines(text, [spanOf(text, 'w')]), ['Two.'])
  assert.equal(touchedLines(text, [spanOf(text, 'o.\nThr')]), ['Two.\nThree.'])
  // One that ends in the line break leaves the next line alone.
  assert.equal(touchedLines(text, [spanOf(text, 'Two.\n')]), ['Two.'])
  assert.equal(touchedLines(text, [spanOf(text, 'One'), spanOf(text, 'Four')]), ['One.', 'Four.'])
})

test('lines that are wrapped onto a touched one come along, and one that ends in the midst of a sentence', () => {
  const text = 'Notes.\n- The user\n  approved\n  the plan.\nEnd.\n'
  assert.equal(touchedLines(text, [spanOf(text, 'approved')]), ['- The user\n  approved\n  the plan.'])
  const flat = 'Notes.\nThe user\napproved the plan.\nEnd.\n'
  assert.equal(touchedLines(flat, [spanOf(flat, 'approved')]), ['The user\napproved the plan.'])
  assert.equal(touchedLines(flat, [spanOf(flat, 'The user')]), ['The user\napproved the plan.'])
})

test('a line in a block of code comes with the line that opens the block', () => {
  const text = 'Text.\n```yaml\na: 1\nb: 2\n```\nAfter.\n'
  assert.equal(touchedLines(text, [spanOf(text, '2')]), ['```yaml\nb: 2'])
  assert.equal(touchedLines(text, [spanOf(text, 'After')]), ['After.'])
})

test('lines that stand in the stored text as they are are not touched, unless a sentence went on from them there', () => {
  const text = 'One.\nTwo.\n'
  assert.equal(touchedLines(text, [spanOf(text, 'Two.')], 'Two.\nOne.\n'), [])
  assert.equal(touchedLines(text, [spanOf(text, 'Two.')], 'Two. More.\n'), ['Two.'])
  // Its quote stood on the next line, and is gone.
  const shorter = 'The user decided to ship\nEnd.\n'
  const stored = 'The user decided to ship\n  ("we ship").\nEnd.\n'
  assert.equal(touchedLines(shorter, [{ from: 25, to: 25 }], stored), ['The user decided to ship\nEnd.'])
})

test('where whole lines were taken out, the two around them count only if they now make one sentence', () => {
  const stored = 'The user\nis away.\napproved it.\n'
  assert.equal(touchedLines('The user\napproved it.\n', [{ from: 9, to: 9 }], stored), ['The user\napproved it.'])
  assert.equal(touchedLines('One.\nThree.\n', [{ from: 5, to: 5 }], 'One.\nTwo.\nThree.\n'), [])
  assert.equal(touchedLines('', [{ from: 0, to: 0 }], 'One.\n'), [])
})

test.run()
