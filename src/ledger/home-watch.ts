// Notices that the home was removed or replaced under an open ledger: LevelDB itself goes on acknowledging into nowhere.
import { readdirSync, statSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import type { HomeFiles } from './home-files.js'

export interface HomeWatch {
  /** The folders are the ones that were opened. A few microseconds; called before each acknowledgement. */
  assertThere(): void
  /** And the store has its CURRENT and a log. Called with each checkpoint. */
  assertWhole(): void
}

export function watchHome(files: HomeFiles): HomeWatch {
  const watched = [files.home, files.store].map((path) => ({ path, identity: identityOf(path) }))
  const assertThere = () => {
    for (const { path, identity } of watched) if (identityOf(path) !== identity) throw new SteleError('STORE_GONE')
  }
  return {
    assertThere,
    assertWhole: () => {
      assertThere()
      const names = readdirSync(files.store)
      if (!names.includes('CURRENT') || !names.some((name) => name.endsWith('.log'))) throw new SteleError('STORE_GONE')
    },
  }
}

function identityOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 'gone' : `${stat.dev} ${stat.ino}`
}
