// Holds the store of views to its owner and to what is whole: whatever is left behind, damaged or another's, nobody is answered from it.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { areViewsDamaged, openViewStore, type ViewMark, type ViewStore } from '../../src/projections/view-store.js'
import { decodeStore } from '../support/decode-store.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { termKeys } from '../support/view-rows.js'

const test = suite('view store')

const owner = (name: string, living: readonly string[] = []) => ({ name, isAlive: (one: string) => living.includes(one) })
const mark: ViewMark = { version: 1, position: 3, ledger: '0a'.repeat(16), head: 'd1'.repeat(32) }

async function fill(store: ViewStore): Promise<void> {
  const parts = new Map([
    [
      'sessions',
      new Map<string, unknown>([
        ['b', { of: 2 }],
        ['a', { of: 1 }],
        ['a\u0000', { of: 3 }],
      ]),
    ],
  ])
  await store.write({
    marks: new Map([['sessions', mark]]),
    parts,
    terms: [
      { term: 'termterm', index: 2 },
      { term: 'termterm', index: 300 },
    ],
  })
}

async function partsOf(store: ViewStore, name = 'sessions', query = {}): Promise<[string, unknown][]> {
  const parts: [string, unknown][] = []
  for await (const part of store.allParts(name, query)) parts.push(part)
  return parts
}

async function indicesOf(store: ViewStore, below = 1000): Promise<number[]> {
  const indices: number[] = []
  for await (const index of store.indicesOf('termterm', below)) indices.push(index)
  return indices
}

test('what is written in one step is there as it was, in the order of keys, and after a close too', async () => {
  const folder = temporaryFolder()
  let store = await openViewStore(folder, owner('me'))
  await fill(store)
  for (const _ of ['open', 'again']) {
    assert.equal(await store.mark('sessions'), mark)
    assert.is(await store.mark('session'), undefined)
    assert.equal(await partsOf(store), [
      ['a', { of: 1 }],
      ['a\u0000', { of: 3 }],
      ['b', { of: 2 }],
    ])
    assert.equal(await store.parts('sessions', ['b', 'none', 'a']), [{ of: 2 }, undefined, { of: 1 }])
    assert.equal([await indicesOf(store), await indicesOf(store, 300)], [[300, 2], [2]])
    await store.close()
    store = await openViewStore(folder, owner('me'))
  }
  await store.close()
})

test('parts are read from a key on, up to one, newest first and only so many', async () => {
  const store = await openViewStore(temporaryFolder(), owner('me'))
  await fill(store)
  assert.equal(
    (await partsOf(store, 'sessions', { from: 'a', to: 'a\u0000' })).map(([key]) => key),
    ['a'],
  )
  assert.equal(
    (await partsOf(store, 'sessions', { newestFirst: true, limit: 2 })).map(([key]) => key),
    ['b', 'a\u0000'],
  )
  assert.equal(await partsOf(store, 'session'), [], 'a name that is the beginning of another')
  await store.close()
})

test('a view that is cleared is gone with its mark, and the others stay', async () => {
  const store = await openViewStore(temporaryFolder(), owner('me'))
  await fill(store)
  await store.write({ marks: new Map([['clock', mark]]), parts: new Map([['clock', new Map([['ledger', {}]])]]), terms: [] })
  await store.clear('sessions')
  assert.equal([await store.mark('sessions'), await partsOf(store)], [undefined, []])
  assert.equal([await partsOf(store, 'clock'), await indicesOf(store)], [[['ledger', {}]], [300, 2]])
  await store.clearTerms('words')
  assert.equal(await indicesOf(store), [])
  await store.close()
})

test('terms of some entries are forgotten, and it is told how many rows that were', async () => {
  const folder = temporaryFolder()
  const store = await openViewStore(folder, owner('me'))
  await store.write({
    marks: new Map(),
    parts: new Map(),
    terms: Array.from({ length: 9000 }, (_, at) => ({ term: `term${1000 + (at % 7)}`, index: at })),
  })
  assert.is(await store.forgetTerms((index) => index % 2 === 1), 4500)
  assert.is(await store.forgetTerms((index) => index % 2 === 1), 0)
  await store.close()
  const keys = await termKeys(folder)
  assert.equal([keys.length, keys.filter((key) => Number.parseInt(key.slice(-2), 16) % 2 === 1).length], [4500, 0])
})

test('terms that never left the memory are in no file either once they are forgotten', async () => {
  const folder = temporaryFolder()
  const store = await openViewStore(folder, owner('me'))
  const terms = Array.from({ length: 40 }, (_, at) => ({ term: `term${at}`, index: 5 }))
  await store.write({ marks: new Map(), parts: new Map(), terms })
  assert.is(await store.forgetTerms((index) => index === 5), 40)
  const left = decodeStore(join(folder, 'store')).filter(({ key, deleted }) => key.startsWith('78') && !deleted)
  assert.equal(left, [])
  await store.close()
})

test('what an owner left without closing is thrown away, also by the same owner', async () => {
  for (const next of ['another', 'me']) {
    const left = join(temporaryFolder(), 'views')
    const folder = temporaryFolder()
    const store = await openViewStore(folder, owner('me'))
    await fill(store)
    cpSync(folder, left, { recursive: true, filter: (path) => basename(path) !== 'LOCK' })
    await store.close()
    assert.is(readFileSync(join(left, 'in-use'), 'utf8'), 'me')
    const anew = await openViewStore(left, owner(next))
    assert.equal([await anew.mark('sessions'), await partsOf(anew), await indicesOf(anew)], [undefined, [], []], next)
    assert.is(readFileSync(join(left, 'in-use'), 'utf8'), next)
    await anew.close()
    assert.is(existsSync(join(left, 'in-use')), false)
  }
})

test('while another owner lives they are locked, and nothing of his is touched', async () => {
  const folder = temporaryFolder()
  const store = await openViewStore(folder, owner('me'))
  await fill(store)
  await rejectsWithCode(openViewStore(folder, owner('another', ['me'])), 'STORE_LOCKED')
  assert.equal((await partsOf(store)).length, 3)
  await store.close()
  const after = await openViewStore(folder, owner('another', ['me']))
  assert.equal((await partsOf(after)).length, 3)
  await after.close()
})

test('an owner that LevelDB knows and the file does not keeps them', async () => {
  const folder = temporaryFolder()
  const store = await openViewStore(folder, owner('me'))
  rmSync(join(folder, 'in-use'))
  await rejectsWithCode(openViewStore(folder, owner('another')), 'STORE_LOCKED')
  assert.is(existsSync(join(folder, 'in-use')), false, 'and nobody says that he has them')
  await store.close()
})

test('views that LevelDB does not open are begun anew', async () => {
  const folder = temporaryFolder()
  const store = await openViewStore(folder, owner('me'))
  await fill(store)
  await store.close()
  writeFileSync(join(folder, 'store', 'CURRENT'), 'MANIFEST-999999\n')
  const anew = await openViewStore(folder, owner('me'))
  assert.equal([await anew.mark('sessions'), await partsOf(anew)], [undefined, []])
  await anew.close()
})

test('where they cannot be kept at all that is said, and nobody is left as their owner', async () => {
  const folder = join(temporaryFolder(), 'views')
  writeFileSync(folder, 'a file')
  const error = await rejectsWithCode(openViewStore(folder, owner('me')), 'STORE_UNREADABLE')
  assert.ok(areViewsDamaged(error))
  const other = temporaryFolder()
  mkdirSync(join(other, 'in-use'))
  await rejectsWithCode(openViewStore(other, owner('me')), 'STORE_LOCKED')
})

test('whatever byte is altered, a value is what was written, or it is told that the views are damaged', async () => {
  const whole = temporaryFolder()
  const store = await openViewStore(whole, owner('me'))
  const parts = new Map<string, unknown>(
    Array.from({ length: 40 }, (_, at) => [`part-${at}`, { count: at, name: `${at}`.repeat(20) }] as const),
  )
  await store.write({ marks: new Map([['sessions', mark]]), parts: new Map([['sessions', parts]]), terms: [] })
  await store.close()
  // Opened again, the rows go from the log into a table.
  await (await openViewStore(whole, owner('me'))).close()
  const table = readdirSync(join(whole, 'store')).find((name) => name.endsWith('.ldb')) ?? ''
  const size = statSync(join(whole, 'store', table)).size
  const random = makeRandom(71)
  let damaged = 0
  for (let round = 0; round < 60; round += 1) {
    const copy = temporaryFolder()
    cpSync(whole, copy, { recursive: true })
    const file = join(copy, 'store', table)
    const bytes = readFileSync(file)
    const at = random.int(size)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8))
    writeFileSync(file, bytes)
    const opened = await openViewStore(copy, owner('me'))
    try {
      for (const [key, part] of await partsOf(opened)) if (parts.has(key)) assert.equal(part, parts.get(key), key)
      const [one] = await opened.parts('sessions', ['part-7'])
      if (one !== undefined) assert.equal(one, parts.get('part-7'))
    } catch (error) {
      if (!areViewsDamaged(error)) throw error
      damaged += 1
    }
    await opened.close()
  }
  assert.ok(damaged > 0)
})

test('a value that was cut off is damage', async () => {
  const folder = temporaryFolder()
  const store = await openViewStore(folder, owner('me'))
  await fill(store)
  await store.close()
  await (await openViewStore(folder, owner('me'))).close()
  const table = readdirSync(join(folder, 'store')).find((name) => name.endsWith('.ldb')) ?? ''
  truncateSync(join(folder, 'store', table), 10)
  const opened = await openViewStore(folder, owner('me'))
  const error = await rejectsWithCode(opened.mark('sessions'), 'STORE_UNREADABLE')
  assert.ok(areViewsDamaged(error))
  await opened.throwAway()
  assert.equal(readdirSync(folder), [], 'thrown away, nothing is left')
})

test('whoever uses them when they are closed is told so by a code', async () => {
  const store = await openViewStore(temporaryFolder(), owner('me'))
  await store.close()
  await rejectsWithCode(store.mark('sessions'), 'STORE_UNREADABLE')
  await rejectsWithCode(partsOf(store), 'STORE_UNREADABLE')
  await rejectsWithCode(fill(store), 'STORE_UNREADABLE')
})

test.run()
