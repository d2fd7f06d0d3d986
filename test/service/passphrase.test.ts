// The owner's passphrase: only a slow hash of it is kept, and it stays as it was set first.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkPassphrase, setPassphrase } from '../../src/service/passphrase.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('passphrase')
const file = () => join(temporaryFolder(), 'owner-passphrase')

test('the passphrase that was set is right, and any other is wrong', () => {
  const at = file()
  setPassphrase(at, 'correct horse battery')
  assert.is(checkPassphrase(at, 'correct horse battery'), true)
  for (const wrong of ['', ' ', 'correct horse battery ', 'Correct horse battery', 'correct horse batter', 'x'.repeat(1024)])
    assert.is(checkPassphrase(at, wrong), false, wrong)
})

test('a home without one knows of none', () => {
  assert.is(checkPassphrase(file(), 'anything'), undefined)
})

test('the file is for the owner alone, holds no passphrase, and is another for the same one', () => {
  const [one, other] = [file(), file()]
  for (const at of [one, other]) setPassphrase(at, 'correct horse battery')
  assert.is(statSync(one).mode & 0o777, 0o600)
  const text = readFileSync(one, 'utf8')
  for (const leak of [
    'correct',
    'horse',
    Buffer.from('correct horse battery').toString('hex'),
    Buffer.from('correct horse battery').toString('base64'),
  ])
    assert.not.ok(text.includes(leak))
  assert.is.not(text, readFileSync(other, 'utf8'))
})

test('it is set once: a later one changes nothing', () => {
  const at = file()
  setPassphrase(at, 'correct horse battery')
  setPassphrase(at, 'another one of mine')
  assert.equal([checkPassphrase(at, 'correct horse battery'), checkPassphrase(at, 'another one of mine')], [true, false])
})

test('the same letters typed at another keyboard are the same passphrase', () => {
  const at = file()
  setPassphrase(at, 'Schlu\u0308ssel\u00e4rger')
  assert.is(checkPassphrase(at, 'Schl\u00fcssela\u0308rger'), true)
})

test('a file that is no hash confirms nothing and refuses nothing: it is an error', () => {
  const right = file()
  setPassphrase(right, 'correct horse battery')
  const whole = JSON.parse(readFileSync(right, 'utf8')) as { scrypt: object; salt: string; hash: string }
  const broken = [
    '',
    'x',
    'null',
    '{}',
    JSON.stringify({ ...whole, scrypt: { N: 3, r: 8, p: 1 } }),
    JSON.stringify({ ...whole, scrypt: { N: 2 ** 30, r: 8, p: 1 } }),
    JSON.stringify({ ...whole, salt: 7 }),
  ]
  for (const text of broken) {
    const at = file()
    writeFileSync(at, text)
    throwsWithCode(() => checkPassphrase(at, 'correct horse battery'), 'FILE_UNREADABLE')
  }
  const folder = file()
  mkdirSync(folder)
  throwsWithCode(() => checkPassphrase(folder, 'x'), 'FILE_UNREADABLE')
})

test('a hash that was cut off, or emptied, lets nobody in', () => {
  const right = file()
  setPassphrase(right, 'correct horse battery')
  const whole = JSON.parse(readFileSync(right, 'utf8')) as { hash: string }
  for (const hash of ['', whole.hash.slice(0, 2), whole.hash.slice(0, -2), `${whole.hash}00`]) {
    const at = file()
    writeFileSync(at, JSON.stringify({ ...whole, hash }))
    assert.is(checkPassphrase(at, 'correct horse battery'), false, hash)
  }
})

test.run()
