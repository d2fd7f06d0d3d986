// The high-water mark: how far the ledger had been acknowledged, kept outside the store (docs/format.md, "Loss, and new starts").
// Owned by the writer, which overwrites it in place after each acknowledged batch. After a crash it may lag; it never leads.
import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { fromHex, sha256, toHex } from '../foundation/digest.js'
import { SteleError } from '../foundation/stele-error.js'
import { bytesToNumber, numberToBytes } from './row-keys.js'

export interface Mark {
  readonly epoch: number
  readonly size: number
  /** Hash of the last entry below `size`, 64 hex characters. */
  readonly head: string
}

const magic = 'STELEHW1'
const markBytes = 64
const openForOverwriting = constants.O_WRONLY | constants.O_CREAT

export function markToBytes({ epoch, size, head }: Mark): Uint8Array {
  const body = Buffer.concat([Buffer.from(magic), numberToBytes(epoch), numberToBytes(size), fromHex(head)])
  return Buffer.concat([body, sha256(body).subarray(0, 8)])
}

/** The mark, or `unreadable` where the check bytes are wrong. */
export function markFromBytes(bytes: Uint8Array): Mark | 'unreadable' {
  const body = bytes.subarray(0, markBytes - 8)
  const check = sha256(body).subarray(0, 8)
  if (bytes.length !== markBytes || !Buffer.from(body.subarray(0, 8)).equals(Buffer.from(magic))) return 'unreadable'
  if (!Buffer.from(bytes.subarray(markBytes - 8)).equals(check)) return 'unreadable'
  return { epoch: bytesToNumber(body, 8), size: bytesToNumber(body, 16), head: toHex(body.subarray(24)) }
}

/** The mark in a file; undefined where there is none. */
export function readMark(file: string): Mark | 'unreadable' | undefined {
  try {
    const bytes = readFileSync(file)
    // A file that was made and never written to: the process ended before the first acknowledgement.
    return bytes.length === 0 ? undefined : markFromBytes(bytes)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new SteleError('FILE_UNREADABLE', { file: 'high-water' }, { cause })
  }
}

export interface HighWater {
  /** Overwrites the mark without waiting for the disk; about a microsecond. */
  write(mark: Mark): void
  /** Waits for the disk. */
  sync(): void
  close(): void
}

/** Opens a mark for writing; the file is made when it is not there. On macOS each write is synced, since LevelDB's sync is not. */
export function openHighWater(file: string): HighWater {
  let descriptor: number
  try {
    // Not truncated: until the first write the old mark must stay readable.
    descriptor = openSync(file, openForOverwriting, 0o600)
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { file: 'high-water' }, { cause })
  }
  const flushEach = process.platform === 'darwin'
  return {
    write(mark) {
      writeSync(descriptor, markToBytes(mark), 0, markBytes, 0)
      if (flushEach) fsyncSync(descriptor)
    },
    sync: () => fsyncSync(descriptor),
    close: () => closeSync(descriptor),
  }
}
