// Holds the coming up of a ledger to the format page: made once, opened only when it is whole, never smaller in silence, started anew aloud.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError, type SteleErrorCode } from '../../src/foundation/stele-error.js'
import { newSigningKeyPem } from '../../src/ledger/checkpoint.js'
import { readCheckpointLines } from '../../src/ledger/checkpoint-lines.js'
import { type HomeFiles, homeFiles } from '../../src/ledger/home-files.js'
import { createLedger, type LedgerSettings, openLedger, reanchorLedger } from '../../src/ledger/open-ledger.js'
import { markBytes } from '../support/reference-ledger.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import {
  copyHome,
  editStore,
  message,
  sessionStarted,
  storedRows,
  type TemporaryLedger,
  temporaryLedger,
  turnEnded,
  verifyCopy,
} from '../support/temporary-ledger.js'

const isPosix = process.platform !== 'win32'

function key(tag: string, ...numbers: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from(tag), ...numbers.map((number) => Buffer.from(number.toString(16).padStart(16, '0'), 'hex'))])
}

/** A ledger of one created entry and `size - 1` more, each acknowledged by itself, behind its only checkpoint of size 1. */
async function openTail(size: number, seed = 1): Promise<TemporaryLedger> {
  const home = await temporaryLedger({ seed })
  for (let index = 1; index < size; index += 1) {
    home.world.advance(1000)
    await home.ledger.append([index % 3 === 0 ? turnEnded(index) : message(`message ${index}`)])
  }
  return home
}

/** The same after a crash: a copy of the home that nobody has open, and the settings to open it. */
async function crashedTail(size: number, seed = 1): Promise<{ files: HomeFiles; settings: LedgerSettings }> {
  const home = await openTail(size, seed)
  const files = copyHome(home.files)
  await home.close()
  return { files, settings: home.settings }
}

async function openedSize(files: HomeFiles, settings: LedgerSettings): Promise<number | SteleErrorCode> {
  try {
    const ledger = await openLedger(files, settings)
    const { size } = ledger
    await ledger.close()
    return size
  } catch (error) {
    if (error instanceof SteleError) return error.code
    throw error
  }
}

const filesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : [])

test('a new home holds its keys, a store, a mark and a checkpoint, all private', async () => {
  const home = await temporaryLedger()
  await home.close()
  const { files } = home
  for (const path of [files.key, files.digestKey, files.store, files.highWater, files.checkpoints])
    assert.ok(existsSync(path), path)
  assert.is(statSync(files.digestKey).size, 32)
  if (isPosix) {
    for (const folder of [files.home, files.store]) assert.is(statSync(folder).mode & 0o777, 0o700, folder)
    for (const file of [files.key, files.digestKey, files.highWater, files.checkpoints])
      assert.is(statSync(file).mode & 0o777, 0o600, file)
  }
  const report = await verifyCopy(files)
  assert.equal([report.findings, report.notes, report.size, report.assurance], [[], [], 1, 'signed'])
})

test('making a home again changes nothing and opens what is there', async () => {
  const home = await temporaryLedger()
  await home.ledger.append([message('one')])
  await home.close()
  const kept = [home.files.key, home.files.digestKey, home.files.checkpoints, home.files.highWater]
  const before = kept.map((file) => readFileSync(file, 'hex'))
  const rows = (await storedRows(home.files)).map(({ key: at, value }) => `${at.toString('hex')} ${value.toString('hex')}`)
  for (let times = 0; times < 2; times += 1) {
    const { ledger, created } = await createLedger(home.files, home.settings)
    assert.not(created)
    assert.is(ledger.size, 2)
    await ledger.close()
  }
  assert.equal(
    kept.map((file) => readFileSync(file, 'hex')),
    before,
  )
  const after = (await storedRows(home.files)).map(({ key: at, value }) => `${at.toString('hex')} ${value.toString('hex')}`)
  assert.equal(after, rows)
})

test('making a home keeps the keys that lie in it already', async () => {
  const folder = join(temporaryFolder(), 'home')
  const pem = newSigningKeyPem()
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, 'key'), pem, { mode: 0o600 })
  const home = await temporaryLedger({ home: folder })
  await home.close()
  assert.is(readFileSync(home.files.key, 'utf8'), pem)
})

test('a making that broke off before its first entry is done again', async () => {
  const folder = join(temporaryFolder(), 'home')
  const whole = await temporaryLedger({ home: folder })
  await whole.close()
  // What a crash right behind the opening of the new store leaves.
  for (const file of [whole.files.highWater, whole.files.checkpoints]) rmSync(file)
  await editStore(
    whole.files,
    [],
    (await storedRows(whole.files)).map(({ key: at }) => at),
  )
  const { ledger, created } = await createLedger(whole.files, whole.settings)
  assert.ok(created)
  assert.is(ledger.size, 1)
  await ledger.close()
  assert.equal((await verifyCopy(whole.files)).findings, [])
})

test('no new ledger is made where a mark or a checkpoint says that one was acknowledged', async () => {
  const home = await temporaryLedger()
  await home.close()
  rmSync(home.files.store, { recursive: true })
  await rejectsWithCode(createLedger(home.files, home.settings), 'STORE_GONE')
  await rejectsWithCode(openLedger(home.files, home.settings), 'STORE_GONE')
  rmSync(home.files.highWater)
  await rejectsWithCode(createLedger(home.files, home.settings), 'STORE_GONE')
  assert.not(existsSync(join(home.files.store, 'CURRENT')))
})

test('a store that came up empty beside a mark is never an empty ledger', async () => {
  const home = await openTail(4)
  await home.close()
  rmSync(join(home.files.store, 'CURRENT'))
  await rejectsWithCode(openLedger(home.files, home.settings), 'STORE_GONE')
  await rejectsWithCode(createLedger(home.files, home.settings), 'STORE_GONE')
  assert.ok(
    readdirSync(home.files.store).some((name) => name.endsWith('.log')),
    'and nothing was deleted',
  )
})

test('a home that is not there is missing, and nothing is made in its place', async () => {
  const { settings } = await temporaryLedger()
  const files = homeFiles(join(temporaryFolder(), 'nowhere'))
  await rejectsWithCode(openLedger(files, settings), 'HOME_MISSING')
  await rejectsWithCode(reanchorLedger(files, settings, 'a reason'), 'HOME_MISSING')
  assert.not(existsSync(files.home))
  mkdirSync(files.home, { mode: 0o700 })
  await rejectsWithCode(openLedger(files, settings), 'HOME_MISSING')
})

test('a home or a key that others can reach into is refused', async () => {
  if (!isPosix) return
  const home = await temporaryLedger()
  await home.close()
  const { files, settings } = home
  for (const [path, open, closed] of [
    [files.home, 0o750, 0o700],
    [files.home, 0o701, 0o700],
    [files.key, 0o640, 0o600],
    [files.digestKey, 0o604, 0o600],
  ] as const) {
    chmodSync(path, open)
    await rejectsWithCode(openLedger(files, settings), 'HOME_NOT_PRIVATE')
    await rejectsWithCode(createLedger(files, settings), 'HOME_NOT_PRIVATE')
    chmodSync(path, closed)
  }
  assert.is(await openedSize(files, settings), 1)
})

test('keys that are missing or spoilt are told', async () => {
  const home = await temporaryLedger()
  await home.close()
  const { files, settings } = home
  for (const file of [files.key, files.digestKey]) {
    renameSync(file, `${file}-away`)
    await rejectsWithCode(openLedger(files, settings), 'KEY_UNREADABLE')
    writeFileSync(file, 'no key', { mode: 0o600 })
    await rejectsWithCode(openLedger(files, settings), 'KEY_UNREADABLE')
    rmSync(file)
    renameSync(`${file}-away`, file)
  }
  assert.is(await openedSize(files, settings), 1)
})

test('a ledger that another process has open is locked, and its files stay as they are', async () => {
  const home = await openTail(3)
  await rejectsWithCode(openLedger(home.files, home.settings), 'STORE_LOCKED')
  assert.equal(filesIn(home.files.quarantine), [], 'no copy of an opening that did not take place')
  assert.is((await home.ledger.append([message('goes on')])).index, 3)
  await home.close()
})

test('a signing key that this ledger was never signed with is a mismatch, and reanchoring does not help', async () => {
  const home = await openTail(3)
  await home.close()
  writeFileSync(home.files.key, newSigningKeyPem())
  await rejectsWithCode(openLedger(home.files, home.settings), 'LEDGER_KEY_MISMATCH')
  await rejectsWithCode(reanchorLedger(home.files, home.settings, 'a reason'), 'LEDGER_KEY_MISMATCH')
})

test('a signing key that does not fit the first entry is a mismatch before there is any checkpoint', async () => {
  const { files, settings } = await crashedTail(3)
  rmSync(files.checkpoints)
  await editStore(files, [], [key('c', 0, 1)])
  copyFileSync(files.key, `${files.key}-away`)
  writeFileSync(files.key, newSigningKeyPem())
  await rejectsWithCode(openLedger(files, settings), 'LEDGER_KEY_MISMATCH')
  copyFileSync(`${files.key}-away`, files.key)
  assert.is(await openedSize(files, settings), 3)
})

test('another origin than the one that the ledger was made with is refused', async () => {
  const home = await openTail(3)
  await home.close()
  const other = { ...home.settings, origin: 'example.com/agents' }
  await rejectsWithCode(openLedger(home.files, other), 'CONFIG_ORIGIN_FIXED')
  assert.is(await openedSize(home.files, home.settings), 3)
})

test('an older copy of the store beside the newer mark is rolled back', async () => {
  const home = await openTail(4)
  const older = copyHome(home.files)
  for (let index = 4; index < 9; index += 1) await home.ledger.append([message('more')])
  await home.close()
  rmSync(home.files.store, { recursive: true })
  cpSync(older.store, home.files.store, { recursive: true })
  const error = await rejectsWithCode(openLedger(home.files, home.settings), 'LEDGER_ROLLED_BACK')
  assert.equal(error.details, { size: 4, claimed: 9 })
  const report = await verifyCopy(home.files)
  assert.equal(
    report.findings.map(({ code }) => code),
    ['rolled_back'],
  )
})

test('a second mark elsewhere tells of a home that was put back whole', async () => {
  const markMirror = join(temporaryFolder(), 'high-water')
  const home = await temporaryLedger({ markMirror })
  await home.ledger.append([message('one')])
  const older = copyHome(home.files)
  await home.ledger.append([message('two')])
  await home.close()
  assert.is(readFileSync(markMirror, 'hex'), readFileSync(home.files.highWater, 'hex'))
  assert.is(await openedSize(older, { ...home.settings, markMirror: undefined }), 2)
  await rejectsWithCode(openLedger(older, home.settings), 'LEDGER_ROLLED_BACK')
})

test('another history under the mark is forked', async () => {
  const home = await openTail(4)
  const before = copyHome(home.files)
  await home.ledger.append([message('what was acknowledged')])
  await home.close()
  const other = await openLedger(before, home.settings)
  await other.append([message('what somebody else wrote')])
  await other.append([message('and more')])
  await other.close()
  copyFileSync(home.files.highWater, before.highWater)
  await rejectsWithCode(openLedger(before, home.settings), 'LEDGER_FORKED')
})

test('a mark that lags raises nothing', async () => {
  const { files, settings } = await crashedTail(6)
  const { value } = (await storedRows(files)).find(({ key: at }) => at.equals(key('h', 3))) ?? { value: Buffer.alloc(0) }
  const { createHash } = await import('node:crypto')
  const head = createHash('sha256').update(Uint8Array.of(0)).update(value).digest('hex')
  writeFileSync(files.highWater, markBytes(0, 4, head))
  assert.is(await openedSize(files, settings), 6)
  rmSync(files.highWater)
  assert.is(await openedSize(files, settings), 6)
})

test('a mark with wrong check bytes is unreadable', async () => {
  const home = await openTail(3)
  await home.close()
  const bytes = readFileSync(home.files.highWater)
  for (const bad of [bytes.subarray(0, 1), Buffer.alloc(64), bytes.subarray(1), Buffer.concat([bytes, bytes])]) {
    writeFileSync(home.files.highWater, bad)
    await rejectsWithCode(openLedger(home.files, home.settings), 'LEDGER_MARK_UNREADABLE')
  }
})

test('a head that is missing or does not fit the last entry is altered, one that names more is truncated', async () => {
  const { files, settings } = await crashedTail(5)
  const name = (of: string): Buffer => Buffer.from(`m${of}`)
  const rows = await storedRows(files)
  const put = (of: string, text: string) => editStore(files, [{ key: name(of), value: Buffer.from(text) }])
  const mend = () =>
    editStore(
      files,
      rows.filter(({ key: at }) => at[0] === 0x6d),
    )
  for (const of of ['ledger', 'epoch', 'size', 'head']) {
    await editStore(files, [], [name(of)])
    await rejectsWithCode(openLedger(files, settings), 'LEDGER_HEAD_ALTERED')
    await mend()
  }
  for (const [of, text, code] of [
    ['size', '4', 'LEDGER_HEAD_ALTERED'],
    ['size', '9', 'LEDGER_TRUNCATED'],
    ['size', 'five', 'LEDGER_HEAD_ALTERED'],
    ['head', 'ab'.repeat(32), 'LEDGER_HEAD_ALTERED'],
    ['epoch', '1', 'LEDGER_HEAD_ALTERED'],
    ['ledger', '0'.repeat(32), 'LEDGER_HEAD_ALTERED'],
  ] as const) {
    await put(of, text)
    await rejectsWithCode(openLedger(files, settings), code)
    await mend()
  }
  assert.is(await openedSize(files, settings), 5)
})

test('a log that was cut anywhere is told, or nothing acknowledged is missing', async () => {
  const { files, settings } = await crashedTail(12)
  const log = join(files.store, readdirSync(files.store).find((file) => file.endsWith('.log')) ?? '')
  const length = statSync(log).size
  const random = makeRandom(12)
  const outcomes = new Set<number | string>()
  for (let round = 0; round < 14; round += 1) {
    const copy = copyHome(files)
    truncateSync(join(copy.store, log.slice(log.lastIndexOf('/') + 1)), round === 0 ? length - 1 : random.int(length))
    const outcome = await openedSize(copy, settings)
    outcomes.add(outcome)
    if (outcome === 12) continue
    assert.ok(typeof outcome === 'string' && isDamage(outcome), `round ${round}: ${outcome}`)
    assert.ok(filesIn(copy.quarantine).length > 0, 'a copy of what was there is kept')
  }
  assert.ok(outcomes.has('LEDGER_ROLLED_BACK'))
})

test('a log with a flipped bit is told, or nothing acknowledged is missing', async () => {
  const { files, settings } = await crashedTail(12)
  const log = readdirSync(files.store).find((file) => file.endsWith('.log')) ?? ''
  const bytes = readFileSync(join(files.store, log))
  const random = makeRandom(13)
  for (let round = 0; round < 24; round += 1) {
    const copy = copyHome(files)
    const bent = Buffer.from(bytes)
    const at = random.int(bent.length)
    bent[at] = (bent[at] ?? 0) ^ (1 << random.int(8))
    writeFileSync(join(copy.store, log), bent)
    const outcome = await openedSize(copy, settings)
    if (outcome !== 12) assert.ok(typeof outcome === 'string' && isDamage(outcome), `byte ${at}: ${outcome}`)
  }
})

test('a log that was deleted is told', async () => {
  const { files, settings } = await crashedTail(6)
  for (const name of readdirSync(files.store)) if (name.endsWith('.log')) rmSync(join(files.store, name))
  const outcome = await openedSize(files, settings)
  assert.ok(typeof outcome === 'string' && isDamage(outcome), `${outcome}`)
})

test('an entry that was deleted in the middle of the tail is missing', async () => {
  for (const index of [2, 5, 8]) {
    const { files, settings } = await crashedTail(10)
    await editStore(files, [], [key('h', index)])
    await rejectsWithCode(openLedger(files, settings), 'LEDGER_ENTRY_MISSING')
  }
})

test('anything of an entry in the tail that was bent or taken away is altered', async () => {
  const { files, settings } = await crashedTail(10)
  const rows = await storedRows(files)
  const rowAt = (at: Buffer): Buffer => rows.find((row) => row.key.equals(at))?.value ?? Buffer.alloc(0)
  const bent = (at: Buffer, byte: number): Buffer => {
    const value = Buffer.from(rowAt(at))
    value[byte] = (value[byte] ?? 0) ^ 1
    return value
  }
  for (const at of [key('h', 4), key('p', 4), key('w', 4), key('t', 0, 4)]) {
    for (const byte of [0, 20, rowAt(at).length - 1]) {
      await editStore(files, [{ key: at, value: bent(at, byte) }])
      await rejectsWithCode(openLedger(files, settings), 'LEDGER_ENTRY_ALTERED')
      await editStore(files, [{ key: at, value: rowAt(at) }])
    }
  }
  for (const at of [key('p', 4), key('t', 0, 4)]) {
    await editStore(files, [], [at])
    await rejectsWithCode(openLedger(files, settings), 'LEDGER_ENTRY_ALTERED')
    await editStore(files, [{ key: at, value: rowAt(at) }])
  }
  assert.is(await openedSize(files, settings), 10, 'put back, it opens')
})

test('words that were forgotten do not hinder an opening', async () => {
  const home = await openTail(6)
  await home.ledger.forget([[1, 4]], { by: 'owner', reason: 'a wish' })
  const copy = copyHome(home.files)
  await home.close()
  assert.is(await openedSize(copy, home.settings), 7)
})

test('a checkpoint in the file beyond the last entry is told also where the mark is gone', async () => {
  const home = await openTail(4)
  const older = copyHome(home.files)
  await home.ledger.append([message('one more')])
  await home.close()
  copyFileSync(home.files.checkpoints, older.checkpoints)
  rmSync(older.highWater)
  await rejectsWithCode(openLedger(older, home.settings), 'LEDGER_TRUNCATED')
})

test('a sound ledger needs no new start', async () => {
  const home = await openTail(4)
  await home.close()
  const error = await rejectsWithCode(reanchorLedger(home.files, home.settings, 'a reason'), 'REANCHOR_NOT_NEEDED')
  assert.equal(error.details, { size: 4 })
  assert.is(await openedSize(home.files, home.settings), 4)
})

test('where nothing of the ledger is left there is nothing to start anew from', async () => {
  const home = await openTail(4)
  await home.close()
  const rows = await storedRows(home.files)
  await editStore(
    home.files,
    [],
    rows.map(({ key: at }) => at),
  )
  await rejectsWithCode(reanchorLedger(home.files, home.settings, 'a reason'), 'LEDGER_EMPTY')
})

test('a new start after a rollback names what is abandoned, and the ledger goes on in the next epoch', async () => {
  const home = await openTail(5)
  const older = copyHome(home.files)
  await home.ledger.append([message('lost')])
  await home.ledger.append([message('lost too')])
  await home.ledger.checkpoint()
  await home.close()
  const lost = await storedRows(home.files)
  const lostHead = lost.find(({ key: at }) => at.toString() === 'mhead')?.value.toString()
  const lostNote = readCheckpointLines(home.files.checkpoints).at(-1) ?? ''
  rmSync(home.files.store, { recursive: true })
  cpSync(older.store, home.files.store, { recursive: true })

  await rejectsWithCode(openLedger(home.files, home.settings), 'LEDGER_ROLLED_BACK')
  const start = await reanchorLedger(home.files, home.settings, 'the disk was put back')
  const root = Buffer.from(lostNote.split('\n')[2] ?? '', 'base64').toString('hex')
  assert.equal(start.abandoned, { epoch: 0, size: 7, head: lostHead, root })
  assert.equal([start.epoch, start.index], [1, 5])

  const ledger = await openLedger(home.files, home.settings)
  assert.equal([ledger.size, ledger.epoch], [6, 1])
  const { header, payload } = await ledger.reader.entry(5)
  assert.equal([header.type, header.epoch, header.index], ['ledger.reanchored', 1, 5])
  assert.equal(payload, { vkey: start.vkey, abandoned: start.abandoned, reason: 'the disk was put back' })
  assert.ok(start.vkey.startsWith(`stele.local/${ledger.ledgerId}/1+`))
  assert.is((await ledger.append([message('goes on')])).index, 6)
  assert.is((await ledger.reader.entry(6)).header.epoch, 1)
  await ledger.close()
  const newest = readCheckpointLines(home.files.checkpoints).at(-1) ?? ''
  assert.ok(newest.startsWith(`stele.local/${header.ledger}/1\n7\n`))
  const report = await verifyCopy(home.files)
  assert.equal([report.findings, report.notes, report.epoch, report.assurance], [[], [], 1, 'signed'])
  assert.ok(report.checkpoints.abandoned > 0, 'checkpoints of the abandoned branch are counted')
})

test('a new start after a hole keeps the sound beginning and saves what stood behind it', async () => {
  const home = await openTail(10)
  const handle = await home.ledger.sessionHandle('host-session')
  await home.ledger.append([sessionStarted(handle, 'host-session'), message('in the session', handle)])
  await home.ledger.append([message('with an id')], { dedupe: 'dd'.repeat(32) })
  const files = copyHome(home.files)
  await home.close()
  const rows = await storedRows(files)
  await editStore(files, [], [key('h', 6)])
  const start = await reanchorLedger(files, home.settings, 'a hole')
  assert.equal([start.epoch, start.index], [1, 6])
  assert.equal([start.abandoned.epoch, start.abandoned.size], [0, 13])

  // Rows of entries from 6 on, without the header that is gone.
  const isSaved = ({ key: at }: { key: Buffer }): boolean =>
    'hpw'.includes(at.toString('latin1', 0, 1)) && at.readBigUInt64BE(1) >= 6n
  const behind = rows.filter((row) => isSaved(row) && !row.key.equals(key('h', 6)))
  assert.is(start.savedRows, behind.length)
  const saved = readFileSync(start.savedTo ?? '', 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { row: string; index: number; base64: string })
    .map(({ row, index, base64 }) => `${key(row, index).toString('hex')} ${base64}`)
  assert.equal(saved.sort(), behind.map((row) => `${row.key.toString('hex')} ${row.value.toString('base64')}`).sort())
  if (isPosix) assert.is(statSync(start.savedTo ?? '').mode & 0o777, 0o600)

  const ledger = await openLedger(files, home.settings)
  assert.equal([ledger.size, ledger.epoch], [7, 1])
  assert.is(await ledger.knownSession('host-session'), undefined, 'the session goes with its entries')
  assert.equal(await ledger.append([message('with an id')], { dedupe: 'dd'.repeat(32) }), { index: 7, duplicate: false })
  await ledger.close()
  const report = await verifyCopy(files)
  assert.equal([report.findings, report.notes, report.size], [[], [], 8])
})

test('a new start helps after every kind of damage that an opening names', async () => {
  const damages: Record<string, (files: HomeFiles) => Promise<void> | void> = {
    'a payload bent': async (files) => {
      const row = (await storedRows(files)).find(({ key: at }) => at.equals(key('p', 5)))
      await editStore(files, [{ key: key('p', 5), value: Buffer.from(row?.value.toString().replace('turn', 'torn') ?? '') }])
    },
    'the head deleted': (files) => editStore(files, [], [Buffer.from('mhead')]),
    'the head naming more': (files) => editStore(files, [{ key: Buffer.from('msize'), value: Buffer.from('12') }]),
    'the mark spoilt': (files) => writeFileSync(files.highWater, 'spoilt'),
    'the mark beyond the end': (files) => writeFileSync(files.highWater, markBytes(0, 11, 'ab'.repeat(32))),
    'the mark on another history': (files) => writeFileSync(files.highWater, markBytes(0, 6, 'ab'.repeat(32))),
  }
  for (const [name, damage] of Object.entries(damages)) {
    const { files, settings } = await crashedTail(8)
    await damage(files)
    const code = await openedSize(files, settings)
    assert.ok(typeof code === 'string' && isDamage(code), `${name}: ${code}`)
    const start = await reanchorLedger(files, settings, name)
    const ledger = await openLedger(files, settings)
    assert.is(ledger.epoch, 1, name)
    assert.is(ledger.size, start.index + 1, name)
    await ledger.append([message('goes on')])
    await ledger.close()
    const report = await verifyCopy(files)
    assert.equal([name, report.findings, report.notes], [name, [], []])
  }
})

test('a second loss starts a second epoch', async () => {
  const home = await openTail(4)
  let older = copyHome(home.files)
  await home.ledger.append([message('lost in epoch 0')])
  await home.close()
  const rollBack = (): void => {
    rmSync(home.files.store, { recursive: true })
    cpSync(older.store, home.files.store, { recursive: true })
  }
  for (const epoch of [1, 2]) {
    rollBack()
    assert.is((await reanchorLedger(home.files, home.settings, `loss ${epoch}`)).epoch, epoch)
    const ledger = await openLedger(home.files, home.settings)
    await ledger.append([message('kept')])
    older = copyHome(home.files)
    await ledger.append([message(`lost in epoch ${epoch}`)])
    await ledger.close()
  }
  rollBack()
  await rejectsWithCode(openLedger(home.files, home.settings), 'LEDGER_ROLLED_BACK')
  await reanchorLedger(home.files, home.settings, 'loss 3')
  assert.is(await openedSize(home.files, home.settings), 4 + 1 + 1 + 1 + 1 + 1)
  const report = await verifyCopy(home.files)
  assert.equal([report.findings, report.notes, report.epoch], [[], [], 3])
})

function isDamage(code: string): boolean {
  return code === 'STORE_UNREADABLE' || code === 'STORE_GONE' || code.startsWith('LEDGER_')
}

test.run()
