// The key of every row in the store: one ASCII tag, then the parts (docs/format.md, "In LevelDB").
import { fromHex, toHex } from '../foundation/digest.js'

type Tag = 'h' | 'p' | 'w' | 't' | 's' | 'i' | 'c' | 'd' | 'm'
const numberBytes = 8
const handleBytes = 8

/** Eight bytes, big-endian; sizes and indices stay below 2^53. */
export function numberToBytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(numberBytes)
  writeNumber(bytes, value, 0)
  return bytes
}

/** NaN where the bytes are too few: a key that is none of ours. */
export function bytesToNumber(bytes: Uint8Array, at = 0): number {
  if (bytes.length < at + numberBytes) return Number.NaN
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.getUint32(at) * 0x1_0000_0000 + view.getUint32(at + 4)
}

export const headerKey = (index: number): Buffer => numbered('h', index)
export const payloadKey = (index: number): Buffer => numbered('p', index)
export const wordsKey = (index: number): Buffer => numbered('w', index)

export function treeKey(level: number, position: number): Buffer {
  const key = tagged('t', 2 * numberBytes)
  writeNumber(key, level, 1)
  writeNumber(key, position, 1 + numberBytes)
  return key
}

/** A session handle is `s` and 16 hex characters; its key holds the eight bytes behind the `s`. */
export function sessionKey(handle: string, index: number): Buffer {
  const key = tagged('s', handleBytes + numberBytes)
  key.write(handle.slice(1), 1, 'hex')
  writeNumber(key, index, 1 + handleBytes)
  return key
}

export function readSessionKey(key: Uint8Array): { handle: string; index: number } {
  return { handle: `s${toHex(key.subarray(1, 1 + handleBytes))}`, index: bytesToNumber(key, 1 + handleBytes) }
}

/** `digest` is the keyed digest of the host's session id, 64 hex characters. */
export const hostSessionKey = (digest: string): Buffer => Buffer.concat([Buffer.from('i'), fromHex(digest)])
export const dedupeKey = (digest: string): Buffer => Buffer.concat([Buffer.from('d'), fromHex(digest)])
export const metaKey = (name: 'ledger' | 'epoch' | 'size' | 'head'): Buffer => Buffer.from(`m${name}`)

export function checkpointKey(epoch: number, size: number): Buffer {
  const key = tagged('c', 2 * numberBytes)
  writeNumber(key, epoch, 1)
  writeNumber(key, size, 1 + numberBytes)
  return key
}

export interface KeyRange {
  /** First key of the range. */
  readonly from: Uint8Array
  /** First key behind it. */
  readonly to: Uint8Array
}

export const allOf = (tag: Tag): KeyRange => ({ from: Buffer.from(tag), to: Buffer.of(tag.charCodeAt(0) + 1) })
export const numberedFrom = (tag: 'h' | 'p' | 'w', index: number): KeyRange => ({ from: numbered(tag, index), to: allOf(tag).to })
export const sessionRange = (handle: string): KeyRange => ({
  from: sessionKey(handle, 0),
  to: Buffer.concat([sessionKey(handle, Number.MAX_SAFE_INTEGER), Buffer.of(0)]),
})
export const treeLevelFrom = (level: number, position: number): KeyRange => ({
  from: treeKey(level, position),
  to: treeKey(level + 1, 0),
})

function numbered(tag: Tag, value: number): Buffer {
  const key = tagged(tag, numberBytes)
  writeNumber(key, value, 1)
  return key
}

function tagged(tag: Tag, more: number): Buffer {
  const key = Buffer.allocUnsafe(1 + more)
  key[0] = tag.charCodeAt(0)
  return key
}

function writeNumber(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32BE(Math.floor(value / 0x1_0000_0000), at)
  bytes.writeUInt32BE(value >>> 0, at + 4)
}
