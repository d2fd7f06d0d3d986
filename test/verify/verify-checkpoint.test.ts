// Holds the reading and checking of signed notes to the published C2SP vectors, and lets no note pass that was tampered with.
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  parseCheckpointFile,
  parseVkey,
  readCheckpoint,
  readVkey,
  renamed,
  verifyCheckpointSignature,
  verifyText,
} from '../../src/verify/verify-checkpoint.js'
import { checkpointNote, keyId, makeKey, signatureLine, vkeyOf } from '../support/reference-ledger.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { makeRandom } from '../support/seeded-random.js'

// Ledger facts, 5.1 and 5.3.
const c2spVkey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const c2spText = 'This is an example message.\n'
const c2spBlob = Buffer.from(
  'Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=',
  'base64',
)
const name = 'example.com/agent-ledger'
const vkey = 'example.com/agent-ledger+1ceb676d+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
const publicKey = '03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8'
const emptyRoot = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
const emptyBlob = 'HOtnbTK/7rCaUgttmym1T+70Fkhdp80wjdzBeIj9rmRdGTawYwYaiRjtXMZAK+1q2Eso8Xc9QuDdjGpzlMwXICGOIAo='
const root = 'XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg='
const blob = 'HOtnbcth/gs6Gvlf1EPuqy4FQ6XVmHtuqnppgAgiNs+00Mh5+2qeLDk6GMtu+txGLMcl6e19RBJkB8MAQGwzH8uYvws='
const text = `${name}\n8\n${root}\n`
const note = `${text}\n\u2014 ${name} ${blob}\n`
const emptyNote = `${name}\n0\n${emptyRoot}\n\n\u2014 ${name} ${emptyBlob}\n`
const witnessVkey = 'witness.example.com/w1+89ee0160+BLr8cb6tOsXktj6cghbucaNKrsZXIu7bynKLTps8zOOW'
const cosignature =
  '\u2014 witness.example.com/w1 ie4BYAAAAABlU/EA3zy+WZiURGMOBr4/y7mvhg5TWwJ6rdYHlxYIzzC3z8DbywPOv/Pl2xOOBx7mSAGCBL36BaLKgHyaFwVOJ4aBDA==\n'

const signer = makeKey(Buffer.from(Array.from({ length: 32 }, (_, at) => at)))
const stranger = makeKey(Buffer.alloc(32, 7))
const key = parseVkey(vkey)

const verdictOn = (of: string, by = key) => {
  const checkpoint = readCheckpoint(of)
  return checkpoint === undefined ? 'unreadable' : verifyCheckpointSignature(checkpoint, by)
}

test('the published example of C2SP signed-note verifies', () => {
  const published = readVkey(c2spVkey)
  assert.is(published?.name, 'example.com/foo')
  assert.is(published?.id, '530d903a')
  assert.is(c2spBlob.toString('hex', 0, 4), '530d903a')
  assert.ok(verifyText(c2spText, c2spBlob.subarray(4), published?.publicKey ?? ''))
  assert.not(verifyText('This is an example message.', c2spBlob.subarray(4), published?.publicKey ?? ''))
  assert.not(verifyText(c2spText, c2spBlob, published?.publicKey ?? ''))
  assert.not(verifyText(c2spText, c2spBlob.subarray(4), publicKey))
})

test('the published notes are read, have the published hashes and verify', () => {
  for (const [whole, size, rootHex, noteHash] of [
    [
      emptyNote,
      0,
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '774f2c87cf9cf3251a39872746fae85e5998628ac716ac6aa72da40c140e2132',
    ],
    [
      note,
      8,
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
      'a5554fd0ab79306b43ce0df0d62cced0d467c3158ef3f417a24800b408115140',
    ],
  ] as const) {
    assert.is(createHash('sha256').update(whole).digest('hex'), noteHash)
    const checkpoint = readCheckpoint(whole)
    assert.is(checkpoint?.origin, name)
    assert.is(checkpoint?.size, size)
    assert.is(checkpoint?.root, rootHex)
    assert.is(checkpoint?.note, whole)
    assert.is(checkpoint?.signatures.length, 1)
    assert.is(verdictOn(whole), 'good')
  }
})

test('a vkey is parted at its first two plus signs only', () => {
  assert.ok(vkey.split('+').length > 3, 'the example holds a third')
  assert.equal(readVkey(vkey), { name, id: '1ceb676d', publicKey })
  assert.equal(parseVkey(`${vkey}\n`), { name, id: '1ceb676d', publicKey })
})

test('a vkey whose id is not that of its name and key is refused', () => {
  for (const bad of [
    vkey.replace('1ceb676d', '1ceb676e'),
    vkey.replace('agent-ledger', 'agent-ledgex'),
    vkey.replace('AQOhB7', 'AQOhB8'),
    vkey.replace('1ceb676d', ''),
    vkey.replace('1ceb676d', '1ceb676d00'),
  ]) {
    assert.is(readVkey(bad), undefined, bad)
    throwsWithCode(() => parseVkey(bad), 'VKEY_UNREADABLE')
  }
})

test('what is no Ed25519 vkey is refused', () => {
  const nameless = vkeyOf('', signer.publicKey)
  const spaced = vkeyOf('two words', signer.publicKey)
  const wide = vkeyOf('two\u3000words', signer.publicKey)
  for (const bad of ['', 'x', name, `${name}+1ceb676d`, witnessVkey, nameless, spaced, wide, `${vkey}=`, vkey.slice(0, -1)]) {
    assert.is(readVkey(bad), undefined, bad)
    throwsWithCode(() => parseVkey(bad), 'VKEY_UNREADABLE')
  }
})

test('a key under another name has the id that the name gives it', () => {
  const other = renamed(key, 'example.com/other')
  assert.equal(other, {
    name: 'example.com/other',
    id: keyId('example.com/other', signer.publicKey).toString('hex'),
    publicKey,
  })
  assert.equal(renamed(other, name), key)
})

test('no bit of the signed text can be flipped: the note is then unreadable or its signature bad', () => {
  const bytes = Buffer.from(note)
  const signedBytes = Buffer.byteLength(text)
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const bent = Buffer.from(bytes)
    bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const verdict = verdictOn(bent.toString())
    assert.is.not(verdict, 'good', `bit ${bit & 7} of byte ${bit >> 3}`)
    if (verdict === 'bad') assert.ok(bit >> 3 < signedBytes || bit >> 3 > bytes.length - 95, `byte ${bit >> 3}`)
  }
})

test('no byte of the note can be taken out, doubled or put in', () => {
  const random = makeRandom(3)
  for (let at = 0; at < note.length; at += 1) {
    assert.is.not(verdictOn(note.slice(0, at) + note.slice(at + 1)), 'good', `without character ${at}`)
    assert.is.not(verdictOn(note.slice(0, at) + note.slice(at, at + 1) + note.slice(at)), 'good', `character ${at} twice`)
    const extra = random.pick([...' \n\t\r+=A0\u2014'])
    if (extra !== note[at]) assert.is.not(verdictOn(note.slice(0, at) + extra + note.slice(at)), 'good', `more before ${at}`)
    assert.is.not(verdictOn(note.slice(0, at)), 'good', `cut before ${at}`)
  }
})

test('another size, root or origin under the same signature is bad or unknown', () => {
  assert.is(verdictOn(note.replace('\n8\n', '\n9\n')), 'bad')
  assert.is(verdictOn(note.replace(root, emptyRoot)), 'bad')
  assert.is(verdictOn(note.replaceAll(name, 'example.com/other')), 'unknown')
  assert.is(verdictOn(note.replace(`${name}\n8`, 'example.com/other\n8')), 'unknown')
})

test('signatures by strangers are ignored, before and behind, sixteen of them and a cosignature too', () => {
  const strange = (who: string) => signatureLine(text, who, stranger)
  const own = `\u2014 ${name} ${blob}\n`
  const many = Array.from({ length: 16 }, (_, at) => strange(`stranger.example/${at}`)).join('')
  for (const lines of [
    strange('a.example') + own,
    own + strange('a.example'),
    many + own,
    own + many,
    own + cosignature,
    // The same name, another key: another id, so somebody else.
    strange(name) + own,
  ]) {
    assert.is(verdictOn(`${text}\n${lines}`), 'good')
  }
  assert.is(verdictOn(`${text}\n${strange('a.example')}${cosignature}`), 'unknown')
})

test('a signature that fails under the name and id of a known key is bad, also beside one that holds', () => {
  const id = keyId(name, signer.publicKey)
  const forged = `\u2014 ${name} ${Buffer.concat([id, stranger.sign(Buffer.from(text))]).toString('base64')}\n`
  const own = `\u2014 ${name} ${blob}\n`
  assert.is(verdictOn(`${text}\n${forged}`), 'bad')
  assert.is(verdictOn(`${text}\n${own}${forged}`), 'bad')
  assert.is(verdictOn(`${text}\n${forged}${own}`), 'bad')
  assert.is(verdictOn(`${text}\n\u2014 ${name} ${Buffer.concat([id, Buffer.alloc(64)]).toString('base64')}\n`), 'bad')
  assert.is(verdictOn(`${text}\n\u2014 ${name} ${Buffer.concat([id, Buffer.alloc(63)]).toString('base64')}\n`), 'bad')
})

test('a note that is not in the C2SP form is unreadable', () => {
  const signed = (of: string): string => `${of}\n${signatureLine(of, name, signer)}`
  const bad: Record<string, string> = {
    empty: '',
    'no blank line': note.replace('\n\n', '\n'),
    'no signature': `${text}\n`,
    'nothing behind the text': text,
    'no line feed at its end': note.slice(0, -1),
    'carriage returns': note.replaceAll('\n', '\r\n'),
    'a size with a leading zero': signed(`${name}\n08\n${root}\n`),
    'a size with a sign': signed(`${name}\n+8\n${root}\n`),
    'a negative size': signed(`${name}\n-8\n${root}\n`),
    'a hexadecimal size': signed(`${name}\n0x8\n${root}\n`),
    'a size with a blank': signed(`${name}\n8 \n${root}\n`),
    'an empty size': signed(`${name}\n\n${root}\n`),
    'an empty origin': signed(`\n8\n${root}\n`),
    'a root of 31 bytes': signed(`${name}\n8\n${Buffer.alloc(31).toString('base64')}\n`),
    'a root of 33 bytes': signed(`${name}\n8\n${Buffer.alloc(33).toString('base64')}\n`),
    'a root without padding': signed(`${name}\n8\n${root.slice(0, -1)}\n`),
    'a root in base64url': signed(`${name}\n8\n${Buffer.alloc(32, 0xff).toString('base64url')}=\n`),
    'a root with stray bits in its base64': signed(`${name}\n8\n${root.slice(0, -2)}h=\n`),
    'no root': signed(`${name}\n8\n`),
    'two lines only': signed(`${name}\n`),
    'an empty extension line': signed(`${text}\nmore\n`),
    'a hyphen for the dash': note.replace('\u2014', '-'),
    'two blanks behind the dash': note.replace('\u2014 ', '\u2014  '),
    'a signature that is no base64': note.replace(blob, '****'),
    'a signature without padding': note.replace(blob, blob.slice(0, -1)),
    'a signature of four bytes': note.replace(blob, 'HOtnbQ=='),
    'a blank line behind the signature': `${note}\n`,
    'text behind the signature': `${note}more\n`,
  }
  const read = Object.entries(bad).filter(([, of]) => readCheckpoint(of) !== undefined)
  assert.equal(
    read.map(([what]) => what),
    [],
  )
})

test('a note with an ASCII control character other than the line feed is unreadable (C2SP signed-note)', () => {
  const signed = (of: string): string => `${of}\n${signatureLine(of, name, signer)}`
  for (const character of ['\u0000', '\u0007', '\t', '\r', '\u001b', '\u007f']) {
    const code = `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    assert.is(readCheckpoint(signed(`${text}bell${character}\n`)), undefined, `${code} in an extension line`)
    assert.is(readCheckpoint(`${name}${character}x\n8\n${root}\n\n\u2014 ${name} ${blob}\n`), undefined, `${code} in the origin`)
  }
})

test('a size that no double can hold exactly is not read as another size', () => {
  for (const size of ['9007199254740993', '9999999999999999']) {
    const of = `${name}\n${size}\n${root}\n`
    const checkpoint = readCheckpoint(`${of}\n${signatureLine(of, name, signer)}`)
    assert.is(checkpoint?.size.toString() ?? size, size)
  }
})

test('extension lines are part of what is signed', () => {
  const extended = `${text}ext 1\n`
  assert.is(verdictOn(`${extended}\n${signatureLine(extended, name, signer)}`), 'good')
  assert.is(verdictOn(`${extended}\n\u2014 ${name} ${blob}\n`), 'bad')
})

test('a file of checkpoints is one plain note or JSON strings a line', () => {
  const other = checkpointNote(name, signer, 9, '11'.repeat(32))
  assert.equal(parseCheckpointFile(note), [note])
  assert.equal(parseCheckpointFile(`${JSON.stringify(note)}\n${JSON.stringify(other)}\n`), [note, other])
  assert.equal(parseCheckpointFile(`${JSON.stringify(note)}\n\n${JSON.stringify(other)}`), [note, other])
  // A JSON writer of another kind may escape more than it must.
  assert.equal(parseCheckpointFile(JSON.stringify(note).replace('\u2014', '\\u2014')), [note])
})

test('a last line that was torn by a crash is ignored', () => {
  const line = JSON.stringify(note)
  for (let length = 1; length < line.length; length += 1) {
    assert.equal(parseCheckpointFile(`${line}\n${line.slice(0, length)}`), [note], `cut at ${length}`)
  }
})

test('a file without any checkpoint is unreadable', () => {
  for (const bad of ['', '\n\n', 'hello\n', '{"note":1}\n', '[]\n', '1\n', text, note.slice(0, -1)]) {
    throwsWithCode(() => parseCheckpointFile(bad), 'CHECKPOINT_UNREADABLE')
  }
})

test.run()
