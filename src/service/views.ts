// The service's own end of the thread in which views are made: started when something is asked, ended when nothing was for a while.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { errorCodes, SteleError, type SteleErrorCode } from '../foundation/stele-error.js'
import type { CaughtUp, DeskAnswer, DeskProgress, DeskQuestion } from './view-questions.js'
import type { FromWorker, ToWorker, ViewWorkerData } from './view-worker.js'

export interface ViewsOptions {
  readonly home: string
  /** Why the thread ended by itself. */
  readonly failed: (error: unknown) => void
  readonly now: () => number
}

interface Waiting {
  readonly worker: Worker
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
  readonly onProgress: DeskProgress
}

const idleMs = 20_000
/** Entries come in bursts: they are folded once the first of a burst has waited so long. */
const catchUpAfterMs = 2000

// Sources run in tests alone, and what reads TypeScript there does not reach into threads: they begin the built one.
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/service/view-worker.js' : './view-worker.js',
  import.meta.url,
)

export class Views {
  readonly #options: ViewsOptions
  #worker: Worker | undefined
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #usedMs = 0
  /** When entries were first seen that no view has been told of. */
  #grownMs: number | undefined
  /** How many want the ledger let go of just now. */
  #held = 0
  #holding: Promise<unknown> = Promise.resolve()
  #closed = false
  #ending: Promise<void> = Promise.resolve()

  constructor(options: ViewsOptions) {
    this.#options = options
  }

  /** Throws what the desk throws, and `VIEWS_FAILED` where its thread ended. */
  async ask<Question extends DeskQuestion>(
    question: Question,
    onProgress: DeskProgress = () => {},
  ): Promise<DeskAnswer<Question>> {
    this.#usedMs = this.#options.now()
    return (await this.#send(await this.#running(), { question }, onProgress)) as DeskAnswer<Question>
  }

  /** Entries have come: the views will be brought up to them before long. */
  grown(): void {
    this.#grownMs ??= this.#options.now()
  }

  /** Does what is due; called every second or so. */
  look(): void {
    const now = this.#options.now()
    if (this.#closed || this.#held > 0) return
    if (this.#grownMs !== undefined && now - this.#grownMs >= catchUpAfterMs) {
      this.#grownMs = undefined
      this.ask({ ask: 'catch-up' }).then(({ done }: CaughtUp) => {
        if (!done) this.grown()
      }, this.#options.failed)
    } else if (this.#worker !== undefined && this.#waiting.size === 0 && now - this.#usedMs > idleMs) {
      void this.#end()
    }
  }

  /** Runs a task while the thread has the ledger closed: an open reader would keep what is to be forgotten, and the store's lock. */
  async apart<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#held += 1
    try {
      if (this.#held === 1) this.#holding = this.#order('let-go')
      await this.#holding
      return await task()
    } finally {
      this.#held -= 1
      if (this.#held === 0) await this.#order('go-on')
    }
  }

  /** Ends the thread in order: the views are closed, so that the next start can go on with them. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#end()
  }

  /** Orders are for a thread that runs; one that does not has nothing open. */
  async #order(order: 'let-go' | 'go-on'): Promise<void> {
    // That the thread has ended is as good.
    if (this.#worker === undefined) await this.#ending
    else await this.#send(this.#worker, { order }).catch(() => {})
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return this.#ending
    this.#worker = undefined
    // One that ends is waited for: else the process would be gone before the views are closed.
    worker.ref()
    this.#ending = once(worker, 'exit').then(() => {})
    worker.postMessage({ id: 0, order: 'end' } satisfies ToWorker)
    return this.#ending
  }

  /** The thread, started where it does not run. Two threads must not have the views at once: one that ends is waited for. */
  async #running(): Promise<Worker> {
    for (let ending: Promise<void> | undefined; ending !== this.#ending; ) {
      ending = this.#ending
      await ending
    }
    if (this.#closed) throw new SteleError('VIEWS_FAILED')
    return this.#worker ?? this.#start()
  }

  #send(
    worker: Worker,
    message: { readonly question: DeskQuestion } | { readonly order: 'let-go' | 'go-on' },
    onProgress: DeskProgress = () => {},
  ): Promise<unknown> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { worker, resolve, reject, onProgress })
      // A thread that has nothing to do keeps no process from ending.
      worker.ref()
      worker.postMessage({ ...message, id } satisfies ToWorker)
    })
  }

  #start(): Worker {
    const workerData: ViewWorkerData = { steleViews: true, home: this.#options.home }
    const worker = new Worker(fileURLToPath(workerFile), { workerData })
    this.#worker = worker
    worker.unref()
    worker.on('message', (message: FromWorker) => this.#hear(message))
    worker.on('error', (error) => this.#options.failed(error))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
      for (const [id, waiting] of this.#waiting) {
        if (waiting.worker !== worker) continue
        this.#waiting.delete(id)
        waiting.reject(new SteleError('VIEWS_FAILED'))
      }
    })
    // What comes first holds for all that follows.
    if (this.#held > 0) worker.postMessage({ id: 0, order: 'let-go' } satisfies ToWorker)
    return worker
  }

  #hear(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id)
    if (waiting === undefined) return
    if ('progress' in message) {
      waiting.onProgress(...message.progress)
      return
    }
    this.#waiting.delete(message.id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    this.#usedMs = this.#options.now()
    if ('answer' in message) waiting.resolve(message.answer)
    else waiting.reject(errorOf(message.error))
  }
}

function errorOf(told: { readonly code: string; readonly details: SteleError['details'] } | null): SteleError {
  if (told === null || !Object.hasOwn(errorCodes, told.code)) return new SteleError('VIEWS_FAILED')
  return new SteleError(told.code as SteleErrorCode, told.details)
}
