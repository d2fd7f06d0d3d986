// Holds the check sum to the vectors of RFC 3720, appendix B.4, and its stored form to arithmetic with whole numbers.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { crc32c, storedCrc32c } from '../../src/ledger/crc32c.js'
import { makeRandom } from '../support/seeded-random.js'

const ascending = Buffer.from(Array.from({ length: 32 }, (_, at) => at))

test('the vectors of RFC 3720 come out', () => {
  assert.is(crc32c(Buffer.alloc(32)), 0x8a9136aa)
  assert.is(crc32c(Buffer.alloc(32, 0xff)), 0x62a8ab43)
  assert.is(crc32c(ascending), 0x46dd794e)
  assert.is(crc32c(Buffer.from(ascending).reverse()), 0x113fdb5c)
  assert.is(crc32c(Buffer.from('123456789')), 0xe3069283)
  assert.is(crc32c(Buffer.from('xx123456789yy'), 2, 11), 0xe3069283)
})

test('the stored form is the sum turned right by 15 bits plus the constant of the format', () => {
  const random = makeRandom(3)
  for (let round = 0; round < 50; round += 1) {
    const bytes = random.bytes(random.int(100))
    const sum = BigInt(crc32c(bytes))
    const turned = ((sum >> 15n) | (sum << 17n)) & 0xffffffffn
    assert.is(BigInt(storedCrc32c(bytes)), (turned + 0xa282ead8n) & 0xffffffffn)
  }
})

test.run()
