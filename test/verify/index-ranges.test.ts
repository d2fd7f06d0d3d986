// Holds the arithmetic of ranges to sets of single numbers, and the reading of erasures to the format page.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  countOf,
  differenceOf,
  erasedRanges,
  type IndexRanges,
  IndexRuns,
  intersectionOf,
  unionOf,
} from '../../src/verify/index-ranges.js'
import { makeRandom, type Random } from '../support/seeded-random.js'

const top = 40

/** IndexRanges that may overlap, touch and come in any order. */
function anyRanges(random: Random): [number, number][] {
  return Array.from({ length: random.int(8) }, () => {
    const first = random.int(top)
    return [first, Math.min(top, first + random.int(6))]
  })
}

function setOf(ranges: IndexRanges): Set<number> {
  const numbers = new Set<number>()
  for (const [first, last] of ranges) for (let number = first; number <= last; number += 1) numbers.add(number)
  return numbers
}

/** The runs of consecutive numbers of a set, ascending and apart. */
function runsOf(numbers: ReadonlySet<number>): [number, number][] {
  const runs: [number, number][] = []
  for (let number = 0; number <= top; number += 1) {
    if (!numbers.has(number)) continue
    const run = runs.at(-1)
    if (run?.[1] === number - 1) run[1] = number
    else runs.push([number, number])
  }
  return runs
}

test('ranges join where they overlap or touch', () => {
  assert.equal(
    unionOf([
      [5, 7],
      [1, 2],
      [3, 3],
      [6, 9],
      [11, 11],
    ]),
    [
      [1, 3],
      [5, 9],
      [11, 11],
    ],
  )
  assert.equal(unionOf([]), [])
  assert.equal(
    unionOf([
      [1, 9],
      [2, 3],
    ]),
    [[1, 9]],
  )
})

test('union, intersection, difference and count are those of sets', () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const random = makeRandom(seed)
    const some = anyRanges(random)
    const one = unionOf(some)
    const other = unionOf(anyRanges(random))
    const [a, b] = [setOf(some), setOf(other)]
    assert.equal(one, runsOf(a), `seed ${seed}: union`)
    const both = intersectionOf(one, other)
    const left = differenceOf(one, other)
    assert.equal(both, runsOf(new Set([...a].filter((number) => b.has(number)))), `seed ${seed}: intersection`)
    assert.equal(left, runsOf(new Set([...a].filter((number) => !b.has(number)))), `seed ${seed}: difference`)
    assert.is(countOf(one), a.size, `seed ${seed}: count`)
    assert.is(countOf(both) + countOf(left), a.size, `seed ${seed}: parts`)
  }
})

test('indices that come in ascending order grow into runs', () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const random = makeRandom(seed)
    const before = unionOf(anyRanges(random)).filter(([, last]) => last < 10)
    const runs = new IndexRuns(before)
    const numbers = setOf(before)
    for (let number = 10; number <= top; number += 1) {
      if (random.chance(3)) continue
      runs.add(number)
      if (random.chance(5)) runs.add(number)
      numbers.add(number)
    }
    assert.equal(runs.runs, runsOf(numbers), `seed ${seed}`)
  }
})

test('adding to runs leaves the ranges that they began with as they were', () => {
  const begun: IndexRanges = [[1, 2]]
  new IndexRuns(begun).add(3)
  assert.equal(begun, [[1, 2]])
})

test('the entries of an erasure are its pairs below its own index', () => {
  assert.equal(
    erasedRanges(
      [
        [0, 0],
        [2, 5],
        [8, 9],
      ],
      10,
    ),
    [
      [0, 0],
      [2, 5],
      [8, 9],
    ],
  )
})

test('what is no pair of indices below the erasure names nothing, and the pairs beside it still do', () => {
  const bad: unknown[] = [
    [],
    [1],
    [1, 2, 3],
    [5, 4],
    [-1, 2],
    [1.5, 2],
    ['1', '2'],
    [1, null],
    [9, 10],
    [10, 10],
    7,
    null,
    'x',
    {},
  ]
  for (const pair of bad) {
    assert.equal(erasedRanges([pair, [2, 3]], 10), [[2, 3]], JSON.stringify(pair))
  }
  for (const value of [undefined, null, 3, 'words', {}, { 0: [1, 2] }]) assert.equal(erasedRanges(value, 10), [])
})

test.run()
