// Reads a home without its lock: on a snapshot that is removed afterwards, whoever has the store open meanwhile.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import type { HomeFiles } from './home-files.js'
import { type LedgerReader, ledgerReader } from './ledger-reader.js'
import { type Snapshot, takeSnapshot } from './snapshot.js'
import { openStore, type Store } from './store.js'

/** A snapshot of a home that is there; whoever asks removes it. Throws `HOME_MISSING`, or `STORE_GONE` where only its store is missing. */
export async function takeSnapshotOfHome(files: HomeFiles): Promise<Snapshot> {
  if (!existsSync(join(files.store, 'CURRENT'))) throw new SteleError(existsSync(files.highWater) ? 'STORE_GONE' : 'HOME_MISSING')
  return takeSnapshot(files)
}

/** Throws `SNAPSHOT_REMOVED` where an erasure has taken the snapshot away: it cannot wait for ever for a reader. */
export type AssertStillThere = () => void

/** Runs a reader over a snapshot of the home. Throws `HOME_MISSING` where there is none, `SNAPSHOT_REMOVED` where it was taken away. */
export async function readHome<Result>(
  files: HomeFiles,
  read: (reader: LedgerReader, store: Store, assertStillThere: AssertStillThere) => Promise<Result>,
): Promise<Result> {
  const snapshot = await takeSnapshotOfHome(files)
  const assertStillThere = (): void => {
    if (!existsSync(snapshot.store)) throw new SteleError('SNAPSHOT_REMOVED')
  }
  try {
    const store = await openStore(snapshot.store)
    try {
      return await read(ledgerReader(store), store, assertStillThere)
    } finally {
      await store.close()
    }
  } catch (error) {
    // Tables that are gone look like damage.
    assertStillThere()
    throw error
  } finally {
    snapshot.remove()
  }
}
