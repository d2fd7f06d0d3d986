// Group commit: appends that wait together go down in one atomic batch, and each hears only of what is on disk.
// While one batch is being written the next is built. A write that fails ends it all: what is stored is not known until reopened.
import { SteleError } from '../foundation/stele-error.js'
import type { Row } from './store.js'

/** One caller's share of a batch. It is built when its turn comes, since only then its place in the chain is known. */
export interface Job<Result> {
  /** How many entries it brings; a bound for the size of a batch. */
  readonly entries: number
  /** Adds its rows, or throws a `SteleError` before it has added any: then its caller alone hears of it. */
  readonly build: (rows: BatchRows) => Result
}

export interface BatchRows {
  readonly puts: Row[]
  readonly deletes: Uint8Array[]
}

export interface CommitQueueOptions<After> {
  /** Called once a batch when all its jobs are built, to add the rows that speak of the whole. Returns what will be true after it. */
  readonly finish: (rows: BatchRows) => After
  /** Puts a batch on disk. */
  readonly write: (rows: BatchRows) => Promise<void>
  /** The batch is on disk, before its callers hear of it. */
  readonly written: (after: After) => void
  /** Between two batches, while nothing is being written. */
  readonly between: () => Promise<void>
  readonly entriesPerBatchMax: number
  readonly entriesWaitingMax: number
}

interface Waiting {
  readonly job: Job<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Built<After> {
  readonly rows: BatchRows
  readonly after: After
  readonly callers: readonly Caller[]
}

interface Caller {
  readonly waiting: Waiting
  readonly result: unknown
}

const entriesBuiltAheadMin = 32

export class CommitQueue<After> {
  readonly #options: CommitQueueOptions<After>
  readonly #waiting: Waiting[] = []
  #entriesWaiting = 0
  #running: Promise<void> | undefined
  #failure: SteleError | undefined
  #roomWanted: (() => void)[] = []

  constructor(options: CommitQueueOptions<After>) {
    this.#options = options
  }

  /** Why nothing can be written any more; undefined while all is well. */
  get failure(): SteleError | undefined {
    return this.#failure
  }

  /** Resolves when the job's rows are on disk. Rejects with `LEDGER_QUEUE_FULL` where too much waits already. */
  add<Result>(job: Job<Result>): Promise<Result> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#entriesWaiting + job.entries > this.#options.entriesWaitingMax)
      return Promise.reject(new SteleError('LEDGER_QUEUE_FULL'))
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ job, resolve: (result) => resolve(result as Result), reject })
      this.#entriesWaiting += job.entries
      // Started in a microtask, so that callers of the same turn share the first batch too.
      this.#running ??= Promise.resolve().then(() => this.#run())
    })
  }

  /** Resolves when there is room again: callers that can wait ask before they add. */
  room(): Promise<void> {
    if (this.#hasRoom()) return Promise.resolve()
    return new Promise((resolve) => this.#roomWanted.push(resolve))
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  #hasRoom(): boolean {
    return this.#failure !== undefined || this.#entriesWaiting < this.#options.entriesWaitingMax / 2
  }

  async #run(): Promise<void> {
    let writing = Promise.resolve()
    try {
      while (this.#waiting.length > 0) {
        // A few more callers may join while the disk is busy; only a good share is worth building ahead.
        if (this.#entriesWaiting < entriesBuiltAheadMin) await writing
        const built = this.#buildBatch()
        try {
          await writing
          await this.#options.between()
        } catch (error) {
          rejectAll(built.callers, error)
          throw error
        }
        writing = this.#write(built)
        // Its failure is taken up where it is awaited, after the next batch is built.
        writing.catch(() => {})
        if (this.#waiting.length > 0) continue
        await writing
        await this.#options.between()
      }
      // Nothing may be awaited from the last look at what waits to the end: a job added meanwhile would wait for ever.
    } catch (error) {
      this.#fail(error)
      // Whoever drains must not close the store under what is still on its way to it.
      await writing.catch(() => {})
    } finally {
      this.#running = undefined
    }
  }

  #buildBatch(): Built<After> {
    const rows: BatchRows = { puts: [], deletes: [] }
    const callers: Caller[] = []
    let entries = 0
    while (this.#waiting.length > 0 && entries < this.#options.entriesPerBatchMax) {
      const waiting = this.#waiting.shift() as Waiting
      this.#entriesWaiting -= waiting.job.entries
      entries += waiting.job.entries
      try {
        callers.push({ waiting, result: waiting.job.build(rows) })
      } catch (error) {
        waiting.reject(error)
        if (error instanceof SteleError) continue
        // A mistake of ours: nobody knows what it has added, so nothing of this batch may be written.
        rejectAll(callers, error)
        throw error
      }
    }
    const after = this.#options.finish(rows)
    this.#tellRoom()
    return { rows, after, callers }
  }

  async #write({ rows, after, callers }: Built<After>): Promise<void> {
    try {
      await this.#options.write(rows)
      this.#options.written(after)
    } catch (error) {
      rejectAll(callers, error)
      throw error
    }
    for (const { waiting, result } of callers) waiting.resolve(result)
  }

  #fail(error: unknown): void {
    this.#failure = error instanceof SteleError ? error : new SteleError('STORE_WRITE_FAILED', {}, { cause: error })
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#failure)
    this.#entriesWaiting = 0
    this.#tellRoom()
  }

  #tellRoom(): void {
    if (!this.#hasRoom()) return
    for (const tell of this.#roomWanted.splice(0)) tell()
  }
}

function rejectAll(callers: readonly Caller[], error: unknown): void {
  for (const { waiting } of callers) waiting.reject(error)
}
