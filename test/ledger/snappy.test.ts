// Holds the unpacking of Snappy to bytes made by hand from its format page, to what another packer makes, and to refusals.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { unpackSnappy } from '../../src/ledger/snappy.js'
import { packWithSnappyjs } from '../support/decode-store.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { makeRandom, type Random } from '../support/seeded-random.js'

const unpacked = (hex: string): string => Buffer.from(unpackSnappy(Buffer.from(hex, 'hex'))).toString('latin1')
const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex')

test('literals and the three kinds of copy are unpacked as the format page says', () => {
  assert.is(unpacked('00'), '')
  // Length 5; a literal of 5: (5 - 1) << 2.
  assert.is(unpacked(`0510${hex('hello')}`), 'hello')
  // Literal "abcd"; copy of one byte of offset: length 4 + (m & 7) = 6, offset 4: reaches into what it writes.
  assert.is(unpacked(`0a0c${hex('abcd')}0904`), 'abcdabcdab')
  // Copy of two bytes of offset: length (m + 1) = 4.
  assert.is(unpacked(`080c${hex('abcd')}0e0400`), 'abcdabcd')
  // Copy of four bytes of offset: length (m + 1) = 3, offset 1.
  assert.is(unpacked(`070c${hex('abcd')}0b01000000`), 'abcdddd')
})

test('a literal of more than 60 bytes says its length in one to four bytes behind the tag', () => {
  const text = 'x'.repeat(70)
  assert.is(unpacked(`46f045${hex(text)}`), text)
  assert.is(unpacked(`46f44500${hex(text)}`), text)
  assert.is(unpacked(`46f8450000${hex(text)}`), text)
  assert.is(unpacked(`46fc45000000${hex(text)}`), text)
})

test('the high bits of a copy with one byte of offset are in its tag', () => {
  const text = Array.from({ length: 300 }, (_, at) => String.fromCharCode(at % 251)).join('')
  // 304 = b0 02; literal of 300 in two bytes; offset 300 = 1 * 256 + 44: tag bits 5 to 7 hold the 1.
  assert.is(unpacked(`b002f42b01${hex(text)}212c`), text + text.slice(0, 4))
})

test('what another packer makes of texts, of chance and of both comes back whole', () => {
  const random = makeRandom(20261)
  for (let round = 0; round < 200; round += 1) {
    const bytes = someBytes(random)
    assert.ok(Buffer.from(unpackSnappy(packWithSnappyjs(bytes))).equals(bytes), `round ${round}`)
  }
})

test('what is not whole Snappy is refused', () => {
  for (const [bad, why] of [
    ['', 'no length'],
    ['8080', 'a length without an end'],
    ['05', 'nothing behind the length'],
    [`0510${hex('hell')}`, 'a literal cut short'],
    [`0410${hex('hello')}`, 'more than was said'],
    [`0610${hex('hello')}`, 'less than was said'],
    ['050104', 'a copy at the beginning'],
    [`080c${hex('abcd')}0e0500`, 'a copy from before the beginning'],
    [`080c${hex('abcd')}0e0000`, 'a copy of what is not there yet'],
    [`080c${hex('abcd')}0e04`, 'an offset cut short'],
    ['ffffffff0f00', 'a length that nothing so short can have'],
    ['46f8', 'the length of a literal cut short'],
  ] as const) {
    throwsWithCode(() => unpackSnappy(Buffer.from(bad, 'hex')), 'STORE_UNREADABLE')
    assert.ok(why)
  }
})

test('flipped and cut bytes give other bytes of the length that was said, or a refusal, and nothing else', () => {
  const random = makeRandom(77)
  let refused = 0
  for (let round = 0; round < 500; round += 1) {
    const packed = packWithSnappyjs(someBytes(random))
    if (packed.length === 0) continue
    const at = random.int(packed.length)
    packed[at] = (packed[at] ?? 0) ^ (1 << random.int(8))
    try {
      unpackSnappy(random.chance(3) ? packed.subarray(0, at) : packed)
    } catch (error) {
      assert.ok(error instanceof SteleError, String(error))
      refused += 1
    }
  }
  assert.ok(refused > 100, `${refused} were refused`)
})

function someBytes(random: Random): Buffer {
  const words = ['the ', 'ledger ', 'keeps ', 'what was said ', '好的 ', 'and nothing else; ']
  const parts: Buffer[] = []
  for (let count = random.int(60); count > 0; count -= 1) {
    parts.push(random.chance(4) ? random.bytes(random.int(200)) : Buffer.from(random.pick(words).repeat(1 + random.int(30))))
  }
  return Buffer.concat(parts)
}

test.run()
