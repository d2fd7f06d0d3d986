// Holds sums to arithmetic by hand, with names that every object has.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { summedCounts } from '../../src/reports/summed-counts.js'

const test = suite('summed-counts')

interface Day {
  calls: number
  by: Record<string, { a: number; b: number }>
  listed: number[]
  open: null
}

test('numbers are added, records name by name; lists and what is no number are left as the initial has them', () => {
  const named = Object.create(null) as Day['by']
  for (const [name, of] of [
    ['__proto__', { a: 1, b: 2 }],
    ['constructor', { a: 3, b: 4 }],
  ] as const)
    named[name] = { ...of }
  const days: Day[] = [
    { calls: 2, by: named, listed: [1], open: null },
    {
      calls: 5,
      by: Object.fromEntries([
        ['constructor', { a: 10, b: 20 }],
        ['x', { a: 1, b: 0 }],
      ]),
      listed: [2],
      open: null,
    },
  ]
  const sum = summedCounts<Day>(days, { calls: 0, by: {}, listed: [], open: null })
  assert.equal([sum.calls, sum.listed, sum.open], [7, [], null])
  assert.equal(
    Object.entries(sum.by).map(([name, { a, b }]) => [name, a, b]),
    [
      ['__proto__', 1, 2],
      ['constructor', 13, 24],
      ['x', 1, 0],
    ],
  )
})

test('days and initial stay as they are, and no day at all is the initial', () => {
  const day = { calls: 1, by: { x: { a: 1, b: 1 } } }
  const initial = { calls: 0, by: {} }
  summedCounts([day, day], initial)
  assert.equal(
    [day, initial],
    [
      { calls: 1, by: { x: { a: 1, b: 1 } } },
      { calls: 0, by: {} },
    ],
  )
  assert.is(summedCounts([], initial).calls, 0)
})

test.run()
