// Keeps what LevelDB would destroy: opening a store replays its log, drops what it cannot read of it, and deletes the file.
// Each opening first copies CURRENT, MANIFEST and the logs here; a clean verification removes them (docs/format.md, "Loss").
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import { type HomeFiles, makePrivateFolder } from './home-files.js'

const keptMax = 16
const heldPrefix = 'held-'

export interface Quarantine {
  /** Bytes in the logs before the opening: no more than this can have been lost without a trace in the tables. */
  readonly logBytes: number
  /** Trouble was found: keeps this copy until a clean verification, whatever else is opened meanwhile. */
  hold(): void
  /** Nobody needs this copy, since the opening did not take place. */
  discard(): void
}

/** Copies what the opening will change. `stamp` names the copy; it sorts by time. Without a store there is nothing to copy. */
export function quarantineStore(files: HomeFiles, stamp: string): Quarantine {
  if (!existsSync(join(files.store, 'CURRENT'))) return { logBytes: 0, hold: () => {}, discard: () => {} }
  const folder = join(files.quarantine, stamp)
  makePrivateFolder(folder)
  let logBytes = 0
  for (const name of filesThatOpeningChanges(files.store)) {
    try {
      copyFileSync(join(files.store, name), join(folder, name))
      if (name.endsWith('.log')) logBytes += statSync(join(folder, name)).size
    } catch (error) {
      // The holder of the store may delete a log between listing and copying; then the opening will find the lock taken.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue
      // A full disk is no damaged store. Half a copy is of no use to anybody, and takes up room.
      rmSync(folder, { recursive: true, force: true })
      throw new SteleError('FILE_UNWRITABLE', { folder: 'quarantine' }, { cause: error })
    }
  }
  dropOldest(files.quarantine)
  return {
    logBytes,
    hold: () => holdOnce(files.quarantine, stamp),
    discard: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * After a clean verification no copy is needed any more, and after an erasure none may be left. What a new start left behind
 * (`abandoned-…`) stays. Returns how many went.
 */
export function clearQuarantine(files: HomeFiles): number {
  const copies = namesIn(files.quarantine).filter((name) => !name.startsWith('abandoned-'))
  for (const name of copies) rmSync(join(files.quarantine, name), { recursive: true, force: true })
  return copies.length
}

function filesThatOpeningChanges(store: string): string[] {
  const manifest = readFileSync(join(store, 'CURRENT'), 'utf8').trim()
  const names = readdirSync(store)
  return ['CURRENT', ...names.filter((name) => name === manifest || name.endsWith('.log'))]
}

// Refused openings come again and again; the first copy is the one that holds the evidence.
function holdOnce(quarantine: string, stamp: string): void {
  if (namesIn(quarantine).some((name) => name.startsWith(heldPrefix)))
    rmSync(join(quarantine, stamp), { recursive: true, force: true })
  else renameSync(join(quarantine, stamp), join(quarantine, `${heldPrefix}${stamp}`))
}

function dropOldest(quarantine: string): void {
  const copies = namesIn(quarantine).filter((name) => /^[0-9]/.test(name))
  for (const name of copies.sort().slice(0, -keptMax)) rmSync(join(quarantine, name), { recursive: true, force: true })
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
