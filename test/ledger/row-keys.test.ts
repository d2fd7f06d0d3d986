// Holds every row's key to bytes written by hand from the format page ("In LevelDB").
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  allOf,
  bytesToNumber,
  checkpointKey,
  dedupeKey,
  headerKey,
  hostSessionKey,
  type KeyRange,
  metaKey,
  numberedFrom,
  numberToBytes,
  payloadKey,
  readSessionKey,
  sessionKey,
  sessionRange,
  treeKey,
  treeLevelFrom,
  wordsKey,
} from '../../src/ledger/row-keys.js'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const handle = 's0123456789abcdef'
const digest = 'ff00'.repeat(16)

test('a number is eight bytes, big-endian, also above 2^32', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0000000000000000'],
    [1, '0000000000000001'],
    [255, '00000000000000ff'],
    [256, '0000000000000100'],
    [1024, '0000000000000400'],
    [0x7fff_ffff, '000000007fffffff'],
    [0x8000_0000, '0000000080000000'],
    [0xffff_ffff, '00000000ffffffff'],
    [0x1_0000_0000, '0000000100000000'],
    [0x1_0000_0005, '0000000100000005'],
    [1_796_000_000_000, '000001a229f12800'],
    [Number.MAX_SAFE_INTEGER, '001fffffffffffff'],
  ]
  for (const [number, bytes] of cases) {
    assert.is(hex(numberToBytes(number)), BigInt(number).toString(16).padStart(16, '0'), `${number}`)
    assert.is(hex(numberToBytes(number)), bytes, `${number}`)
    assert.is(bytesToNumber(Buffer.from(bytes, 'hex')), number)
    assert.is(bytesToNumber(Buffer.from(`aabb${bytes}cc`, 'hex'), 2), number)
  }
})

test('headers, payloads and words lie under one ASCII letter and the index', () => {
  assert.is(hex(headerKey(1)), '680000000000000001')
  assert.is(hex(payloadKey(258)), '700000000000000102')
  assert.is(hex(wordsKey(0x1_0000_0000)), '770000000100000000')
})

test('a tree row lies under its level and its position', () => {
  assert.is(hex(treeKey(0, 0)), `74${'0'.repeat(32)}`)
  assert.is(hex(treeKey(3, 17)), '7400000000000000030000000000000011')
})

test('a session row lies under the eight raw bytes of the handle and the index', () => {
  assert.is(hex(sessionKey(handle, 10)), '730123456789abcdef000000000000000a')
  assert.equal(readSessionKey(Buffer.from('730123456789abcdef000000000000000a', 'hex')), { handle, index: 10 })
})

test('a checkpoint lies under its epoch and its size', () => {
  assert.is(hex(checkpointKey(0, 1024)), '6300000000000000000000000000000400')
  assert.is(hex(checkpointKey(2, 5)), '6300000000000000020000000000000005')
})

test('digests lie there as their 32 raw bytes', () => {
  assert.is(hex(hostSessionKey(digest)), `69${digest}`)
  assert.is(hex(dedupeKey(digest)), `64${digest}`)
})

test('the rows of the head lie under their names', () => {
  assert.is(hex(metaKey('ledger')), '6d6c6564676572')
  assert.is(hex(metaKey('epoch')), '6d65706f6368')
  assert.is(hex(metaKey('size')), '6d73697a65')
  assert.is(hex(metaKey('head')), '6d68656164')
})

test('the order of the keys is the order of the numbers', () => {
  const numbers = [0, 1, 9, 10, 99, 100, 255, 256, 65_535, 65_536, 0xffff_ffff, 0x1_0000_0000, Number.MAX_SAFE_INTEGER]
  const keys = numbers.map((number) => hex(headerKey(number)))
  assert.equal([...keys].sort(), keys)
})

test('a range over a tag holds all of its rows and none of the tag beside it', () => {
  for (const tag of ['h', 'p', 'w', 't', 's', 'i', 'c', 'd', 'm'] as const) {
    const next = String.fromCharCode(tag.charCodeAt(0) + 1)
    const range = allOf(tag)
    assert.ok(holds(range, Buffer.from(tag)))
    assert.ok(holds(range, Buffer.concat([Buffer.from(tag), Buffer.alloc(40, 0xff)])))
    assert.not(holds(range, Buffer.from(next)))
    assert.not(holds(range, Buffer.from(String.fromCharCode(tag.charCodeAt(0) - 1).padEnd(9, '\xff'), 'latin1')))
  }
})

test('a range from an index on begins with it and ends with its tag', () => {
  const range = numberedFrom('h', 5)
  assert.not(holds(range, headerKey(4)))
  assert.ok(holds(range, headerKey(5)))
  assert.ok(holds(range, headerKey(Number.MAX_SAFE_INTEGER)))
  assert.not(holds(range, hostSessionKey(digest)))
})

test('the range of a session holds all its entries and no other session', () => {
  const range = sessionRange(handle)
  assert.ok(holds(range, sessionKey(handle, 0)))
  assert.ok(holds(range, sessionKey(handle, Number.MAX_SAFE_INTEGER)))
  assert.not(holds(range, sessionKey('s0123456789abcdf0', 0)))
  assert.not(holds(range, sessionKey('s0123456789abcdee', Number.MAX_SAFE_INTEGER)))
  const last = sessionRange('sffffffffffffffff')
  assert.ok(holds(last, sessionKey('sffffffffffffffff', 7)))
  assert.not(holds(last, treeKey(0, 0)))
})

test('a range over a level of the tree begins at a position and ends with the level', () => {
  const range = treeLevelFrom(2, 3)
  assert.not(holds(range, treeKey(2, 2)))
  assert.ok(holds(range, treeKey(2, 3)))
  assert.ok(holds(range, treeKey(2, Number.MAX_SAFE_INTEGER)))
  assert.not(holds(range, treeKey(3, 0)))
})

function holds({ from, to }: KeyRange, key: Uint8Array): boolean {
  return Buffer.compare(key, from) >= 0 && Buffer.compare(key, to) < 0
}

test.run()
