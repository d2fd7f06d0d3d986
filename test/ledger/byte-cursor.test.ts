// Holds the reader of numbers and bytes to published examples, and to refusals at the end of what it is given.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ByteCursor } from '../../src/ledger/byte-cursor.js'
import { throwsWithCode } from '../support/rejects-with-code.js'

const cursor = (hex: string): ByteCursor => new ByteCursor(Buffer.from(hex, 'hex'))

test('numbers of seven bits a byte are read as the published examples say', () => {
  for (const [hex, value] of [
    ['00', 0],
    ['01', 1],
    ['7f', 127],
    ['8001', 128],
    ['ac02', 300],
    ['feff7f', 2097150],
    ['ffffffff0f', 4294967295],
    ['ffffffffffffff0f', 2 ** 53 - 1],
  ] as const) {
    assert.is(cursor(hex).varint(), value, hex)
  }
})

test('numbers of four and eight bytes begin with the lowest', () => {
  assert.is(cursor('01020304').fixed32(), 0x04030201)
  assert.is(cursor('ffffffff').fixed32(), 0xffffffff)
  assert.is(cursor('0100000002000000').fixed64(), 0x2_0000_0001)
})

test('one thing is read after the other, and what is left is counted', () => {
  const bytes = cursor('05aabbcc')
  assert.is(bytes.byte(), 5)
  assert.is(bytes.left, 3)
  assert.is(Buffer.from(bytes.take(2)).toString('hex'), 'aabb')
  assert.is(bytes.at, 3)
})

test('nothing is read beyond the end, and a number must have one', () => {
  throwsWithCode(() => cursor('').byte(), 'STORE_UNREADABLE')
  throwsWithCode(() => cursor('0102').take(3), 'STORE_UNREADABLE')
  throwsWithCode(() => cursor('010203').fixed32(), 'STORE_UNREADABLE')
  throwsWithCode(() => cursor('8080').varint(), 'STORE_UNREADABLE')
  throwsWithCode(() => cursor('ff'.repeat(11)).varint(), 'STORE_UNREADABLE')
})

test.run()
