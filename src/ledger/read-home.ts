// Reads a home without its lock: on a snapshot that is removed afterwards, whoever has the store open meanwhile.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import type { HomeFiles } from './home-files.js'
import { type LedgerReader, ledgerReader } from './ledger-reader.js'
import { takeSnapshot } from './snapshot.js'
import { openStore, type Store } from './store.js'

/** Runs a reader over a snapshot of the home. Throws `HOME_MISSING` where there is none. */
export async function readHome<Result>(
  files: HomeFiles,
  read: (reader: LedgerReader, store: Store) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(join(files.store, 'CURRENT'))) throw new SteleError(existsSync(files.highWater) ? 'STORE_GONE' : 'HOME_MISSING')
  const snapshot = await takeSnapshot(files)
  try {
    const store = await openStore(snapshot.store)
    try {
      return await read(ledgerReader(store), store)
    } finally {
      await store.close()
    }
  } finally {
    snapshot.remove()
  }
}
