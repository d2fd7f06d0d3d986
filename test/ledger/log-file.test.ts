// Holds the reading of logs to pieces made by hand, to the example of the format page, and to logs that LevelDB wrote.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { readLogFile } from '../../src/ledger/log-file.js'
import { openStore } from '../../src/ledger/store.js'
import { decodeStore } from '../support/decode-store.js'
import { logBatch, logPiece } from '../support/made-level-files.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const blockBytes = 32_768
type Read = readonly [key: string, sequence: number, value: string | undefined]

test('puts and deletes of a batch come in its order, numbered from its first', () => {
  const batch = logBatch(7, [
    { key: 'a', value: '1' },
    { key: 'b', value: undefined },
    { key: 'c', value: '' },
  ])
  assert.equal(readBytes(logPiece(1, batch)), [
    ['a', 7, '1'],
    ['b', 8, undefined],
    ['c', 9, ''],
  ])
  assert.equal(readBytes(Buffer.alloc(0)), [])
})

test('the example of the format page, three records over four blocks, is read whole', () => {
  const a = batchOfLength(1000, 1)
  const b = batchOfLength(97_270, 2)
  const c = batchOfLength(8000, 3)
  const inFirst = blockBytes - (7 + 1000) - 7
  const inThird = 97_270 - inFirst - (blockBytes - 7)
  const log = Buffer.concat([
    logPiece(1, a),
    logPiece(2, b.subarray(0, inFirst)),
    logPiece(3, b.subarray(inFirst, inFirst + blockBytes - 7)),
    logPiece(4, b.subarray(inFirst + blockBytes - 7)),
    Buffer.alloc(6),
    logPiece(1, c),
  ])
  assert.is(7 + inThird + 6, blockBytes, 'six bytes stay free in the third block, as the page says')
  assert.equal(
    readBytes(log).map(([key, , value]) => [key, value?.length]),
    [
      ['k1', 1000 - overheadOf(1000)],
      ['k2', 97_270 - overheadOf(97_270)],
      ['k3', 8000 - overheadOf(8000)],
    ],
  )
})

test('exactly seven bytes at the end of a block hold a first piece without bytes', () => {
  const first = batchOfLength(blockBytes - 7 - 7, 1)
  const second = batchOfLength(100, 2)
  const log = Buffer.concat([logPiece(1, first), logPiece(2, Buffer.alloc(0)), logPiece(4, second)])
  assert.equal(
    readBytes(log).map(([key]) => key),
    ['k1', 'k2'],
  )
})

test('a log may end anywhere: whole batches are read, and of the last one what is there', () => {
  const first = logPiece(1, logBatch(1, [{ key: 'first', value: 'one' }]))
  const second = logPiece(
    1,
    logBatch(2, [
      { key: 'second', value: 'two' },
      { key: 'third', value: 'three and more' },
    ]),
  )
  const log = Buffer.concat([first, second])
  for (let length = 0; length <= log.length; length += 1) {
    const keys = readBytes(log.subarray(0, length)).map(([key]) => key)
    const inSecond = length - first.length - 7
    // A row counts from where its kind, its key and the length of its value are there.
    const expected = [
      ...(length - 7 >= 12 + 1 + 6 + 1 ? ['first'] : []),
      ...(inSecond >= 12 + 1 + 7 + 1 ? ['second'] : []),
      ...(inSecond >= 12 + 1 + 7 + 4 + 1 + 6 + 1 ? ['third'] : []),
    ]
    assert.equal(keys, expected, `${length} bytes`)
  }
  assert.equal(readBytes(log.subarray(0, log.length - 9)).at(-1), ['third', 3, 'three'])
})

test('zeros that were set aside for later are no damage, and anything else there is', () => {
  const piece = logPiece(1, logBatch(1, [{ key: 'a', value: '1' }]))
  assert.is(readBytes(Buffer.concat([piece, Buffer.alloc(100_000)])).length, 1)
  const dirty = Buffer.concat([piece, Buffer.alloc(100_000)])
  dirty[50_000] = 1
  throwsWithCode(() => readBytes(dirty), 'STORE_UNREADABLE')
})

test('damage anywhere but at the end is refused: a flipped bit, a piece without its beginning, a wrong count', () => {
  const batch = logBatch(1, [{ key: 'a', value: '1' }])
  const more = logPiece(1, logBatch(2, [{ key: 'b', value: '2' }]))
  const wrongCount = Buffer.from(batch)
  wrongCount.writeUInt32LE(2, 8)
  for (const bad of [
    [logPiece(4, batch), more],
    [logPiece(3, batch), more],
    [logPiece(2, batch), more],
    [logPiece(5, batch), more],
    [logPiece(1, wrongCount), more],
    [logPiece(1, Buffer.concat([batch, Buffer.of(2)])), more],
    [logPiece(1, batch.subarray(0, 11)), more],
    [logPiece(1, batch.subarray(0, 14)), more],
  ]) {
    throwsWithCode(() => readBytes(Buffer.concat(bad)), 'STORE_UNREADABLE')
  }
  const log = Buffer.concat([logPiece(1, batch), more])
  for (let bit = 0; bit < (log.length - more.length) * 8; bit += 1) {
    const flipped = Buffer.from(log)
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    try {
      // A length that now reaches beyond the end looks like an end that is cut short: the row is still told.
      const keys = readBytes(flipped).map(([key]) => key)
      assert.ok(keys.includes('a'), `bit ${bit}`)
    } catch (error) {
      assert.ok(error instanceof SteleError && error.code === 'STORE_UNREADABLE', `bit ${bit}: ${error}`)
    }
  }
})

test('a log that LevelDB wrote gives what another reader finds in it', async () => {
  const folder = join(temporaryFolder(), 'store')
  const store = await openStore(folder, { create: true })
  const random = makeRandom(6)
  for (let round = 0; round < 60; round += 1) {
    const puts = Array.from({ length: 1 + random.int(30) }, () => ({
      key: random.bytes(1 + random.int(20)),
      value: random.bytes(random.int(random.chance(20) ? 90_000 : 900)),
    }))
    await store.write(puts, [random.bytes(9)])
  }
  await store.close()
  const [log = ''] = readdirSync(folder).filter((name) => name.endsWith('.log'))
  const ours = [...readLogFile(join(folder, log))].map(({ key, sequence, deleted, value }) => ({
    key: Buffer.from(key).toString('hex'),
    sequence: BigInt(sequence),
    deleted,
    value: Buffer.from(value).toString('hex'),
  }))
  const theirs = decodeStore(folder).filter(({ file }) => file === log)
  assert.ok(theirs.length > 500)
  assert.equal(
    ours,
    theirs.map(({ key, sequence, deleted, value }) => ({ key, sequence, deleted, value: value.toString('hex') })),
  )
  assert.ok(readFileSync(join(folder, log)).length > 3 * blockBytes)
})

function readBytes(bytes: Buffer): Read[] {
  const path = join(temporaryFolder(), '000003.log')
  writeFileSync(path, bytes)
  return [...readLogFile(path)].map(({ key, sequence, deleted, value }) => [
    Buffer.from(key).toString(),
    sequence,
    deleted ? undefined : Buffer.from(value).toString(),
  ])
}

/** Of the bytes of a batch with one row under a key of two bytes, how many are not its value. */
function overheadOf(length: number): number {
  const valueLengthBytes = length < 128 ? 1 : length < 16_400 ? 2 : 3
  return 12 + 1 + 1 + 2 + valueLengthBytes
}

function batchOfLength(length: number, number: number): Buffer {
  const batch = logBatch(number, [{ key: `k${number}`, value: 'v'.repeat(length - overheadOf(length)) }])
  assert.is(batch.length, length)
  return batch
}

test.run()
