// Holds the reading of row runs to its promise over iterators that fail: every row is given or told to be unreadable, none is lost in silence.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { RowCursor, type RowIterator } from '../../src/verify/row-cursor.js'
import { makeRandom } from '../support/seeded-random.js'

interface FakeRun {
  open(from: number): RowIterator
  /** Iterators that were opened and not closed. */
  opened(): number
}

/** Rows of these numbers, in blocks; reading any of a bad block fails, as it does where LevelDB finds a wrong checksum. */
function fakeRun(numbers: readonly number[], isBad: (number: number) => boolean = () => false): FakeRun {
  let open = 0
  return {
    opened: () => open,
    open: (from) => {
      open += 1
      let at = numbers.findIndex((number) => number >= from)
      if (at === -1) at = numbers.length
      let closed = false
      return {
        nextv: async (size) => {
          assert.not(closed, 'a closed iterator is not read')
          await Promise.resolve()
          const found = numbers.slice(at, at + size)
          if (found.some(isBad)) throw new Error('LEVEL_CORRUPTION')
          at += found.length
          return found.map((number) => [keyOf(number), Buffer.from(`row ${number}`)])
        },
        close: async () => {
          assert.not(closed, 'no iterator is closed twice')
          closed = true
          open -= 1
        },
      }
    },
  }
}

/** A key of any run: the number stands in its last eight bytes. */
function keyOf(number: number): Buffer {
  const key = Buffer.alloc(17, 0x74)
  key.writeBigUInt64BE(BigInt(number), 9)
  return key
}

const upTo = (end: number): number[] => Array.from({ length: end }, (_, at) => at)

/** Takes every number in steps, as the verifier does, and says what became of each. */
async function readAll(cursor: RowCursor, end: number, step: number): Promise<Map<number, 'read' | 'unreadable'>> {
  const found = new Map<number, 'read' | 'unreadable'>()
  for (let start = 0; start < end; start += step) {
    await cursor.fill(Math.min(start + step, end))
    for (let number = start; number < Math.min(start + step, end); number += 1) {
      const row = cursor.take(number)
      if (row !== undefined) {
        assert.is(row.toString(), `row ${number}`)
        found.set(number, 'read')
      } else if (cursor.isUnreadable(number)) found.set(number, 'unreadable')
    }
  }
  return found
}

test('every row is given once, in order, over more than one chunk', async () => {
  const run = fakeRun(upTo(2500))
  const cursor = new RowCursor(run.open, 0)
  const found = await readAll(cursor, 2500, 300)
  assert.is(found.size, 2500)
  assert.ok([...found.values()].every((what) => what === 'read'))
  assert.equal(cursor.unreadable, [])
  await cursor.close()
  assert.is(run.opened(), 0)
})

test('reading begins at a number, and what comes next can be seen before it is taken', async () => {
  const run = fakeRun([3, 5, 8])
  const cursor = new RowCursor(run.open, 4)
  await cursor.fill(100)
  assert.is(cursor.peek(), 5)
  assert.is(cursor.take(5)?.toString(), 'row 5')
  assert.is(cursor.peek(), 8)
  assert.is(cursor.take(6), undefined, 'there is none')
  assert.is(cursor.peek(), 8, 'and nothing was passed over')
  assert.is(cursor.take(9), undefined, 'those before are passed over')
  assert.is(cursor.peek(), undefined)
  await cursor.close()
})

test('large numbers are read from the last eight bytes of a key', async () => {
  const large = 2 ** 40 + 7
  const cursor = new RowCursor(fakeRun([1, large]).open, 0)
  await cursor.fill(large + 1)
  assert.is(cursor.take(1)?.toString(), 'row 1')
  assert.is(cursor.peek(), large)
  assert.is(cursor.take(large)?.toString(), `row ${large}`)
  await cursor.close()
})

test('an empty run is at its end at once', async () => {
  const run = fakeRun([])
  const cursor = new RowCursor(run.open, 0)
  await cursor.fill(1000)
  assert.is(cursor.peek(), undefined)
  assert.is(cursor.take(0), undefined)
  assert.not(cursor.isUnreadable(0))
  await cursor.close()
  assert.is(run.opened(), 0)
})

test('rows before and behind a block that cannot be read are given, and the block is told', async () => {
  for (const [first, last] of [
    [100, 149],
    [0, 9],
    [999, 1000],
    [1000, 1000],
    [1500, 1700],
  ] as const) {
    const run = fakeRun(upTo(2500), (number) => first <= number && number <= last)
    const cursor = new RowCursor(run.open, 0)
    const found = await readAll(cursor, 2500, 256)
    for (let number = 0; number < first; number += 1) assert.is(found.get(number), 'read', `${number} before ${first}`)
    for (let number = first; number <= last; number += 1) assert.is(found.get(number), 'unreadable', `${number} in the block`)
    for (let number = last + 1; number < 2500; number += 1) assert.ok(found.has(number), `${number} behind ${last}`)
    const behind = [...found].filter(([number, what]) => number > last && what === 'read')
    assert.ok(behind.length > 0, 'reading goes on behind the block')
    await cursor.close()
    assert.is(run.opened(), 0)
  }
})

test('no row outside a block that cannot be read is told to be unreadable: the verification walks everything', async () => {
  for (const [first, last] of [
    [100, 149],
    [10, 12],
    [1500, 2100],
  ] as const) {
    const cursor = new RowCursor(fakeRun(upTo(2500), (number) => first <= number && number <= last).open, 0)
    const found = await readAll(cursor, 2500, 256)
    const hidden = [...found].filter(([number, what]) => what === 'unreadable' && (number < first || number > last))
    assert.is(hidden.length, 0, `${hidden.length} rows that can be read, beside the block ${first} to ${last}`)
    await cursor.close()
  }
})

test('a block at the end that cannot be read is told to the end', async () => {
  const run = fakeRun(upTo(300), (number) => number >= 250)
  const cursor = new RowCursor(run.open, 0)
  const found = await readAll(cursor, 300, 100)
  assert.is([...found.values()].filter((what) => what === 'read').length, 250)
  assert.is(found.get(250), 'unreadable')
  assert.is(found.get(299), 'unreadable')
  await cursor.close()
  assert.is(run.opened(), 0)
})

test('a run of which nothing can be read is told whole, and reading it ends', async () => {
  const run = fakeRun(upTo(50), () => true)
  const cursor = new RowCursor(run.open, 0)
  await cursor.fill(50)
  assert.is(cursor.peek(), undefined)
  for (const number of [0, 25, 49]) assert.ok(cursor.isUnreadable(number))
  await cursor.close()
  assert.is(run.opened(), 0)
})

test('a failure nobody asks for does no harm', async () => {
  const run = fakeRun(upTo(3000), (number) => number > 1200)
  const cursor = new RowCursor(run.open, 0)
  await cursor.fill(10)
  assert.is(cursor.take(5)?.toString(), 'row 5')
  await new Promise((resolve) => setImmediate(resolve))
  await cursor.close()
  assert.is(run.opened(), 0)
})

test('in random runs with holes and bad blocks every row is given or told to be unreadable', async () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const random = makeRandom(seed)
    const size = 1 + random.int(3000)
    const numbers = upTo(size).filter(() => !random.chance(10))
    const blocks = Array.from({ length: random.int(4) }, () => {
      const first = random.int(size)
      return [first, first + random.int(80)] as const
    })
    const isBad = (number: number): boolean => blocks.some(([first, last]) => first <= number && number <= last)
    const run = fakeRun(numbers, isBad)
    const cursor = new RowCursor(run.open, 0)
    const found = await readAll(cursor, size, 1 + random.int(500))
    for (const number of numbers) {
      if (isBad(number)) assert.is(found.get(number), 'unreadable', `seed ${seed}: ${number}`)
      else assert.ok(found.has(number), `seed ${seed}: ${number}`)
    }
    const firstBad = Math.min(...numbers.filter(isBad), size)
    for (const number of numbers) {
      if (number < firstBad) assert.is(found.get(number), 'read', `seed ${seed}: ${number} before the first bad block`)
    }
    await cursor.close()
    assert.is(run.opened(), 0, `seed ${seed}`)
  }
})

test.run()
