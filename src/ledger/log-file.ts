// Reads a log of LevelDB from its file, without LevelDB: every put and delete that stands in it, in the order of writing.
// A log may end in the middle of a write, because it grows or because of a crash; what there is of that write is read too.
import { readFileSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import { ByteCursor, unreadable } from './byte-cursor.js'
import { storedCrc32c } from './crc32c.js'
import type { StoredRow } from './table-file.js'

const blockBytes = 32_768
/** Check sum (4), length (2), kind (1). */
const headerBytes = 7
const kinds = { full: 1, first: 2, middle: 3, last: 4 } as const

interface LoggedBatch {
  readonly bytes: Uint8Array
  readonly whole: boolean
}

/** Throws `STORE_UNREADABLE` where the log is damaged anywhere but at its end: what stands there nobody can tell. */
export function* readLogFile(path: string): Generator<StoredRow> {
  for (const batch of batchesOf(readFileSync(path))) yield* rowsOfBatch(batch)
}

/** A batch stands in one piece, or in several where it does not fit the rest of a block. */
function* batchesOf(log: Uint8Array): Generator<LoggedBatch> {
  let pieces: Uint8Array[] = []
  for (let at = 0; at < log.length; ) {
    const blockEnd = Math.min(log.length, (Math.floor(at / blockBytes) + 1) * blockBytes)
    const isShort = blockEnd - at < headerBytes
    if (isShort || isZero(log, at, at + headerBytes)) {
      // Too little is left for a piece, or the rest was never written: zeros. At the end of the file a header may be cut short.
      if (!(isShort && blockEnd === log.length) && !isZero(log, at, blockEnd)) throw unreadable('log: padding')
      at = blockEnd
      continue
    }
    const cursor = new ByteCursor(log, at)
    const sum = cursor.fixed32()
    const length = cursor.byte() | (cursor.byte() << 8)
    const kind = cursor.byte()
    const start = at + headerBytes
    if ((at % blockBytes) + headerBytes + length > blockBytes) throw unreadable('log: length')
    if (kind < kinds.full || kind > kinds.last) throw unreadable('log: kind of piece')
    if ((kind === kinds.full || kind === kinds.first) !== (pieces.length === 0)) throw unreadable('log: pieces')
    pieces.push(log.subarray(start, start + length))
    if (start + length > log.length) break
    if (storedCrc32c(log, at + headerBytes - 1, start + length) !== sum) throw unreadable('log: check sum')
    if (kind === kinds.full || kind === kinds.last) {
      yield { bytes: joined(pieces), whole: true }
      pieces = []
    }
    at = start + length
  }
  if (pieces.length > 0) yield { bytes: joined(pieces), whole: false }
}

function* rowsOfBatch({ bytes, whole }: LoggedBatch): Generator<StoredRow> {
  const cursor = new ByteCursor(bytes)
  let count = 0
  try {
    const first = cursor.fixed64()
    const said = cursor.fixed32()
    while (cursor.left > 0) {
      const kind = cursor.byte()
      if (kind !== 0 && kind !== 1) throw unreadable('log: kind of row')
      const key = cursor.take(cursor.varint())
      const valueBytes = kind === 0 ? 0 : cursor.varint()
      // Of a value that is cut short the beginning is there, and counts.
      const value = cursor.take(whole ? valueBytes : Math.min(valueBytes, cursor.left))
      yield { key, sequence: first + count, deleted: kind === 0, value }
      count += 1
    }
    if (whole && count !== said) throw unreadable('log: count of rows')
  } catch (error) {
    if (whole || !(error instanceof SteleError)) throw error
  }
}

function isZero(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] !== 0) return false
  return true
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
}
