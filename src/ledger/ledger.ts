// The memory: takes events, answers only when they are on disk, and keeps everything that vouches for them in step.
// One process owns it. It numbers, chains and commits; what is said and what it means is the business of other rooms.

import type { CommittedDraft } from '../events/entry.js'
import type { NewEvent } from '../events/event-catalog.js'
import { assert } from '../foundation/assert.js'
import { type DigestUse, fromHex, keyedDigest, toHex } from '../foundation/digest.js'
import { SteleError } from '../foundation/stele-error.js'
import { ChainWriter, commitEvent, type World } from './chain-writer.js'
import type { CheckpointKeeper, CheckpointMade } from './checkpoint-keeper.js'
import { type BatchRows, CommitQueue } from './commit-queue.js'
import { dedupeRow, type FirstTime, readDedupe, sweepDedupe } from './dedupe.js'
import { planErasure } from './erasure.js'
import type { HighWater } from './high-water.js'
import type { HomeWatch } from './home-watch.js'
import { type LedgerReader, ledgerReader } from './ledger-reader.js'
import { hostSessionKey } from './row-keys.js'
import type { Store } from './store.js'
import type { ChainState } from './tail-walk.js'

export interface Appended {
  /** Index of the first entry that the events became, now or the first time. */
  readonly index: number
  /** The same dedupe id came before; nothing was added. */
  readonly duplicate: boolean
}

export interface LedgerParts {
  readonly store: Store
  readonly state: ChainState
  readonly digestKey: Uint8Array
  readonly world: World
  readonly marks: readonly HighWater[]
  readonly watch: HomeWatch
  readonly keeper: CheckpointKeeper
}

const entriesPerBatchMax = 128
const entriesWaitingMax = 8192
const checkpointAfterMs = 60_000
const sessionsRememberedMax = 4096

export class Ledger {
  readonly #parts: LedgerParts
  readonly #writer: ChainWriter
  readonly #queue: CommitQueue<ChainState>
  /** Appends with a dedupe id that are not on disk yet. */
  readonly #arriving = new Map<string, Promise<unknown>>()
  /** Keyed digest of a host's session id → handle, also for sessions that are not on disk yet. */
  readonly #sessions = new Map<string, string>()
  /** What must run while nothing is being written. */
  readonly #exclusive: (() => Promise<void>)[] = []
  #durable: ChainState
  #timer: NodeJS.Timeout | undefined
  #closed = false
  #closing: Promise<void> | undefined
  readonly reader: LedgerReader

  constructor(parts: LedgerParts) {
    this.#parts = parts
    this.#durable = parts.state
    this.#writer = new ChainWriter(parts.state, parts.world)
    this.reader = ledgerReader(parts.store)
    this.#queue = new CommitQueue<ChainState>({
      entriesPerBatchMax,
      entriesWaitingMax,
      finish: (rows) => this.#finish(rows),
      write: async ({ puts, deletes }) => {
        if (puts.length + deletes.length > 0) await this.#parts.store.write(puts, deletes)
      },
      written: (state) => this.#acknowledge(state),
      between: () => this.#between(),
    })
  }

  /** Entries that are on disk. */
  get size(): number {
    return this.#durable.size
  }

  get epoch(): number {
    return this.#durable.epoch
  }

  get ledgerId(): string {
    return this.#durable.ledger
  }

  /** 64 hex characters under the home's digest key. */
  digest(use: DigestUse, data: string | Uint8Array): string {
    return keyedDigest(this.#parts.digestKey, use, data)
  }

  /**
   * Appends events in order, all or none, and resolves when they are on disk. With a `dedupe` id (64 hex characters) that came
   * within the last seven days nothing is added. Throws `LEDGER_QUEUE_FULL` where too much waits, `STORE_WRITE_FAILED` or
   * `STORE_GONE` where the disk fails, and after that always, until the ledger is opened again.
   */
  async append(events: readonly NewEvent[], { dedupe }: { dedupe?: string } = {}): Promise<Appended> {
    assert(events.length > 0, 'an append brings at least one event')
    this.#refuseWhenClosed()
    const drafts = events.map((event) => commitEvent(event, this.#parts.world))
    const sessions = events.flatMap((event) => this.#sessionRow(event))
    const add = (id?: string) =>
      this.#queue.add({
        entries: drafts.length,
        build: (rows) => this.#build(rows, drafts, (built) => built.puts.push(...sessions), id),
      })
    if (dedupe === undefined) return add()

    // One after the other: whoever comes second must find what the first has written.
    const before = this.#arriving.get(dedupe) ?? Promise.resolve()
    const own = before.catch(() => {}).then(() => this.#once(dedupe, () => add(dedupe)))
    this.#arriving.set(dedupe, own)
    try {
      return await own
    } finally {
      if (this.#arriving.get(dedupe) === own) this.#arriving.delete(dedupe)
    }
  }

  /** The handle of a host's session, and whether it has a `session.started` already. A new handle is `s` and 16 hex of chance. */
  async session(hostSession: string): Promise<{ handle: string; known: boolean }> {
    const digest = this.digest('session', hostSession)
    const row = this.#sessions.has(digest) ? undefined : await this.#parts.store.get(hostSessionKey(digest))
    const remembered = this.#sessions.get(digest)
    if (remembered !== undefined) return { handle: remembered, known: true }
    const handle = `s${row === undefined ? this.#parts.world.salt().slice(0, 16) : toHex(row)}`
    if (this.#sessions.size >= sessionsRememberedMax) this.#sessions.clear()
    this.#sessions.set(digest, handle)
    return { handle, known: row !== undefined }
  }

  /**
   * Deletes the words of entries and says so in the same batch. `ranges` are pairs of indices, both ends included, ascending.
   * What the disk still holds of them afterwards is the business of the erasure that calls this. Returns the index of the receipt.
   */
  async forget(
    ranges: readonly (readonly [number, number])[],
    { by, reason }: { by: 'owner' | 'terminal' | 'retention'; reason: string },
  ): Promise<number> {
    this.#refuseWhenClosed()
    assert((ranges.at(-1)?.[1] ?? 0) < this.size, 'only words that are there can be forgotten')
    const { deletes, bytes } = await planErasure(this.#parts.store, ranges, (session) => this.digest('session', session))
    const entries = ranges.map(([first, last]): [number, number] => [first, last])
    const draft = commitEvent({ type: 'payload.erased', facts: { entries, by, reason, bytes } }, this.#parts.world)
    this.#sessions.clear()
    const { index } = await this.#queue.add({
      entries: 1,
      build: (rows) => this.#build(rows, [draft], (built) => built.deletes.push(...deletes)),
    })
    return index
  }

  /** Makes a checkpoint of everything that is on disk by then, unless the newest covers it. */
  async checkpoint(): Promise<CheckpointMade | undefined> {
    this.#refuseWhenClosed()
    return this.#signHead()
  }

  /** Runs a task between two batches, while nothing is being written: how snapshots are taken. */
  exclusive<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#refuseWhenClosed()
    return this.#runBetween(task, false)
  }

  /** Resolves when `append` has room again. */
  room(): Promise<void> {
    return this.#queue.room()
  }

  /** Waits for what is under way, signs the head, and lets go of the store. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    // From here on nothing is taken any more, so the last checkpoint covers everything.
    this.#closed = true
    try {
      await this.#signHead()
    } finally {
      await this.#queue.drain()
      clearTimeout(this.#timer)
      for (const mark of this.#parts.marks) mark.close()
      await this.#parts.store.close()
    }
  }

  async #once(dedupe: string, add: () => Promise<Appended>): Promise<Appended> {
    const before = await readDedupe(this.#parts.store, dedupe)
    return before === undefined ? add() : this.#writeAgain(dedupe, before)
  }

  async #writeAgain(dedupe: string, before: FirstTime): Promise<Appended> {
    const row = dedupeRow(dedupe, { ...before, again: before.again + 1 })
    await this.#queue.add({ entries: 0, build: ({ puts }) => puts.push(row) })
    return { index: before.index, duplicate: true }
  }

  #build(rows: BatchRows, drafts: readonly CommittedDraft[], also: (rows: BatchRows) => void, dedupe?: string): Appended {
    const index = this.#writer.add(drafts, rows.puts)
    also(rows)
    if (dedupe !== undefined) rows.puts.push(dedupeRow(dedupe, { index, timeMs: Math.max(0, this.#parts.world.now()), again: 0 }))
    return { index, duplicate: false }
  }

  #sessionRow(event: NewEvent) {
    if (event.type !== 'session.started' || event.words === undefined || event.session === undefined) return []
    return [{ key: hostSessionKey(this.digest('session', event.words.session)), value: fromHex(event.session.slice(1)) }]
  }

  #finish(rows: BatchRows): ChainState {
    const state = this.#writer.state
    if (rows.puts.length > 0) this.#writer.addHead(rows.puts)
    return state
  }

  /** The batch is on disk. A home that was removed meanwhile has taken it along, so nobody may hear of it. */
  #acknowledge(state: ChainState): void {
    this.#parts.watch.assertThere()
    this.#durable = state
    for (const mark of this.#parts.marks) mark.write({ epoch: state.epoch, size: state.size, head: state.head })
    if (this.#timer === undefined && this.#parts.keeper.behind(state)) this.#startTimer()
  }

  #startTimer(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      // A failure shows at the next append, which finds the queue failed.
      this.checkpoint().catch(() => {})
    }, checkpointAfterMs)
    this.#timer.unref()
  }

  #signHead(): Promise<CheckpointMade | undefined> {
    // A checkpoint that fails is a failed sync: it ends the ledger like any other.
    return this.#runBetween(async () => {
      if (this.#parts.keeper.behind(this.#durable)) await this.#makeCheckpoint()
      return this.#parts.keeper.newest
    }, true)
  }

  #runBetween<Result>(task: () => Promise<Result>, fatal: boolean): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#exclusive.push(async () => {
        try {
          resolve(await task())
        } catch (error) {
          reject(error)
          if (fatal) throw error
        }
      })
      this.#queue.add({ entries: 0, build: () => undefined }).catch(reject)
    })
  }

  async #between(): Promise<void> {
    for (const task of this.#exclusive.splice(0)) await task()
    if (this.#parts.keeper.due(this.#durable)) await this.#makeCheckpoint()
  }

  async #makeCheckpoint(): Promise<void> {
    this.#parts.watch.assertWhole()
    await this.#parts.keeper.make(this.#durable)
    for (const mark of this.#parts.marks) mark.sync()
    await sweepDedupe(this.#parts.store, fromHex(this.#parts.world.salt()), this.#parts.world.now())
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new SteleError('LEDGER_CLOSED')
  }
}
