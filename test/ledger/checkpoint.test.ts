// Holds signing keys, key ids, vkeys and signed heads to the deterministic vectors of the ledger facts (5.3) and to node:crypto.
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  checkpointName,
  keyId,
  newSigningKeyPem,
  publicKeyOf,
  readCheckpointText,
  readSigningKey,
  signCheckpoint,
  vkeyOf,
} from '../../src/ledger/checkpoint.js'
import { throwsWithCode } from '../support/rejects-with-code.js'

// RFC 8410: the PKCS #8 of an Ed25519 key is these 16 bytes and the seed; the seed is the bytes 00 to 1f.
const seed = Buffer.from(Array.from({ length: 32 }, (_, at) => at))
const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
const pem = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`

const publicKeyHex = '03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8'
const name = 'example.com/agent-ledger'
const vkey = 'example.com/agent-ledger+1ceb676d+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
const ledgerId = '000102030405060708090a0b0c0d0e0f'
const vectorVkey = `stele.local/${ledgerId}+84cb1e05+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4`

const heads = [
  {
    size: 0,
    root: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    blob: 'HOtnbTK/7rCaUgttmym1T+70Fkhdp80wjdzBeIj9rmRdGTawYwYaiRjtXMZAK+1q2Eso8Xc9QuDdjGpzlMwXICGOIAo=',
    noteHash: '774f2c87cf9cf3251a39872746fae85e5998628ac716ac6aa72da40c140e2132',
  },
  {
    size: 8,
    root: 'XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=',
    blob: 'HOtnbcth/gs6Gvlf1EPuqy4FQ6XVmHtuqnppgAgiNs+00Mh5+2qeLDk6GMtu+txGLMcl6e19RBJkB8MAQGwzH8uYvws=',
    noteHash: 'a5554fd0ab79306b43ce0df0d62cced0d467c3158ef3f417a24800b408115140',
  },
] as const

const key = readSigningKey(pem)

test('the key of the published seed has the published public key, id and vkey', () => {
  assert.is(Buffer.from(key.publicKey).toString('hex'), publicKeyHex)
  assert.is(Buffer.from(keyId(name, key.publicKey)).toString('hex'), '1ceb676d')
  assert.is(vkeyOf(name, key.publicKey), vkey)
  assert.is(vkeyOf(`stele.local/${ledgerId}`, key.publicKey), vectorVkey)
})

test('the signed heads of the published trees are the published notes, byte for byte', () => {
  for (const { size, root, blob, noteHash } of heads) {
    const note = signCheckpoint({ name, size, root: Buffer.from(root, 'base64') }, key)
    assert.is(note, `${name}\n${size}\n${root}\n\n\u2014 ${name} ${blob}\n`)
    assert.is(createHash('sha256').update(note).digest('hex'), noteHash)
  }
})

test('the signature of the receipt vector is made again', () => {
  const root = Buffer.from('h8ZD0oHZQjXuJJe6rPiPzULlEVNUX4rV8noZNd26XBo=', 'base64')
  const note = signCheckpoint({ name: `stele.local/${ledgerId}`, size: 6, root }, key)
  const blob = 'hMseBXy78JAqm6byR7q4tdLU7dnNT6LtDoDu9OhWIm4aMi5/orUNzjN5/5OrM4XzXHEV3Cn7NbAoMmR4CK+ap/cWjwQ='
  assert.ok(note.endsWith(`\n\n\u2014 stele.local/${ledgerId} ${blob}\n`))
})

test('a new key is Ed25519 in PKCS #8, another each time, and what it signs holds for node:crypto', () => {
  const one = readSigningKey(newSigningKeyPem())
  const other = readSigningKey(newSigningKeyPem())
  assert.is(one.publicKey.length, 32)
  assert.not.equal(Buffer.from(one.publicKey), Buffer.from(other.publicKey))
  const text = 'ein Satz, 好 😀\n'
  const x = Buffer.from(one.publicKey).toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  assert.is(one.sign(text).length, 64)
  assert.ok(verify(null, Buffer.from(text), publicKey, one.sign(text)))
  assert.equal(Buffer.from(one.sign(text)), Buffer.from(one.sign(text)))
})

test('what is no Ed25519 private key is unreadable', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const agreement = generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  const publicHalf = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })
  for (const bad of ['', 'key', pem.slice(0, 60), pem.replace('MC4', 'MC5'), rsa, agreement, publicHalf]) {
    const error = throwsWithCode(() => readSigningKey(bad.toString()), 'KEY_UNREADABLE')
    assert.equal(error.details, { file: 'key' })
  }
})

test('the name is origin and ledger id, and carries the epoch from the first new start on', () => {
  assert.is(checkpointName('stele.local', ledgerId, 0), `stele.local/${ledgerId}`)
  assert.is(checkpointName('example.com/agents', ledgerId, 0), `example.com/agents/${ledgerId}`)
  assert.is(checkpointName('stele.local', ledgerId, 1), `stele.local/${ledgerId}/1`)
  assert.is(checkpointName('stele.local', ledgerId, 12), `stele.local/${ledgerId}/12`)
})

test('the public key of a vkey is read behind the first two plus signs only, whatever name stands before it', () => {
  assert.is(Buffer.from(publicKeyOf(vkey)).toString('hex'), publicKeyHex)
  assert.is(Buffer.from(publicKeyOf(vectorVkey)).toString('hex'), publicKeyHex)
  // The published example of C2SP signed-note, whose key holds no plus sign.
  assert.is(publicKeyOf('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k').length, 32)
})

test('what is no Ed25519 vkey is refused', () => {
  const witness = 'witness.example.com/w1+89ee0160+BLr8cb6tOsXktj6cghbucaNKrsZXIu7bynKLTps8zOOW'
  for (const bad of ['', name, `${name}+1ceb676d`, `${name}+1ceb676d+`, `${name}+1ceb676d+AQOhB7`, witness, `${vkey}AAAA`]) {
    throwsWithCode(() => publicKeyOf(bad), 'VKEY_UNREADABLE')
  }
})

test('the three lines of a note are read back, and what is none is not', () => {
  for (const { size, root, blob } of heads) {
    const note = `${name}\n${size}\n${root}\n\n\u2014 ${name} ${blob}\n`
    const read = readCheckpointText(note)
    assert.is(read?.name, name)
    assert.is(read?.size, size)
    assert.is(Buffer.from(read?.root ?? []).toString('base64'), root)
  }
  const root = heads[1].root
  for (const bad of [
    '',
    name,
    `${name}\n8\n${root}`,
    `${name}\n08\n${root}\n\n`,
    `${name}\n-8\n${root}\n\n`,
    `${name}\n8 \n${root}\n\n`,
  ]) {
    assert.is(readCheckpointText(bad), undefined, bad)
  }
})

test.run()
