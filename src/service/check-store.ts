// Looks at the store in a process of its own before the service opens it: a damaged table can end whatever process reads it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode, SteleError } from '../foundation/stele-error.js'
import { readMark } from '../ledger/high-water.js'
import { takeSnapshot } from '../ledger/snapshot.js'
import { storeTrial } from '../ledger/store-trial.js'
import type { Home } from './open-home.js'
import type { ServiceLog } from './service-log.js'
import { verifyHome } from './verify-home.js'

export interface StoreCheck {
  /** Codes of what was found; empty where nothing was, so far. */
  readonly findings: string[]
  /** Whether everything that is to be read at a start has been read. */
  done: boolean
}

/** How long a start waits for it. A longer check goes on beside the service and is told when it is done. */
const waitMs = 1500
/** And for one that is read whole, on a machine that is busy with other things. */
const wholeWaitMs = 10_000
/** A ledger of so many entries is read from its beginning in that time; of a longer one only what came since the last verification. */
const readWholeMax = 10_000

/**
 * Verifies the store, or what came since the last verification where that is too much. Throws `STORE_UNREADABLE` where LevelDB
 * cannot live with what was found; other findings are told and left to the opening, which refuses what it cannot go on from.
 */
export async function checkStore(home: Home, log: ServiceLog): Promise<StoreCheck> {
  const check: StoreCheck = { findings: [], done: false }
  if (!existsSync(join(home.files.store, 'CURRENT'))) return { findings: [], done: true }
  let refused: SteleError | undefined
  const mark = readMark(home.files.highWater)
  const quick = typeof mark === 'object' && mark.size > readWholeMax
  const verified = verifyHome(home, { quick }).then(
    async ({ findings }) => {
      for (const { code, index } of findings) {
        check.findings.push(index === null ? code : `${code}@${index}`)
        log.write('finding', { code, index })
      }
      if (findings.length > 0 && !(await canBeLivedWith(home)))
        refused = new SteleError('STORE_UNREADABLE', { reason: 'its tables', findings: check.findings.slice(0, 3).join(' ') })
      check.done = true
    },
    (error: unknown) => {
      // A home that is half made, or that no reader can copy just now, is judged by the opening.
      check.done = true
      if (hasCode(error, 'HOME_MISSING')) return
      check.findings.push('not_checked')
      log.fail('not_checked', error)
    },
  )
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    verified,
    new Promise((resolve) => {
      timer = setTimeout(resolve, quick ? waitMs : wholeWaitMs)
    }),
  ])
  clearTimeout(timer)
  if (refused !== undefined) throw refused
  return check
}

/** An entry that somebody altered does not keep us from recording on; a table that is damaged does. */
async function canBeLivedWith({ files }: Home): Promise<boolean> {
  const snapshot = await takeSnapshot(files)
  try {
    return await storeTrial(snapshot.store)
  } finally {
    snapshot.remove()
  }
}
