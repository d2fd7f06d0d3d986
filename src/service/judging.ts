// The service's own end of the thread in which long texts are judged: started when there is something to judge, ended when there was nothing
// for a while. A thread that fails or takes too long is ended, and the next job gets another; the service goes on.
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { SteleError } from '../foundation/stele-error.js'
import type { GateContext, JudgedEntry, Verdict } from '../gates/gate.js'
import type { LongTexts } from '../hooks/hook-house.js'
import type { JobAnswer, JudgingJob } from './judging-jobs.js'
import type { JudgingWorkerData } from './judging-worker.js'

export interface JudgingOptions {
  /** Why something could not be judged. */
  readonly failed: (error: unknown) => void
  readonly now: () => number
  /** How long one job may take. */
  readonly jobMs?: number
  /** How much memory the thread may take for its objects. */
  readonly memoryMb?: number
}

interface Waiting {
  readonly job: JudgingJob
  readonly resolve: (answer: JobAnswer<JudgingJob>) => void
  readonly reject: (error: SteleError) => void
}

const idleMs = 20_000
/** Several times what the largest payload takes, of the worst text. A host waits less: what it did itself by then, it tells us. */
const jobMsDefault = 30_000
/** Several times what that needs. */
const memoryMbDefault = 1024
/** Each of them may be a payload of the largest size. */
const waitingMax = 8

// As with the views: what reads TypeScript in tests does not reach into threads, so they begin the built one.
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/service/judging-worker.js' : './judging-worker.js',
  import.meta.url,
)

export class Judging implements LongTexts {
  readonly #options: JudgingOptions
  readonly #waiting: Waiting[] = []
  #worker: Worker | undefined
  /** What the thread is busy with. */
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #usedMs = 0
  #closed = false

  constructor(options: JudgingOptions) {
    this.#options = options
  }

  /** Throws `JUDGING_FAILED` where the thread ended, took too long, or has too much before it; `LEDGER_CLOSED` where the service ends. */
  async judge(gate: string, write: JudgedEntry<'write.proposed'>, context: GateContext): Promise<Verdict | undefined> {
    return this.#ask({ ask: 'judge', gate, write, context })
  }

  /** Throws what `judge` throws. */
  async quotes(texts: readonly string[]): Promise<readonly string[]> {
    return this.#ask({ ask: 'quotes', texts })
  }

  /** Does what is due; called every second or so. */
  look(): void {
    const isIdle = this.#worker !== undefined && this.#current === undefined
    if (isIdle && this.#options.now() - this.#usedMs > idleMs) void this.#end()
  }

  /** Whoever waits is told that the service ends. */
  async close(): Promise<void> {
    this.#closed = true
    const left = [...(this.#current === undefined ? [] : [this.#current]), ...this.#waiting.splice(0)]
    this.#current = undefined
    for (const { reject } of left) reject(new SteleError('LEDGER_CLOSED'))
    await this.#end()
  }

  #ask<Job extends JudgingJob>(job: Job): Promise<JobAnswer<Job>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new SteleError('LEDGER_CLOSED'))
      if (this.#waiting.length >= waitingMax) return reject(this.#failure('too_many'))
      this.#waiting.push({ job, resolve: resolve as Waiting['resolve'], reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#current !== undefined) return
    const next = this.#waiting.shift()
    if (next === undefined) return
    this.#current = next
    try {
      const worker = this.#worker ?? this.#start()
      // A thread that has nothing to do keeps no process from ending.
      worker.ref()
      worker.postMessage(next.job)
      this.#timer = setTimeout(() => this.#lost('too_slow'), this.#options.jobMs ?? jobMsDefault)
    } catch (error) {
      this.#lost('not_started', error)
    }
  }

  #start(): Worker {
    const workerData: JudgingWorkerData = { steleJudging: true }
    const resourceLimits = { maxOldGenerationSizeMb: this.#options.memoryMb ?? memoryMbDefault }
    const worker = new Worker(fileURLToPath(workerFile), { workerData, resourceLimits })
    this.#worker = worker
    worker.on('message', (answer: JobAnswer<JudgingJob>) => {
      if (this.#worker === worker) this.#answered(answer)
    })
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#lost('thread_failed', error)
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#lost('thread_ended')
    })
    return worker
  }

  #answered(answer: JobAnswer<JudgingJob>): void {
    const current = this.#current
    this.#current = undefined
    clearTimeout(this.#timer)
    this.#worker?.unref()
    this.#usedMs = this.#options.now()
    current?.resolve(answer)
    this.#next()
  }

  /** The thread is given up, with what it was busy with; what waits behind that gets another. */
  #lost(reason: string, cause?: unknown): void {
    const current = this.#current
    const failure = this.#failure(reason, cause)
    this.#current = undefined
    void this.#end()
    current?.reject(failure)
    this.#next()
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    clearTimeout(this.#timer)
    await worker?.terminate()
  }

  #failure(reason: string, cause?: unknown): SteleError {
    const error = new SteleError('JUDGING_FAILED', { reason }, { cause })
    this.#options.failed(error)
    return error
  }
}
