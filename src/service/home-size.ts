// How large a home is: its files by place, the rows of its store by kind, and what is free on its disk.
// Lengths of files count, each file once however many names it has: a snapshot is mostly links to tables of the store.
import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert } from '../foundation/assert.js'
import type { HomeFiles } from '../ledger/home-files.js'
import type { RowSizes } from '../ledger/row-sizes.js'

/** Bytes of the files in each place of a home. */
export interface PlaceSizes {
  readonly store: number
  readonly views: number
  readonly spool: number
  readonly quarantine: number
  readonly snapshots: number
  readonly log: number
  readonly reserve: number
  readonly rest: number
}

export interface HomeSize {
  /** Bytes of all places together. */
  readonly home: number
  readonly places: PlaceSizes
  /** What LevelDB says of the rows in its tables; null where the store is not open. What stands only in its log is in no kind. */
  readonly rows: RowSizes | null
  /** Bytes that are free on the file system; null where it does not say. */
  readonly free: number | null
}

/** Measures the files of a home. What vanishes meanwhile is not counted, and a home that is not there takes nothing. */
export async function measureHomeSize(files: HomeFiles, rows: RowSizes | null = null): Promise<HomeSize> {
  const seen = new Set<string>()
  // One after the other: the threads that these wait for are also those that write entries.
  const places = {
    store: await bytesUnder(files.store, seen),
    views: await bytesUnder(files.views, seen),
    spool: await bytesUnder(files.spool, seen),
    quarantine: await bytesUnder(files.quarantine, seen),
    snapshots: await bytesUnder(files.snapshots, seen),
    log: (await bytesUnder(files.log, seen)) + (await bytesUnder(`${files.log}.1`, seen)),
    reserve: await bytesUnder(files.reserve, seen),
    rest: await bytesUnder(files.home, seen),
  }
  const home = Object.values(places).reduce((sum, bytes) => sum + bytes, 0)
  return { home, places, rows, free: await freeBytes(files.home) }
}

/** Bytes that this user can still write to the file system of a folder; null where it does not say. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder)
    // Some file systems know no sizes, and say that all of them are nothing.
    return blocks === 0 ? null : bavail * bsize
  } catch {
    return null
  }
}

const patienceMs = 1000

export interface HomeSizeMeterOptions {
  readonly files: HomeFiles
  /** Undefined where the store is not open. */
  readonly rows: () => Promise<RowSizes> | undefined
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
}

/** Measures a home for whoever asks, and its files not again for a while. What is free costs nothing to ask and is always new. */
export class HomeSizeMeter {
  readonly #options: HomeSizeMeterOptions
  #measuring: Promise<HomeSize> | undefined
  #measuredMs = 0
  #last: HomeSize | undefined

  constructor(options: HomeSizeMeterOptions) {
    this.#options = options
  }

  /**
   * The size of the home, at most `ageMs` old, or older where a new measure takes more than a second: a spool can hold very many files.
   * Those who ask at the same time share one measure.
   */
  async take(ageMs: number): Promise<HomeSize> {
    const { files, now } = this.#options
    const last = this.#last
    if (last === undefined || now() - this.#measuredMs >= ageMs) this.#measuring ??= this.#measure()
    const measuring = this.#measuring
    let size = last
    if (measuring !== undefined)
      size = await (last === undefined ? measuring : Promise.race([measuring, sleep(patienceMs, last, { ref: false })]))
    assert(size !== undefined, 'a home has been measured when its size is told')
    return { ...size, free: await freeBytes(files.home) }
  }

  async #measure(): Promise<HomeSize> {
    const { files, rows, now } = this.#options
    this.#measuredMs = now()
    // A store that is closed just now, or that cannot be read, has no kinds; its files are measured all the same.
    const known = await Promise.resolve()
      .then(rows)
      .catch(() => undefined)
    this.#last = await measureHomeSize(files, known ?? null)
    this.#measuring = undefined
    return this.#last
  }
}

/** Of a file its length, of a folder the lengths of all that is in it and that nobody has counted yet. */
async function bytesUnder(path: string, seen: Set<string>): Promise<number> {
  const stat = await lstat(path, { bigint: true }).catch(() => undefined)
  if (stat === undefined) return 0
  const name = `${stat.dev}:${stat.ino}`
  if (stat.isFile()) {
    if (seen.has(name)) return 0
    seen.add(name)
    return Number(stat.size)
  }
  if (!stat.isDirectory() || seen.has(name)) return 0
  seen.add(name)
  let bytes = 0
  for (const below of await readdir(path).catch(() => [])) bytes += await bytesUnder(join(path, below), seen)
  return bytes
}
