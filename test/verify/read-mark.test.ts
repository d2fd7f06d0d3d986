// Holds the verifier's reading of a high-water mark to bytes made by another program, and to what the writer writes.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { markFromBytes, markToBytes } from '../../src/ledger/high-water.js'
import { readStoredMark } from '../../src/verify/read-mark.js'
import { markBytes } from '../support/reference-ledger.js'
import { makeRandom } from '../support/seeded-random.js'

// By hand from the format page: magic, epoch 1, size 1024, head, first eight bytes of SHA-256 by Python's hashlib.
const head = '202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f'
const byHand = Buffer.from(`5354454c4548573100000000000000010000000000000400${head}d10533857c8a9850`, 'hex')

test('the 64 bytes of the format page are read', () => {
  assert.equal(readStoredMark(byHand), { epoch: 1, size: 1024, head })
})

test('a mark with any bit flipped, cut short or with more behind it is not read', () => {
  for (let bit = 0; bit < byHand.length * 8; bit += 1) {
    const bent = Buffer.from(byHand)
    bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.is(readStoredMark(bent), undefined, `bit ${bit}`)
  }
  for (let length = 0; length < 64; length += 1) assert.is(readStoredMark(byHand.subarray(0, length)), undefined, `${length}`)
  assert.is(readStoredMark(Buffer.concat([byHand, Buffer.of(0)])), undefined)
})

test('writer, verifier and reference agree on marks of every size', () => {
  const random = makeRandom(64)
  for (let round = 0; round < 200; round += 1) {
    const mark = { epoch: random.int(5), size: random.int(2 ** random.int(53) + 1), head: random.hex(32) }
    const bytes = markBytes(mark.epoch, mark.size, mark.head)
    assert.is(Buffer.from(markToBytes(mark)).toString('hex'), bytes.toString('hex'))
    assert.equal(readStoredMark(bytes), mark)
    assert.equal(markFromBytes(bytes), mark)
    const junk = random.bytes(64)
    assert.is(readStoredMark(junk) === undefined, markFromBytes(junk) === 'unreadable')
  }
})

test.run()
