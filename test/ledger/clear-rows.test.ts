// Holds the clearing of deleted rows to what another reader finds on the disk afterwards, whoever read, compacted or reopened meanwhile.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ClearRowsOptions, type ClearStep, clearRows, rangesToCompact } from '../../src/ledger/clear-rows.js'
import { findLeftRows, type LeftRows } from '../../src/ledger/left-rows.js'
import { hostSessionKey, wordsKey } from '../../src/ledger/row-keys.js'
import { openStore, type Store } from '../../src/ledger/store.js'
import { wantedIndices, wantedRows } from '../../src/ledger/wanted-rows.js'
import { decodeStore, findWordRuns } from '../support/decode-store.js'
import { memoryStore } from '../support/memory-store.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { deleteWords, hostSession, type WordsStore, withStoreOf, wordsStore } from '../support/words-store.js'

type Pairs = readonly (readonly [number, number])[]

const quick: ClearRowsOptions = { pauseMs: 1, readersMs: 20 }
const onlyOnce: ClearRowsOptions = { ...quick, attemptsMax: 1 }
const noFiles: LeftRows = { files: [], filesRead: 0, blocksRead: 0, blocksLeftOut: 0 }
const spread: Pairs = [
  [40, 49],
  [700, 700],
  [1500, 1620],
  [2990, 2999],
]

const textsOf = ({ texts }: WordsStore, pairs: Pairs): string[] =>
  pairs.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => texts.get(first + at) ?? ''))

/** Values of wanted words that another reader finds, deletions left aside. */
function valuesLeft(folder: string, pairs: Pairs): number {
  const keys = new Set(wantedIndices(wantedRows(pairs, [])).flatMap(([first, last]) => keysOf(first, last)))
  return decodeStore(folder).filter(({ key, deleted }) => !deleted && keys.has(key)).length
}

const keysOf = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => wordsKey(first + at).toString('hex'))

async function rowsOf(store: Store): Promise<Map<string, string>> {
  const rows = new Map<string, string>()
  for await (const chunk of store.range({ from: Buffer.of(0), to: Buffer.of(0xff) })) {
    for (const { key, value } of chunk) rows.set(Buffer.from(key).toString('hex'), Buffer.from(value).toString('hex'))
  }
  return rows
}

test('words that were deleted are in no file afterwards, and all else is as it was', async () => {
  const words = await wordsStore()
  assert.ok(findWordRuns(words.folder, textsOf(words, spread)).length > 500, 'they are there before')
  await withStoreOf(words.folder, async (store) => {
    await deleteWords(store, spread, words)
    const before = await rowsOf(store)
    const steps: string[] = []
    const { attempts, scanned } = await clearRows(store, words.folder, wantedRows(spread, []), {
      onStep: ({ step, attempt }: ClearStep) => steps.push(`${attempt} ${step}`),
    })
    assert.is(attempts, 1)
    assert.equal(steps, ['1 readers', '1 tombstones', '1 compaction', '1 scan'])
    assert.ok(scanned.filesRead > 0)
    assert.is(valuesLeft(words.folder, spread), 0)
    assert.equal(findWordRuns(words.folder, textsOf(words, spread)), [])
    assert.equal(await rowsOf(store), before)
    assert.ok(findWordRuns(words.folder, textsOf(words, [[50, 60]])).length > 20, 'the neighbours can still be found')
  })
})

test('a reader from before the deletion keeps them unfinished, and the next clearing after its end is done', async () => {
  const words = await wordsStore()
  const wanted = wantedRows(spread, [])
  await withStoreOf(words.folder, async (store) => {
    const reader = store.range({ from: Buffer.of(0), to: Buffer.of(0xff) })[Symbol.asyncIterator]()
    await reader.next()
    await deleteWords(store, spread, words)
    const error = await rejectsWithCode(
      clearRows(store, words.folder, wanted, { ...quick, attemptsMax: 2 }),
      'ERASURE_UNFINISHED',
    )
    assert.equal(error.details, { files: null, attempts: 2 })
    assert.ok(valuesLeft(words.folder, spread) >= 142)
    await reader.return?.()
    assert.is((await clearRows(store, words.folder, wanted, quick)).attempts, 1)
    assert.is(valuesLeft(words.folder, spread), 0)
  })
})

test('one that ends while it is waited for holds nothing up', async () => {
  const words = await wordsStore({ messages: 1500 })
  await withStoreOf(words.folder, async (store) => {
    const reader = store.range({ from: Buffer.of(0), to: Buffer.of(0xff) })[Symbol.asyncIterator]()
    await reader.next()
    await deleteWords(store, [[40, 60]], words)
    const clearing = clearRows(store, words.folder, wantedRows([[40, 60]], []))
    await reader.return?.()
    assert.is((await clearing).attempts, 1)
    assert.is(valuesLeft(words.folder, [[40, 60]]), 0)
  })
})

test('a snapshot that the store knows nothing of keeps them unfinished, says the look at the files', async () => {
  const words = await wordsStore()
  const wanted = wantedRows(spread, [])
  await withLevelOf(words.folder, async (db, store) => {
    await db.compactRange(Buffer.of(0), Buffer.of(0xff))
    const snapshot = db.snapshot()
    await deleteWords(store, spread, words)
    const { details } = await rejectsWithCode(clearRows(store, words.folder, wanted, onlyOnce), 'ERASURE_UNFINISHED')
    assert.ok(Number(details['files']) > 0)
    await snapshot.close()
    await db.compactRange(wordsKey(40), wordsKey(3000))
    assert.ok(valuesLeft(words.folder, spread) > 0, 'no compaction alone takes them away any more')
    await clearRows(store, words.folder, wanted, quick)
    assert.is(valuesLeft(words.folder, spread), 0)
    assert.equal(findWordRuns(words.folder, textsOf(words, spread)), [])
  })
})

test('words that a reader kept through a compaction and a reopening are cleared all the same', async () => {
  const words = await wordsStore()
  await withStoreOf(words.folder, async (store) => {
    await store.compact({ from: Buffer.of(0), to: Buffer.of(0xff) })
    const reader = store.range({ from: Buffer.of(0), to: Buffer.of(0xff) })[Symbol.asyncIterator]()
    await reader.next()
    await deleteWords(store, spread, words)
    await store.compact({ from: wordsKey(0), to: wordsKey(4000) })
    await reader.return?.()
  })
  await withStoreOf(words.folder, async (store) => {
    await store.compact({ from: wordsKey(0), to: wordsKey(4000) })
    assert.is(valuesLeft(words.folder, spread), 142)
    await clearRows(store, words.folder, wantedRows(spread, []), quick)
  })
  assert.is(valuesLeft(words.folder, spread), 0)
})

test('words that were only ever in the log and in memory are cleared at the first attempt', async () => {
  const words = await wordsStore({ messages: 200 })
  await withStoreOf(words.folder, async (store) => {
    const key = wordsKey(150)
    const value = Buffer.from('one two three four five six seven')
    await store.write([{ key, value }])
    await deleteWords(store, [[150, 150]], words)
    assert.is((await clearRows(store, words.folder, wantedRows([[150, 150]], []), quick)).attempts, 1)
    assert.equal(findWordRuns(words.folder, [value.toString()]), [])
  })
  assert.is(valuesLeft(words.folder, [[150, 150]]), 0)
})

test('readers that begin after the deletion, one after the other without a pause, do not keep it from ending', async () => {
  const words = await wordsStore()
  await withStoreOf(words.folder, async (store) => {
    await deleteWords(store, spread, words)
    let goOn = true
    const readOnAndOn = async (): Promise<void> => {
      while (goOn) await rowsOf(store)
    }
    const readers = [readOnAndOn(), readOnAndOn()]
    await clearRows(store, words.folder, wantedRows(spread, []), { pauseMs: 1, attemptsMax: 20 })
    goOn = false
    await Promise.all(readers)
    assert.is(valuesLeft(words.folder, spread), 0)
  })
})

test('the way from a host’s session id to its handle is cleared, and one that was made since stays', async () => {
  const words = await wordsStore({ messages: 300 })
  const key = hostSessionKey(words.sessionDigest(hostSession))
  await withStoreOf(words.folder, async (store) => {
    const old = Buffer.from((await store.get(key)) ?? [])
    assert.is(old.length, 8)
    await deleteWords(store, [[1, 1]], words)
    assert.is(await store.get(key), undefined)
    await clearRows(store, words.folder, wantedRows([[1, 1]], [key]), quick)
    assert.equal(versionsOf(words.folder, key), [])

    // Forgotten once more, and the session came back between the deletion and the clearing.
    await store.write([{ key, value: old }])
    await store.write([], [key])
    const again = Buffer.from('0123456789abcdef', 'hex')
    await store.write([{ key, value: again }])
    let alone = 0
    await clearRows(store, words.folder, wantedRows([[1, 1]], [key]), {
      ...quick,
      alone: (task) => {
        alone += 1
        return task()
      },
    })
    assert.is(alone, 1)
    assert.equal([...new Set(versionsOf(words.folder, key))], [again.toString('hex')])
    assert.ok(Buffer.from((await store.get(key)) ?? []).equals(again))
  })
})

test('a table that cannot be read keeps it unfinished, since nobody knows what it holds', async () => {
  const words = await wordsStore({ messages: 300 })
  await withStoreOf(words.folder, async (store) => {
    await deleteWords(store, [[40, 49]], words)
    const scan: ClearRowsOptions['scan'] = async (folder, wanted) => {
      writeFileSync(join(folder, '999999.ldb'), 'no table')
      return findLeftRows(folder, wanted, { secondLookMs: 1 })
    }
    const { details } = await rejectsWithCode(
      clearRows(store, words.folder, wantedRows([[40, 49]], []), { ...quick, attemptsMax: 2, scan }),
      'ERASURE_UNFINISHED',
    )
    assert.equal(details, { files: 1, attempts: 2 })
    // LevelDB takes such a stray file away when it next looks at its folder.
    await clearRows(store, words.folder, wantedRows([[40, 49]], []), quick)
  })
})

test('a store that is closed meanwhile ends it with that news', async () => {
  const words = await wordsStore({ messages: 300 })
  const store = await openStore(words.folder)
  await deleteWords(store, [[40, 49]], words)
  const onStep = ({ step }: ClearStep) => {
    if (step === 'tombstones') void store.close()
  }
  await rejectsWithCode(clearRows(store, words.folder, wantedRows([[40, 49]], []), { ...quick, onStep }), 'LEDGER_CLOSED')
  await withStoreOf(words.folder, (again) => clearRows(again, words.folder, wantedRows([[40, 49]], []), quick))
  assert.is(valuesLeft(words.folder, [[40, 49]]), 0)
})

test('tombstones go down in many small writes of which only the last waits for the disk', async () => {
  const store = memoryStore()
  const writes: (readonly [deletes: number, sync: boolean])[] = []
  const spied: Store = {
    ...store,
    write: async (puts, deletes = [], { sync = true } = {}) => {
      writes.push([deletes.length, sync])
      await store.write(puts, deletes)
    },
  }
  const key = hostSessionKey('ab'.repeat(32))
  await clearRows(
    spied,
    temporaryFolder(),
    wantedRows(
      [
        [0, 1499],
        [5000, 5999],
      ],
      [key],
    ),
    { scan: async () => noFiles },
  )
  assert.equal(writes, [
    [1000, false],
    [1000, false],
    [501, true],
  ])
})

test('ranges that lie close are compacted together, and single keys beside them', () => {
  const numbers = (pairs: Pairs) =>
    rangesToCompact(wantedRows(pairs, [])).map(({ from, to }) => wantedIndices({ ranges: [{ from, to }], keys: [] })[0])
  assert.equal(
    numbers([
      [1, 1],
      [100, 200],
      [4000, 4000],
      [9000, 9001],
    ]),
    [
      [1, 4000],
      [9000, 9001],
    ],
  )
  const [one, other] = [hostSessionKey('cd'.repeat(32)), hostSessionKey('ab'.repeat(32))]
  assert.equal(rangesToCompact(wantedRows([], [one, other])), [{ from: other, to: one }])
  assert.equal(rangesToCompact(wantedRows([], [])), [])
})

test('whatever happens before and between, no value of a wanted row is left and every other row is as before', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = makeRandom(seed)
    const words = await wordsStore({ messages: 200 + random.int(900), seed })
    const pairs: Pairs = Array.from({ length: 1 + random.int(6) }, () => {
      const first = 2 + random.int(words.size - 2)
      return [first, Math.min(words.size - 1, first + random.int(random.chance(3) ? 200 : 4))] as const
    })
    const wanted = wantedRows(pairs, [])
    const disjoint = wantedIndices(wanted)
    let store = await openStore(words.folder)
    const readers: AsyncIterator<unknown>[] = []
    const doSomething = async (): Promise<void> => {
      const what = random.int(5)
      const from = wordsKey(random.int(words.size))
      if (what === 0) await store.compact({ from: Buffer.of(0), to: Buffer.of(0xff) })
      if (what === 1) await store.compact({ from, to: wordsKey(words.size) })
      if (what === 2) {
        const reader = store.range({ from, to: Buffer.of(0xff) })[Symbol.asyncIterator]()
        await reader.next()
        readers.push(reader)
      }
      if (what === 3) await store.write([{ key: Buffer.concat([Buffer.from('d'), random.bytes(32)]), value: random.bytes(8) }])
      if (what === 4) {
        for (const reader of readers.splice(0)) await reader.return?.()
        await store.close()
        store = await openStore(words.folder)
      }
    }
    for (let deed = random.int(4); deed > 0; deed -= 1) await doSomething()
    await deleteWords(store, disjoint, words)
    for (let deed = random.int(5); deed > 0; deed -= 1) await doSomething()
    const before = await rowsOf(store)
    for (const reader of readers.splice(0)) await reader.return?.()
    await clearRows(store, words.folder, wanted, quick)
    assert.is(valuesLeft(words.folder, pairs), 0, `seed ${seed}`)
    assert.equal(findWordRuns(words.folder, textsOf(words, disjoint)), [], `seed ${seed}`)
    assert.equal(await rowsOf(store), before, `seed ${seed}`)
    await store.close()
    await withStoreOf(words.folder, async (again) => assert.equal(await rowsOf(again), before, `seed ${seed}, reopened`))
    assert.is(valuesLeft(words.folder, pairs), 0, `seed ${seed}, reopened`)
  }
})

function versionsOf(folder: string, key: Buffer): string[] {
  return decodeStore(folder)
    .filter((row) => row.key === key.toString('hex') && !row.deleted)
    .map(({ value }) => value.toString('hex'))
}

type Db = Level<Buffer, Buffer> & { compactRange(from: Buffer, to: Buffer): Promise<void> }

/** A store over a database of which the test holds snapshots that the store does not know. */
async function withLevelOf(folder: string, task: (db: Db, store: Store) => Promise<void>): Promise<void> {
  const db = new Level<Buffer, Buffer>(folder, { createIfMissing: false, keyEncoding: 'buffer', valueEncoding: 'buffer' }) as Db
  await db.open()
  const store: Store = {
    ...memoryStore(),
    get: (key) => db.get(Buffer.from(key)),
    getMany: (keys) => db.getMany(keys.map((key) => Buffer.from(key))),
    range: async function* ({ from, to }) {
      const pairs = await db.iterator({ gte: Buffer.from(from), lt: Buffer.from(to) }).all()
      if (pairs.length > 0) yield pairs.map(([key, value]) => ({ key, value }))
    },
    write: async (_, deletes = []) =>
      db.batch(
        deletes.map((key) => ({ type: 'del' as const, key: Buffer.from(key) })),
        { sync: true },
      ),
    compact: ({ from, to }) => db.compactRange(Buffer.from(from), Buffer.from(to)),
  }
  try {
    await task(db, store)
  } finally {
    await db.close()
  }
}

test.run()
