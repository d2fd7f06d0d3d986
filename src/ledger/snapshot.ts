// A copy of the store that readers may open: table files by hard link, the rest by copy, never LOCK. Readers own it and remove it.
// It is the state of one moment: the copy is made again where the listing, CURRENT or MANIFEST changed meanwhile.
import { copyFileSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SteleError } from '../foundation/stele-error.js'
import type { HomeFiles } from './home-files.js'

export interface Snapshot {
  /** A LevelDB folder of its own. */
  readonly store: string
  /** Copies of `high-water` and `checkpoints.txt`, taken before the store: they never lead it. */
  readonly highWater: string
  readonly checkpoints: string
  remove(): void
  /** Leaves the folder to whoever asked for it, beyond the end of this process, and names it. */
  leave(): string
}

const attemptsMax = 20
const pauseMs = 25

// A snapshot holds words: one whose reader ends early must not stay behind.
const live = new Set<string>()
process.on('exit', () => {
  for (const folder of live) rmSync(folder, { recursive: true, force: true })
})

/** Takes a snapshot of a home, whether or not somebody is writing to it. Throws `SNAPSHOT_UNSETTLED` where it never held still. */
export async function takeSnapshot(files: HomeFiles, into = files.snapshots): Promise<Snapshot> {
  const folder = newFolder(into)
  live.add(folder)
  const snapshot: Snapshot = {
    store: join(folder, 'store'),
    highWater: join(folder, 'high-water'),
    checkpoints: join(folder, 'checkpoints.txt'),
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
      live.delete(folder)
    },
    leave: () => {
      live.delete(folder)
      return folder
    },
  }
  try {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      if (attempt > 0) await sleep(pauseMs)
      copyIfThere(files.highWater, snapshot.highWater)
      copyIfThere(files.checkpoints, snapshot.checkpoints)
      if (copyStore(files.store, snapshot.store)) return snapshot
    }
  } catch (error) {
    snapshot.remove()
    throw error
  }
  snapshot.remove()
  throw new SteleError('SNAPSHOT_UNSETTLED', { attempts: attemptsMax })
}

/** In the home, whose tables can be linked; in the temporary folder where the home cannot be written to. */
function newFolder(into: string): string {
  try {
    mkdirSync(into, { recursive: true, mode: 0o700 })
    return mkdtempSync(join(into, 'snapshot-'))
  } catch {
    return mkdtempSync(join(tmpdir(), 'stele-snapshot-'))
  }
}

/** Removes snapshots that a reader left behind when it was killed. Only for the holder of the store, at a quiet moment. */
export function removeOldSnapshots(files: HomeFiles, olderThanMs: number, nowMs: number): void {
  for (const name of namesIn(files.snapshots)) {
    const path = join(files.snapshots, name)
    if (nowMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs) > olderThanMs)
      rmSync(path, { recursive: true, force: true })
  }
}

const lookAgainMs = 100

/**
 * Waits for whoever reads a snapshot that is there now, but no longer than `waitMs`; then it is removed, and its reader ends with an
 * error or without what is written last. Returns how many were removed. Throws the reason of `signal`.
 */
export async function removeSnapshots(files: HomeFiles, waitMs: number, signal?: AbortSignal): Promise<number> {
  const before = namesIn(files.snapshots)
  const until = performance.now() + waitMs
  const left = (): string[] => before.filter((name) => existsSync(join(files.snapshots, name)))
  while (left().length > 0 && performance.now() < until) {
    await sleep(lookAgainMs)
    signal?.throwIfAborted()
  }
  const removed = left()
  for (const name of removed) rmSync(join(files.snapshots, name), { recursive: true, force: true })
  return removed.length
}

/** Copies once. False where the store changed under the copy. */
function copyStore(from: string, to: string): boolean {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { mode: 0o700 })
  const before = fingerprintOf(from)
  try {
    for (const name of namesIn(from)) {
      if (isTable(name)) linkOrCopy(join(from, name), join(to, name))
      else if (name === 'CURRENT' || name.startsWith('MANIFEST-') || name.endsWith('.log'))
        copyFileSync(join(from, name), join(to, name))
    }
  } catch (error) {
    // A compaction may take a table away between listing and linking.
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
  return fingerprintOf(from) === before
}

/** What a compaction or a new log changes; growth of the log alone does not: its copy is a beginning of it. */
function fingerprintOf(store: string): string | undefined {
  try {
    const current = readFileSync(join(store, 'CURRENT'), 'utf8')
    const manifestBytes = statSync(join(store, current.trim())).size
    const names = namesIn(store).filter((name) => isTable(name) || name.endsWith('.log') || name.startsWith('MANIFEST-'))
    return JSON.stringify([current, manifestBytes, names.sort()])
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw error
    // A file system without hard links.
    copyFileSync(from, to)
  }
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

const isTable = (name: string) => name.endsWith('.ldb') || name.endsWith('.sst')

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
