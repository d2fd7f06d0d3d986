// The same event twice is one entry: dedupe ids, kept for seven days, each with the first entry it gave and how often it came again.
import { allOf, bytesToNumber, dedupeKey, numberToBytes } from './row-keys.js'
import type { Row, Store } from './store.js'

export interface FirstTime {
  /** Index of the first entry that it gave; null where it gave none, which is 0 in the row: entry 0 is never anybody's payload. */
  readonly index: number | null
  readonly timeMs: number
  /** How often the id came again. */
  readonly again: number
}

export interface KnownBefore {
  readonly id: string
  readonly first: FirstTime
}

const keptMs = 7 * 24 * 60 * 60 * 1000
const sweptAtOnce = 256

export function dedupeRow(digest: string, { index, timeMs, again }: FirstTime): Row {
  return {
    key: dedupeKey(digest),
    value: Buffer.concat([numberToBytes(index ?? 0), numberToBytes(timeMs), numberToBytes(again)]),
  }
}

/** What an id gave the first time; undefined for a new one. */
export async function readDedupe(store: Store, digest: string): Promise<FirstTime | undefined> {
  const value = await store.get(dedupeKey(digest))
  return value === undefined ? undefined : firstTimeOf(value)
}

/** The first of several ids that is known, with what it gave. Nearly always none is. */
export function readFirstKnown(store: Store, digests: readonly string[]): KnownBefore | undefined {
  for (const id of digests) {
    const value = store.getNow(dedupeKey(id))
    if (value !== undefined) return { id, first: firstTimeOf(value) }
  }
  return undefined
}

/**
 * Deletes old ids among a few that follow a place in key order. The ids are spread evenly, so that calls at random places
 * reach all of them in time, and none costs more than a few hundred rows. `place` is some bytes of chance.
 */
export async function sweepDedupe(store: Store, place: Uint8Array, nowMs: number): Promise<void> {
  const old: Uint8Array[] = []
  const from = Buffer.concat([allOf('d').from, place])
  for await (const rows of store.range({ from, to: allOf('d').to, limit: sweptAtOnce })) {
    for (const { key, value } of rows) if (firstTimeOf(value).timeMs < nowMs - keptMs) old.push(key)
  }
  if (old.length > 0) await store.write([], old)
}

function firstTimeOf(value: Uint8Array): FirstTime {
  return { index: bytesToNumber(value, 0) || null, timeMs: bytesToNumber(value, 8), again: bytesToNumber(value, 16) }
}
