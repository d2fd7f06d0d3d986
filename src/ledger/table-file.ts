// Reads one table of LevelDB from its file, without LevelDB: every version of a row that stands in it, deletions too.
// LevelDB itself shows only the newest; here it is asked what the disk still holds. Nothing is written, and no LOCK is touched.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { ByteCursor, unreadable } from './byte-cursor.js'
import { storedCrc32c } from './crc32c.js'
import { unpackSnappy } from './snappy.js'

/** One version of a row, as a table or a log keeps it. */
export interface StoredRow {
  readonly key: Uint8Array
  /** Counts the writes of the store: the highest is the version in force. */
  readonly sequence: number
  readonly deleted: boolean
  /** Empty for a deletion. A view into what was read, not a copy. */
  readonly value: Uint8Array
}

/** Whether a block is to be read: its keys lie from `above` (undefined: any) up to `upTo`, both included. Asked once a block. */
export type BlockWanted = (above: Uint8Array | undefined, upTo: Uint8Array) => boolean

interface BlockPlace {
  readonly offset: number
  readonly bytes: number
}

const footerBytes = 48
const magicLow = 0x8b80fb57
const magicHigh = 0xdb477524
/** Behind each block: how it is packed, and its check sum. */
const trailerBytes = 5
const sequenceBytes = 8

/**
 * The rows of a table in the order of its keys, the newest version of a key first. Check sums are verified for all that is read.
 * Throws `STORE_UNREADABLE` where the file is no whole table: damaged, or still being written.
 */
export function* readTableFile(path: string, isWanted: BlockWanted = () => true): Generator<StoredRow> {
  const file = openSync(path, 'r')
  try {
    const bytes = fstatSync(file).size
    const index = readBlock(file, readFooter(file, bytes))
    let above: Uint8Array | undefined
    let offset = 0
    for (const { key: upTo, value } of rowsOfBlock(index)) {
      const cursor = new ByteCursor(value)
      const place = { offset: cursor.varint(), bytes: cursor.varint() }
      // Blocks lie one behind the other. An index that says otherwise cannot be trusted to leave anything out.
      if (place.offset !== offset || !fits(place, bytes)) throw unreadable('table: index')
      if (above !== undefined && Buffer.compare(above, upTo) > 0) throw unreadable('table: order of the index')
      offset += place.bytes + trailerBytes
      if (isWanted(above, upTo)) {
        for (const row of rowsOfBlock(readBlock(file, place))) {
          if (Buffer.compare(row.key, upTo) > 0 || (above !== undefined && Buffer.compare(row.key, above) < 0))
            throw unreadable('table: a key outside its block')
          yield row
        }
      }
      above = upTo
    }
  } finally {
    closeSync(file)
  }
}

function readFooter(file: number, fileBytes: number): BlockPlace {
  if (fileBytes < footerBytes) throw unreadable('table: too short')
  const cursor = new ByteCursor(readAt(file, fileBytes - footerBytes, footerBytes))
  // The place of the index of further blocks (the Bloom filter), which holds no keys.
  cursor.varint()
  cursor.varint()
  const place = { offset: cursor.varint(), bytes: cursor.varint() }
  cursor.take(cursor.left - 8)
  if (cursor.fixed32() !== magicLow || cursor.fixed32() !== magicHigh) throw unreadable('table: footer')
  if (!fits(place, fileBytes)) throw unreadable('table: footer')
  return place
}

const fits = ({ offset, bytes }: BlockPlace, fileBytes: number): boolean =>
  offset + bytes + trailerBytes <= fileBytes - footerBytes

function readBlock(file: number, { offset, bytes }: BlockPlace): Uint8Array {
  const read = readAt(file, offset, bytes + trailerBytes)
  const trailer = new ByteCursor(read, bytes)
  const packing = trailer.byte()
  if (trailer.fixed32() !== storedCrc32c(read, 0, bytes + 1)) throw unreadable('table: check sum')
  const block = read.subarray(0, bytes)
  if (packing === 0) return block
  if (packing === 1) return unpackSnappy(block)
  throw unreadable('table: packing')
}

/** Each key repeats the beginning of the one before; behind the rows stands where it does not, which only a search needs. */
function* rowsOfBlock(block: Uint8Array): Generator<StoredRow> {
  if (block.length < 4) throw unreadable('table: block')
  const restarts = new ByteCursor(block, block.length - 4).fixed32()
  const end = block.length - 4 - 4 * restarts
  if (end < 0) throw unreadable('table: block')
  const cursor = new ByteCursor(block.subarray(0, end))
  let before: Uint8Array = new Uint8Array(0)
  while (cursor.left > 0) {
    const shared = cursor.varint()
    const own = cursor.varint()
    const valueBytes = cursor.varint()
    if (shared > before.length) throw unreadable('table: key')
    const whole = new Uint8Array(shared + own)
    whole.set(before.subarray(0, shared))
    whole.set(cursor.take(own), shared)
    before = whole
    const keyBytes = whole.length - sequenceBytes
    if (keyBytes < 0) throw unreadable('table: key')
    const kind = whole[keyBytes]
    if (kind !== 0 && kind !== 1) throw unreadable('table: kind of row')
    // 56 bits of number above the 8 of the kind.
    const sequence = Math.floor(new ByteCursor(whole, keyBytes).fixed64() / 0x100)
    yield { key: whole.subarray(0, keyBytes), sequence, deleted: kind === 0, value: cursor.take(valueBytes) }
  }
}

function readAt(file: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let filled = 0; filled < length; ) {
    const count = readSync(file, bytes, filled, length - filled, offset + filled)
    if (count === 0) throw unreadable('table: ends too early')
    filled += count
  }
  return bytes
}
