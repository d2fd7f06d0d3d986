// Reads and checks signed checkpoints: C2SP signed-note and tlog-checkpoint, Ed25519 (RFC 8032). It only verifies.
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { SteleError } from '../foundation/stele-error.js'

export interface VerifierKey {
  readonly name: string
  /** 8 hex characters. */
  readonly id: string
  /** Raw Ed25519 public key as 64 hex characters. */
  readonly publicKey: string
}

/** C2SP signed-note: `name+hex(id)+base64(type ‖ key)`. Throws `VKEY_UNREADABLE`. */
export function parseVkey(vkey: string): VerifierKey {
  const key = readVkey(vkey.trim())
  if (key === undefined) throw new SteleError('VKEY_UNREADABLE')
  return key
}

/** The same for text that is itself under suspicion; undefined where it is not a verifier key. */
export function readVkey(vkey: string): VerifierKey | undefined {
  // The base64 may hold a plus sign itself: only the first two part the fields.
  const [name = '', id = '', ...rest] = vkey.split('+')
  const encoded = rest.join('+')
  const bytes = Buffer.from(encoded, 'base64')
  if (name === '' || /\s/u.test(name) || bytes.length !== 33 || bytes[0] !== 0x01 || bytes.toString('base64') !== encoded)
    return undefined
  if (id !== keyIdOf(name, bytes)) return undefined
  return { name, id, publicKey: bytes.subarray(1).toString('hex') }
}

/** The same public key under another name: the name of a ledger's key changes with its epoch. */
export function renamed(key: VerifierKey, name: string): VerifierKey {
  return { name, id: keyIdOf(name, Buffer.from(`01${key.publicKey}`, 'hex')), publicKey: key.publicKey }
}

function keyIdOf(name: string, typedKey: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typedKey]), 'hex').slice(0, 8)
}

export interface NoteSignature {
  readonly name: string
  readonly id: string
  readonly signature: Buffer
}

export interface SignedCheckpoint {
  /** The whole note as it was found. */
  readonly note: string
  /** What is signed: everything up to and including the line feed before the blank line. */
  readonly text: string
  readonly origin: string
  readonly size: number
  /** 64 hex characters. */
  readonly root: string
  readonly signatures: readonly NoteSignature[]
}

/** C2SP signed-note: no ASCII control characters but line feeds. */
const controlCharacter = /[\u0000-\u0009\u000b-\u001f\u007f]/

/** The parts of a note; undefined where it is not a checkpoint in the C2SP form. */
export function readCheckpoint(note: string): SignedCheckpoint | undefined {
  // The separator is the last empty line.
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n') || controlCharacter.test(note)) return undefined
  const text = note.slice(0, end + 1)
  const [origin = '', size = '', root = '', ...extensions] = text.split('\n')
  if (origin === '' || !/^(0|[1-9][0-9]{0,15})$/.test(size) || extensions.at(-1) !== '' || extensions.slice(0, -1).includes(''))
    return undefined
  if (!Number.isSafeInteger(Number(size))) return undefined
  const rootBytes = Buffer.from(root, 'base64')
  if (rootBytes.length !== 32 || rootBytes.toString('base64') !== root) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  const signatures = lines.map(readSignatureLine)
  if (signatures.includes(undefined)) return undefined
  return {
    note,
    text,
    origin,
    size: Number(size),
    root: rootBytes.toString('hex'),
    signatures: signatures.filter((line) => line !== undefined),
  }
}

function readSignatureLine(line: string): NoteSignature | undefined {
  const [, name, encoded] = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? []
  if (name === undefined || encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length < 5 || bytes.toString('base64') !== encoded) return undefined
  return { name, id: bytes.subarray(0, 4).toString('hex'), signature: bytes.subarray(4) }
}

export type SignatureVerdict = 'good' | 'bad' | 'unknown'

/** Whether a key signed a checkpoint. `unknown`: it has no signature under that name and id. */
export function verifyCheckpointSignature(checkpoint: SignedCheckpoint, key: VerifierKey): SignatureVerdict {
  const own = checkpoint.signatures.filter(({ name, id }) => name === key.name && id === key.id)
  if (own.length === 0 || checkpoint.origin !== key.name) return 'unknown'
  return own.every(({ signature }) => verifyText(checkpoint.text, signature, key.publicKey)) ? 'good' : 'bad'
}

const keyObjects = new Map<string, KeyObject>()

/** Ed25519 over UTF-8 text; `publicKey` is 64 hex characters. */
export function verifyText(text: string, signature: Uint8Array, publicKey: string): boolean {
  let key = keyObjects.get(publicKey)
  if (key === undefined) {
    const x = Buffer.from(publicKey, 'hex').toString('base64url')
    key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    keyObjects.set(publicKey, key)
  }
  return signature.length === 64 && verify(null, Buffer.from(text), key, signature)
}

/**
 * The checkpoints in a file that somebody kept: one plain note, or JSON strings a line (checkpoints.txt, a mirror, the system log).
 * Throws `CHECKPOINT_UNREADABLE` where there is none in it.
 */
export function parseCheckpointFile(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  // A last line without its end was torn by a crash of whoever kept the file.
  if (lines.length > 1 && !text.endsWith('\n') && readJsonString(lines.at(-1) ?? '') === undefined) lines.pop()
  const notes = lines.map(readJsonString)
  if (lines.length > 0 && notes.every((note) => note !== undefined)) return notes.filter((note) => note !== undefined)
  if (readCheckpoint(text) !== undefined) return [text]
  throw new SteleError('CHECKPOINT_UNREADABLE')
}

function readJsonString(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
