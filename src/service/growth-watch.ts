// How much a home has grown by day, as `status` tells it: looked up beside the service now and then, so that `status` need not wait.
import type { DayView } from '../projections/activity.js'
import type { DayOfGrowth } from './service-status.js'
import type { ViewAnswer, ViewQuestion } from './view-questions.js'

export interface GrowthWatchOptions {
  readonly ask: (question: ViewQuestion) => Promise<ViewAnswer>
  readonly clocks: { readonly now: () => number; readonly monotonic: () => number }
}

const daysTold = 7
const dayMs = 24 * 60 * 60 * 1000
const lookMs = 60_000

export class GrowthWatch {
  readonly #options: GrowthWatchOptions
  #days: readonly DayOfGrowth[] | undefined
  #lookedMs = Number.NEGATIVE_INFINITY
  #hasGrown = false

  constructor(options: GrowthWatchOptions) {
    this.#options = options
  }

  /** The last days on which anything was added, oldest first; undefined until they were looked up. */
  get days(): readonly DayOfGrowth[] | undefined {
    return this.#days
  }

  /** Entries have come. */
  grown(): void {
    this.#hasGrown = true
  }

  /** Looks the days up anew where entries have come and it is time. Called now and then. */
  async look(): Promise<void> {
    const { ask, clocks } = this.#options
    if (!this.#hasGrown || clocks.monotonic() - this.#lookedMs < lookMs) return
    this.#hasGrown = false
    this.#lookedMs = clocks.monotonic()
    const since = new Date(clocks.now() - (daysTold - 1) * dayMs).toISOString()
    const { parts } = await ask({ ask: 'view', name: 'activity', since })
    const days = Object.entries(parts as Readonly<Record<string, DayView>>)
    this.#days = days.map(([day, { entries, bytes }]) => ({ day, entries, bytes })).slice(-daysTold)
  }
}
