// Holds the line of an attach's numbers to one question: which never came, and for how long.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type MissingNumbers, NumberLine } from '../../src/hooks/number-line.js'
import { makeRandom } from '../support/seeded-random.js'

const test = suite('number-line')

const gapMs = 5000

/** A line to which these numbers have come, one a millisecond from 0 on. */
function lineOf(next: number, numbers: readonly number[]): NumberLine {
  const line = new NumberLine(next)
  for (const [at, seq] of numbers.entries()) line.arrived(seq, at)
  return line
}

test('numbers that come one after the other leave nothing missing, however long one waits', () => {
  assert.equal(lineOf(1, [1, 2, 3, 4]).takeOverdue(1e9, gapMs), [])
  assert.equal(lineOf(1, []).takeOverdue(1e9, gapMs), [])
})

test('a number that is jumped over is missing after the time and not before', () => {
  const line = new NumberLine(1)
  line.arrived(1, 0)
  line.arrived(3, 1000)
  assert.equal(line.takeOverdue(5999, gapMs), [])
  assert.equal(line.takeOverdue(6000, gapMs), [{ from: 2, to: 2 }])
})

test('what is missing is told once', () => {
  const line = lineOf(1, [3])
  assert.equal(line.takeOverdue(10_000, gapMs), [{ from: 1, to: 2 }])
  assert.equal(line.takeOverdue(20_000, gapMs), [])
})

test('numbers that come in another order within the time are not missing', () => {
  const line = lineOf(1, [4, 2, 1, 3])
  assert.equal(line.takeOverdue(1e9, gapMs), [])
})

test('a number out of the middle of a hole leaves two, and each is as old as the whole was', () => {
  const line = new NumberLine(1)
  line.arrived(6, 0)
  line.arrived(3, 4000)
  assert.equal(line.takeOverdue(4999, gapMs), [])
  assert.equal(line.takeOverdue(5000, gapMs), [
    { from: 1, to: 2 },
    { from: 4, to: 5 },
  ])
})

test('numbers at the ends of a hole make it smaller', () => {
  assert.equal(lineOf(1, [6, 1]).takeOverdue(1e9, gapMs), [{ from: 2, to: 5 }])
  assert.equal(lineOf(1, [6, 5]).takeOverdue(1e9, gapMs), [{ from: 1, to: 4 }])
})

test('a line begins at the number that is next, so what was answered before is not missing', () => {
  assert.equal(lineOf(8, [8]).takeOverdue(1e9, gapMs), [])
  assert.equal(lineOf(8, [10]).takeOverdue(1e9, gapMs), [{ from: 8, to: 9 }])
  assert.equal(lineOf(8, [3, 8]).takeOverdue(1e9, gapMs), [])
})

test('a number that comes again changes nothing', () => {
  assert.equal(lineOf(1, [1, 4, 4, 1]).takeOverdue(1e9, gapMs), [{ from: 2, to: 3 }])
})

test('what was missing too briefly stays and is told in its own time', () => {
  const line = new NumberLine(1)
  line.arrived(2, 0)
  line.arrived(4, 3000)
  assert.equal(line.takeOverdue(5000, gapMs), [{ from: 1, to: 1 }])
  assert.equal(line.takeOverdue(7999, gapMs), [])
  assert.equal(line.takeOverdue(8000, gapMs), [{ from: 3, to: 3 }])
})

test('what could not be written down is missing as before', () => {
  const line = lineOf(1, [3])
  const [hole] = line.takeOverdue(10_000, gapMs)
  assert.ok(hole !== undefined)
  line.putBack(hole)
  assert.equal(line.takeOverdue(10_000, gapMs), [{ from: 1, to: 2 }])
})

test('in any order, exactly the numbers that never came are told, each once', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = makeRandom(seed)
    const all = Array.from({ length: 30 }, (_, at) => at + 1)
    const came = random.shuffle(all.filter(() => !random.chance(4)))
    const told = lineOf(1, came).takeOverdue(1e9, gapMs).flatMap(numbersIn)
    const newest = Math.max(0, ...came)
    assert.equal(
      told.toSorted((one, other) => one - other),
      all.filter((seq) => seq < newest && !came.includes(seq)),
      `seed ${seed}`,
    )
  }
})

function numbersIn({ from, to }: MissingNumbers): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

test.run()
