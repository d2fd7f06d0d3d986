// Notices that the home was removed or replaced under an open ledger: LevelDB itself goes on acknowledging into nowhere.
import { readdirSync, statSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import type { HomeFiles } from './home-files.js'

export interface HomeWatch {
  /** The store is the one that was opened. A few microseconds; called before each acknowledgement. */
  assertThere(): void
  /** And so is the home, and the store has its CURRENT and a log. Called with each checkpoint. */
  assertWhole(): void
}

export function watchHome(files: HomeFiles): HomeWatch {
  const home = identityOf(files.home)
  const store = identityOf(files.store)
  // A home that is gone or replaced has no store of this identity either: one look tells both.
  const assertThere = () => {
    if (identityOf(files.store) !== store) throw new SteleError('STORE_GONE')
  }
  return {
    assertThere,
    assertWhole: () => {
      assertThere()
      if (identityOf(files.home) !== home) throw new SteleError('STORE_GONE')
      const names = readdirSync(files.store)
      if (!names.includes('CURRENT') || !names.some((name) => name.endsWith('.log'))) throw new SteleError('STORE_GONE')
    },
  }
}

function identityOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 'gone' : `${stat.dev} ${stat.ino}`
}
