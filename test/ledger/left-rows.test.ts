// Holds the search for what is left of deleted rows to what another reader finds, and to saying "holding" wherever it cannot tell.
import { appendFileSync, copyFileSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findLeftRows } from '../../src/ledger/left-rows.js'
import { wordsKey } from '../../src/ledger/row-keys.js'
import { wantedRows } from '../../src/ledger/wanted-rows.js'
import { decodeStore } from '../support/decode-store.js'
import { tableOf } from '../support/made-level-files.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { deleteWords, withStoreOf, wordsStore } from '../support/words-store.js'

const wanted = wantedRows([[1000, 1099]], [])

/** How many values of the words of entries another reader finds, by file. */
function valuesByFile(folder: string, first: number, last: number): Record<string, number> {
  const counts: Record<string, number> = {}
  const [from, to] = [wordsKey(first).toString('hex'), wordsKey(last).toString('hex')]
  for (const { file, key, deleted } of decodeStore(folder)) {
    if (!deleted && key >= from && key <= to) counts[file] = (counts[file] ?? 0) + 1
  }
  return counts
}

test('each file that holds values is named with how many, tables and logs alike', async () => {
  const { folder, sessionDigest } = await wordsStore()
  const inLog = await findLeftRows(folder, wanted)
  assert.equal(byName(inLog.files), valuesByFile(folder, 1000, 1099))
  assert.is(sumOf(inLog.files), 100)
  await withStoreOf(folder, async (store) => {
    await store.compact({ from: Buffer.of(0), to: Buffer.of(0xff) })
    const inTables = await findLeftRows(folder, wanted)
    assert.ok(inTables.files.every(({ name }) => name.endsWith('.ldb')))
    assert.equal(byName(inTables.files), valuesByFile(folder, 1000, 1099))
    assert.ok(inTables.blocksLeftOut > inTables.blocksRead, 'most blocks hold other keys')
    await deleteWords(store, [[1000, 1099]], { sessionDigest })
    assert.is(sumOf((await findLeftRows(folder, wanted)).files), 100, 'a delete alone takes nothing from the disk')
    await store.compact({ from: wordsKey(1000), to: wordsKey(1100) })
    assert.equal((await findLeftRows(folder, wanted)).files, [])
    assert.equal(valuesByFile(folder, 1000, 1099), {})
    assert.is(sumOf((await findLeftRows(folder, wantedRows([[999, 1100]], []))).files), 2, 'the neighbours are there')
  })
})

test('a table that no MANIFEST names is looked into, and one that ends in .sst too', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '000009.sst'), tableWith(1050))
  writeFileSync(join(folder, '000010.ldb'), tableWith(7))
  writeFileSync(join(folder, 'LOG'), 'words of LevelDB about itself')
  const { files, filesRead } = await findLeftRows(folder, wanted)
  assert.equal(files, [{ name: '000009.sst', rows: 1, unreadable: false }])
  assert.is(filesRead, 2)
})

test('what cannot be understood counts as holding, and what is gone by the time it is read does not', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '000005.ldb'), tableWith(7).subarray(0, 60))
  writeFileSync(join(folder, '000006.log'), Buffer.alloc(300, 'no log'))
  writeFileSync(join(folder, '000007.ldb'), '')
  writeFileSync(join(folder, '000008.ldb'), tableWith(1001))
  const { files } = await findLeftRows(folder, wanted, {
    onProgress: (done) => {
      if (done === 1) rmSync(join(folder, '000008.ldb'))
    },
  })
  assert.equal(
    files.map(({ name, unreadable }) => [name, unreadable]),
    [
      ['000005.ldb', true],
      ['000006.log', true],
      ['000007.ldb', true],
    ],
  )
})

test('a table that is still being written is given a moment', async () => {
  const folder = temporaryFolder()
  const path = join(folder, '000005.ldb')
  const whole = tableWith(7)
  writeFileSync(path, whole.subarray(0, 40))
  setTimeout(() => appendFileSync(path, whole.subarray(40)), 20)
  assert.equal((await findLeftRows(folder, wanted)).files, [])
})

test('what a table that goes away turns into is found, though it came later', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, '000005.ldb'), tableWith(7))
  writeFileSync(join(folder, '000006.ldb'), tableWith(1001))
  const { files } = await findLeftRows(folder, wanted, {
    onProgress: (done) => {
      if (done === 1) renameSync(join(folder, '000006.ldb'), join(folder, '000012.ldb'))
    },
  })
  assert.equal(byName(files), { '000012.ldb': 1 })
})

test('after any one flipped bit, a table or log that holds such values is told as holding', async () => {
  const { folder } = await wordsStore({ messages: 400 })
  const inLog = onlyFile(folder, '.log')
  await withStoreOf(folder, async () => {})
  const inTable = onlyFile(folder, '.ldb')
  const random = makeRandom(20261130)
  const rows = wantedRows([[150, 160]], [])
  for (let round = 0; round < 400; round += 1) {
    const source = round % 4 === 0 ? inLog : inTable
    const bytes = Buffer.from(source.bytes)
    // Half of the flips go where they do the most harm: into the index and the footer.
    const at = source === inTable && round % 2 === 0 ? bytes.length - 1 - random.int(900) : random.int(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8))
    const flipped = temporaryFolder()
    writeFileSync(join(flipped, source.name), bytes)
    const { files } = await findLeftRows(flipped, rows, { secondLookMs: 1 })
    assert.is(files.length, 1, `${source.name}: a bit of byte ${at}`)
    rmSync(flipped, { recursive: true })
  }
})

test('it needs nothing but its arguments, so it works in another thread', async () => {
  const folder = temporaryFolder()
  copyFileSync(await fileWith(1050), join(folder, '000009.ldb'))
  const code = `
    const { workerData, parentPort } = require('node:worker_threads')
    import('tsx/esm/api').then(async ({ register }) => {
      register()
      const { findLeftRows } = await import(workerData.module)
      parentPort.postMessage((await findLeftRows(workerData.folder, workerData.wanted)).files)
    })`
  const module = new URL('../../src/ledger/left-rows.ts', import.meta.url).href
  const worker = new Worker(code, { eval: true, workerData: { module, folder, wanted } })
  const files = await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  assert.equal(files, [{ name: '000009.ldb', rows: 1, unreadable: false }])
})

function tableWith(index: number): Buffer {
  return tableOf([[{ key: wordsKey(index), sequence: 4, value: 'words' }]])
}

async function fileWith(index: number): Promise<string> {
  const path = join(temporaryFolder(), 'table')
  writeFileSync(path, tableWith(index))
  return path
}

function onlyFile(folder: string, ending: string): { readonly name: string; readonly bytes: Buffer } {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending))
  const name = names.at(0) ?? ''
  const copy = temporaryFolder()
  cpSync(join(folder, name), join(copy, name))
  return { name, bytes: readFileSync(join(copy, name)) }
}

const byName = (files: readonly { readonly name: string; readonly rows: number }[]) =>
  Object.fromEntries(files.map(({ name, rows }) => [name, rows]))
const sumOf = (files: readonly { readonly rows: number }[]): number => files.reduce((sum, { rows }) => sum + rows, 0)

test.run()
