// Holds every hash of the format to published values and to node:crypto, which the writer does not use.
import { createHash, createHmac } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type DigestUse,
  emptyRoot,
  fromHex,
  keyedDigest,
  leafHash,
  nodeHash,
  payloadCommitment,
  sha256,
  toHex,
  wordsCommitment,
  zeroHash,
} from '../../src/foundation/digest.js'
import { makeRandom } from '../support/seeded-random.js'

const test = suite('digest')

const salt = '2bc990059473448e6ebd442aa16bfaa0'
const secret = Buffer.alloc(32, 0x5a)
const uses: readonly DigestUse[] = ['text', 'arguments', 'session', 'target', 'dedupe', 'file']

test('SHA-256 gives the digests of FIPS 180-4', () => {
  assert.is(toHex(sha256(Buffer.from(''))), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  assert.is(toHex(sha256(Buffer.from('abc'))), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.is(
    toHex(sha256(Buffer.from('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'))),
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  )
})

test('SHA-256 agrees with node:crypto at every length around the block borders', () => {
  const random = makeRandom(1804)
  for (let length = 0; length <= 200; length += 1) {
    const bytes = random.bytes(length)
    assert.is(toHex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'), `${length} bytes`)
  }
})

test('the leaf hash is that of RFC 6962', () => {
  assert.is(toHex(leafHash(Buffer.alloc(0))), '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
  assert.is(toHex(leafHash(Buffer.from('L123456'))), '395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56')
})

test('the node hash is that of RFC 6962', () => {
  assert.is(
    toHex(nodeHash(Buffer.from('N123'), Buffer.from('N456'))),
    'aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb',
  )
})

test('the empty root is the hash of the empty string', () => {
  assert.is(toHex(emptyRoot()), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test('leaf and node hashes make the published roots of the standard leaves', () => {
  const leaf = (hex: string): Uint8Array => leafHash(Buffer.from(hex, 'hex'))
  const [a, b, c, d] = [leaf(''), leaf('00'), leaf('10'), leaf('2021')]
  const [e, f, g, h] = [leaf('3031'), leaf('40414243'), leaf('5051525354555657'), leaf('606162636465666768696a6b6c6d6e6f')]
  const [ab, cd, ef, gh] = [nodeHash(a, b), nodeHash(c, d), nodeHash(e, f), nodeHash(g, h)]
  const abcd = nodeHash(ab, cd)
  assert.is(toHex(a), '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
  assert.is(toHex(ab), 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125')
  assert.is(toHex(nodeHash(ab, c)), 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77')
  assert.is(toHex(abcd), 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7')
  assert.is(toHex(nodeHash(abcd, e)), '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4')
  assert.is(toHex(nodeHash(abcd, ef)), '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef')
  assert.is(toHex(nodeHash(abcd, nodeHash(ef, g))), 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c')
  assert.is(toHex(nodeHash(abcd, nodeHash(ef, gh))), '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328')
})

test('leaf and node hashes agree with node:crypto', () => {
  const random = makeRandom(6962)
  for (let round = 0; round < 100; round += 1) {
    const [data, left, right] = [random.bytes(random.int(300)), random.bytes(32), random.bytes(32)]
    assert.is(toHex(leafHash(data)), hexOf(Buffer.from([0]), data))
    assert.is(toHex(nodeHash(left, right)), hexOf(Buffer.from([1]), left, right))
  }
})

test('the hash before the first entry is 64 zeros', () => {
  assert.is(zeroHash, '0000000000000000000000000000000000000000000000000000000000000000')
})

/** A row as it is stored: the salt followed directly by the canonical JSON. */
const row = (salt: string, canonical: string): Buffer => Buffer.from(salt + canonical)

test('a payload commitment hashes its label, the salt as text and the canonical payload', () => {
  for (const canonical of ['{}', '{"a":1}', '{"text":"我决定周五发布\u{1F600}"}']) {
    assert.is(payloadCommitment(row(salt, canonical)), hexOf(`stele/payload/v1\n${salt}\n${canonical}`))
  }
})

test('a words commitment hashes its own label, so that words cannot pass for a payload', () => {
  for (const canonical of ['{}', '{"a":1}', '{"text":"我决定周五发布\u{1F600}"}']) {
    assert.is(wordsCommitment(row(salt, canonical)), hexOf(`stele/words/v1\n${salt}\n${canonical}`))
  }
  assert.is.not(wordsCommitment(row(salt, '{}')), payloadCommitment(row(salt, '{}')))
})

test('the commitments of vectors 0 and 1 come out', () => {
  const vkey = 'stele.local/000102030405060708090a0b0c0d0e0f+84cb1e05+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
  const created = `{"format":1,"ledger":"000102030405060708090a0b0c0d0e0f","program":"reference 0","vkey":"${vkey}"}`
  assert.is(payloadCommitment(row(salt, created)), '4ef42a3d611169bc0422dee8a2b0694b5df5e45a2b4cdf8a5d2fea799008a3d0')
  const words = wordsCommitment(row('61171957ad75e92440461a1d204911cf', '{"session":"20261129_204900_a1b2c3"}'))
  assert.is(words, 'cb7a81b95040b044e2cfa180b7b474a63583bee8ba328f88866bf607282822bb')
  assert.is(
    payloadCommitment(row('dc90cf07de907ccc64636ceddb38e552', `{"platform":"cli","words":"${words}"}`)),
    '90862ccbddb9938353090f80864fbc0be33bcd563de67b7d2558b034039629ed',
  )
})

test('a keyed digest is HMAC-SHA-256 over its label, its use and the bytes, for text and for bytes', () => {
  const random = makeRandom(2104)
  for (const use of uses) {
    for (const text of ['', 'I decided we ship on Friday', '我决定周五发布\u{1F600}', 'a\nb']) {
      assert.is(keyedDigest(secret, use, text), hmacOf(use, Buffer.from(text, 'utf8')), `${use} of a text`)
      assert.is(keyedDigest(secret, use, Buffer.from(text, 'utf8')), keyedDigest(secret, use, text), 'a text is its UTF-8')
    }
    for (const length of [0, 1, 63, 64, 65, 1000]) {
      const bytes = random.bytes(length)
      assert.is(keyedDigest(secret, use, bytes), hmacOf(use, bytes), `${use} of ${length} bytes`)
    }
  }
})

test('a keyed digest differs by use and by secret', () => {
  const digests = uses.map((use) => keyedDigest(secret, use, 'same'))
  assert.is(new Set(digests).size, uses.length)
  assert.is.not(keyedDigest(Buffer.alloc(32, 1), 'text', 'same'), keyedDigest(secret, 'text', 'same'))
  for (const digest of digests) assert.match(digest, /^[0-9a-f]{64}$/)
})

test('hex is lower case, two characters a byte, and reads back', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  assert.is(toHex(bytes), bytes.toString('hex'))
  assert.equal(Buffer.from(fromHex(bytes.toString('hex'))), bytes)
  assert.is(toHex(new Uint8Array()), '')
  assert.is(fromHex('').length, 0)
})

function hexOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

function hmacOf(use: string, bytes: Uint8Array): string {
  return createHmac('sha256', secret).update(`stele/digest/v1\n${use}\n`).update(bytes).digest('hex')
}

test.run()
