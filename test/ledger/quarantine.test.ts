// Holds the quarantine to the format page: what an opening destroys is copied before, and kept until a clean verification.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type HomeFiles, homeFiles } from '../../src/ledger/home-files.js'
import { openLedger } from '../../src/ledger/open-ledger.js'
import { clearQuarantine, quarantineStore } from '../../src/ledger/quarantine.js'
import { rejectsWithCode, throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { copyHome, message, temporaryLedger } from '../support/temporary-ledger.js'

/** A folder that looks like a store, with the files of one in it. */
function pretendedStore(): HomeFiles {
  const files = homeFiles(temporaryFolder())
  mkdirSync(files.store)
  for (const [name, text] of [
    ['CURRENT', 'MANIFEST-000004\n'],
    ['MANIFEST-000004', 'manifest in force'],
    ['MANIFEST-000002', 'an older one'],
    ['000007.log', 'twelve bytes'],
    ['000005.ldb', 'a table'],
    ['LOCK', ''],
    ['LOG', 'chatter'],
  ] as const) {
    writeFileSync(join(files.store, name), text)
  }
  return files
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : [])

test('CURRENT, the MANIFEST in force and the log are copied, and no table and no LOCK', () => {
  const files = pretendedStore()
  const { logBytes } = quarantineStore(files, '2026-11-29T204000.000Z-aa')
  const copy = join(files.quarantine, '2026-11-29T204000.000Z-aa')
  assert.equal(namesIn(copy), ['000007.log', 'CURRENT', 'MANIFEST-000004'])
  assert.is(readFileSync(join(copy, '000007.log'), 'utf8'), 'twelve bytes')
  assert.is(logBytes, 12)
})

test('where there is no store nothing is copied', () => {
  const files = homeFiles(temporaryFolder())
  const quarantine = quarantineStore(files, '2026')
  assert.is(quarantine.logBytes, 0)
  quarantine.hold()
  quarantine.discard()
  assert.not(existsSync(files.quarantine))
})

test('a copy that cannot be finished is removed again: on a full disk it would take up room, and be of no use', () => {
  const files = pretendedStore()
  // Listed behind CURRENT and MANIFEST, and nothing that can be copied as a file.
  mkdirSync(join(files.store, '000009.log'))
  throwsWithCode(() => quarantineStore(files, '2026-a'), 'FILE_UNWRITABLE')
  assert.equal(namesIn(files.quarantine), [])
})

test('a copy that nobody needs is removed again', () => {
  const files = pretendedStore()
  quarantineStore(files, '2026-a').discard()
  assert.equal(namesIn(files.quarantine), [])
})

test('the first copy in which trouble was found is held, whatever else is opened and held meanwhile', () => {
  const files = pretendedStore()
  quarantineStore(files, '2026-11-01').hold()
  assert.equal(namesIn(files.quarantine), ['held-2026-11-01'])
  writeFileSync(join(files.store, '000007.log'), 'what is left')
  for (let at = 0; at < 40; at += 1) {
    const quarantine = quarantineStore(files, `2026-12-01T00${String(at).padStart(2, '0')}`)
    if (at % 2 === 0) quarantine.hold()
  }
  const held = namesIn(files.quarantine).filter((name) => name.startsWith('held-'))
  assert.equal(held, ['held-2026-11-01'])
  assert.is(readFileSync(join(files.quarantine, 'held-2026-11-01', '000007.log'), 'utf8'), 'twelve bytes')
})

test('a clean verification clears it, and what a new start saved stays', () => {
  const files = pretendedStore()
  quarantineStore(files, '2026-11-01').hold()
  quarantineStore(files, '2026-11-02')
  writeFileSync(join(files.quarantine, 'abandoned-0-2026.jsonl'), '{}\n')
  clearQuarantine(files)
  assert.equal(namesIn(files.quarantine), ['abandoned-0-2026.jsonl'])
  rmSync(files.quarantine, { recursive: true })
  clearQuarantine(files)
})

test('an opening that finds a damaged log leaves a copy of it as it was before', async () => {
  const home = await temporaryLedger()
  for (let at = 0; at < 5; at += 1) await home.ledger.append([message(`${at}`)])
  const copy = copyHome(home.files)
  await home.close()
  const log = readdirSync(copy.store).find((name) => name.endsWith('.log')) ?? ''
  truncateSync(join(copy.store, log), statSync(join(copy.store, log)).size - 200)
  const before = readFileSync(join(copy.store, log), 'hex')
  rmSync(copy.quarantine, { recursive: true, force: true })
  await rejectsWithCode(openLedger(copy, home.settings), 'LEDGER_ROLLED_BACK')
  assert.not(existsSync(join(copy.store, log)), 'LevelDB replaced the log')
  const [held = ''] = namesIn(copy.quarantine)
  assert.is(readFileSync(join(copy.quarantine, held, log), 'hex'), before)
  await rejectsWithCode(openLedger(copy, home.settings), 'LEDGER_ROLLED_BACK')
  assert.is(readFileSync(join(copy.quarantine, held, log), 'hex'), before, 'and it is not pushed out by the next one')
})

test.run()
