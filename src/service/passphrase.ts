// The owner's passphrase: a second proof that the owner asks, for homes whose agent runs as the same user. Only its scrypt hash is kept.
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import { writePrivateOnce } from '../ledger/home-files.js'

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const hashBytes = 32

/** Keeps the hash of a passphrase, unless the home has one. */
export function setPassphrase(file: string, passphrase: string): void {
  const salt = randomBytes(16)
  const hash = scryptSync(passphrase.normalize('NFC'), salt, hashBytes, cost)
  writePrivateOnce(
    file,
    `${JSON.stringify({ scrypt: { N: cost.N, r: cost.r, p: cost.p }, salt: salt.toString('hex'), hash: hash.toString('hex') })}\n`,
  )
}

/** Whether a passphrase is the home's; undefined where the home has none. Throws `FILE_UNREADABLE` for a file that is no hash. */
export function checkPassphrase(file: string, passphrase: string): boolean | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new SteleError('FILE_UNREADABLE', { file: 'owner-passphrase' }, { cause })
  }
  try {
    const { scrypt, salt, hash } = JSON.parse(text) as { scrypt: { N: number; r: number; p: number }; salt: string; hash: string }
    const expected = Buffer.from(hash, 'hex')
    const given = scryptSync(passphrase.normalize('NFC'), Buffer.from(salt, 'hex'), hashBytes, { ...scrypt, maxmem: cost.maxmem })
    return expected.length === given.length && timingSafeEqual(expected, given)
  } catch (cause) {
    throw new SteleError('FILE_UNREADABLE', { file: 'owner-passphrase' }, { cause })
  }
}
