// Holds snapshots to the format page: the state of one moment of a store in use, never its LOCK, and nothing of the source harmed.
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { readMark } from '../../src/ledger/high-water.js'
import { homeFiles } from '../../src/ledger/home-files.js'
import { ledgerReader } from '../../src/ledger/ledger-reader.js'
import { removeOldSnapshots, removeSnapshots, type Snapshot, takeSnapshot } from '../../src/ledger/snapshot.js'
import { openStore } from '../../src/ledger/store.js'
import { headerHash } from '../support/reference-ledger.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { message, temporaryLedger } from '../support/temporary-ledger.js'

/** Opens the copy and walks its chain; returns how many entries it holds. */
async function walkedSize(snapshot: Snapshot): Promise<number> {
  const store = await openStore(snapshot.store)
  const reader = ledgerReader(store)
  const size = await reader.size()
  let prev = '0'.repeat(64)
  let index = 0
  for await (const { header } of reader.storedEntries(0, size)) {
    const text = Buffer.from(header).toString()
    const fields = JSON.parse(text) as { index: number; prev: string }
    assert.equal([fields.index, fields.prev], [index, prev])
    prev = headerHash(text)
    index += 1
  }
  await store.close()
  assert.is(index, size)
  return size
}

test('a snapshot of a closed home holds the whole store, the mark and the checkpoints', async () => {
  const home = await temporaryLedger()
  for (let at = 0; at < 5; at += 1) await home.ledger.append([message(`${at}`)])
  await home.close()
  const snapshot = await takeSnapshot(home.files)
  assert.equal(readFileSync(snapshot.highWater), readFileSync(home.files.highWater))
  assert.equal(readFileSync(snapshot.checkpoints), readFileSync(home.files.checkpoints))
  assert.not(existsSync(join(snapshot.store, 'LOCK')))
  assert.is(dirname(dirname(snapshot.store)), home.files.snapshots)
  assert.is(await walkedSize(snapshot), 6)
  snapshot.remove()
  assert.equal(readdirSync(home.files.snapshots), [])
})

test('a snapshot taken while a writer appends is a beginning of the ledger that reaches at least to its mark', async () => {
  const home = await temporaryLedger()
  // Large enough that LevelDB starts new logs and writes tables meanwhile.
  const large = 'x'.repeat(300_000)
  let writing = true
  const writer = (async () => {
    for (let at = 0; at < 40; at += 1) await home.ledger.append([message(`${at} ${large}`), message('small')])
    writing = false
  })()
  const sizes: number[] = []
  let tables = 0
  while (writing) {
    const snapshot = await takeSnapshot(home.files)
    assert.not(existsSync(join(snapshot.store, 'LOCK')), 'LOCK is not copied')
    tables += readdirSync(snapshot.store).filter((name) => name.endsWith('.ldb')).length
    const mark = readMark(snapshot.highWater)
    assert.ok(mark !== undefined && mark !== 'unreadable')
    const size = await walkedSize(snapshot)
    assert.ok(size >= mark.size, `${size} entries beside a mark of ${mark.size}`)
    sizes.push(size)
    snapshot.remove()
  }
  await writer
  assert.equal(
    [...sizes].sort((one, other) => one - other),
    sizes,
  )
  assert.ok(tables > 0, 'some copies held tables')
  await rejectsWithCode(openStore(home.files.store), 'STORE_LOCKED')
  assert.is((await home.ledger.append([message('the writer still holds its lock')])).index, 81)
  await home.close()
})

test('opening, bending and removing a snapshot leaves the source as it was', async () => {
  const home = await temporaryLedger()
  for (let at = 0; at < 20; at += 1) await home.ledger.append([message('y'.repeat(300_000))])
  const snapshot = await takeSnapshot(home.files)
  const store = await openStore(snapshot.store)
  await store.write([{ key: Buffer.from('msize'), value: Buffer.from('0') }])
  await store.close()
  snapshot.remove()
  assert.not(existsSync(snapshot.store))
  const ledger = await home.reopen()
  assert.is(ledger.size, 21)
  let read = 0
  for await (const { words } of ledger.reader.entries({ from: 1 })) read += String(words?.['text']).length
  assert.is(read, 20 * 300_000)
  await home.close()
})

test('a snapshot is taken into another folder where one is named', async () => {
  const home = await temporaryLedger()
  await home.close()
  const elsewhere = join(temporaryFolder(), 'elsewhere')
  const snapshot = await takeSnapshot(home.files, elsewhere)
  assert.ok(snapshot.store.startsWith(elsewhere))
  assert.not(existsSync(home.files.snapshots))
  assert.is(await walkedSize(snapshot), 1)
  snapshot.remove()
})

test('a home without mark and checkpoints gives a snapshot without them', async () => {
  const home = await temporaryLedger()
  await home.close()
  fs.rmSync(home.files.highWater)
  fs.rmSync(home.files.checkpoints)
  const snapshot = await takeSnapshot(home.files)
  assert.not(existsSync(snapshot.highWater))
  assert.not(existsSync(snapshot.checkpoints))
  snapshot.remove()
})

test('a store that changes while it is copied is copied again', async () => {
  const home = await temporaryLedger()
  await home.close()
  let copies = 0
  const restore = onCopyOfCurrent(() => {
    copies += 1
    if (copies <= 3) writeFileSync(join(home.files.store, `90000${copies}.log`), '')
  })
  try {
    const snapshot = await takeSnapshot(home.files)
    assert.is(copies, 4)
    assert.ok(readdirSync(snapshot.store).includes('900003.log'), 'it is the last state')
    snapshot.remove()
  } finally {
    restore()
  }
})

test('a table that goes away between listing and linking is a change', async () => {
  const home = await temporaryLedger()
  await home.close()
  const table = join(home.files.store, '999999.ldb')
  writeFileSync(table, 'a table')
  const { linkSync } = fs
  let links = 0
  fs.linkSync = (from, to) => {
    if (String(from) === table && links++ === 0) fs.rmSync(table)
    linkSync(from, to)
  }
  syncBuiltinESMExports()
  try {
    const snapshot = await takeSnapshot(home.files)
    assert.not(readdirSync(snapshot.store).includes('999999.ldb'))
    assert.is(await walkedSize(snapshot), 1)
    snapshot.remove()
  } finally {
    fs.linkSync = linkSync
    syncBuiltinESMExports()
  }
})

test('a store that never holds still is given up, and nothing is left behind', async () => {
  const home = await temporaryLedger()
  await home.close()
  let copies = 0
  const restore = onCopyOfCurrent(() => {
    copies += 1
    writeFileSync(join(home.files.store, `${900_000 + copies}.log`), '')
  })
  try {
    await rejectsWithCode(takeSnapshot(home.files), 'SNAPSHOT_UNSETTLED')
  } finally {
    restore()
  }
  assert.ok(copies > 1)
  assert.equal(readdirSync(home.files.snapshots), [])
})

test('snapshots that a killed reader left behind are removed once they are old', () => {
  const files = homeFiles(temporaryFolder())
  removeOldSnapshots(files, 1000, Date.now())
  for (const [name, ageS] of [
    ['snapshot-old', 100_000],
    ['snapshot-new', 10],
  ] as const) {
    const folder = join(files.snapshots, name)
    mkdirSync(join(folder, 'store'), { recursive: true })
    const time = Date.now() / 1000 - ageS
    utimesSync(folder, time, time)
  }
  removeOldSnapshots(files, 86_400_000, Date.now())
  assert.equal(readdirSync(files.snapshots), ['snapshot-new'])
})

/** Runs something each time a CURRENT is copied. Returns what undoes it. */
function onCopyOfCurrent(task: () => void): () => void {
  const { copyFileSync } = fs
  fs.copyFileSync = (from, to, mode) => {
    copyFileSync(from, to, mode)
    if (basename(String(from)) === 'CURRENT') task()
  }
  syncBuiltinESMExports()
  return () => {
    fs.copyFileSync = copyFileSync
    syncBuiltinESMExports()
  }
}

test('an erasure waits for readers of snapshots, and takes away those that stay: no other that comes meanwhile', async () => {
  const home = await temporaryLedger()
  const ending = await takeSnapshot(home.files)
  const staying = await takeSnapshot(home.files)
  const removing = removeSnapshots(home.files, 700)
  const later = await takeSnapshot(home.files)
  ending.remove()
  assert.is(await removing, 1)
  assert.equal(
    [ending, staying, later].map(({ store }) => existsSync(store)),
    [false, false, true],
  )
  later.remove()
  assert.is(await removeSnapshots(home.files, 60_000), 0, 'nobody is waited for where nobody reads')
  await home.close()
})

test('who waits for readers can be called off, and then nothing is taken away', async () => {
  const home = await temporaryLedger()
  const snapshot = await takeSnapshot(home.files)
  const end = new AbortController()
  const removing = removeSnapshots(home.files, 60_000, end.signal)
  end.abort(new SteleError('LEDGER_CLOSED'))
  await rejectsWithCode(removing, 'LEDGER_CLOSED')
  assert.ok(existsSync(snapshot.store))
  snapshot.remove()
  await home.close()
})

test.run()
