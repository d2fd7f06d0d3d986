// What was done to a ledger is told by name: cut, swapped, restored from an old copy, a fact, a word, everything under a new key.
// time limit: 300 s
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { VerifyReport } from '../../src/verify/verify-ledger.js'
import { feedHome } from '../support/feed-home.js'
import { recordedHooks } from '../support/recorded-session.js'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('told apart')
const folder = temporaryFolder()
const whole = join(folder, 'whole')
const older = join(folder, 'older')
let vkey = ''

test.before(async () => {
  vkey = json<{ vkey: string }>(stele(['init', '--json', '--home', whole])).vkey
  await feedHome(whole, recordedHooks.slice(0, 6))
  cpSync(whole, older, { recursive: true })
  await feedHome(whole, recordedHooks.slice(6, 12))
})

type Rows = Level<Buffer, Buffer>

/** Bends a copy of the home and says what `stele verify` finds in it, with its exit code. */
async function findingsAfter(name: string, bend: (home: string) => void | Promise<void>, ...words: string[]): Promise<string[]> {
  const home = join(folder, name)
  cpSync(whole, home, { recursive: true })
  await bend(home)
  const ran = stele(['verify', '--json', '--home', home, ...words])
  const { ok, assurance, findings } = json<VerifyReport>(ran)
  assert.is(ran.status, ok ? 0 : 5)
  assert.is(assurance === 'none', !ok)
  return findings.map(({ code, index }) => `${code} ${index ?? '-'}`)
}

async function withRows(home: string, change: (rows: Rows) => Promise<void>): Promise<void> {
  const rows = new Level<Buffer, Buffer>(join(home, 'store'), { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  await rows.open()
  await change(rows)
  await rows.close()
}

function key(tag: string, index: number): Buffer {
  const bytes = Buffer.alloc(9)
  bytes.write(tag)
  bytes.writeBigUInt64BE(BigInt(index), 1)
  return bytes
}

async function edit(rows: Rows, tag: string, index: number, from: string, to: string): Promise<void> {
  const value = (await rows.get(key(tag, index)))?.toString() ?? ''
  assert.ok(value.includes(from), `row ${tag}${index} holds ${from}`)
  await rows.put(key(tag, index), Buffer.from(value.replace(from, to)))
}

test('an untouched copy is sound', async () => {
  assert.equal(await findingsAfter('untouched', () => {}, '--key', vkey), [])
})

test('case 100: entries cut off the end are rolled back by the mark, and truncated by a checkpoint where there is no mark', async () => {
  const cut = (home: string) => {
    rmSync(join(home, 'store'), { recursive: true })
    cpSync(join(older, 'store'), join(home, 'store'), { recursive: true })
  }
  assert.equal(await findingsAfter('cut', cut), ['rolled_back -'])
  assert.equal(
    await findingsAfter('cut-without-mark', (home) => {
      cut(home)
      rmSync(join(home, 'high-water'))
    }),
    ['truncated -'],
  )
})

test('case 100: a store without entries beside a known head is never called valid', async () => {
  const empty = async (home: string) => {
    rmSync(join(home, 'store'), { recursive: true })
    const rows = new Level<Buffer, Buffer>(join(home, 'store'), { keyEncoding: 'buffer', valueEncoding: 'buffer' })
    await rows.open()
    await rows.close()
  }
  assert.equal(await findingsAfter('empty', empty), ['truncated -'])
  assert.equal(
    await findingsAfter('empty-without-mark', async (home) => {
      await empty(home)
      rmSync(join(home, 'high-water'))
    }),
    ['truncated -'],
  )
})

test('case 101: the oldest entries of an export cannot be left out', () => {
  const file = join(folder, 'beheaded.jsonl')
  stele(['export', '--out', file, '--home', whole])
  writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(2).join('\n'))
  const { findings } = json<VerifyReport>(stele(['verify', '--json', '--export', file]))
  assert.equal(
    findings.map(({ code, index }) => `${code} ${index}`),
    ['entry_missing 0'],
  )
})

test('a whole old copy is found by a checkpoint that was kept outside, and by nothing in the home', async () => {
  const outside = join(folder, 'outside.txt')
  cpSync(join(whole, 'checkpoints.txt'), outside)
  const restore = (home: string) => {
    rmSync(home, { recursive: true })
    cpSync(older, home, { recursive: true })
  }
  assert.equal(await findingsAfter('old-copy', restore), [])
  assert.equal(await findingsAfter('old-copy-against', restore, '--against', outside), ['truncated -'])
})

test('two entries swapped in an export are a broken link', () => {
  const file = join(folder, 'swapped.jsonl')
  stele(['export', '--out', file, '--home', whole])
  const lines = readFileSync(file, 'utf8').split('\n')
  const [third, fourth] = [lines[3] ?? '', lines[4] ?? '']
  writeFileSync(file, [...lines.slice(0, 3), fourth, third, ...lines.slice(5)].join('\n'))
  const ran = stele(['verify', '--json', '--export', file])
  assert.is(ran.status, 5)
  assert.equal(
    json<VerifyReport>(ran).findings.map(({ code }) => code),
    ['link_broken'],
  )
})

test('an edited fact, an edited word, an edited header and a missing payload each have their own name', async () => {
  const bend = (change: (rows: Rows) => Promise<void>) => (home: string) => withRows(home, change)
  const edited = (tag: string, index: number, from: string, to: string) => bend((rows) => edit(rows, tag, index, from, to))
  assert.equal(await findingsAfter('fact', edited('p', 9, '"status":"ok"', '"status":"no"')), ['payload_altered 9'])
  assert.equal(await findingsAfter('word', edited('w', 2, 'Friday', 'Monday')), ['words_altered 2'])
  assert.equal(await findingsAfter('header', edited('h', 3, 'tool.requested', 'tool.completed')), ['header_altered 3'])
  assert.equal(
    await findingsAfter(
      'payload',
      bend((rows) => rows.del(key('p', 3))),
    ),
    ['payload_missing 3'],
  )
  assert.equal(
    await findingsAfter(
      'words',
      bend((rows) => rows.del(key('w', 2))),
    ),
    ['words_missing 2'],
  )
})

test('a ledger written anew under a new key is a key unknown to whoever pinned the old one', async () => {
  const anew = join(folder, 'anew')
  stele(['init', '--home', anew])
  await feedHome(anew, recordedHooks.slice(0, 12))
  const replace = (home: string) => {
    rmSync(home, { recursive: true })
    cpSync(anew, home, { recursive: true })
  }
  assert.equal(await findingsAfter('new-key', replace, '--key', vkey), ['key_unknown -'])
  assert.equal(await findingsAfter('new-key-on-trust', replace), [], 'without a pinned key nothing shows')
  const withOldCheckpoints = await findingsAfter('new-key-old-checkpoints', (home) => {
    replace(home)
    writeFileSync(join(home, 'checkpoints.txt'), readFileSync(join(whole, 'checkpoints.txt')))
  })
  assert.ok(withOldCheckpoints.length > 0 && withOldCheckpoints.every((finding) => finding === 'key_unknown -'))
})

test('a store that LevelDB cannot open is unreadable, and the command lives', async () => {
  const findings = await findingsAfter('unreadable', (home) =>
    renameSync(join(home, 'store', 'CURRENT'), join(home, 'store', 'GONE')),
  )
  assert.equal(findings, ['store_unreadable -'])
})

test('after a loss no service starts and the hook says so, until the owner starts a new epoch; then all is sound again', () => {
  const home = join(folder, 'loss')
  cpSync(whole, home, { recursive: true })
  rmSync(join(home, 'store'), { recursive: true })
  cpSync(join(older, 'store'), join(home, 'store'), { recursive: true })
  const refused = stele(['hook', '--home', home], { input: recordedHooks[12] ?? '' })
  assert.equal([refused.status, refused.stdout], [0, '{}\n'])
  assert.match(refused.stderr, /LEDGER_ROLLED_BACK/)
  assert.is(stele(['reanchor', '--reason', 'disk restored', '--home', home]).status, 3, 'nobody confirmed')
  assert.is(stele(['reanchor', '--reason', 'disk restored', '--yes', '--home', home]).status, 0)
  assert.is(stele(['hook', '--home', home], { input: recordedHooks[13] ?? '' }).stderr, '')
  assert.is(stele(['stop', '--home', home]).status, 0)
  const report = json<VerifyReport>(stele(['verify', '--json', '--key', vkey, '--home', home]))
  assert.equal(report.findings, [])
  assert.is(report.epoch, 1)
  assert.ok(report.checkpoints.abandoned > 0)
})

test.run()
