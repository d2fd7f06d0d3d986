// Clears deleted rows from the disk: no table and no log of the store holds them afterwards, which a look at the files shows.
// A crash at any point does no harm: nothing here but deletes of what is deleted, so running it again ends in the same state.
// What lies beside the store (quarantine, snapshots, exports, backups) is the business of whoever calls this.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { SteleError } from '../foundation/stele-error.js'
import { findLeftRows, type LeftRows } from './left-rows.js'
import { bytesToNumber, type KeyRange, wordsKey } from './row-keys.js'
import type { Row, Store } from './store.js'
import { type WantedRows, wantedIndices } from './wanted-rows.js'

/** What an attempt is at: the steps in their order. */
export interface ClearStep {
  readonly step: 'readers' | 'tombstones' | 'compaction' | 'scan'
  /** From 1. */
  readonly attempt: number
}

export interface ClearRowsOptions {
  /** Looks into the files; for a caller who does that in another thread. */
  readonly scan?: (storeFolder: string, wanted: WantedRows) => Promise<LeftRows>
  /**
   * Runs a task while nobody else writes. Needed where the single keys may be written again meanwhile: whether such a row is there
   * by right is looked up and acted on in one piece.
   */
  readonly alone?: <Result>(task: () => Promise<Result>) => Promise<Result>
  readonly attemptsMax?: number
  /** Between two attempts. */
  readonly pauseMs?: number
  /** How long an attempt waits for readers that began before it. */
  readonly readersMs?: number
  readonly onStep?: (step: ClearStep) => void
}

export interface RowsCleared {
  readonly attempts: number
  /** How much was looked at in the end. */
  readonly scanned: LeftRows
}

const deletesPerWrite = 1000
/** Entries between two ranges up to which one compaction of both is cheaper: a table of words holds about twice as many. */
const closeEntries = 4096
const beforeAllKeys: KeyRange = { from: Buffer.of(0), to: Buffer.of(0) }

/**
 * The rows must have been deleted before; `wanted` names them. Resolves when no file of the store holds a value of theirs. Throws
 * `ERASURE_UNFINISHED` where readers, or a file that cannot be read, kept it from that; then it is to be tried again later, and the
 * same way with what the store throws (`LEDGER_CLOSED`, `STORE_WRITE_FAILED`).
 */
export async function clearRows(
  store: Store,
  storeFolder: string,
  wanted: WantedRows,
  {
    scan = findLeftRows,
    alone = (task) => task(),
    attemptsMax = 5,
    pauseMs = 500,
    readersMs = 10_000,
    onStep = () => {},
  }: ClearRowsOptions = {},
): Promise<RowsCleared> {
  const compactions = rangesToCompact(wanted)
  let files: number | null = null
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    if (attempt > 1) await sleep(pauseMs)
    onStep({ step: 'readers', attempt })
    // A reader from before the deletion keeps its rows through any compaction, so going on would be in vain.
    if (!(await isDrainedWithin(store, readersMs))) continue

    onStep({ step: 'tombstones', attempt })
    // What is in memory goes to a table first. One table with both row and tombstone may come to lie where no compaction takes it up,
    // and so does what a reader kept: only a tombstone that comes down from above takes the row away.
    await store.compact(beforeAllKeys)
    const again = await writeTombstones(store, wanted, alone)

    onStep({ step: 'compaction', attempt })
    for (const range of compactions) {
      await store.compact(range)
      await nextTurn()
    }

    onStep({ step: 'scan', attempt })
    const scanned = await scan(storeFolder, { ...wanted, again })
    if (scanned.files.length === 0) return { attempts: attempt, scanned }
    files = scanned.files.length
  }
  throw new SteleError('ERASURE_UNFINISHED', { files, attempts: attemptsMax })
}

async function isDrainedWithin(store: Store, ms: number): Promise<boolean> {
  const timer = new AbortController()
  try {
    const late = sleep(ms, false, { signal: timer.signal })
    // Its rejection when it is called off is nobody's news.
    late.catch(() => {})
    return await Promise.race([store.drained().then(() => true), late])
  } finally {
    timer.abort()
  }
}

/** Returns the rows under single keys that were there by right. Many small writes: nobody's hook must wait behind a long one. */
async function writeTombstones(
  store: Store,
  wanted: WantedRows,
  alone: <Result>(task: () => Promise<Result>) => Promise<Result>,
): Promise<readonly Row[]> {
  let deletes: Uint8Array[] = []
  for (const [first, last] of wantedIndices(wanted)) {
    for (let index = first; index <= last; index += 1) {
      deletes.push(wordsKey(index))
      if (deletes.length < deletesPerWrite) continue
      await store.write([], deletes, { sync: false })
      deletes = []
      await nextTurn()
    }
  }
  return alone(async () => {
    const again = await rowsThere(store, wanted.keys)
    const there = new Set(again.map(({ key }) => key))
    // A row that is there by right hides the old one as well as a tombstone would, once it is written again.
    await store.write(again, [...deletes, ...wanted.keys.filter((key) => !there.has(key))])
    return again
  })
}

async function rowsThere(store: Store, keys: readonly Uint8Array[]): Promise<Row[]> {
  const values = await store.getMany(keys)
  return keys.flatMap((key, at) => {
    const value = values[at]
    return value === undefined ? [] : [{ key, value }]
  })
}

/** Each compaction writes at least one table anew and starts a log, so ranges that lie close go together. */
export function rangesToCompact(wanted: WantedRows): KeyRange[] {
  const merged: { from: Uint8Array; to: Uint8Array }[] = []
  for (const { from, to } of wanted.ranges) {
    const before = merged.at(-1)
    if (before !== undefined && bytesToNumber(from, 1) - bytesToNumber(before.to, 1) <= closeEntries) before.to = to
    else merged.push({ from, to })
  }
  // These rows are small and few, and their keys are spread by chance: all in one.
  const keys = [...wanted.keys].sort(Buffer.compare)
  const [first, last] = [keys.at(0), keys.at(-1)]
  return first === undefined || last === undefined ? merged : [{ from: first, to: last }, ...merged]
}
