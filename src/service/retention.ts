// Forgets words for their age, at most once a day. A clock that is wrong must not cost a single word: nothing is forgotten until the
// ledger has seen a whole day without a step or an unlikely leap, and while this process's own two clocks disagree.
import { type WordKind, wordKinds } from '../events/word-kinds.js'
import { SteleError } from '../foundation/stele-error.js'
import type { WordsSelection } from '../ledger/words-selection.js'
import type { ClockView } from '../projections/clock.js'

/** Days that words are kept, by kind; 0 for ever. */
export type RetentionDays = Readonly<Record<WordKind, number>>

export interface Clocks {
  /** The wall clock, in milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number
}

export interface RetentionOptions {
  readonly clocks: Clocks
  readonly days: () => RetentionDays
  /** What the ledger tells of its clock; undefined for a ledger without entries. */
  readonly clock: () => Promise<ClockView | undefined>
  /** Throws `ERASURE_EMPTY` where nothing is old enough. */
  readonly forget: (selection: WordsSelection) => Promise<void>
}

const dayMs = 24 * 60 * 60 * 1000
/** Between two looks: a service that stays for a day looks now and then, and one that is started for a minute looks once. */
const lookMs = 60 * 60 * 1000
/** How far the wall clock may go astray from the other before nothing of it is believed. */
const driftMs = 2000

export class Retention {
  readonly #options: RetentionOptions
  /** Where both clocks stood when they were seen together first. */
  #seenMs: number
  #seenMonotonic: number
  /** Since when, by the one that never goes back, they agree; undefined where they always did. */
  #agreeingMonotonic: number | undefined
  #lookedMonotonic: number | undefined

  constructor(options: RetentionOptions) {
    this.#options = options
    this.#seenMs = options.clocks.now()
    this.#seenMonotonic = options.clocks.monotonic()
  }

  /** Forgets what is due. Called now and then; most calls do nothing. Resolves to why nothing was done, or to `done`. */
  async look(): Promise<'early' | 'for_ever' | 'clocks_disagree' | 'clock_unsteady' | 'swept_today' | 'nothing_old' | 'done'> {
    const { clocks, days, clock, forget } = this.#options
    const monotonic = clocks.monotonic()
    if (this.#lookedMonotonic !== undefined && monotonic - this.#lookedMonotonic < lookMs) return 'early'
    this.#lookedMonotonic = monotonic
    const kept = days()
    if (wordKinds.every((kind) => kept[kind] === 0)) return 'for_ever'
    const now = clocks.now()
    if (!this.#agree(now, monotonic)) return 'clocks_disagree'
    const seen = await clock()
    if (seen === undefined || !(now >= Date.parse(seen.lastTime) && now - Date.parse(seen.steadySince) >= dayMs))
      return 'clock_unsteady'
    if (seen.lastSweep !== null && now - Date.parse(seen.lastSweep) < dayMs) return 'swept_today'
    try {
      await forget({ by: 'age', before: cutOffs(kept, now), sweep: { now: new Date(now).toISOString() } })
      return 'done'
    } catch (error) {
      if (error instanceof SteleError && error.code === 'ERASURE_EMPTY') return 'nothing_old'
      throw error
    }
  }

  /** One of them was set, or the machine slept: then they are believed again when they have agreed for a day. */
  #agree(now: number, monotonic: number): boolean {
    if (Math.abs(now - this.#seenMs - (monotonic - this.#seenMonotonic)) > driftMs) {
      this.#seenMs = now
      this.#seenMonotonic = monotonic
      this.#agreeingMonotonic = monotonic
    }
    return this.#agreeingMonotonic === undefined || monotonic - this.#agreeingMonotonic >= dayMs
  }
}

/** The times before which words go, by kind; null for those that are kept for ever. */
export function cutOffs(days: RetentionDays, nowMs: number): Readonly<Record<WordKind, string | null>> {
  const cutOff = (kept: number): string | null => (kept === 0 ? null : new Date(nowMs - kept * dayMs).toISOString())
  return {
    messages: cutOff(days.messages),
    tools: cutOff(days.tools),
    sessions: cutOff(days.sessions),
    judgements: cutOff(days.judgements),
  }
}
