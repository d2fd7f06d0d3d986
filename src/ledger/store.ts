// The ledger's LevelDB: atomic durable batches, reads and ranges. It knows rows, not entries.
// Its owner is the one process that holds LevelDB's own LOCK; nothing here ever opens the LOCK file otherwise.
import { Level } from 'level'
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
  /** All of it or none of it, on disk before the promise resolves. Deletes come before puts. */
  write(puts: readonly Row[], deletes?: readonly Uint8Array[]): Promise<void>
  close(): Promise<void>
}

const chunkRows = 1000
const chunkBytes = 1024 * 1024

/** Opens the store in a folder. `create` is for `stele init` alone: elsewhere a missing store must not come up empty. */
export async function openStore(folder: string, { create = false }: { create?: boolean } = {}): Promise<Store> {
  const db = new Level<Uint8Array, Uint8Array>(folder, {
    createIfMissing: create,
    errorIfExists: create,
    keyEncoding: 'view',
    valueEncoding: 'view',
  })
  try {
    await db.open()
  } catch (cause) {
    throw openingError(cause)
  }
  return {
    get: (key) => db.get(key).catch(readingError),
    getNow: (key) => getNow(db, key),
    getMany: (keys) => db.getMany([...keys]).catch(readingError),
    range: (options) => readRange(db, options),
    write: (puts, deletes = []) => writeBatch(db, puts, deletes),
    close: () => db.close(),
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

function getNow(db: Level<Uint8Array, Uint8Array>, key: Uint8Array): Uint8Array | undefined {
  try {
    return db.getSync(key)
  } catch (error) {
    return readingError(error)
  }
}

async function* readRange(db: Level<Uint8Array, Uint8Array>, { from, to, reverse = false, limit = -1 }: RangeOptions) {
  const iterator = db.iterator({ gte: from, lt: to, reverse, limit, fillCache: false, highWaterMarkBytes: chunkBytes })
  try {
    for (;;) {
      const pairs = await iterator.nextv(chunkRows).catch(readingError)
      if (pairs.length === 0) return
      yield pairs.map(([key, value]) => ({ key, value }))
    }
  } finally {
    // An iterator left open holds a snapshot, which would keep words that are to be forgotten.
    await iterator.close()
  }
}

// The chained form: the array form costs four times as much for the same rows.
async function writeBatch(
  db: Level<Uint8Array, Uint8Array>,
  puts: readonly Row[],
  deletes: readonly Uint8Array[],
): Promise<void> {
  try {
    const batch = db.batch()
    for (const key of deletes) batch.del(key)
    for (const { key, value } of puts) batch.put(key, value)
    await batch.write({ sync: true })
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
