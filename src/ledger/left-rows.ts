// Says which files of a store still hold a value for rows that were deleted. It reads files, beside LevelDB and without it.
// What it cannot understand counts as holding: only a file that was read and found without them is without them.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { SteleError } from '../foundation/stele-error.js'
import { readLogFile } from './log-file.js'
import { readTableFile } from './table-file.js'
import { type WantedRows, type WantedTest, wantedTest } from './wanted-rows.js'

/** A file that holds such rows, or may. */
export interface LeftFile {
  readonly name: string
  /** Values found in it, every version of a row counted. */
  readonly rows: number
  /** It could not be read to its end, so nobody knows what it holds. */
  readonly unreadable: boolean
}

export interface LeftRows {
  /** In order of name; empty where nothing is left. */
  readonly files: readonly LeftFile[]
  /** How much was looked at. */
  readonly filesRead: number
  readonly blocksRead: number
  /** Blocks of tables which, by the index of their table, hold none of the wanted keys. */
  readonly blocksLeftOut: number
}

export interface FindLeftRowsOptions {
  /** Called after each file: files done, files known so far. */
  readonly onProgress?: (done: number, of: number) => void
  /** How long a file that cannot be understood is left alone before each further look: LevelDB may still be writing it. */
  readonly secondLookMs?: number
}

interface Tally {
  filesRead: number
  blocksRead: number
  blocksLeftOut: number
}

const secondLooksMax = 5

/**
 * Reads every table and log in the folder, whether or not a MANIFEST names it, while LevelDB may be at work there: a file that is
 * gone is gone, and one that came meanwhile is read too, since it may hold what was in one that went. Works in any thread.
 */
export async function findLeftRows(
  storeFolder: string,
  wanted: WantedRows,
  { onProgress = () => {}, secondLookMs = 100 }: FindLeftRowsOptions = {},
): Promise<LeftRows> {
  const test = wantedTest(wanted)
  const tally: Tally = { filesRead: 0, blocksRead: 0, blocksLeftOut: 0 }
  const seen = new Map<string, LeftFile | undefined>()
  for (let names = unseenIn(storeFolder, seen); names.length > 0; names = unseenIn(storeFolder, seen)) {
    for (const name of names) {
      seen.set(name, lookInto(storeFolder, name, test, tally))
      onProgress(seen.size, seen.size + names.length - names.indexOf(name) - 1)
      await nextTurn()
    }
    // The last looks come before the next listing: what a table turns into meanwhile is then found there.
    for (const [name, found] of seen) {
      if (found?.unreadable === true) seen.set(name, await lookAgain(storeFolder, found, test, tally, secondLookMs))
    }
  }
  const left = [...seen.values()].filter((found) => found !== undefined)
  return { files: left.sort((one, other) => (one.name < other.name ? -1 : 1)), ...tally }
}

// A name is never used twice by a store: what was read once stays as it was, but for logs, which only grow.
function unseenIn(folder: string, seen: ReadonlyMap<string, unknown>): string[] {
  return readdirSync(folder)
    .filter((name) => /\.(ldb|sst|log)$/.test(name) && !seen.has(name))
    .sort()
}

function lookInto(folder: string, name: string, test: WantedTest, tally: Tally): LeftFile | undefined {
  let rows = 0
  try {
    tally.filesRead += 1
    for (const { key, deleted, value } of readFileRows(join(folder, name), test, tally)) {
      if (!deleted && test.isWanted(key, value)) rows += 1
    }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    if (!(error instanceof SteleError) && !isSystemError(error)) throw error
    return { name, rows, unreadable: true }
  }
  return rows === 0 ? undefined : { name, rows, unreadable: false }
}

/** A table that is still being written has no footer yet. One that does not grow any more is not being written. */
async function lookAgain(
  folder: string,
  found: LeftFile,
  test: WantedTest,
  tally: Tally,
  afterMs: number,
): Promise<LeftFile | undefined> {
  let now: LeftFile | undefined = found
  let grows = true
  for (let look = 0; look < secondLooksMax && grows && now?.unreadable === true; look += 1) {
    const before = bytesOf(folder, found.name)
    await sleep(afterMs)
    grows = bytesOf(folder, found.name) !== before
    now = lookInto(folder, found.name, test, tally)
  }
  return now
}

function readFileRows(path: string, test: WantedTest, tally: Tally) {
  if (path.endsWith('.log')) return readLogFile(path)
  return readTableFile(path, (above, upTo) => {
    const isRead = test.mayLieIn(above, upTo)
    if (isRead) tally.blocksRead += 1
    else tally.blocksLeftOut += 1
    return isRead
  })
}

const bytesOf = (folder: string, name: string): number | undefined =>
  statSync(join(folder, name), { throwIfNoEntry: false })?.size

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error
