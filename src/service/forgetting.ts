// Forgets words, from the wish to the last byte: one erasure after the other, each written down first, each step done again by whoever
// comes after a crash. The order matters: first nobody can read them any more, then nothing on the disk holds them.
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { readHeader } from '../events/entry.js'
import { assert } from '../foundation/assert.js'
import { holdsIndex } from '../foundation/index-pairs.js'
import { SteleError } from '../foundation/stele-error.js'

import { abandonedWords, dropAbandonedWords } from '../ledger/abandoned-words.js'
import { ExportRegister } from '../ledger/export-register.js'
import type { HomeFiles } from '../ledger/home-files.js'
import type { Ledger } from '../ledger/ledger.js'
import { clearQuarantine } from '../ledger/quarantine.js'
import { removeSnapshots } from '../ledger/snapshot.js'
import { rangesMax, type SelectedWords, type WordsSelection } from '../ledger/words-selection.js'
import { ErasureJournal, type JournalledErasure, type WaitingErasure, waitingErasure } from './erasure-journal.js'
import type { DeskAnswer, DeskQuestion } from './view-questions.js'

export type ErasureStep = 'written-down' | 'recorded' | 'rows' | 'terms' | 'snapshots' | 'put-aside' | 'exports' | 'done'

export interface ForgettingOptions {
  readonly files: HomeFiles
  /** The ledger, open and well. */
  readonly ledger: () => Promise<Ledger>
  readonly ask: <Question extends DeskQuestion>(question: Question) => Promise<DeskAnswer<Question>>
  /** Runs a task while nobody else in this program reads the ledger. */
  readonly apart: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** What waits to be taken in would bring the words back, so it is taken in first: `all` of it, or what need not wait for its host. */
  readonly takeSpool: (which: 'all' | 'ready') => Promise<void>
  /** What was remembered of sessions may hold words. */
  readonly forgetSessions: () => void
  /** How long readers of snapshots are waited for. */
  readonly readersWaitMs: number
  readonly now: () => number
  readonly onStep?: (step: ErasureStep, erasure: JournalledErasure) => void
}

/** What an erasure came to. */
export interface Erased {
  /** Index of its `payload.erased`. */
  readonly erasure: number
  readonly entries: number
  readonly bytes: number
  /** Copies beside the store that went or lost words, and exports that are not where they were written. */
  readonly copies: ErasedCopies
  /** The receipt of the erasure: a proof of its entry, as `stele prove` prints it. */
  readonly receipt: string
}

export interface ErasedCopies {
  readonly snapshots: number
  readonly putAside: number
  readonly exports: number
  readonly exportsMissing: number
}

export interface ErasureWish {
  readonly selection: WordsSelection
  readonly by: 'owner' | 'terminal' | 'retention'
  readonly reason: string
  /** False where nobody confirmed it: then it waits. */
  readonly confirmed: boolean
}

const graceMs = 60 * 60 * 1000
const againMs = 60 * 60 * 1000
/** How long an end waits for the step that is under way. */
const endWaitMs = 2000

export class Forgetting {
  readonly #options: ForgettingOptions
  readonly #journal: ErasureJournal
  #working: Promise<unknown> = Promise.resolve()
  readonly #ending = new AbortController()
  /** When one was left unfinished. */
  readonly #leftMs = new Map<string, number>()

  constructor(options: ForgettingOptions) {
    this.#options = options
    this.#journal = new ErasureJournal(options.files.erasures)
  }

  /** What a wish would forget. Changes nothing but what waited in the spool, which is taken in. */
  async preview(selection: WordsSelection): Promise<SelectedWords> {
    await this.#options.takeSpool('ready')
    return this.#options.ask({ ask: 'select', selection })
  }

  /**
   * Forgets at once what was confirmed, and writes down to be done in an hour what was not. Throws `ERASURE_EMPTY` where no words are
   * left of what is meant, `ERASURE_UNFINISHED` where they are forgotten and the disk still holds some: that is tried again.
   */
  ask(wish: ErasureWish): Promise<Erased | WaitingErasure> {
    return this.#alone(async () => {
      await this.#options.takeSpool('all')
      const place = placeOf(await this.#options.ledger())
      const words = await this.#options.ask({ ask: 'select', selection: wish.selection })
      if (words.entries === 0) throw new SteleError('ERASURE_EMPTY')
      if (words.ranges.length > rangesMax)
        throw new SteleError('ERASURE_TOO_WIDE', { ranges: words.ranges.length, most: rangesMax })
      const ledger = await this.#options.ledger()
      const { selection, by, reason, confirmed } = wish
      const erasure = { selected: selection.by, by, reason, words, due: null, asked: null, entry: null, ...place }
      if (!confirmed) return this.#wait(ledger, erasure)
      const journalled = this.#journal.add(erasure)
      this.#options.onStep?.('written-down', journalled)
      const erased = await this.#finish(journalled)
      assert(erased !== undefined, 'nobody could call it off in between')
      return erased
    })
  }

  /** Those that wait, and those that are not finished. */
  get waiting(): WaitingErasure[] {
    return this.#journal.all().map(waitingErasure)
  }

  /** Calls off what waits. Throws `ERASURE_NOTHING_WAITS` where nothing does. */
  cancel(): Promise<WaitingErasure[]> {
    return this.#alone(async () => {
      const waiting = this.#journal.all().filter(({ due, entry }) => due !== null && entry === null)
      if (waiting.length === 0) throw new SteleError('ERASURE_NOTHING_WAITS')
      const ledger = await this.#options.ledger()
      for (const erasure of waiting) {
        if (erasure.asked !== null) await ledger.append([{ type: 'erasure.cancelled', facts: { asked: erasure.asked } }])
        this.#journal.remove(erasure)
      }
      return waiting.map(waitingErasure)
    })
  }

  /** Goes on with what a crash has left, and begins what is due. Called now and then. */
  look(): Promise<void> {
    return this.#alone(async () => {
      for (const erasure of this.#journal.all()) {
        const now = this.#options.now()
        const waitMs = erasure.due === null ? 0 : Date.parse(erasure.due) - now
        // The clock was set back. It waits its hour from now on: not for longer than anybody meant, and never less than an hour in all.
        if (waitMs > graceMs) this.#journal.save({ ...erasure, due: new Date(now + graceMs).toISOString() })
        if (waitMs > 0 || this.#wasJustLeft(erasure, now)) continue
        try {
          await this.#finish(erasure)
          this.#leftMs.delete(erasure.id)
        } catch (error) {
          this.#leftMs.set(erasure.id, now)
          throw error
        }
      }
    })
  }

  /** For the end of the service: no further step begins. What is left is finished by whoever opens the home next. */
  async close(): Promise<void> {
    this.#ending.abort(new SteleError('LEDGER_CLOSED'))
    await Promise.race([this.#working, sleep(endWaitMs, undefined, { ref: false })])
  }

  #wasJustLeft({ id }: JournalledErasure, now: number): boolean {
    const sinceMs = now - (this.#leftMs.get(id) ?? Number.NEGATIVE_INFINITY)
    return sinceMs >= 0 && sinceMs < againMs
  }

  async #wait(ledger: Ledger, erasure: Omit<JournalledErasure, 'id'>): Promise<WaitingErasure> {
    const due = new Date(this.#options.now() + graceMs).toISOString()
    const { selected, words } = erasure
    const facts = { selected, entries: words.entries, bytes: words.bytes, due }
    const { index } = await ledger.append([{ type: 'erasure.asked', facts }])
    return waitingErasure(this.#journal.add({ ...erasure, due, asked: index }))
  }

  /** Undefined where it was called off, or where a new start has abandoned all that it meant. */
  async #finish(begun: JournalledErasure): Promise<Erased | undefined> {
    const { files, apart, ask, forgetSessions, readersWaitMs, onStep = () => {} } = this.#options
    const { signal } = this.#ending
    const erasure = await this.#record(begun)
    if (erasure === undefined) {
      this.#journal.remove(begun)
      return undefined
    }
    const { words, entry } = erasure
    const done = (step: ErasureStep): void => {
      onStep(step, erasure)
      signal.throwIfAborted()
    }
    forgetSessions()
    done('recorded')
    const ledger = await this.#options.ledger()
    const toClear = { ranges: words.ranges, hostSessions: words.hostSessions, abandoned: await abandonedWords(files) }
    await apart(() => ledger.clearWords(files.store, toClear, (folder, wanted) => ask({ ask: 'left-rows', folder, wanted })))
    done('rows')
    await ask({ ask: 'forget-terms', ranges: words.ranges })
    done('terms')
    // Only now: a snapshot that was taken meanwhile shares tables that hold the words.
    const snapshots = await removeSnapshots(files, readersWaitMs, signal)
    done('snapshots')
    const putAside = clearQuarantine(files) + (await dropAbandonedWords(files))
    done('put-aside')
    const isForgotten = (index: number): boolean => holdsIndex(words.ranges, index)
    const { changed, missing } = await new ExportRegister(files).cover(ledger.ledgerId, isForgotten)
    done('exports')
    const receipt = await ledger.receipt(entry)
    this.#journal.remove(erasure)
    onStep('done', erasure)
    const copies = { snapshots, putAside, exports: changed, exportsMissing: missing }
    return { erasure: entry, entries: words.entries, bytes: words.bytes, copies, receipt }
  }

  /** Sees to it that an erasure has its `payload.erased`: the one that is there, where a crash came between it and the journal. */
  async #record(begun: JournalledErasure): Promise<RecordedErasure | undefined> {
    const ledger = await this.#options.ledger()
    const erasure = await inPresentEpoch(ledger, begun)
    if (erasure === undefined || isRecorded(erasure)) return erasure
    const said = await saidBefore(ledger, erasure)
    if (said === 'called-off') return undefined
    const { by, reason, words, size: since } = erasure
    this.#ending.signal.throwIfAborted()
    const recorded = { ...erasure, entry: said ?? (await ledger.forget(words.ranges, { by, reason, known: words, since })) }
    this.#journal.save(recorded)
    return recorded
  }

  /** One erasure after the other. */
  #alone<Result>(task: () => Promise<Result>): Promise<Result> {
    const own = this.#working.then(task)
    this.#working = own.catch(() => {})
    return own
  }
}

type RecordedErasure = JournalledErasure & { readonly entry: number }

const isRecorded = (erasure: JournalledErasure): erasure is RecordedErasure => erasure.entry !== null

const placeOf = ({ size, epoch }: Ledger) => ({ size, epoch })

/** What the ledger says of an erasure that the journal does not know to be recorded: the index of its `payload.erased`, if anything. */
async function saidBefore(
  ledger: Ledger,
  { size, by, reason, words, asked }: JournalledErasure,
): Promise<number | 'called-off' | undefined> {
  for await (const { header, payload } of ledger.reader.entries({ from: size })) {
    if (header.type === 'erasure.cancelled' && asked !== null && payload['asked'] === asked) return 'called-off'
    if (header.type !== 'payload.erased' || payload['by'] !== by || payload['reason'] !== reason) continue
    if (isDeepStrictEqual(payload['entries'], words.ranges)) return header.index
  }
  return undefined
}

/**
 * After a new start an index may name another entry than it did: only what lies before that start is meant. Nor is there anything to
 * forget behind the end of the ledger, where the store is older than the journal or the file is nobody's.
 */
async function inPresentEpoch(ledger: Ledger, erasure: JournalledErasure): Promise<JournalledErasure | undefined> {
  const isWithin = erasure.words.ranges.every(([, last]) => last < ledger.size) && (erasure.entry ?? 0) < ledger.size
  if (ledger.epoch === erasure.epoch && isWithin) return erasure
  const starts: number[] = []
  for (const type of ['ledger.reanchored', 'ledger.restored'])
    for await (const { index, header } of ledger.reader.storedEntriesOfType(type, ledger.size))
      if (readHeader(header).epoch > erasure.epoch) starts.push(index)
  const end = Math.min(ledger.size, ...starts)
  const { words, entry } = erasure
  const ranges = words.ranges.flatMap(([first, last]) => (first < end ? [[first, Math.min(last, end - 1)] as const] : []))
  if (ranges.length === 0) return undefined
  return {
    ...erasure,
    ...placeOf(ledger),
    size: Math.min(erasure.size, end),
    words: { ...words, ranges },
    entry: entry !== null && entry < end ? entry : null,
  }
}
