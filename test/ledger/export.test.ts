// Holds the export to the format page: its lines, members and exact strings, recomputed with node:crypto, and sound for the verifier.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkpointLine, type ExportOptions, exportLine, exportLines, readErasures } from '../../src/ledger/export.js'
import { verifyExport } from '../../src/verify/verify-ledger.js'
import { canonical, headerHash, type Json, payloadCommitment, rootOf, wordsCommitment } from '../support/reference-ledger.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { message, sessionStarted, type TemporaryLedger, temporaryLedger, turnEnded } from '../support/temporary-ledger.js'

const headerNames = 'v ledger epoch index time type version session payload prev'.split(' ')

interface Line {
  readonly [name: string]: unknown
  readonly hash: string
  readonly salt: string
  readonly data: { readonly [name: string]: Json }
  readonly wordsSalt?: string
  readonly words?: Json
  readonly erased?: number
  readonly withheld?: boolean
  readonly raw: { readonly header: string; readonly payload: string; readonly words?: string }
}

/** created 0, session.started 1, messages 2 to 5, turn.ended 6, erasures 7 and 8. */
async function filledLedger(): Promise<TemporaryLedger> {
  const home = await temporaryLedger({ seed: 3 })
  const handle = await home.ledger.sessionHandle('20261129_204900_a1b2c3')
  await home.ledger.append([sessionStarted(handle, '20261129_204900_a1b2c3')])
  for (const text of ['plain', 'Umlaut ü, 好, 😀', 'line\nfeed "quoted" \\ \u2028', 'last'])
    await home.ledger.append([message(text, handle)])
  await home.ledger.append([turnEnded(1, handle)])
  await home.ledger.forget([[2, 3]], { by: 'owner', reason: 'first' })
  await home.ledger.forget(
    [
      [3, 3],
      [5, 5],
    ],
    { by: 'retention', reason: 'second' },
  )
  return home
}

async function exported(
  home: TemporaryLedger,
  options?: ExportOptions,
): Promise<{ entries: Line[]; last: unknown; text: string }> {
  const made = await home.ledger.checkpoint()
  const lines: string[] = []
  for await (const line of exportLines(home.ledger.reader, made?.size ?? 0, made?.note ?? '', options)) lines.push(line)
  const parsed = lines.map((line) => JSON.parse(line) as unknown)
  return { entries: parsed.slice(0, -1) as Line[], last: parsed.at(-1), text: `${lines.join('\n')}\n` }
}

test('an export is one line an entry in order of index, and the checkpoint of exactly that size behind them', async () => {
  const home = await filledLedger()
  const { entries, last } = await exported(home)
  assert.equal(
    entries.map(({ index }) => index),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
  )
  const note = await home.ledger.reader.newestCheckpoint()
  assert.equal(last, { checkpoint: note })
  const root = rootOf(entries.map(({ hash }) => Buffer.from(hash, 'hex'))).toString('base64')
  assert.ok(note?.startsWith(`stele.local/${home.ledger.ledgerId}\n9\n${root}\n\n`))
  assert.is(checkpointLine('a\n"b"'), '{"checkpoint":"a\\n\\"b\\""}')
  await home.close()
})

test('every line can be recomputed by the rules of the format page', async () => {
  const home = await filledLedger()
  const { entries } = await exported(home)
  let prev = '0'.repeat(64)
  for (const line of entries) {
    const header = Object.fromEntries(headerNames.map((name) => [name, line[name] as Json]))
    assert.is(line.raw.header, canonical(header), 'the stored string is the canonical form of the fields beside it')
    assert.is(line['prev'], prev)
    assert.is(line.hash, headerHash(line.raw.header))
    prev = line.hash
    assert.is(line.raw.payload, canonical(line.data))
    assert.is(line['payload'], payloadCommitment(line.salt, line.raw.payload))
    if (line.words === undefined) continue
    assert.is(line.raw.words, canonical(line.words))
    assert.is(line.data['words'], wordsCommitment(line.wordsSalt ?? '', line.raw.words ?? ''))
  }
  await home.close()
})

test('a line has the members of the format page and no others', async () => {
  const home = await filledLedger()
  const { entries } = await exported(home)
  for (const line of entries) {
    const index = Number(line['index'])
    const spoken = [1, 4].includes(index)
    const forgotten = [2, 3, 5].includes(index)
    assert.equal(
      Object.keys(line),
      [...headerNames, 'hash', 'salt', 'data', ...(spoken ? ['wordsSalt', 'words'] : forgotten ? ['erased'] : []), 'raw'],
      `entry ${index}`,
    )
    assert.equal(Object.keys(line.raw), spoken ? ['header', 'payload', 'words'] : ['header', 'payload'])
    assert.is('words' in line.data, spoken || forgotten)
  }
  assert.equal(entries[4]?.words, { text: 'line\nfeed "quoted" \\ \u2028' })
  await home.close()
})

test('forgotten words are replaced by the index of a payload.erased that names the entry', async () => {
  const home = await filledLedger()
  const { entries } = await exported(home)
  assert.equal([entries[2]?.erased, entries[5]?.erased], [7, 8])
  for (const line of entries.filter(({ erased }) => erased !== undefined)) {
    const erasure = entries[line.erased ?? -1]
    assert.is(erasure?.['type'], 'payload.erased')
    const ranges = erasure?.data['entries'] as [number, number][]
    const index = Number(line['index'])
    assert.ok(ranges.some(([first, last]) => first <= index && index <= last))
  }
  await home.close()
})

test('an export of facts alone holds no words and says so', async () => {
  const home = await filledLedger()
  const { entries, text } = await exported(home, { factsOnly: true })
  for (const index of [1, 4]) {
    assert.is(entries[index]?.withheld, true)
    assert.not('words' in (entries[index] ?? {}))
    assert.not('wordsSalt' in (entries[index] ?? {}))
    assert.equal(Object.keys(entries[index]?.raw ?? {}), ['header', 'payload'])
  }
  for (const index of [0, 6, 7]) assert.not('withheld' in (entries[index] ?? {}), `entry ${index} has no words`)
  for (const word of ['quoted', '20261129_204900']) assert.not(text.includes(word))
  await home.close()
})

test('the verifier finds nothing in an export, and of one of facts alone it notes what was withheld', async () => {
  const home = await filledLedger()
  const folder = temporaryFolder()
  for (const [name, options, notes] of [
    ['whole.jsonl', {}, []],
    ['facts.jsonl', { factsOnly: true }, ['words_withheld']],
  ] as const) {
    const file = join(folder, name)
    writeFileSync(file, (await exported(home, options)).text)
    const { report } = await verifyExport(file)
    assert.equal([name, report.findings, report.size, report.assurance], [name, [], 9, 'signed'])
    assert.equal([...new Set(report.notes.map(({ code }) => code))], notes)
  }
  await home.close()
})

test('an export can end before the newest entry', async () => {
  const home = await filledLedger()
  const lines: string[] = []
  for await (const line of exportLines(home.ledger.reader, 3, 'a note')) lines.push(line)
  assert.is(lines.length, 4)
  assert.equal(JSON.parse(lines[3] ?? ''), { checkpoint: 'a note' })
  const second = JSON.parse(lines[2] ?? '') as Line
  assert.not('erased' in second, 'the erasure is not in it, so it cannot be named')
  await home.close()
})

test('the line of an entry stands by itself', async () => {
  const home = await filledLedger()
  const erasedBy = await readErasures(home.ledger.reader, home.ledger.size)
  const { entries } = await exported(home)
  for (const index of [0, 2, 4, 8]) {
    assert.equal(JSON.parse(exportLine(await home.ledger.reader.storedEntry(index), erasedBy)), entries[index])
  }
  assert.equal([0, 1, 2, 4, 5, 6].map(erasedBy), [undefined, undefined, 7, undefined, 8, undefined])
  await home.close()
})

test.run()
