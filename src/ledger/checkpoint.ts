// The signed head: C2SP signed-note and tlog-checkpoint, and the one key that signs. Nothing else in Stele signs.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { sha256 } from '../foundation/digest.js'
import { SteleError } from '../foundation/stele-error.js'

export const defaultOrigin = 'stele.local'
const ed25519Type = 0x01

export interface SigningKey {
  /** Raw Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array
  /** Ed25519 signature of UTF-8 text, 64 bytes (RFC 8032). The same text always gives the same signature. */
  sign(text: string): Uint8Array
}

export interface Checkpoint {
  readonly name: string
  readonly size: number
  readonly root: Uint8Array
}

/** A new key as PKCS #8 PEM, for the file `key` in the home. */
export function newSigningKeyPem(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

export function readSigningKey(pem: string): SigningKey {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (cause) {
    throw new SteleError('KEY_UNREADABLE', { file: 'key' }, { cause })
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new SteleError('KEY_UNREADABLE', { file: 'key' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return { publicKey: Buffer.from(x ?? '', 'base64url'), sign: (text) => sign(null, Buffer.from(text), key) }
}

/** The first line of a checkpoint and the name of the key: the epoch shows from the first new start on. */
export function checkpointName(origin: string, ledger: string, epoch: number): string {
  return epoch === 0 ? `${origin}/${ledger}` : `${origin}/${ledger}/${epoch}`
}

/** C2SP signed-note: the first four bytes of SHA-256 over name, newline, type and public key. */
export function keyId(name: string, publicKey: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ed25519Type), publicKey])).subarray(0, 4)
}

/** The verifier key string `name+id+key` that outsiders pin. */
export function vkeyOf(name: string, publicKey: Uint8Array): string {
  const id = Buffer.from(keyId(name, publicKey)).toString('hex')
  return `${name}+${id}+${Buffer.concat([Buffer.of(ed25519Type), publicKey]).toString('base64')}`
}

/** The public key of a vkey string, whatever name stands before it. Throws `VKEY_UNREADABLE`. */
export function publicKeyOf(vkey: string): Uint8Array {
  const bytes = Buffer.from(vkey.split('+').slice(2).join('+'), 'base64')
  if (bytes.length !== 33 || bytes[0] !== ed25519Type) throw new SteleError('VKEY_UNREADABLE')
  return bytes.subarray(1)
}

/** The whole note: C2SP tlog-checkpoint text, blank line, one signature line. */
export function signCheckpoint({ name, size, root }: Checkpoint, key: SigningKey): string {
  const text = `${name}\n${size}\n${Buffer.from(root).toString('base64')}\n`
  const signature = Buffer.concat([keyId(name, key.publicKey), key.sign(text)]).toString('base64')
  return `${text}\n— ${name} ${signature}\n`
}

/** The three lines of a note of ours; undefined where it is not one. The signature is not looked at. */
export function readCheckpointText(note: string): Checkpoint | undefined {
  const [name, size, root, blank] = note.split('\n')
  if (name === undefined || size === undefined || root === undefined || blank !== '') return undefined
  if (!/^(0|[1-9][0-9]{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) return undefined
  return { name, size: Number(size), root: Buffer.from(root, 'base64') }
}
