// The ledger of a running service under the settings in force: opened first, opened again after a failure, and opened anew where its
// mirrors or its anchor are to be others.
import { isDeepStrictEqual } from 'node:util'
import { hasCode, SteleError } from '../foundation/stele-error.js'
import type { Ledger } from '../ledger/ledger.js'
import type { NewStart } from '../ledger/open-ledger.js'
import type { Config } from './config.js'
import { freeBytes } from './home-size.js'
import { KeptLedger, type KeptLedgerOptions } from './kept-ledger.js'
import { createHome, type Home, openHome, reanchorHome } from './open-home.js'
import type { ReserveFile } from './reserve-file.js'
import { readServiceFile } from './service-file.js'
import type { ServiceLog } from './service-log.js'
import { diskFull, roomAgainBytes } from './size-watch.js'

/** What the ledger's opening and closing means to others. */
export interface LedgerUse extends Pick<KeptLedgerOptions, 'reopened' | 'apart'> {
  /** Given back where the disk is full, so that the ledger can be closed and opened. */
  readonly reserve: ReserveFile
}

export class LedgerOfHome {
  readonly kept: KeptLedger
  readonly #home: Home
  readonly #program: string
  readonly #log: ServiceLog
  /** The settings that it was opened under last, and those that are wanted. */
  #used: Config
  #wanted: Config
  #unusable: SteleError | undefined

  private constructor(ledger: Ledger, home: Home, program: string, log: ServiceLog, { reopened, apart, reserve }: LedgerUse) {
    this.#home = home
    this.#program = program
    this.#log = log
    this.#used = home.config
    this.#wanted = home.config
    this.kept = new KeptLedger(ledger, {
      open: () => this.#open(),
      reopened: () => {
        log.write('ledger_reopened')
        reopened()
      },
      apart,
      failed: (error) => log.fail('ledger_failed', error),
      makeRoom: () => reserve.giveBack(),
      full: async () => {
        const free = await freeBytes(home.files.home)
        return free !== null && free < roomAgainBytes ? diskFull(free) : undefined
      },
      now: () => performance.now(),
    })
  }

  /** Opens it, making it where there is none. Throws `SERVICE_RUNNING` where a service has the home. */
  static async open(home: Home, program: string, log: ServiceLog, use: LedgerUse): Promise<LedgerOfHome> {
    try {
      const { ledger } = await createHome(home, program)
      return new LedgerOfHome(ledger, home, program, log, use)
    } catch (error) {
      throw hasCode(error, 'STORE_LOCKED') ? runningError(home.files.home) : error
    }
  }

  /** Why mirrors or anchor are not those that are wanted; undefined where they are. */
  get unusable(): SteleError | undefined {
    return this.#unusable
  }

  /** Takes up other mirrors and another anchor. The origin is the ledger's own for ever; a start with another is refused. */
  want({ checkpoint, highWater }: Config): void {
    const { origin } = this.#home.config.checkpoint
    const next = { ...this.#home.config, highWater, checkpoint: { ...checkpoint, origin } }
    if (isDeepStrictEqual(next, this.#wanted)) return
    this.#wanted = next
    this.kept.without(async () => {}).catch((error: unknown) => this.#log.fail('mirrors_not_taken_up', error))
  }

  reanchor(reason: string): Promise<NewStart> {
    return this.kept.without(() => reanchorHome({ ...this.#home, config: this.#used }, this.#program, reason))
  }

  async #open(): Promise<Ledger> {
    try {
      const ledger = await openHome({ ...this.#home, config: this.#wanted }, this.#program)
      this.#used = this.#wanted
      this.#unusable = undefined
      return ledger
    } catch (error) {
      if (this.#used === this.#wanted) throw error
      // A mirror on a disk that is gone must not keep the ledger shut; that it is not in use is told by `status`.
      const ledger = await openHome({ ...this.#home, config: this.#used }, this.#program)
      this.#log.fail('mirrors_unusable', error)
      this.#unusable = error instanceof SteleError ? error : new SteleError('FILE_UNWRITABLE', {}, { cause: error })
      return ledger
    }
  }
}

/** Names the process that says of itself that it serves a home. */
export function runningError(home: string): SteleError {
  let pid: number | null | undefined
  try {
    pid = readServiceFile(home)?.pid
  } catch {
    // Then it is another that cannot be named.
  }
  return new SteleError('SERVICE_RUNNING', typeof pid === 'number' ? { pid } : {})
}
