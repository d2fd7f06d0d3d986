// Holds sets of indices to a plain search through every pair.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { holdsIndex, type IndexPairs } from '../../src/foundation/index-pairs.js'
import { makeRandom } from '../support/seeded-random.js'

const test = suite('index pairs')

test('both ends of a pair are in it, and what lies between pairs is not', () => {
  const pairs: IndexPairs = [
    [2, 4],
    [5, 5],
    [9, 12],
  ]
  const inside = Array.from({ length: 15 }, (_, index) => index).filter((index) => holdsIndex(pairs, index))
  assert.equal(inside, [2, 3, 4, 5, 9, 10, 11, 12])
  assert.is(holdsIndex([], 0), false)
  assert.is(holdsIndex([[0, 0]], 0), true)
})

test('of many pairs the answer is that of a plain search', () => {
  const random = makeRandom(20261130)
  for (let round = 0; round < 50; round += 1) {
    const pairs: [number, number][] = []
    for (let at = random.int(4); at < 300; at += 1 + random.int(20)) {
      const last = at + random.int(6)
      pairs.push([at, last])
      at = last + 1
    }
    for (let index = 0; index < 330; index += 1) {
      const plain = pairs.some(([first, last]) => first <= index && index <= last)
      assert.is(holdsIndex(pairs, index), plain, JSON.stringify([index, pairs]))
    }
  }
})

test.run()
