// Keeps the ledger of the service open: after a failed write nobody knows what is stored, so it is closed, walked and opened again.
// Until that succeeds every answer is the reason why nothing can be recorded. No hand work is needed once the disk is well.
import { SteleError } from '../foundation/stele-error.js'
import type { Ledger } from '../ledger/ledger.js'

const pauseMinMs = 500
const pauseMaxMs = 30_000

export interface KeptLedgerOptions {
  readonly open: () => Promise<Ledger>
  /** What was built from the old one may not be what is there. */
  readonly reopened: () => void
  readonly failed: (error: unknown) => void
  readonly now: () => number
}

export class KeptLedger {
  readonly #options: KeptLedgerOptions
  #ledger: Ledger | undefined
  #failure: SteleError | undefined
  /** Letting go, opening, or a task that has the store for itself: one after the other, and whoever asks meanwhile waits. */
  #changing: Promise<void> | undefined
  #closed = false
  #pauseMs = pauseMinMs
  #triedMs = Number.NEGATIVE_INFINITY

  constructor(ledger: Ledger, options: KeptLedgerOptions) {
    this.#ledger = ledger
    this.#options = options
  }

  /** The open ledger. Throws why there is none. */
  get ledger(): Ledger {
    if (this.#ledger === undefined) throw this.#failure ?? new SteleError('LEDGER_CLOSED')
    return this.#ledger
  }

  get failure(): SteleError | undefined {
    return this.#failure
  }

  /** Resolves when the ledger is open, trying again where it failed and some time has gone by. Throws why it is not. */
  async ready(): Promise<Ledger> {
    while (this.#changing !== undefined) await this.#changing
    if (this.#ledger === undefined || this.#ledger.failure !== undefined) await this.#change(() => this.#mend())
    return this.ledger
  }

  /** Runs a task that opens the store itself, such as the start of a new epoch, and opens the ledger again behind it. */
  async without<Result>(task: () => Promise<Result>): Promise<Result> {
    while (this.#changing !== undefined) await this.#changing
    return this.#change(async () => {
      await this.#letGo(new SteleError('LEDGER_CLOSED'))
      try {
        return await task()
      } finally {
        this.#triedMs = Number.NEGATIVE_INFINITY
        await this.#mend()
      }
    })
  }

  /** For good: whoever asks from now on is told that it is closed. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#changing !== undefined) await this.#changing
    const ledger = this.#ledger
    this.#ledger = undefined
    this.#failure = new SteleError('LEDGER_CLOSED')
    await ledger?.close()
  }

  #change<Result>(task: () => Promise<Result>): Promise<Result> {
    const doing = task()
    const settled = doing.then(
      () => {},
      () => {},
    )
    this.#changing = settled.then(() => {
      this.#changing = undefined
    })
    return doing
  }

  async #mend(): Promise<void> {
    const broken = this.#ledger?.failure
    if (broken !== undefined) await this.#letGo(broken)
    if (this.#ledger === undefined && !this.#closed) await this.#reopen()
  }

  async #letGo(reason: SteleError): Promise<void> {
    const ledger = this.#ledger
    this.#ledger = undefined
    this.#failure = reason
    if (reason.code !== 'LEDGER_CLOSED') this.#options.failed(reason)
    // The store is let go in any case; that its head can no longer be signed is what brought us here.
    await ledger?.close().catch(() => {})
  }

  async #reopen(): Promise<void> {
    const now = this.#options.now()
    if (now - this.#triedMs < this.#pauseMs) return
    this.#triedMs = now
    try {
      this.#ledger = await this.#options.open()
      this.#failure = undefined
      this.#pauseMs = pauseMinMs
      this.#options.reopened()
    } catch (error) {
      this.#pauseMs = Math.min(this.#pauseMs * 2, pauseMaxMs)
      const failure =
        error instanceof SteleError ? error : new SteleError('STORE_UNREADABLE', { reason: 'unknown' }, { cause: error })
      // A full disk cannot even be opened on, and that is no damage: what is wrong is still what was wrong at first.
      const isStillFull = this.#failure?.code === 'STORE_WRITE_FAILED' && failure === error && failure.code === 'STORE_UNREADABLE'
      if (!isStillFull) this.#failure = failure
      this.#options.failed(error)
    }
  }
}
