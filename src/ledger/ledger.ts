// The memory: takes events, answers only when they are on disk, and keeps everything that vouches for them in step.
// One process owns it. It numbers, chains and commits; what is said and what it means is the business of other rooms.

import type { CommittedDraft } from '../events/entry.js'
import { assert } from '../foundation/assert.js'
import { type DigestUse, fromHex, keyedDigest, toHex } from '../foundation/digest.js'
import { holdsIndex, type IndexPairs } from '../foundation/index-pairs.js'
import { SteleError } from '../foundation/stele-error.js'
import { ChainWriter, commitEvent, type EntryPlace, type World } from './chain-writer.js'
import type { CheckpointKeeper, CheckpointMade } from './checkpoint-keeper.js'
import { clearRows, type RowsCleared } from './clear-rows.js'
import { type BatchRows, CommitQueue } from './commit-queue.js'
import { dedupeRow, type KnownBefore, readDedupe, readFirstKnown, sweepDedupe } from './dedupe.js'
import { firstDeletes, type KnownWords, planErasure, waysThatGo } from './erasure.js'
import type { HighWater } from './high-water.js'
import type { HomeWatch } from './home-watch.js'
import { type LedgerReader, ledgerReader } from './ledger-reader.js'
import type { LeftRows } from './left-rows.js'
import { consistencyProof } from './merkle.js'
import { makeReceipt } from './receipt.js'
import type { RedactedEvent } from './redacted-event.js'
import { hostSessionKey, wordsKey } from './row-keys.js'
import { type RowSizes, rowSizes } from './row-sizes.js'
import type { Row, Store } from './store.js'
import type { ChainState } from './tail-walk.js'
import { type WantedRows, wantedRows } from './wanted-rows.js'

export interface Appended {
  /** Index of the first entry that the events became, now or the first time. */
  readonly index: number
  /** The same dedupe id came before; nothing was added. */
  readonly duplicate: boolean
}

/** What became of events that were made in their turn. */
export interface Made<Result> {
  /** Index of the first entry, now or the first time; null where none was made. */
  readonly index: number | null
  readonly duplicate: boolean
  /** Undefined for a duplicate. */
  readonly result: Result | undefined
}

export interface MadeEvents<Result> {
  readonly events: readonly RedactedEvent[]
  readonly result: Result
  /** In place of the ids that were named before. */
  readonly leave?: readonly string[]
}

export interface MadeOptions {
  /** How many entries it will be, more or less: a bound for the size of a batch. */
  readonly entries: number
  /** Ids (64 hex characters) under which the same would have come before. */
  readonly known?: readonly string[]
  /** Ids under which it is found from now on, within seven days. They are kept even where no entry was made. */
  readonly leave?: readonly string[]
}

interface SessionRow {
  readonly digest: string
  readonly handle: string
  readonly row: Row
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

export interface ForgetOptions {
  readonly by: 'owner' | 'terminal' | 'retention'
  readonly reason: string
  readonly known?: KnownWords
  readonly since?: number
}

/** Words whose every trace is to go from the files of the store. */
export interface WordsToClear {
  readonly ranges: IndexPairs
  /** Keyed digests of host sessions, in hex. */
  readonly hostSessions: readonly string[]
  /** Indices under which words of an abandoned branch lay. */
  readonly abandoned: readonly number[]
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
  /** Keyed digest of a host's session id → handle, for sessions whose start is on disk. */
  readonly #sessions = new Map<string, string>()
  /** The same for those that were asked for and are not on disk yet. */
  readonly #sessionsArriving = new Map<string, string>()
  /** Index of the newest entry of each session that has said something lately, on disk or about to be. */
  readonly #lastSaid = new Map<string, number>()
  /** Handles to which no host's id leads any more: nothing may be said under them. */
  readonly #forgotten = new Set<string>()
  readonly #listeners = new Set<() => void>()
  /** What must run while nothing is being written. */
  readonly #exclusive: (() => Promise<void>)[] = []
  #durable: ChainState
  #erasures = 0
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

  /** Why nothing can be appended any more until the ledger is opened again; undefined while all is well. */
  get failure(): SteleError | undefined {
    return this.#queue.failure
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
  async append(events: readonly RedactedEvent[], { dedupe }: { dedupe?: string } = {}): Promise<Appended> {
    assert(events.length > 0, 'an append brings at least one event')
    this.#refuseWhenClosed()
    // Committed before its turn comes, so that the turn is short.
    const drafts = events.map((event) => commitEvent(event, this.#parts.world))
    const add = () =>
      this.#add(drafts.length, () => ({ events, drafts, result: undefined }), dedupe === undefined ? [] : [dedupe])
    const { index, duplicate } = await (dedupe === undefined ? add() : this.#onceOf([dedupe], [dedupe], add))
    assert(index !== null, 'what was appended has an index')
    return { index, duplicate }
  }

  /**
   * The same with events that are made when their turn comes, from all that has a lower index, on disk or about to be. `make` is
   * handed the place of the first of them; it may make none, and it may choose which of the ids to `leave`. What came before under
   * one of the `known` ids adds nothing, and then `result` is undefined. A `SteleError` of `make` is the caller's alone.
   */
  async appendMade<Result>(
    make: (place: EntryPlace) => MadeEvents<Result>,
    { entries, known = [], leave = [] }: MadeOptions,
  ): Promise<Made<Result>> {
    this.#refuseWhenClosed()
    const add = () =>
      this.#add(
        entries,
        (place) => {
          const made = make(place)
          return { ...made, drafts: made.events.map((event) => commitEvent(event, this.#parts.world)) }
        },
        leave,
      )
    return known.length + leave.length === 0 ? add() : this.#onceOf(known, leave, add)
  }

  /** What a dedupe id gave the first time. */
  async firstUnder(dedupe: string): Promise<{ readonly index: number | null } | undefined> {
    return readDedupe(this.#parts.store, dedupe)
  }

  /**
   * The handle of a host's session. One that is not known yet gets a handle of its own, `s` and 16 hex of chance, which holds once
   * its `session.started` is on disk, and until then for everybody who asks.
   */
  async sessionHandle(hostSession: string): Promise<string> {
    const digest = this.digest('session', hostSession)
    const known = this.#sessions.get(digest) ?? this.#sessionsArriving.get(digest)
    if (known !== undefined) return known
    const row = await this.#parts.store.get(hostSessionKey(digest))
    // Somebody may have asked meanwhile.
    const arriving = this.#sessionsArriving.get(digest)
    if (arriving !== undefined) return arriving
    const handle = `s${row === undefined ? this.#parts.world.salt().slice(0, 16) : toHex(row)}`
    remember(row === undefined ? this.#sessionsArriving : this.#sessions, digest, handle)
    return handle
  }

  /** How many times words were forgotten since the ledger was opened: what was read of words before does not count after. */
  get erasures(): number {
    return this.#erasures
  }

  /**
   * Whether words of a session were forgotten so that its host's id no longer leads to this handle. To be asked in the writer's turn:
   * what is said under it afterwards would be found by nobody who names the session. It has another handle by then.
   */
  hasForgotten(handle: string): boolean {
    return this.#forgotten.has(handle)
  }

  /** The same for a session whose start is on disk; undefined for any other. */
  async knownSession(hostSession: string): Promise<string | undefined> {
    return this.reader.handleOf(this.digest('session', hostSession))
  }

  /**
   * Deletes the words of entries and says so in the same batch. `ranges` are pairs of indices, both ends included, ascending. Of more
   * entries than fit into a batch the first go with it, and whoever calls this deletes the rest: they are named, so they are forgotten
   * whatever happens. What the disk still holds afterwards is the business of the erasure that calls this. Returns the index of the
   * `payload.erased`. `known` is what was read of these words before, else it is read here. `since` is how many entries there were
   * then: a session that has said something since keeps its handle, so that whoever names it finds all of it.
   */
  async forget(ranges: IndexPairs, { by, reason, known, since = this.size }: ForgetOptions): Promise<number> {
    this.#refuseWhenClosed()
    assert((ranges.at(-1)?.[1] ?? 0) < this.size, 'only words that are there can be forgotten')
    const sessionDigest = (session: string) => this.digest('session', session)
    const { deletes, ways, bytes } =
      known === undefined ? await planErasure(this.#parts.store, ranges, sessionDigest) : firstDeletes(ranges, known)
    const entries = ranges.map(([first, last]): [number, number] => [first, last])
    const draft = commitEvent({ type: 'payload.erased', facts: { entries, by, reason, bytes } }, this.#parts.world)
    const quiet = await waysThatGo(this.#parts.store, ways, ranges, since)
    const index = await this.#queue.add({
      entries: 1,
      build: (rows) => {
        this.#erasures += 1
        const going = quiet.filter(({ handle }) => (this.#lastSaid.get(handle) ?? -1) < since)
        rows.deletes.push(...deletes, ...going.map(({ key }) => key))
        for (const { handle } of going) this.#forgotten.add(handle)
        return this.#writer.add([draft], rows.puts)
      },
    })
    // Only now: whoever asked before was told what still held.
    this.#sessions.clear()
    return index
  }

  /**
   * The physical half: no file of the store holds these words afterwards, nor the way from the host sessions to their handles. Throws
   * what `clearRows` throws. `scan` looks into the files, for a caller who does that in another thread.
   */
  async clearWords(
    storeFolder: string,
    { ranges, hostSessions, abandoned }: WordsToClear,
    scan: (storeFolder: string, wanted: WantedRows) => Promise<LeftRows>,
  ): Promise<RowsCleared> {
    this.#refuseWhenClosed()
    // Where a range names an index, its words go whatever branch they are of. Elsewhere those of the present branch stay.
    const older = abandoned.filter((index) => !holdsIndex(ranges, index)).map(wordsKey)
    const wanted = wantedRows(ranges, [...hostSessions.map(hostSessionKey), ...older])
    return clearRows(this.#parts.store, storeFolder, wanted, { scan, alone: (task) => this.exclusive(task) })
  }

  /** A receipt for an entry, under a checkpoint that covers it. Throws `ENTRY_UNKNOWN` for an index that is not there. */
  async receipt(index: number): Promise<string> {
    await this.checkpoint()
    return makeReceipt(this.#parts.store, this.reader, index)
  }

  /** The hashes that prove the tree of `first` entries to be the beginning of the tree of `second` (RFC 6962, section 2.1.2). */
  consistency(first: number, second: number): Promise<Uint8Array[]> {
    return consistencyProof(this.#parts.store, first, second)
  }

  /** Calls a listener whenever entries have come to be on disk. Returns how to stop it. */
  onGrowth(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
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

  /** About how many bytes each kind of rows takes. */
  rowSizes(): Promise<RowSizes> {
    return rowSizes(this.#parts.store)
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
    // From here on nothing is taken any more; once what waits is on disk, the last checkpoint covers everything.
    this.#closed = true
    await this.#queue.drain()
    try {
      await this.#signHead()
    } finally {
      await this.#queue.drain()
      clearTimeout(this.#timer)
      try {
        for (const mark of this.#parts.marks) mark.close()
      } finally {
        // Whatever else fails, the lock is let go.
        await this.#parts.store.close()
      }
    }
  }

  #add<Result>(
    entries: number,
    make: (place: EntryPlace) => MadeEvents<Result> & { readonly drafts: readonly CommittedDraft[] },
    leave: readonly string[],
  ): Promise<Made<Result>> {
    let sessions: readonly SessionRow[] = []
    const added = this.#queue.add({
      entries,
      build: (rows): Made<Result> => {
        let count = 0
        let left = leave
        let handles: readonly string[] = []
        const { place, result } = this.#writer.addMade((at) => {
          const made = make(at)
          count = made.drafts.length
          left = made.leave ?? leave
          sessions = made.events.flatMap((event) => this.#sessionRow(event))
          handles = made.events.map(({ session = '' }) => session)
          return made
        }, rows.puts)
        rows.puts.push(...sessions.map(({ row }) => row))
        for (const [at, handle] of handles.entries()) if (handle !== '') remember(this.#lastSaid, handle, place.index + at)
        const index = count === 0 ? null : place.index
        const first = { index, timeMs: Math.max(0, this.#parts.world.now()), again: 0 }
        rows.puts.push(...left.map((id) => dedupeRow(id, first)))
        return { index, duplicate: false, result }
      },
    })
    return added.then((done) => {
      for (const { digest, handle } of sessions) {
        this.#sessionsArriving.delete(digest)
        remember(this.#sessions, digest, handle)
      }
      return done
    })
  }

  /** One after the other: whoever comes second must find what the first has written. */
  async #onceOf<Result>(
    known: readonly string[],
    leave: readonly string[],
    add: () => Promise<Made<Result>>,
  ): Promise<Made<Result>> {
    const before = Promise.allSettled(known.map((id) => this.#arriving.get(id)))
    const own = before.then(async (): Promise<Made<Result>> => {
      const came = readFirstKnown(this.#parts.store, known)
      if (came === undefined) return add()
      await this.#writeAgain(came, leave)
      return { index: came.first.index, duplicate: true, result: undefined }
    })
    for (const id of leave) this.#arriving.set(id, own)
    try {
      return await own
    } finally {
      for (const id of leave) if (this.#arriving.get(id) === own) this.#arriving.delete(id)
    }
  }

  /** Counts what came again, and lets it be found under its other ids too. */
  async #writeAgain({ id, first }: KnownBefore, leave: readonly string[]): Promise<void> {
    const rows = [dedupeRow(id, { ...first, again: first.again + 1 })]
    for (const other of leave) {
      if (other !== id && (await readDedupe(this.#parts.store, other)) === undefined)
        rows.push(dedupeRow(other, { ...first, again: 0 }))
    }
    await this.#queue.add({ entries: 0, build: ({ puts }) => puts.push(...rows) })
  }

  #sessionRow(event: RedactedEvent): SessionRow[] {
    if (event.type !== 'session.started' || event.words === undefined || event.session === undefined) return []
    const digest = this.digest('session', event.words.session)
    const row = { key: hostSessionKey(digest), value: fromHex(event.session.slice(1)) }
    return [{ digest, handle: event.session, row }]
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
    for (const listener of this.#listeners) listener()
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

/** Forgets the oldest where there are too many. */
function remember<Value>(sessions: Map<string, Value>, name: string, value: Value): void {
  // Newest last.
  sessions.delete(name)
  sessions.set(name, value)
  const oldest = sessions.size > sessionsRememberedMax ? sessions.keys().next().value : undefined
  if (oldest !== undefined) sessions.delete(oldest)
}
