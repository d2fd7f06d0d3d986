// Holds the description of rows that must be gone to pairs of indices, and its questions to a plain search through all keys.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hostSessionKey, wordsKey } from '../../src/ledger/row-keys.js'
import { wantedIndices, wantedRows, wantedTest } from '../../src/ledger/wanted-rows.js'
import { makeRandom } from '../support/seeded-random.js'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const nothing = new Uint8Array(0)

test('pairs of indices become ranges of the keys of words, first entry included, last too', () => {
  const { ranges, keys } = wantedRows(
    [
      [3, 3],
      [256, 511],
    ],
    [],
  )
  assert.equal(
    ranges.map(({ from, to }) => [hex(from), hex(to)]),
    [
      ['770000000000000003', '770000000000000004'],
      ['770000000000000100', '770000000000000200'],
    ],
  )
  assert.equal(keys, [])
})

test('pairs that touch, overlap or come in another order become one', () => {
  const { ranges } = wantedRows(
    [
      [9, 12],
      [1, 2],
      [3, 4],
      [10, 20],
      [30, 30],
      [11, 11],
    ],
    [],
  )
  assert.equal(wantedIndices({ ranges, keys: [] }), [
    [1, 4],
    [9, 20],
    [30, 30],
  ])
})

test('a pair that ends before it begins is a mistake of the caller', () => {
  assert.throws(() => wantedRows([[4, 3]], []), /begins before it ends/)
})

test('a single key is wanted itself, and none that only begins like it', () => {
  const key = hostSessionKey('ab'.repeat(32))
  const { isWanted } = wantedTest(wantedRows([], [key]))
  assert.ok(isWanted(key, nothing))
  assert.not(isWanted(Buffer.concat([key, Buffer.of(0)]), nothing))
  assert.not(isWanted(key.subarray(0, 32), nothing))
})

test('a row under a single key that is there again by right is not wanted, and an older value of it is', () => {
  const key = hostSessionKey('ab'.repeat(32))
  const other = hostSessionKey('cd'.repeat(32))
  const value = Buffer.from('0123456789abcdef', 'hex')
  const { isWanted } = wantedTest({ ...wantedRows([], [key, other]), again: [{ key, value }] })
  assert.not(isWanted(key, value))
  assert.ok(isWanted(key, Buffer.from('0123456789abcdee', 'hex')))
  assert.ok(isWanted(other, value))
})

test('for any keys the answers are those of a search through every wanted key', () => {
  const random = makeRandom(12)
  for (let round = 0; round < 60; round += 1) {
    const pairs = Array.from({ length: random.int(6) }, () => {
      const first = random.int(60)
      return [first, first + random.int(8)] as const
    })
    const singles = Array.from({ length: random.int(4) }, () => random.bytes(1 + random.int(3)))
    const wanted = new Set(singles.map(hex))
    for (const [first, last] of pairs) for (let index = first; index <= last; index += 1) wanted.add(hex(wordsKey(index)))
    const { isWanted, mayLieIn } = wantedTest(wantedRows(pairs, singles))
    const someKey = (): Buffer => (random.chance(2) ? wordsKey(random.int(70)) : random.bytes(1 + random.int(3)))
    for (let look = 0; look < 60; look += 1) {
      const key = someKey()
      assert.is(isWanted(key, nothing), wanted.has(hex(key)), hex(key))
      const [above = '', upTo = ''] = [hex(someKey()), hex(someKey())].sort()
      const inside = [...wanted].some((found) => found >= above && found <= upTo)
      // It may say yes for nothing between two wanted keys of one range, never no for something.
      if (inside) assert.ok(mayLieIn(Buffer.from(above, 'hex'), Buffer.from(upTo, 'hex')), `${above} to ${upTo}`)
      if ([...wanted].some((found) => found <= upTo)) assert.ok(mayLieIn(undefined, Buffer.from(upTo, 'hex')))
      const highest = [...wanted].sort().at(-1)
      if (highest === undefined || above > `${highest}00`)
        assert.not(mayLieIn(Buffer.from(above, 'hex'), Buffer.from(upTo, 'hex')), `${above} to ${upTo} lies above all`)
    }
  }
})

test.run()
