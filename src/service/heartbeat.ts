// Says at quiet times that the service is awake, so that "was it awake the whole time" has an answer: one entry an hour while nothing else
// is recorded, none while entries come. It is no request, so an idle service leaves all the same.
import type { Ledger } from '../ledger/ledger.js'

export interface HeartbeatOptions {
  /** Undefined while nothing can be written. */
  readonly ledger: () => Pick<Ledger, 'size' | 'appendMade'> | undefined
  /** Milliseconds of a clock that never goes back, and stands still while the machine sleeps. */
  readonly now: () => number
}

/** What is silent for longer, and a little more, was not awake. */
export const beatMs = 60 * 60 * 1000

export class Heartbeat {
  readonly #options: HeartbeatOptions
  #size = -1
  #sinceMs = 0

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  /** Called every second or so. */
  async look(): Promise<void> {
    const ledger = this.#options.ledger()
    if (ledger === undefined) return
    const now = this.#options.now()
    if (ledger.size !== this.#size) {
      this.#size = ledger.size
      this.#sinceMs = now
    }
    const ranMs = Math.round(now - this.#sinceMs)
    if (ranMs < beatMs) return
    await ledger.appendMade(() => ({ events: [{ type: 'service.continued', facts: { ranMs } }], result: undefined }), {
      entries: 1,
    })
    this.#size = ledger.size
    this.#sinceMs = now
  }
}
