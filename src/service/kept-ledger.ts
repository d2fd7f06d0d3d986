// Keeps the ledger of the service open: after a failed write nobody knows what is stored, so it is closed, walked and opened again.
// Until that succeeds every answer is the reason why nothing can be recorded. No hand work is needed once the disk is well.
// A disk that is full is no place to go on: with what is given back the head is signed, and the ledger stays closed until there is room.
import { SteleError } from '../foundation/stele-error.js'
import type { Ledger } from '../ledger/ledger.js'

const pauseMinMs = 500
const pauseMaxMs = 30_000

export interface KeptLedgerOptions {
  readonly open: () => Promise<Ledger>
  /** What was built from the old one may not be what is there. */
  readonly reopened: () => void
  readonly failed: (error: unknown) => void
  /** Runs a task while no other thread of the process has the store open: else closing it would not let go of it. */
  readonly apart: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** Gives back what is held in reserve. Returns whether something was held. */
  readonly makeRoom: () => boolean
  /** Why there is too little room on the disk to go on after it was full; undefined where there is enough. */
  readonly full: () => Promise<SteleError | undefined>
  readonly now: () => number
}

/** Failures that may come of a full disk. */
const ofWantOfRoom = ['STORE_WRITE_FAILED', 'FILE_UNWRITABLE', 'DISK_FULL']

export class KeptLedger {
  readonly #options: KeptLedgerOptions
  #ledger: Ledger | undefined
  #failure: SteleError | undefined
  /** Letting go, opening, or a task that has the store for itself: one after the other, and whoever asks meanwhile waits. */
  #changing: Promise<void> | undefined
  #closed = false
  /** The ledger was closed in order: there is nothing that it must be opened for before there is room. */
  #isSettled = false
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

  /** Closes it in order, with what is held in reserve, until there is room again. Before the disk is full, and for that reason. */
  async hold(reason: SteleError): Promise<void> {
    while (this.#changing !== undefined) await this.#changing
    if (this.#ledger === undefined || this.#closed) return
    await this.#change(() => this.#letGo(reason))
  }

  /** For good: whoever asks from now on is told that it is closed. On a disk that is full, what is held in reserve is used for that. */
  async close(): Promise<void> {
    while (this.#changing !== undefined) await this.#changing
    if (this.#ledger?.failure !== undefined) await this.#change(() => this.#mend())
    this.#closed = true
    while (this.#changing !== undefined) await this.#changing
    const ledger = this.#ledger
    this.#ledger = undefined
    this.#failure = new SteleError('LEDGER_CLOSED')
    try {
      await ledger?.close()
    } catch (error) {
      if (!isOfWantOfRoom(error) || !this.#options.makeRoom()) throw error
      await (await this.#options.open()).close()
    }
  }

  #change<Result>(task: () => Promise<Result>): Promise<Result> {
    const doing = this.#options.apart(task)
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
    // First of all, since closing needs room too.
    if (isOfWantOfRoom(reason)) this.#options.makeRoom()
    this.#isSettled = true
    // The store is let go in any case; that its head can no longer be signed is what brought us here.
    await ledger?.close().catch(() => {
      this.#isSettled = false
    })
  }

  async #reopen(): Promise<void> {
    const now = this.#options.now()
    if (now - this.#triedMs < this.#pauseMs) return
    this.#triedMs = now
    const full = isOfWantOfRoom(this.#failure) ? await this.#options.full() : undefined
    if (full !== undefined && this.#isSettled) {
      this.#failure = full
      return
    }
    try {
      const ledger = await this.#options.open()
      if (full !== undefined) {
        // What had to be written is written: going on would only use up the room that the next start needs.
        this.#failure = full
        this.#options.failed(full)
        await ledger.close()
        this.#isSettled = true
        this.#pauseMs = pauseMinMs
        return
      }
      this.#ledger = ledger
      this.#failure = undefined
      this.#pauseMs = pauseMinMs
      this.#options.reopened()
    } catch (error) {
      this.#pauseMs = Math.min(this.#pauseMs * 2, pauseMaxMs)
      const failure =
        error instanceof SteleError ? error : new SteleError('STORE_UNREADABLE', { reason: 'unknown' }, { cause: error })
      // A full disk cannot even be opened on, and that is no damage: what is wrong is still what was wrong at first.
      const isStillFull = isOfWantOfRoom(this.#failure) && failure === error && failure.code === 'STORE_UNREADABLE'
      if (!isStillFull) this.#failure = failure
      this.#options.failed(error)
    }
  }
}

function isOfWantOfRoom(error: unknown): boolean {
  return error instanceof SteleError && ofWantOfRoom.includes(error.code)
}
