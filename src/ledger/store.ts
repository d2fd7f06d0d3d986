// The ledger's LevelDB: atomic durable batches, reads and ranges. It knows rows, not entries.
// Its owner is the one process that holds LevelDB's own LOCK; nothing here ever opens the LOCK file otherwise.
import { resolve } from 'node:path'
import { Level } from 'level'
import { assert } from '../foundation/assert.js'
import { SteleError } from '../foundation/stele-error.js'
import type { KeyRange } from './row-keys.js'

export interface Row {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

export interface RangeOptions extends KeyRange {
  readonly reverse?: boolean
  readonly limit?: number
}

export interface WriteOptions {
  /** False where a loss does no harm: the promise then resolves before the disk has it, and a power cut may take it. */
  readonly sync?: boolean
}

/** What the ledger needs of a store. `test/contracts/store-contract.ts` says it as tests; a store in memory passes them too. */
export interface Store {
  get(key: Uint8Array): Promise<Uint8Array | undefined>
  /**
   * The same at once, in this thread: for keys that are most likely not there, which LevelDB can tell without the disk. Handing such a
   * read to another thread and back costs many times the read.
   */
  getNow(key: Uint8Array): Uint8Array | undefined
  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]>
  /** Rows in key order, in chunks, of the state at the call. */
  range(options: RangeOptions): AsyncIterable<readonly Row[]>
  /** About how many bytes the rows of a range take in the tables on disk. What so far stands only in the log is not in it. */
  approximate(range: KeyRange): Promise<number>
  /** All of it or none of it, on disk before the promise resolves. Deletes come before puts. */
  write(puts: readonly Row[], deletes?: readonly Uint8Array[], options?: WriteOptions): Promise<void>
  /**
   * Writes the tables anew that hold keys of a range, without the versions that a newer one hides, and starts a new log whatever the
   * range. Tables are taken whole, so rows beside the range may move too. What a reader that is open still needs stays: see
   * `drained`. LevelDB says nothing where it could not do it; only a look at the files tells.
   */
  compact(range: KeyRange): Promise<void>
  /** Resolves when every `range` that is being read at the call has ended. Those that begin later do not matter. */
  drained(): Promise<void>
  close(): Promise<void>
}

const chunkRows = 1000
const chunkBytes = 1024 * 1024

export interface OpenStoreOptions {
  /** For `stele init` alone: elsewhere a missing store must not come up empty. */
  readonly create?: boolean
  /** For a reader in another thread of the process that owns the store. Whoever opens it so never writes. */
  readonly shared?: boolean
}

/**
 * Stores that this thread owns, each with its closing where that is under way. LevelDB's lock is between processes; within one, threads
 * may share a store.
 */
const owned = new Map<string, Promise<void> | undefined>()

/** Opens the store in a folder. Throws `STORE_LOCKED` where it is owned already, `STORE_UNREADABLE` where it does not open. */
export async function openStore(folder: string, { create = false, shared = false }: OpenStoreOptions = {}): Promise<Store> {
  const place = resolve(folder)
  if (!shared) {
    // One that is being closed is free in a moment.
    await owned.get(place)
    if (owned.has(place)) throw new SteleError('STORE_LOCKED')
    owned.set(place, undefined)
  }
  const db = new Level<Uint8Array, Uint8Array>(folder, {
    createIfMissing: create,
    errorIfExists: create,
    multithreading: true,
    keyEncoding: 'view',
    valueEncoding: 'view',
  })
  try {
    await db.open()
  } catch (cause) {
    if (!shared) owned.delete(place)
    throw openingError(cause)
  }
  const close = (): Promise<void> => {
    const closing = db.close().then(() => {
      if (!shared) owned.delete(place)
    })
    if (!shared) owned.set(place, closing)
    return closing
  }
  const reading = new Set<Promise<void>>()
  return {
    get: (key) => db.get(key).catch(readingError),
    getNow: (key) => getNow(db, key),
    getMany: (keys) => db.getMany([...keys]).catch(readingError),
    range: (options) => readRange(db, options, reading),
    approximate: (range) => approximateSize(db, range),
    write: (puts, deletes = [], { sync = true } = {}) => writeBatch(db, puts, deletes, sync),
    compact: (range) => compactRange(db, range),
    drained: async () => {
      await Promise.all(reading)
    },
    close,
  }
}

/** Writes every table of a store anew and reads all of it. Throws `STORE_UNREADABLE`; damaged tables can end the process instead. */
export async function rewriteStore(folder: string): Promise<void> {
  const db = new Level<Uint8Array, Uint8Array>(folder, { createIfMissing: false, keyEncoding: 'view', valueEncoding: 'view' })
  try {
    await db.open()
    if (canCompact(db)) await db.compactRange(Uint8Array.of(0), Uint8Array.of(0xff))
    for await (const _ of db.iterator({ fillCache: false, highWaterMarkBytes: chunkBytes }));
    await db.close()
  } catch (cause) {
    throw openingError(cause)
  }
}

/** What `level` stands on where it stands on LevelDB, as it does on Node. */
interface Compacting {
  compactRange(from: Uint8Array, to: Uint8Array): Promise<void>
}

function canCompact(db: object): db is Compacting {
  return 'compactRange' in db && typeof db.compactRange === 'function'
}

/** The same. */
interface Approximating {
  approximateSize(from: Uint8Array, to: Uint8Array): Promise<number>
}

function canApproximate(db: object): db is Approximating {
  return 'approximateSize' in db && typeof db.approximateSize === 'function'
}

async function approximateSize(db: Level<Uint8Array, Uint8Array>, { from, to }: KeyRange): Promise<number> {
  return canApproximate(db) ? db.approximateSize(from, to).catch(readingError) : 0
}

function getNow(db: Level<Uint8Array, Uint8Array>, key: Uint8Array): Uint8Array | undefined {
  try {
    return db.getSync(key)
  } catch (error) {
    return readingError(error)
  }
}

// LevelDB takes both ends of a range as included. That the first key behind it is taken along does no harm: it stays as it is.
async function compactRange(db: Level<Uint8Array, Uint8Array>, { from, to }: KeyRange): Promise<void> {
  assert(canCompact(db), 'level stands on LevelDB')
  await db.compactRange(from, to).catch(readingError)
}

async function* readRange(
  db: Level<Uint8Array, Uint8Array>,
  { from, to, reverse = false, limit = -1 }: RangeOptions,
  reading: Set<Promise<void>>,
) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const iterator = db.iterator({ gte: from, lt: to, reverse, limit, fillCache: false, highWaterMarkBytes: chunkBytes })
  reading.add(ended)
  try {
    for (;;) {
      const pairs = await iterator.nextv(chunkRows).catch(readingError)
      if (pairs.length === 0) return
      yield pairs.map(([key, value]) => ({ key, value }))
    }
  } finally {
    // An iterator left open holds a snapshot, which would keep words that are to be forgotten.
    await iterator.close().finally(() => {
      reading.delete(ended)
      end()
    })
  }
}

// The chained form: the array form costs four times as much for the same rows.
async function writeBatch(
  db: Level<Uint8Array, Uint8Array>,
  puts: readonly Row[],
  deletes: readonly Uint8Array[],
  sync: boolean,
): Promise<void> {
  try {
    const batch = db.batch()
    for (const key of deletes) batch.del(key)
    for (const { key, value } of puts) batch.put(key, value)
    await batch.write({ sync })
  } catch (cause) {
    throw new SteleError(levelCode(cause) === 'LEVEL_DATABASE_NOT_OPEN' ? 'LEDGER_CLOSED' : 'STORE_WRITE_FAILED', {}, { cause })
  }
}

function openingError(cause: unknown): SteleError {
  const code = levelCode(cause)
  if (code === 'LEVEL_LOCKED') return new SteleError('STORE_LOCKED', {}, { cause })
  return new SteleError('STORE_UNREADABLE', { reason: code }, { cause })
}

function readingError(cause: unknown): never {
  const code = levelCode(cause)
  if (code === 'LEVEL_DATABASE_NOT_OPEN') throw new SteleError('LEDGER_CLOSED', {}, { cause })
  throw new SteleError('STORE_UNREADABLE', { reason: code }, { cause })
}

function levelCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  // abstract-level wraps what LevelDB said of an opening in an error of its own.
  if (error.cause !== undefined) return levelCode(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
}
