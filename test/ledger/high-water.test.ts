// Holds the high-water mark to its 64 bytes by the format page ("Loss, and new starts"); the check bytes were made by another program.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { markFromBytes, markToBytes, openHighWater, readMark } from '../../src/ledger/high-water.js'
import { markBytes } from '../support/reference-ledger.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// "STELEHW1", epoch, size, the bytes 20 to 3f as head, first eight bytes of SHA-256 by Python's hashlib.
const head = '202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f'
const marks = [
  { mark: { epoch: 0, size: 1, head }, hex: `5354454c4548573100000000000000000000000000000001${head}56a50d154e3ce261` },
  { mark: { epoch: 1, size: 1024, head }, hex: `5354454c4548573100000000000000010000000000000400${head}d10533857c8a9850` },
  { mark: { epoch: 2, size: 2 ** 40 + 5, head }, hex: `5354454c4548573100000000000000020000010000000005${head}86e913a55d09bc7c` },
] as const

const newFile = (): string => join(temporaryFolder(), 'high-water')

test('a mark is the 64 bytes of the format page', () => {
  for (const { mark, hex } of marks) {
    assert.is(Buffer.from(markToBytes(mark)).toString('hex'), hex)
    assert.is(markBytes(mark.epoch, mark.size, mark.head).toString('hex'), hex, 'the reference agrees')
    assert.equal(markFromBytes(Buffer.from(hex, 'hex')), mark)
  }
})

test('a mark with any bit flipped is unreadable', () => {
  const bytes = Buffer.from(marks[1].hex, 'hex')
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const bent = Buffer.from(bytes)
    bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.is(markFromBytes(bent), 'unreadable', `bit ${bit}`)
  }
})

test('a mark that is too short, too long, empty or of another format is unreadable', () => {
  const bytes = Buffer.from(marks[0].hex, 'hex')
  for (let length = 0; length < 64; length += 1) assert.is(markFromBytes(bytes.subarray(0, length)), 'unreadable', `${length}`)
  assert.is(markFromBytes(Buffer.concat([bytes, Buffer.of(0)])), 'unreadable')
  assert.is(markFromBytes(Buffer.alloc(64)), 'unreadable')
  // Sound check bytes over another magic: made by Python's hashlib over "STELEHW2".
  const other = Buffer.from(
    '5354454c4548573200000000000000000000000000000001202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3fe8d05dfc84e77ce5',
    'hex',
  )
  assert.is(other.length, 64)
  assert.is(markFromBytes(other), 'unreadable')
})

test('a file that is not there holds no mark, one that cannot be read is an error, and a bent one is told', () => {
  const file = newFile()
  assert.is(readMark(file), undefined)
  writeFileSync(file, Buffer.from(marks[2].hex, 'hex'))
  assert.equal(readMark(file), marks[2].mark)
  writeFileSync(file, Buffer.from(marks[2].hex, 'hex').subarray(1))
  assert.is(readMark(file), 'unreadable')
  const folder = newFile()
  mkdirSync(folder)
  throwsWithCode(() => readMark(folder), 'FILE_UNREADABLE')
})

test('a mark is overwritten in place, and a file made for it is private', () => {
  const file = newFile()
  const highWater = openHighWater(file)
  const { ino } = statSync(file)
  for (const { mark, hex } of marks) {
    highWater.write(mark)
    highWater.sync()
    assert.is(readFileSync(file).toString('hex'), hex)
  }
  highWater.close()
  assert.is(statSync(file).ino, ino)
  assert.is(statSync(file).size, 64)
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600)
})

test('a file that was made and never written to holds no mark', () => {
  const file = newFile()
  openHighWater(file).close()
  assert.is(statSync(file).size, 0)
  assert.is(readMark(file), undefined)
  writeFileSync(file, Buffer.of(0))
  assert.is(readMark(file), 'unreadable', 'one byte is something else')
})

test('opening a mark for writing leaves what it says until the first write', () => {
  const file = newFile()
  writeFileSync(file, Buffer.from(marks[0].hex, 'hex'))
  const highWater = openHighWater(file)
  assert.equal(readMark(file), marks[0].mark)
  highWater.write(marks[1].mark)
  assert.equal(readMark(file), marks[1].mark)
  highWater.close()
})

test('a mark that cannot be opened for writing is an error', () => {
  throwsWithCode(() => openHighWater(join(newFile(), 'deeper')), 'FILE_UNWRITABLE')
})

test.run()
