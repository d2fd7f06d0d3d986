// Answers questions about views and words: the one place where the two stores of a home meet. It runs in a thread of its own beside a
// service, and in the process of a command where no service runs. It opens the ledger for reading, anew for each question.
import { keyedDigest } from '../foundation/digest.js'
import { SteleError } from '../foundation/stele-error.js'
import { ledgerReader } from '../ledger/ledger-reader.js'
import { findLeftRows } from '../ledger/left-rows.js'
import type { Store } from '../ledger/store.js'
import { selectWords } from '../ledger/words-selection.js'
import { isIndexName, type LedgerSource, ProjectionRunner } from '../projections/projection-runner.js'
import { areViewsDamaged, type ViewStore } from '../projections/view-store.js'
import { type ReadLedger, searchAnswer } from './search-answer.js'
import { viewAnswer } from './view-answer.js'
import type { CaughtUp, DeskAnswer, DeskProgress, DeskQuestion } from './view-questions.js'

export interface ViewDeskOptions {
  /** Opens the ledger's store for reading; `close` lets go of it. */
  readonly openStore: () => Promise<Store>
  /**
   * Opens the views. Where it throws `STORE_LOCKED` or `STORE_UNREADABLE`, answers are made from the ledger and nothing is kept; the
   * next question tries again.
   */
  readonly openViews: () => Promise<ViewStore>
  /** 32 bytes; digests of this home are made under them. */
  readonly digestKey: Uint8Array
}

interface KeptViews {
  readonly store: ViewStore
  readonly runner: ProjectionRunner
}

/** Views that come up damaged are begun anew so often for one question. */
const begunAnewMax = 2

export class ViewDesk {
  readonly #options: ViewDeskOptions
  #views: Promise<KeptViews> | undefined
  /** Questions that have the ledger open. */
  readonly #reading = new Set<Promise<unknown>>()
  #changing: Promise<unknown> = Promise.resolve()
  #held: { readonly over: Promise<void>; readonly end: () => void } | undefined

  constructor(options: ViewDeskOptions) {
    this.#options = options
  }

  /** Throws `VIEW_UNKNOWN`, `SESSION_UNKNOWN`, and what reading the ledger throws. */
  async answer<Question extends DeskQuestion>(
    question: Question,
    onProgress: DeskProgress = () => {},
  ): Promise<DeskAnswer<Question>> {
    for (let begunAnew = 0; ; begunAnew += 1) {
      const views = this.#views
      try {
        return (await this.#answer(question, onProgress)) as DeskAnswer<Question>
      } catch (error) {
        if (!areViewsDamaged(error) || begunAnew === begunAnewMax) throw error
        // Another question may have done so before.
        if (this.#views !== undefined && (views === undefined || this.#views === views))
          await this.#alone(() => this.#throwAway())
      }
    }
  }

  /** Lets go of the ledger: what folds stops after its step, and this resolves when nothing has it open. Questions wait for `goOn`. */
  async letGo(): Promise<void> {
    if (this.#held === undefined) {
      let end = (): void => {}
      const over = new Promise<void>((resolve) => {
        end = resolve
      })
      this.#held = { over, end }
    }
    await Promise.allSettled([...this.#reading])
  }

  goOn(): void {
    this.#held?.end()
    this.#held = undefined
  }

  async close(): Promise<void> {
    await this.letGo()
    await this.#alone(async () => {
      const views = await this.#views?.catch(() => undefined)
      await views?.store.close()
    })
  }

  #answer(question: DeskQuestion, onProgress: DeskProgress): Promise<unknown> {
    switch (question.ask) {
      case 'catch-up':
        return this.#withLedger((ledger) => this.#caughtUp(ledger, onProgress))
      case 'state':
        return this.#withLedger(async ({ size, source }) => {
          const views = await this.#viewsIfAny()
          return { size, views: (await views?.runner.state(source)) ?? [] }
        })
      case 'rebuild':
        return this.#rebuild(question.name, onProgress)
      case 'view':
        return this.#withLedger((ledger) => viewAnswer(ledger, question, onProgress))
      case 'search':
        return this.#withLedger((ledger) => searchAnswer(ledger, question, onProgress))
      case 'select':
        return this.#withLedger(({ store, size, sessionDigest }) =>
          selectWords(store, question.selection, { size, sessionDigest, onProgress }),
        )
      case 'forget-terms':
        // Whoever has the views open has the words in them: this must not look done.
        return this.#alone(async () => ({ rows: await (await this.#openViews()).runner.forget(question.ranges) }))
      case 'left-rows':
        // Files alone: the ledger need not be open for it, and may be kept from it.
        return findLeftRows(question.folder, question.wanted, { onProgress })
    }
  }

  /** Throws `STORE_LOCKED` or `STORE_UNREADABLE` where views cannot be kept. */
  async #rebuild(name: string | undefined, onProgress: DeskProgress): Promise<CaughtUp> {
    if (name !== undefined && !isIndexName(name)) throw new SteleError('VIEW_UNKNOWN', { view: name })
    await this.#alone(async () => {
      const { runner } = await this.#openViews()
      if (name === undefined) await this.#throwAway()
      else await runner.drop(name)
    })
    for (;;) {
      const caughtUp = await this.#withLedger(async (ledger) => {
        await this.#openViews()
        return this.#caughtUp(ledger, onProgress)
      })
      // It was told to let go in the middle: what is done is kept, and it goes on when it may.
      if (caughtUp.done) return caughtUp
    }
  }

  async #withLedger<Result>(task: (ledger: OpenedLedger) => Promise<Result>): Promise<Result> {
    for (;;) {
      while (this.#held !== undefined) await this.#held.over
      const reading = this.#open(task)
      this.#reading.add(reading)
      try {
        return await reading
      } catch (error) {
        // It was told to let go in the middle: nothing is lost by asking again.
        if (!(error instanceof LetGo)) throw error
      } finally {
        this.#reading.delete(reading)
      }
    }
  }

  async #open<Result>(task: (ledger: OpenedLedger) => Promise<Result>): Promise<Result> {
    const store = endingWhen(() => this.#held !== undefined, await this.#options.openStore())
    try {
      const reader = ledgerReader(store)
      const ledgerId = await reader.ledgerId()
      const size = await reader.size()
      const source: LedgerSource = {
        ledgerId,
        size,
        storedEntry: (index) => reader.storedEntry(index),
        storedEntries: (from, to) => reader.storedEntries(from, to),
      }
      const sessionDigest = (session: string) => keyedDigest(this.#options.digestKey, 'session', session)
      const onViews: ReadLedger['onViews'] = (onProgress, of) =>
        this.#alone(async () => {
          const views = await this.#viewsIfAny()
          if (views === undefined) return undefined
          // As it is now: another question may have brought the views further than this one saw.
          const now = { ...source, size: await reader.size() }
          const stop = () => this.#held !== undefined
          if (!(await views.runner.catchUp(now, { stop, onProgress }))) throw new LetGo()
          return of(views.runner, now.size)
        })
      return await task({ store, reader, ledgerId, size, source, sessionDigest, onViews })
    } finally {
      await store.close()
    }
  }

  /** Whether the views hold all of the ledger by then: not where they were stopped, or cannot be kept. */
  async #caughtUp({ onViews, size }: OpenedLedger, onProgress: DeskProgress): Promise<CaughtUp> {
    try {
      const done = await onViews(onProgress, async (_, now) => now)
      return { done: done !== undefined, size: done ?? size }
    } catch (error) {
      if (error instanceof LetGo) return { done: false, size }
      throw error
    }
  }

  #openViews(): Promise<KeptViews> {
    if (this.#views !== undefined) return this.#views
    const opening = this.#options
      .openViews()
      .then((store) => ({ store, runner: new ProjectionRunner(store, this.#options.digestKey) }))
    this.#views = opening
    opening.catch(() => {
      if (this.#views === opening) this.#views = undefined
    })
    return opening
  }

  async #viewsIfAny(): Promise<KeptViews | undefined> {
    try {
      return await this.#openViews()
    } catch (error) {
      if (error instanceof SteleError && (error.code === 'STORE_LOCKED' || error.code === 'STORE_UNREADABLE')) return undefined
      throw error
    }
  }

  async #throwAway(): Promise<void> {
    const views = await this.#views?.catch(() => undefined)
    this.#views = undefined
    await views?.store.throwAway()
  }

  /** One after the other: two that fold the same view would count twice. */
  #alone<Result>(task: () => Promise<Result>): Promise<Result> {
    const own = this.#changing.then(task)
    this.#changing = own.catch(() => {})
    return own
  }
}

interface OpenedLedger extends ReadLedger {
  readonly source: LedgerSource
}

/** Ends what reads the ledger just now. */
class LetGo extends Error {}

/** A store whose readings end when it is to be let go of. */
function endingWhen(isHeld: () => boolean, store: Store): Store {
  const goOn = (): void => {
    if (isHeld()) throw new LetGo()
  }
  return {
    ...store,
    getMany: async (keys) => {
      goOn()
      return store.getMany(keys)
    },
    range: async function* (options) {
      for await (const rows of store.range(options)) {
        goOn()
        yield rows
      }
    },
  }
}
