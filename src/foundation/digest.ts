// Every hash the writer makes, by name (docs/format.md, "An entry"). The only file that hashes; the verifier has its own.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 as sha256Of } from '@noble/hashes/sha2.js'

/** What a keyed digest is made for; part of what is hashed, so that equal bytes in two roles do not show. */
export type DigestUse = 'text' | 'arguments' | 'session' | 'target' | 'dedupe' | 'file'

export const zeroHash = '0'.repeat(64)

const fresh = sha256Of.create()
const working = sha256Of.create()

export function sha256(bytes: Uint8Array): Uint8Array {
  // A hasher that is set back costs less than a new one, and one update less than several: this is half of an append's time.
  return fresh._cloneInto(working).update(bytes).digest()
}

/** RFC 6962, section 2.1: the hash of a leaf, here of canonical header bytes. */
export function leafHash(data: Uint8Array): Uint8Array {
  const bytes = scratch(data.length + 1)
  bytes[0] = 0x00
  bytes.set(data, 1)
  return sha256(bytes)
}

/** RFC 6962, section 2.1: the hash of two subtrees. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = scratch(left.length + right.length + 1)
  bytes[0] = 0x01
  bytes.set(left, 1)
  bytes.set(right, left.length + 1)
  return sha256(bytes)
}

export function emptyRoot(): Uint8Array {
  return sha256(new Uint8Array(0))
}

/**
 * The commitments over a row as it is stored: 32 hex characters of salt followed directly by the canonical JSON.
 * 64 hex characters.
 */
export const payloadCommitment = (row: Uint8Array): string => commitment(payloadPrefix, row)
export const wordsCommitment = (row: Uint8Array): string => commitment(wordsPrefix, row)

const payloadPrefix = Buffer.from('stele/payload/v1\n')
const wordsPrefix = Buffer.from('stele/words/v1\n')
const saltLength = 32

function commitment(prefix: Uint8Array, row: Uint8Array): string {
  const text = prefix.length + saltLength + 1
  const bytes = scratch(row.length + prefix.length + 1)
  bytes.set(prefix, 0)
  bytes.set(row.subarray(0, saltLength), prefix.length)
  bytes[text - 1] = 0x0a
  bytes.set(row.subarray(saltLength), text)
  return toHex(sha256(bytes))
}

/** 64 hex characters of HMAC-SHA-256 under the home's digest key, over bytes or the UTF-8 of a text. */
export function keyedDigest(secret: Uint8Array, use: DigestUse, data: string | Uint8Array): string {
  const keyed = keyedHasher(secret)._cloneInto()
  return toHex(
    keyed
      .update(Buffer.from(`stele/digest/v1\n${use}\n`))
      .update(typeof data === 'string' ? Buffer.from(data) : data)
      .digest(),
  )
}

type KeyedHasher = ReturnType<typeof hmac.create>

/** A home has one key: a hasher that has taken it in already is half of the work of a short digest. */
const keyedHashers = new WeakMap<Uint8Array, KeyedHasher>()

function keyedHasher(secret: Uint8Array): KeyedHasher {
  const known = keyedHashers.get(secret)
  if (known !== undefined) return known
  const made = hmac.create(sha256Of, secret)
  keyedHashers.set(secret, made)
  return made
}

let scratchBytes = Buffer.alloc(4096)

/** Room for what is hashed next; hashing copies nothing out of it but the hash. */
function scratch(length: number): Buffer {
  if (scratchBytes.length < length) scratchBytes = Buffer.alloc(length * 2)
  return scratchBytes.subarray(0, length)
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** The bytes of an even number of hex characters, as the caller has checked. */
export function fromHex(text: string): Uint8Array {
  return Buffer.from(text, 'hex')
}
