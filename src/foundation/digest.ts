// Every hash the writer makes, by name (docs/format.md, "An entry"). The only file that hashes; the verifier has its own.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 as sha256Of } from '@noble/hashes/sha2.js'

/** What a keyed digest is made for; part of what is hashed, so that equal bytes in two roles do not show. */
export type DigestUse = 'text' | 'arguments' | 'session' | 'target' | 'dedupe' | 'file'

export const zeroHash = '0'.repeat(64)

const leafPrefix = Uint8Array.of(0x00)
const nodePrefix = Uint8Array.of(0x01)

export function sha256(bytes: Uint8Array): Uint8Array {
  return sha256Of(bytes)
}

/** RFC 6962, section 2.1: the hash of a leaf, here of canonical header bytes. */
export function leafHash(data: Uint8Array): Uint8Array {
  return sha256Of.create().update(leafPrefix).update(data).digest()
}

/** RFC 6962, section 2.1: the hash of two subtrees. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256Of.create().update(nodePrefix).update(left).update(right).digest()
}

export function emptyRoot(): Uint8Array {
  return sha256Of(new Uint8Array(0))
}

/** 64 hex characters; `salt` is 32 hex characters, `canonical` the canonical JSON of the payload. */
export function payloadCommitment(salt: string, canonical: string): string {
  return toHex(sha256Of(Buffer.from(`stele/payload/v1\n${salt}\n${canonical}`)))
}

/** 64 hex characters; `salt` is 32 hex characters, `canonical` the canonical JSON of the words. */
export function wordsCommitment(salt: string, canonical: string): string {
  return toHex(sha256Of(Buffer.from(`stele/words/v1\n${salt}\n${canonical}`)))
}

/** The same commitments over a stored row's own bytes: 32 characters of salt followed directly by the canonical JSON. */
export const payloadRowCommitment = (row: Uint8Array): string => rowCommitment('stele/payload/v1\n', row)
export const wordsRowCommitment = (row: Uint8Array): string => rowCommitment('stele/words/v1\n', row)

const saltLength = 32

function rowCommitment(prefix: string, row: Uint8Array): string {
  const parts = [Buffer.from(prefix), row.subarray(0, saltLength), Buffer.from('\n'), row.subarray(saltLength)]
  return toHex(sha256Of(Buffer.concat(parts)))
}

/** 64 hex characters of HMAC-SHA-256 under the home's digest key, over bytes or the UTF-8 of a text. */
export function keyedDigest(secret: Uint8Array, use: DigestUse, data: string | Uint8Array): string {
  const prefix = Buffer.from(`stele/digest/v1\n${use}\n`)
  return toHex(hmac(sha256Of, secret, Buffer.concat([prefix, typeof data === 'string' ? Buffer.from(data) : data])))
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** The bytes of an even number of hex characters, as the caller has checked. */
export function fromHex(text: string): Uint8Array {
  return Buffer.from(text, 'hex')
}
