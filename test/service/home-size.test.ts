// The size of a home, over files whose lengths are known.
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { homeFiles } from '../../src/ledger/home-files.js'
import type { RowSizes } from '../../src/ledger/row-sizes.js'
import { freeBytes, HomeSizeMeter, measureHomeSize } from '../../src/service/home-size.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('home size')

function homeWith(lengths: Readonly<Record<string, number>>) {
  const files = homeFiles(temporaryFolder())
  for (const [path, length] of Object.entries(lengths)) {
    const parts = path.split('/')
    mkdirSync(join(files.home, ...parts.slice(0, -1)), { recursive: true })
    writeFileSync(join(files.home, ...parts), Buffer.alloc(length))
  }
  return files
}

const rows: RowSizes = { headers: 1, facts: 2, words: 3, tree: 4, indexes: 5, checkpoints: 6 }

test('every file counts in its place, at any depth, and all of them in the whole', async () => {
  const files = homeWith({
    'store/000005.ldb': 1000,
    'store/CURRENT': 16,
    'views/store/000007.ldb': 300,
    'views/in-use': 4,
    'spool/a.json': 20,
    'quarantine/held-1/MANIFEST-000001': 7,
    'snapshots/x/y': 50,
    'service.log': 11,
    'service.log.1': 22,
    reserve: 800,
    key: 2,
    'checkpoints.txt': 3,
    'other/deep/er': 5,
  })
  const { home, places, rows: none, free } = await measureHomeSize(files)
  assert.equal(places, {
    store: 1016,
    views: 304,
    spool: 20,
    quarantine: 7,
    snapshots: 50,
    log: 33,
    reserve: 800,
    rest: 10,
  })
  assert.is(home, 2240)
  assert.is(none, null)
  assert.ok(free === null || free >= 0)
})

test('a file with two names counts once, for the store, and a link leads nowhere', async () => {
  const files = homeWith({ 'store/000005.ldb': 1000, 'snapshots/one/MANIFEST': 10 })
  linkSync(join(files.store, '000005.ldb'), join(files.snapshots, 'one', '000005.ldb'))
  symlinkSync(files.store, join(files.home, 'elsewhere'))
  const { home, places } = await measureHomeSize(files, rows)
  assert.equal([home, places.store, places.snapshots, places.rest], [1010, 1000, 10, 0])
})

test('a home that is not there takes nothing, and of its disk nothing is known', async () => {
  const files = homeFiles(join(temporaryFolder(), 'none'))
  const { home, free } = await measureHomeSize(files)
  assert.equal([home, free, await freeBytes(files.home)], [0, null, null])
})

test('files that vanish while it looks are not counted, and do no harm', async () => {
  const files = homeWith(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`spool/${at}.json`, 1])))
  const measuring = measureHomeSize(files)
  rmSync(files.spool, { recursive: true })
  const { places } = await measuring
  assert.ok(places.spool <= 200)
})

test('whoever asks again soon is told the same, those who ask at once share a measure, and an old one is made anew', async () => {
  const files = homeWith({ key: 5 })
  let nowMs = 1000
  let asked = 0
  const meter = new HomeSizeMeter({
    files,
    rows: async () => {
      asked += 1
      return rows
    },
    now: () => nowMs,
  })
  const [one, other] = await Promise.all([meter.take(10_000), meter.take(10_000)])
  assert.equal([one.home, other.home, one.rows, asked], [5, 5, rows, 1])
  writeFileSync(join(files.home, 'more'), 'abc')
  nowMs += 9_999
  assert.is((await meter.take(10_000)).home, 5)
  nowMs += 1
  assert.is((await meter.take(10_000)).home, 8)
  assert.is(asked, 2)
})

test('where measuring takes long, whoever asks is told what was measured before, and what is measured now when it is there', async () => {
  const files = homeWith({ key: 5 })
  let nowMs = 0
  let goOn = (): void => {}
  let gate = Promise.resolve()
  const meter = new HomeSizeMeter({
    files,
    rows: async () => {
      await gate
      return rows
    },
    now: () => nowMs,
  })
  assert.is((await meter.take(10)).home, 5)
  writeFileSync(join(files.home, 'more'), 'abc')
  nowMs += 10
  gate = new Promise((resolve) => {
    goOn = resolve
  })
  // The patience of whoever asks keeps no process alive, and nothing else does here.
  const alive = setInterval(() => {}, 1000)
  assert.is((await meter.take(10)).home, 5)
  const asked = meter.take(10)
  goOn()
  assert.is((await asked).home, 8)
  clearInterval(alive)
})

test('a store that cannot be read has no kinds, and its files are measured all the same', async () => {
  const files = homeWith({ 'store/CURRENT': 16 })
  for (const rowsOf of [() => undefined, () => Promise.reject(new Error('closed'))]) {
    const meter = new HomeSizeMeter({ files, rows: rowsOf, now: () => 0 })
    const { places, rows: known } = await meter.take(0)
    assert.equal([places.store, known], [16, null])
  }
})

test.run()
