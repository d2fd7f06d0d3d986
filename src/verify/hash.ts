// The verifier's own hashing, with node:crypto: the writer's is another implementation, so that one fault cannot hide in both.
import { hash } from 'node:crypto'

export const zeroHash = '0'.repeat(64)
export const emptyRoot = hash('sha256', Buffer.alloc(0), 'buffer')

/** RFC 6962, section 2.1: SHA-256(0x00 ‖ data). */
export function leafHash(data: Uint8Array): Buffer {
  const bytes = scratch(data.length + 1)
  bytes[0] = 0x00
  bytes.set(data, 1)
  return hash('sha256', bytes.subarray(0, data.length + 1), 'buffer')
}

const nodeBytes = Buffer.alloc(65)
nodeBytes[0] = 0x01

/** RFC 6962, section 2.1: SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  nodeBytes.set(left, 1)
  nodeBytes.set(right, 33)
  return hash('sha256', nodeBytes, 'buffer')
}

const saltLength = 32
const payloadPrefix = Buffer.from('stele/payload/v1\n')
const wordsPrefix = Buffer.from('stele/words/v1\n')

/** The commitment to a stored row: 32 characters of salt followed directly by the canonical JSON. 64 hex characters. */
export const payloadCommitment = (row: Buffer): string => commitment(payloadPrefix, row)
export const wordsCommitment = (row: Buffer): string => commitment(wordsPrefix, row)

function commitment(prefix: Buffer, row: Buffer): string {
  const length = prefix.length + row.length + 1
  const bytes = scratch(length)
  prefix.copy(bytes, 0)
  // A row that was cut may be shorter than its salt.
  const salt = Math.min(saltLength, row.length)
  row.copy(bytes, prefix.length, 0, salt)
  bytes[prefix.length + salt] = 0x0a
  row.copy(bytes, prefix.length + salt + 1, salt)
  return hash('sha256', bytes.subarray(0, length), 'hex')
}

let scratchBytes = Buffer.alloc(64 * 1024)

// One buffer for all that is hashed: a copy costs less than the hash object that incremental hashing would need.
function scratch(length: number): Buffer {
  if (scratchBytes.length < length) scratchBytes = Buffer.alloc(length * 2)
  return scratchBytes
}
