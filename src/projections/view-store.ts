// The second LevelDB of a home: views and how far each has come. It may be deleted at any time; then it is made anew from the ledger.
// Its owner is one process. A view and its position are written in one batch, so after a crash they fit each other.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Level } from 'level'
import { SteleError } from '../foundation/stele-error.js'

/** How far a view has come, and over which ledger. */
export interface ViewMark {
  readonly version: number
  /** Entries that are in it. */
  readonly position: number
  readonly ledger: string
  /** Hash of the last of them; empty at position 0. */
  readonly head: string
}

export interface PartsQuery {
  /** First key, and the first behind the last. */
  readonly from?: string
  readonly to?: string
  readonly newestFirst?: boolean
  readonly limit?: number
}

/** Everything that one step of catching up writes. */
export interface ViewChanges {
  readonly marks: ReadonlyMap<string, ViewMark>
  /** By the name of the view. */
  readonly parts: ReadonlyMap<string, ReadonlyMap<string, unknown>>
  readonly terms: readonly TermRow[]
}

/** An entry holds a word. The word itself is never here: `term` is 8 bytes of a digest under a secret of the home, as Latin-1. */
export interface TermRow {
  readonly term: string
  readonly index: number
}

const termBytes = 8
const indexBytes = 8
const chunkRows = 1000
const deletesPerBatch = 4096

/** Who has the views open, as the owner itself writes it down, and whether such a one still runs. */
export interface ViewOwner {
  readonly name: string
  readonly isAlive: (name: string) => boolean
}

/**
 * Opens the views of a home, making them where there are none. What an owner left without closing is thrown away unread: a damaged
 * table can end the process that reads it, and a view is sooner made anew than examined. Throws `STORE_LOCKED` where another owner
 * has them, `STORE_UNREADABLE` where they cannot be kept.
 */
export async function openViewStore(folder: string, owner: ViewOwner): Promise<ViewStore> {
  const store = join(folder, 'store')
  const inUse = join(folder, 'in-use')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const before = ownerIn(inUse)
    if (before !== undefined) {
      if (before !== owner.name && owner.isAlive(before)) throw new SteleError('STORE_LOCKED', { store: 'views' })
      rmSync(store, { recursive: true, force: true })
      rmSync(inUse, { force: true })
    }
    // Only one of two that come at once makes the file.
    writeFileSync(inUse, owner.name, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (error instanceof SteleError) throw error
    if (codeIn(error) === 'EEXIST' && existsSync(inUse))
      throw new SteleError('STORE_LOCKED', { store: 'views' }, { cause: error })
    throw unreadable(error)
  }
  const letGo = (): void => rmSync(inUse, { force: true })
  try {
    return new ViewStore(await opened(store), store, letGo)
  } catch (error) {
    letGo()
    throw error instanceof SteleError ? error : unreadable(error)
  }
}

/** Whatever is wrong with the views is told by this: who asked may throw them away and go on. */
export function areViewsDamaged(error: unknown): boolean {
  return error instanceof SteleError && error.code === 'STORE_UNREADABLE' && error.details['store'] === 'views'
}

/** Every method but `close` and `throwAway` throws `STORE_UNREADABLE` with `store: views` where the views cannot be used (any more). */
export class ViewStore {
  readonly #db: Level<Buffer, Buffer>
  readonly #folder: string
  readonly #letGo: () => void

  constructor(db: Level<Buffer, Buffer>, folder: string, letGo: () => void) {
    this.#db = db
    this.#folder = folder
    this.#letGo = letGo
  }

  async mark(name: string): Promise<ViewMark | undefined> {
    return using(async () => {
      const key = markKey(name)
      const row = await this.#db.get(key)
      return row === undefined ? undefined : (checkedJson(key, row) as ViewMark)
    })
  }

  /** In the order of the keys; undefined for a part that is not there. */
  async parts(name: string, keys: readonly string[]): Promise<unknown[]> {
    return using(async () => {
      const stored = keys.map((key) => partKey(name, key))
      const rows = await this.#db.getMany(stored)
      return stored.map((key, at) => {
        const row = rows[at]
        return row === undefined ? undefined : checkedJson(key, row)
      })
    })
  }

  /** Parts in the order of their keys. */
  async *allParts(
    name: string,
    { from = '', to, newestFirst = false, limit = -1 }: PartsQuery = {},
  ): AsyncGenerator<[string, unknown]> {
    const gte = partKey(name, from)
    const lt = to === undefined ? Buffer.concat([partKey(name, ''), Buffer.of(0xff)]) : partKey(name, to)
    const begin = partKey(name, '').length
    for await (const rows of this.#rows({ gte, lt, reverse: newestFirst, limit }))
      for (const [key, value] of rows) yield [key.subarray(begin).toString(), checkedJson(key, value)]
  }

  /** All of it or none of it. It need not be on disk when this resolves: what is lost with the power is made anew. */
  async write({ marks, parts, terms }: ViewChanges): Promise<void> {
    return using(async () => {
      const batch = this.#db.batch()
      const put = (key: Buffer, value: unknown): void => {
        batch.put(key, checked(key, value))
      }
      for (const [name, of] of parts) for (const [key, part] of of) put(partKey(name, key), part)
      for (const { term, index } of terms) batch.put(termKey(term, index), noValue)
      for (const [name, mark] of marks) put(markKey(name), mark)
      await batch.write()
    })
  }

  /** Forgets a view: first how far it has come, so that a crash in between leaves one that is begun anew. */
  async clear(name: string): Promise<void> {
    return using(async () => {
      await this.#db.del(markKey(name))
      await this.#db.clear({ gte: partKey(name, ''), lt: Buffer.concat([partKey(name, ''), Buffer.of(0xff)]) })
    })
  }

  async clearTerms(name: string): Promise<void> {
    return using(async () => {
      await this.#db.del(markKey(name))
      await this.#db.clear(allTerms)
    })
  }

  /** The entries that hold a word, newest first, below an index. */
  async *indicesOf(term: string, below: number): AsyncGenerator<number> {
    const range = { gte: termKey(term, 0), lt: termKey(term, below), reverse: true, values: false }
    for await (const rows of this.#rows(range)) for (const [key] of rows) yield indexOf(key)
  }

  /**
   * Takes entries out of the index of words, from its files too: whoever has the home's secret could still ask whether one of them held
   * a word. Returns the number of rows that went.
   */
  async forgetTerms(isForgotten: (index: number) => boolean): Promise<number> {
    let gone: Buffer[] = []
    let count = 0
    const flush = async (): Promise<void> => {
      const batch = this.#db.batch()
      for (const key of gone) batch.del(key)
      await batch.write()
      count += gone.length
      gone = []
    }
    return using(async () => {
      // What is in memory goes to a table first: a row and its deletion that meet there may come to lie where no compaction takes them up.
      if (canCompact(this.#db)) await this.#db.compactRange(beforeAllKeys, beforeAllKeys)
      const keys = this.#db.keys(allTerms)
      try {
        for (;;) {
          const some = await keys.nextv(chunkRows)
          if (some.length === 0) break
          gone.push(...some.filter((key) => isForgotten(indexOf(key))))
          if (gone.length > deletesPerBatch) await flush()
        }
      } finally {
        await keys.close()
      }
      await flush()
      if (count > 0 && canCompact(this.#db)) await this.#db.compactRange(allTerms.gte, allTerms.lt)
      return count
    })
  }

  /** In chunks: one at a time costs several times as much. */
  async *#rows(range: RowsRange): AsyncGenerator<[Buffer, Buffer][]> {
    const iterator = await using(async () => this.#db.iterator(range))
    try {
      for (;;) {
        const rows = await using(() => iterator.nextv(chunkRows))
        if (rows.length === 0) return
        yield rows
      }
    } finally {
      await iterator.close()
    }
  }

  async close(): Promise<void> {
    await this.#db.close()
    this.#letGo()
  }

  /** Closes them and leaves nothing. */
  async throwAway(): Promise<void> {
    await this.#db.close()
    rmSync(this.#folder, { recursive: true, force: true })
    this.#letGo()
  }
}

interface RowsRange {
  readonly gte: Buffer
  readonly lt: Buffer
  readonly reverse: boolean
  readonly limit?: number
  readonly values?: boolean
}

/** What `level` stands on where it stands on LevelDB, as it does on Node. */
interface Compacting {
  compactRange(from: Buffer, to: Buffer): Promise<void>
}

function canCompact(db: object): db is Compacting {
  return 'compactRange' in db && typeof db.compactRange === 'function'
}

async function using<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task()
  } catch (error) {
    throw unreadable(error)
  }
}

function unreadable(cause: unknown): SteleError {
  return new SteleError('STORE_UNREADABLE', { store: 'views' }, { cause })
}

/** Views that LevelDB does not open are begun anew. */
async function opened(store: string): Promise<Level<Buffer, Buffer>> {
  const db = new Level<Buffer, Buffer>(store, { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  try {
    await db.open()
  } catch (error) {
    if (isLocked(error)) throw new SteleError('STORE_LOCKED', { store: 'views' }, { cause: error })
    await db.close()
    rmSync(store, { recursive: true, force: true })
    await db.open()
  }
  return db
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && codeIn(error.cause) === 'LEVEL_LOCKED'
}

function codeIn(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function ownerIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Not empty: of each empty value `classic-level` keeps 32 bytes for as long as the process lives. */
const beforeAllKeys = Buffer.of(0)
const noValue = Buffer.of(0)
const allTerms = { gte: Buffer.from('x'), lt: Buffer.from('y') }
const checkBytes = 4

/** LevelDB reads what it finds. That a value is what was written under its key is told by the four bytes before it. */
function checked(key: Buffer, value: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(value))
  const row = Buffer.allocUnsafe(checkBytes + json.length)
  row.writeUInt32BE(crc32(json, crc32(key)), 0)
  json.copy(row, checkBytes)
  return row
}

function checkedJson(key: Buffer, row: Buffer): unknown {
  const json = row.subarray(checkBytes)
  if (row.length < checkBytes || crc32(json, crc32(key)) !== row.readUInt32BE(0)) throw unreadable(undefined)
  return JSON.parse(json.toString()) as unknown
}

const markKey = (name: string): Buffer => Buffer.from(`m${name}`)
const partKey = (name: string, key: string): Buffer => Buffer.from(`p${name}\0${key}`)

function termKey(term: string, index: number): Buffer {
  const key = Buffer.allocUnsafe(1 + termBytes + indexBytes)
  key[0] = 'x'.charCodeAt(0)
  key.write(term, 1, termBytes, 'latin1')
  key.writeBigUInt64BE(BigInt(index), 1 + termBytes)
  return key
}

function indexOf(key: Buffer): number {
  return Number(key.readBigUInt64BE(1 + termBytes))
}
