// Holds the reading of tables to one made by hand, and to what another reader finds in tables that LevelDB wrote.
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { openStore } from '../../src/ledger/store.js'
import { type BlockWanted, readTableFile, type StoredRow } from '../../src/ledger/table-file.js'
import { decodeTable } from '../support/decode-store.js'
import { type MadeRow, tableOf } from '../support/made-level-files.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const byHand: readonly (readonly MadeRow[])[] = [
  [
    { key: 'apple', sequence: 9, value: undefined },
    { key: 'apple', sequence: 3, value: 'red' },
    { key: 'apples', sequence: 2, value: '' },
  ],
  [
    { key: 'pear', sequence: 2 ** 40, value: 'green' },
    { key: 'pear', sequence: 5, value: 'yellow' },
  ],
  [{ key: 'pear', sequence: 1, value: 'brown' }],
]

test('a table made by hand gives its rows, deletions and older versions too, in its order', () => {
  const path = fileOf(tableOf(byHand))
  assert.equal([...readTableFile(path)].map(said), byHand.flat().map(saidOf))
})

test('only blocks that are wanted are read, and the keys at both ends of a block are told right', () => {
  const path = fileOf(tableOf(byHand))
  const asked: (string | undefined)[][] = []
  const rows = [
    ...readTableFile(path, (above, upTo) => {
      asked.push([above && Buffer.from(above).toString(), Buffer.from(upTo).toString()])
      return asked.length === 2
    }),
  ]
  assert.equal(asked, [
    [undefined, 'apples'],
    ['apples', 'pear'],
    ['pear', 'pear'],
  ])
  assert.equal(rows.map(said), byHand[1]?.map(saidOf))
})

test('tables that LevelDB wrote, packed and with keys of many forms, give what another reader finds', async () => {
  for (const path of await writtenTables()) {
    assert.equal([...readTableFile(path)].map(asHex), decodeTable(path).map(asDecoded))
  }
})

test('leaving out blocks by the index leaves out no row of the keys that were asked for', async () => {
  const random = makeRandom(8)
  for (const path of await writtenTables()) {
    const all = decodeTable(path)
    for (let round = 0; round < 40; round += 1) {
      const [from = '', to = ''] = [random.pick(all).key, random.pick(all).key].sort()
      const isWanted: BlockWanted = (above, upTo) => (above === undefined || hex(above) <= to) && hex(upTo) >= from
      const inside = [...readTableFile(path, isWanted)].map(asHex).filter(({ key }) => key >= from && key <= to)
      assert.equal(
        inside,
        all.map(asDecoded).filter(({ key }) => key >= from && key <= to),
      )
    }
  }
})

test('a table that is cut short, empty or none at all is refused', () => {
  const whole = tableOf(byHand)
  for (const length of [0, 1, 47, 48, whole.length - 48, whole.length - 1]) {
    const path = fileOf(whole)
    truncateSync(path, length)
    throwsWithCode(() => [...readTableFile(path)], 'STORE_UNREADABLE')
  }
  throwsWithCode(() => [...readTableFile(fileOf(Buffer.alloc(500, 'no table')))], 'STORE_UNREADABLE')
})

test('a flipped bit in anything that is read is refused, whatever it was', () => {
  const whole = tableOf(byHand)
  let refused = 0
  for (let at = 0; at < whole.length * 8; at += 1) {
    const flipped = Buffer.from(whole)
    flipped[at >> 3] = (flipped[at >> 3] ?? 0) ^ (1 << (at & 7))
    try {
      // What is not refused lies where nothing is read: the block of the filter, and the footer's word of it.
      assert.equal([...readTableFile(fileOf(flipped))].map(said), byHand.flat().map(saidOf))
    } catch (error) {
      assert.ok(error instanceof SteleError && error.code === 'STORE_UNREADABLE', String(error))
      refused += 1
    }
  }
  assert.ok(refused > whole.length * 6, `${refused} of ${whole.length * 8}`)
})

test('an index that leaves a gap between blocks, or whose keys go down, is not trusted', () => {
  const good = tableOf(byHand)
  assert.ok(readFileSync(fileOf(good)).equals(good))
  throwsWithCode(() => [...readTableFile(fileOf(tableOf([...byHand].reverse())), () => false)], 'STORE_UNREADABLE')
  const withGap = Buffer.concat([Buffer.alloc(3), good])
  throwsWithCode(() => [...readTableFile(fileOf(withGap), () => false)], 'STORE_UNREADABLE')
})

let written: Promise<string[]> | undefined

function writtenTables(): Promise<string[]> {
  written ??= writeTables()
  return written
}

async function writeTables(): Promise<string[]> {
  const folder = join(temporaryFolder(), 'store')
  const store = await openStore(folder, { create: true })
  const random = makeRandom(4)
  for (let round = 0; round < 12; round += 1) {
    const keys = Array.from({ length: 300 }, () =>
      Buffer.concat([Buffer.from(random.pick(['h', 'i', 'w'])), random.bytes(random.int(9))]),
    )
    const puts = keys.map((key) => ({
      key,
      value: random.chance(3) ? random.bytes(random.int(400)) : Buffer.alloc(random.int(900), 'word '),
    }))
    await store.write(
      puts,
      keys.slice(0, 20).map((key) => Buffer.concat([key, Buffer.of(1)])),
    )
    if (round % 4 === 3) await store.compact({ from: Buffer.of(0), to: Buffer.of(random.int(200)) })
  }
  await store.write([{ key: Buffer.from('w-large'), value: random.bytes(300_000) }])
  await store.compact({ from: Buffer.of(0), to: Buffer.of(0) })
  await store.close()
  const tables = readdirSync(folder).filter((name) => name.endsWith('.ldb'))
  assert.ok(tables.length > 0)
  return tables.map((name) => join(folder, name))
}

function fileOf(bytes: Buffer): string {
  const path = join(temporaryFolder(), '000005.ldb')
  writeFileSync(path, bytes)
  return path
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const said = ({ key, sequence, deleted, value }: StoredRow) =>
  [Buffer.from(key).toString(), sequence, deleted ? undefined : Buffer.from(value).toString()] as const
const saidOf = ({ key, sequence, value }: MadeRow) => [key, sequence, value] as const
const asHex = ({ key, sequence, deleted, value }: StoredRow) => ({ key: hex(key), sequence, deleted, value: hex(value) })
const asDecoded = ({ key, sequence, deleted, value }: ReturnType<typeof decodeTable>[number]) => ({
  key,
  sequence: Number(sequence),
  deleted,
  value: hex(value),
})

test.run()
