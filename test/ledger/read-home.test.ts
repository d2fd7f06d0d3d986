// Holds reading beside a writer to its promise: a snapshot of its own, removed afterwards, and an end that says why where it was taken away.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { homeFiles } from '../../src/ledger/home-files.js'
import { readHome } from '../../src/ledger/read-home.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { message, temporaryLedger } from '../support/temporary-ledger.js'

const test = suite('read home')

test('a home is read while its ledger is open, and nothing of the copy is left', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one')])
  const size = await readHome(home.files, async (reader, _, assertStillThere) => {
    assertStillThere()
    assert.is(readdirSync(home.files.snapshots).length, 1)
    return reader.size()
  })
  assert.equal([size, readdirSync(home.files.snapshots)], [2, []])
  await home.close()
})

test('a reader whose snapshot was taken away by an erasure is told so, when it asks and when it trips over it', async () => {
  const home = await temporaryLedger()
  const takeAway = (): void => {
    for (const name of readdirSync(home.files.snapshots)) rmSync(join(home.files.snapshots, name), { recursive: true })
  }
  await rejectsWithCode(
    () =>
      readHome(home.files, async (_, __, assertStillThere) => {
        takeAway()
        assertStillThere()
      }),
    'SNAPSHOT_REMOVED',
  )
  await rejectsWithCode(
    () =>
      readHome(home.files, async () => {
        takeAway()
        throw new Error('a table is gone')
      }),
    'SNAPSHOT_REMOVED',
  )
  // Whoever has what it wanted before need not be told.
  const read = await readHome(home.files, async () => {
    takeAway()
    return 'read'
  })
  assert.is(read, 'read')
  await home.close()
})

test('where there is no home that is said, and where only its store is gone that', async () => {
  const nowhere = homeFiles(join(temporaryFolder(), 'none'))
  await rejectsWithCode(() => readHome(nowhere, async () => {}), 'HOME_MISSING')
  assert.not.ok(existsSync(nowhere.home))
  const home = await temporaryLedger()
  await home.close()
  rmSync(home.files.store, { recursive: true })
  await rejectsWithCode(() => readHome(home.files, async () => {}), 'STORE_GONE')
})

test.run()
