// Reads entries back out of a store: by index, in order, by session, newest first. It trusts what it reads; proof is the verifier's.
import { type Entry, readEntry, readHeader, readSalted } from '../events/entry.js'
import { toHex } from '../foundation/digest.js'
import { SteleError } from '../foundation/stele-error.js'
import {
  allOf,
  bytesToNumber,
  headerKey,
  hostSessionKey,
  metaKey,
  payloadKey,
  readSessionKey,
  sessionRange,
  wordsKey,
} from './row-keys.js'
import type { Store } from './store.js'

/** The rows of one entry as they are stored. */
export interface StoredEntry {
  readonly index: number
  readonly header: Uint8Array
  readonly payload: Uint8Array
  readonly words: Uint8Array | undefined
}

export interface LedgerReader {
  /** Number of entries, from the head. */
  size(): Promise<number>
  ledgerId(): Promise<string>
  /** Throws `ENTRY_UNKNOWN` for an index that is not there. */
  entry(index: number): Promise<Entry>
  storedEntry(index: number): Promise<StoredEntry>
  /** In order of index, from `from` on, below `to`. */
  storedEntries(from: number, to: number): AsyncIterable<StoredEntry>
  /** Those of one type, in order of index, below `to`. Reads headers alone until one fits. */
  storedEntriesOfType(type: string, to: number): AsyncIterable<StoredEntry>
  /** Those of one type, newest first, no older than `since` (a time as headers have it). Reads headers alone until one fits. */
  newestOfType(type: string, since: string): AsyncIterable<Entry>
  /** In order of index, or newest first. */
  entries(options?: { from?: number; to?: number; newestFirst?: boolean }): AsyncIterable<Entry>
  /** The entries of one session, in order; of a long one only the `newest` so many. */
  sessionEntries(handle: string, options?: { newest?: number }): AsyncIterable<Entry>
  /** The words of some entries; undefined where they are gone or never were. */
  wordsOf(indices: readonly number[]): Promise<(Entry['words'] | undefined)[]>
  /** The handle under which a host's session goes, by the keyed digest of its id; undefined for one that is not known (any more). */
  handleOf(sessionDigest: string): Promise<string | undefined>
  /** The note of the newest checkpoint; undefined where there is none. */
  newestCheckpoint(): Promise<string | undefined>
}

const entriesPerRead = 256
const bodiesPerRead = 64

export function ledgerReader(store: Store): LedgerReader {
  const size = async () => Number(await metaText(store, 'size'))
  return {
    size,
    ledgerId: () => metaText(store, 'ledger'),
    entry: async (index) => {
      return wholeEntry(await readStored(store, index))
    },
    storedEntry: (index) => readStored(store, index),
    storedEntries: (from, to) => readForward(store, from, to),
    storedEntriesOfType: (type, to) => readOfType(store, type, to),
    newestOfType: (type, since) => readNewestOfType(store, type, since),
    entries: ({ from = 0, to, newestFirst = false } = {}) =>
      newestFirst ? readBackward(store, from, to) : readForwardEntries(store, from, to),
    sessionEntries: (handle, { newest } = {}) =>
      newest === undefined ? readSession(store, handle) : readNewest(store, handle, newest),
    wordsOf: async (indices) => {
      const rows = await store.getMany(indices.map(wordsKey))
      return rows.map((row) => (row === undefined ? undefined : (JSON.parse(readSalted(row).text) as Entry['words'])))
    },
    handleOf: async (sessionDigest) => {
      const handle = await store.get(hostSessionKey(sessionDigest))
      return handle === undefined ? undefined : `s${toHex(handle)}`
    },
    newestCheckpoint: async () => {
      for await (const [row] of store.range({ ...allOf('c'), reverse: true, limit: 1 })) {
        if (row !== undefined) return Buffer.from(row.value).toString()
      }
      return undefined
    },
  }
}

async function metaText(store: Store, name: 'ledger' | 'size'): Promise<string> {
  const row = await store.get(metaKey(name))
  if (row === undefined) throw new SteleError('STORE_UNREADABLE', { reason: `no m row ${name}` })
  return Buffer.from(row).toString()
}

async function readStored(store: Store, index: number): Promise<StoredEntry> {
  const [header, payload, words] = await store.getMany([headerKey(index), payloadKey(index), wordsKey(index)])
  if (header === undefined) throw new SteleError('ENTRY_UNKNOWN', { index })
  if (payload === undefined) throw new SteleError('LEDGER_ENTRY_ALTERED', { index })
  return { index, header, payload, words }
}

/** Rows that are no JSON (any more) are damage, whoever asks. */
function wholeEntry({ index, header, payload, words }: StoredEntry): Entry {
  try {
    return readEntry(header, payload, words)
  } catch (cause) {
    throw new SteleError('LEDGER_ENTRY_ALTERED', { index }, { cause })
  }
}

async function* readForward(store: Store, from: number, to: number): AsyncGenerator<StoredEntry> {
  for await (const rows of store.range({ from: headerKey(from), to: headerKey(to) })) {
    // Headers are small and the rest need not be: only so much of it stands in memory at once.
    for (let begin = 0; begin < rows.length; begin += bodiesPerRead) {
      const some = rows.slice(begin, begin + bodiesPerRead)
      const indices = some.map(({ key }) => bytesToNumber(key, 1))
      const payloads = await store.getMany(indices.map(payloadKey))
      const words = await store.getMany(indices.map(wordsKey))
      for (const [at, index] of indices.entries()) {
        const header = some[at]?.value
        const payload = payloads[at]
        if (header === undefined || payload === undefined) throw new SteleError('LEDGER_ENTRY_ALTERED', { index })
        yield { index, header, payload, words: words[at] }
      }
    }
  }
}

async function* readOfType(store: Store, type: string, to: number): AsyncGenerator<StoredEntry> {
  const written = Buffer.from(`"type":"${type}"`)
  for await (const rows of store.range({ from: headerKey(0), to: headerKey(to) })) {
    for (const { key, value } of rows) {
      // A type is written as it stands: looking for it costs less than reading every header.
      const header = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      if (header.includes(written)) yield readStored(store, bytesToNumber(key, 1))
    }
  }
}

async function* readNewestOfType(store: Store, type: string, since: string): AsyncGenerator<Entry> {
  const written = Buffer.from(`"type":"${type}"`)
  for await (const rows of store.range({ ...allOf('h'), reverse: true })) {
    for (const { key, value } of rows) {
      const header = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      if (!header.includes(written)) continue
      const entry = wholeEntry(await readStored(store, bytesToNumber(key, 1)))
      if (entry.header.time < since) return
      if (entry.header.type === type) yield entry
    }
    // Of those that do not fit, one in each chunk tells how far back this is.
    const oldest = rows.at(-1)
    if (oldest !== undefined && readHeader(oldest.value).time < since) return
  }
}

async function* readForwardEntries(store: Store, from: number, to: number | undefined): AsyncGenerator<Entry> {
  const end = to ?? Number(await metaText(store, 'size'))
  for await (const stored of readForward(store, from, end)) yield wholeEntry(stored)
}

async function* readBackward(store: Store, from: number, to: number | undefined): AsyncGenerator<Entry> {
  let end = to ?? Number(await metaText(store, 'size'))
  while (end > from) {
    const start = Math.max(from, end - entriesPerRead)
    const entries: Entry[] = []
    for await (const stored of readForward(store, start, end)) entries.push(wholeEntry(stored))
    yield* entries.reverse()
    end = start
  }
}

async function* readSession(store: Store, handle: string): AsyncGenerator<Entry> {
  for await (const rows of store.range(sessionRange(handle))) {
    for (const { key } of rows) {
      yield wholeEntry(await readStored(store, readSessionKey(key).index))
    }
  }
}

async function* readNewest(store: Store, handle: string, count: number): AsyncGenerator<Entry> {
  const indices: number[] = []
  for await (const rows of store.range({ ...sessionRange(handle), reverse: true, limit: count })) {
    for (const { key } of rows) indices.push(readSessionKey(key).index)
  }
  for (const index of indices.reverse()) yield wholeEntry(await readStored(store, index))
}
