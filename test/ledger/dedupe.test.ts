// Holds dedupe rows to the format page: 24 bytes of index, time and count, kept for seven days.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { dedupeRow, readDedupe, readFirstKnown, sweepDedupe } from '../../src/ledger/dedupe.js'
import { memoryStore } from '../support/memory-store.js'

const dayMs = 86_400_000
const now = Date.UTC(2026, 10, 29)
const digestOf = (number: number): string => number.toString(16).padStart(64, '0')

test('a row is the index, the time and the count, eight bytes each, under d and the raw digest', () => {
  const { key, value } = dedupeRow('ab'.repeat(32), { index: 258, timeMs: 0x1a229f12800, again: 3 })
  assert.is(Buffer.from(key).toString('hex'), `64${'ab'.repeat(32)}`)
  assert.is(Buffer.from(value).toString('hex'), '0000000000000102' + '000001a229f12800' + '0000000000000003')
})

test('an id is read back as it was written, and a new one is not known', async () => {
  const first = { index: 2 ** 33, timeMs: now, again: 0 }
  const store = memoryStore([dedupeRow(digestOf(7), first)])
  assert.equal(await readDedupe(store, digestOf(7)), first)
  assert.is(await readDedupe(store, digestOf(8)), undefined)
})

test('an id that gave no entry has 0 in its row and is read as null, since entry 0 is never anybody’s payload', async () => {
  const row = dedupeRow(digestOf(7), { index: null, timeMs: now, again: 2 })
  assert.is(Buffer.from(row.value).toString('hex', 0, 8), '0'.repeat(16))
  assert.equal(await readDedupe(memoryStore([row]), digestOf(7)), { index: null, timeMs: now, again: 2 })
})

test('of several ids the first that is known is found, with what it gave', () => {
  const known = { index: 5, timeMs: now, again: 1 }
  const store = memoryStore([dedupeRow(digestOf(2), known), dedupeRow(digestOf(3), { ...known, index: 6 })])
  const find = (...numbers: number[]) => readFirstKnown(store, numbers.map(digestOf))
  assert.equal(find(1, 2, 3), { id: digestOf(2), first: known })
  assert.equal(find(3, 2), { id: digestOf(3), first: { ...known, index: 6 } })
  assert.is(find(1, 4), undefined)
  assert.is(find(), undefined)
})

test('a sweep deletes ids older than seven days and keeps the others', async () => {
  const ages = [0, 1, 6.99, 7, 7.01, 8, 400]
  const store = memoryStore(ages.map((age, at) => dedupeRow(digestOf(at), { index: at, timeMs: now - age * dayMs, again: 0 })))
  await sweepDedupe(store, Buffer.alloc(32), now)
  const kept: number[] = []
  for (const [at, age] of ages.entries()) if ((await readDedupe(store, digestOf(at))) !== undefined) kept.push(age)
  assert.equal(kept, [0, 1, 6.99, 7])
})

test('a sweep begins at its place, looks at a few hundred rows only and touches no row of another kind', async () => {
  const rows = Array.from({ length: 2000 }, (_, at) => dedupeRow(digestOf(at), { index: at, timeMs: 0, again: 0 }))
  const others = ['c', 'e', 'h'].map((tag) => ({
    key: Buffer.from(`${tag}${'\xff'.repeat(32)}`, 'latin1'),
    value: Buffer.alloc(24),
  }))
  const store = memoryStore([...rows, ...others])
  await sweepDedupe(store, Buffer.from(digestOf(1000), 'hex'), now)
  const deleted: number[] = []
  for (let at = 0; at < 2000; at += 1) if ((await readDedupe(store, digestOf(at))) === undefined) deleted.push(at)
  assert.is(deleted[0], 1000)
  assert.is(deleted.at(-1), 1000 + deleted.length - 1)
  assert.ok(deleted.length < 1000, `${deleted.length} at once`)
  await sweepDedupe(store, Buffer.alloc(32, 0xff), now)
  assert.is((await store.getMany(others.map(({ key }) => key))).filter((value) => value !== undefined).length, 3)
})

test('a sweep that finds nothing old writes nothing', async () => {
  const store = memoryStore([dedupeRow(digestOf(1), { index: 1, timeMs: now, again: 0 })])
  await sweepDedupe(store, Buffer.alloc(32), now)
  assert.is(store.writes, 0)
})

test('sweeps at places spread evenly reach every old id in time', async () => {
  const places = Array.from({ length: 3000 }, (_, at) => Buffer.alloc(32, (at * 37) & 0xff))
  const rows = Array.from({ length: 500 }, (_, at) =>
    dedupeRow(`${((at * 131) & 0xff).toString(16).padStart(2, '0')}${digestOf(at).slice(2)}`, { index: at, timeMs: 0, again: 0 }),
  )
  const store = memoryStore(rows)
  for (const place of places.slice(0, 300)) await sweepDedupe(store, place, now)
  assert.is(store.rows().length, 0)
})

test.run()
