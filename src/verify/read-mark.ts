// Reads a high-water mark (docs/format.md, "Loss, and new starts"): 64 bytes that the writer overwrites outside its store.
import { hash } from 'node:crypto'

export interface StoredMark {
  readonly epoch: number
  readonly size: number
  /** 64 hex characters. */
  readonly head: string
}

const magic = 'STELEHW1'

/** The mark in 64 bytes; undefined where the check bytes are wrong. */
export function readStoredMark(bytes: Buffer): StoredMark | undefined {
  if (bytes.length !== 64 || bytes.toString('latin1', 0, 8) !== magic) return undefined
  const check = hash('sha256', bytes.subarray(0, 56), 'buffer').subarray(0, 8)
  if (!bytes.subarray(56).equals(check)) return undefined
  return { epoch: Number(bytes.readBigUInt64BE(8)), size: Number(bytes.readBigUInt64BE(16)), head: bytes.toString('hex', 24, 56) }
}
