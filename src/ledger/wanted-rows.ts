// Which rows are to be gone from the disk, and how to ask of a key, or of a stretch of keys, whether it is among them.
// A pure description: it may be handed to another thread as it is.
import { assert } from '../foundation/assert.js'
import { bytesToNumber, type KeyRange, wordsKey } from './row-keys.js'
import type { Row } from './store.js'

/** Rows that were deleted and must not stand in any file any more. */
export interface WantedRows {
  /** Keys of words, ascending, without overlap. */
  readonly ranges: readonly KeyRange[]
  /** Single keys: the way from a host's session id to its handle. */
  readonly keys: readonly Uint8Array[]
  /** Rows under such a single key that were written anew since, by right: this value of theirs is nothing left over. */
  readonly again?: readonly Row[]
}

/** Pairs of indices, both ends included, and the keys of `i` rows. Pairs may touch or overlap and come in any order. */
export function wantedRows(
  ranges: readonly (readonly [first: number, last: number])[],
  sessionKeys: readonly Uint8Array[],
): WantedRows {
  const merged: [number, number][] = []
  for (const [first, last] of [...ranges].sort(([one], [other]) => one - other)) {
    assert(first >= 0 && first <= last, 'a range of entries begins before it ends')
    const before = merged.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else merged.push([first, last])
  }
  return { ranges: merged.map(([first, last]) => ({ from: wordsKey(first), to: wordsKey(last + 1) })), keys: sessionKeys }
}

/** The pairs of indices again, both ends included. */
export function wantedIndices({ ranges }: WantedRows): (readonly [first: number, last: number])[] {
  return ranges.map(({ from, to }) => [bytesToNumber(from, 1), bytesToNumber(to, 1) - 1])
}

/** Answers for one description, in time that grows with the logarithm of its size. */
export interface WantedTest {
  /** Whether a version of a row with this key and value should be gone. */
  isWanted(key: Uint8Array, value: Uint8Array): boolean
  /** Whether a wanted key may lie from `above` (undefined: from the first key of all) up to `upTo`, both included. */
  mayLieIn(above: Uint8Array | undefined, upTo: Uint8Array): boolean
}

export function wantedTest({ ranges, keys, again = [] }: WantedRows): WantedTest {
  const sorted = [...ranges, ...keys.map(onlyKey)].sort((one, other) => Buffer.compare(one.from, other.from))
  const byRight = new Map(again.map(({ key, value }) => [hex(key), value]))
  /** How many of the ranges end at or before a key: the next one is the only one that may hold it. */
  const endedBy = (key: Uint8Array): number => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const range = sorted[middle]
      if (range !== undefined && Buffer.compare(range.to, key) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    isWanted: (key, value) => {
      const range = sorted[endedBy(key)]
      if (range === undefined || Buffer.compare(range.from, key) > 0) return false
      const allowed = byRight.size === 0 ? undefined : byRight.get(hex(key))
      return allowed === undefined || Buffer.compare(allowed, value) !== 0
    },
    mayLieIn: (above, upTo) => {
      const range = sorted[above === undefined ? 0 : endedBy(above)]
      return range !== undefined && Buffer.compare(range.from, upTo) <= 0
    },
  }
}

const onlyKey = (key: Uint8Array): KeyRange => ({ from: key, to: Buffer.concat([key, Buffer.of(0)]) })

const hex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
