// What must go when words are forgotten: their rows, and the way from a host's session id to its handle.

import { readHeader, readSalted } from '../events/entry.js'
import { toHex } from '../foundation/digest.js'
import { holdsIndex, type IndexPairs } from '../foundation/index-pairs.js'
import { bytesToNumber, headerKey, hostSessionKey, readSessionKey, sessionRange, wordsKey } from './row-keys.js'
import type { Store } from './store.js'

export interface ErasurePlan {
  /** Keys of words. */
  readonly deletes: readonly Uint8Array[]
  /** Keys of ways from a host's session to its handle: see `waysThatGo`. */
  readonly ways: readonly Uint8Array[]
  /** Bytes of the words' rows, salts included. */
  readonly bytes: number
}

/** What was read of the words of some entries before they are forgotten. */
export interface KnownWords {
  readonly bytes: number
  /** Keyed digests of the host sessions whose `session.started` is among them. */
  readonly hostSessions: readonly string[]
}

const deletesPerBatchMax = 20_000

/** Of words that were read before: the rows that go with the batch that tells of the erasure, as many as fit. */
export function firstDeletes(ranges: IndexPairs, { bytes, hostSessions }: KnownWords): ErasurePlan {
  const deletes: Uint8Array[] = []
  for (const [first, last] of ranges)
    for (let index = first; index <= last && deletes.length < deletesPerBatchMax; index += 1) deletes.push(wordsKey(index))
  return { deletes, ways: hostSessions.map(hostSessionKey), bytes }
}

/** Reads which rows the words of some entries are. `sessionDigest` is the keyed digest of a host's session id. */
export async function planErasure(
  store: Store,
  ranges: IndexPairs,
  sessionDigest: (session: string) => string,
): Promise<ErasurePlan> {
  const deletes: Uint8Array[] = []
  const ways: Uint8Array[] = []
  let bytes = 0
  for (const [first, last] of ranges) {
    for await (const rows of store.range({ from: wordsKey(first), to: wordsKey(last + 1) })) {
      for (const { key, value } of rows) {
        deletes.push(key)
        bytes += value.length
        const session = await hostSessionOf(store, bytesToNumber(key, 1), value)
        if (session !== undefined) ways.push(hostSessionKey(sessionDigest(session)))
      }
    }
  }
  return { deletes, ways, bytes }
}

async function hostSessionOf(store: Store, index: number, wordsRow: Uint8Array): Promise<string | undefined> {
  const header = await store.get(headerKey(index))
  if (header === undefined || readHeader(header).type !== 'session.started') return undefined
  const { session } = JSON.parse(readSalted(wordsRow).text) as { session?: unknown }
  return typeof session === 'string' ? session : undefined
}

/** A way from a host's session to its handle. */
export interface HostSessionWay {
  readonly key: Uint8Array
  readonly handle: string
}

/**
 * Of ways that are to go, those that do: the ones that lead to a session whose start is forgotten, now or before, and which has said
 * nothing since the ledger had so many entries. By now a way may lead to a session that began later under the same id, and a session
 * that goes on must be found by whoever names it.
 */
export async function waysThatGo(
  store: Store,
  keys: readonly Uint8Array[],
  ranges: IndexPairs,
  since: number,
): Promise<HostSessionWay[]> {
  const handles = await store.getMany(keys)
  const ways: HostSessionWay[] = []
  for (const [at, key] of keys.entries()) {
    const row = handles[at]
    if (row === undefined) continue
    const handle = `s${toHex(row)}`
    const start = await startOf(store, handle)
    if (start < 0) continue
    const isForgotten = holdsIndex(ranges, start) || (await store.get(wordsKey(start))) === undefined
    if (isForgotten && (await lastOf(store, handle)) < since) ways.push({ key, handle })
  }
  return ways
}

async function lastOf(store: Store, handle: string): Promise<number> {
  for await (const [row] of store.range({ ...sessionRange(handle), reverse: true, limit: 1 }))
    if (row !== undefined) return readSessionKey(row.key).index
  return -1
}

/** Index of the start of a session, which is among its first entries; -1 where it is not. */
async function startOf(store: Store, handle: string): Promise<number> {
  for await (const rows of store.range({ ...sessionRange(handle), limit: firstEntries })) {
    for (const { key } of rows) {
      const { index } = readSessionKey(key)
      const header = await store.get(headerKey(index))
      if (header !== undefined && readHeader(header).type === 'session.started') return index
    }
  }
  return -1
}

const firstEntries = 64
