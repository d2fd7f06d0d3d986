// How much one speaker may send in a minute. What is beyond is counted, not taken. Pure; the caller brings the clock.

export interface RateLimits {
  readonly hooksPerMinute: number
  readonly bytesPerMinute: number
}

/** What was turned away in a minute that is over. */
export interface TurnedAway {
  readonly count: number
  readonly bytes: number
}

const minuteMs = 60_000
const nothing: TurnedAway = { count: 0, bytes: 0 }

export class RateBound {
  #sinceMs = Number.NEGATIVE_INFINITY
  #hooks = 0
  #bytes = 0
  /** Turned away in the minute that goes on, and in those that are over. */
  #away = nothing
  #awayBefore = nothing

  /** Whether one more of so many bytes is taken now. What is turned away is counted here. */
  take(bytes: number, nowMs: number, limits: RateLimits): boolean {
    if (nowMs - this.#sinceMs >= minuteMs) this.#beginMinute(nowMs)
    if (this.#hooks + 1 > limits.hooksPerMinute || this.#bytes + bytes > limits.bytesPerMinute) {
      this.#away = sumOf(this.#away, { count: 1, bytes })
      return false
    }
    this.#hooks += 1
    this.#bytes += bytes
    return true
  }

  /** What was turned away, once its minute is over; undefined where nothing was. */
  takeTurnedAway(nowMs: number): TurnedAway | undefined {
    if (nowMs - this.#sinceMs >= minuteMs) return this.takeRest()
    const away = this.#awayBefore
    this.#awayBefore = nothing
    return away.count === 0 ? undefined : away
  }

  /** The same at the end of all, whether or not the minute is over. */
  takeRest(): TurnedAway | undefined {
    const away = sumOf(this.#awayBefore, this.#away)
    this.#awayBefore = nothing
    this.#away = nothing
    return away.count === 0 ? undefined : away
  }

  /** What was taken out and could not be written down is told the next time. */
  putBack(away: TurnedAway): void {
    this.#awayBefore = sumOf(this.#awayBefore, away)
  }

  #beginMinute(nowMs: number): void {
    this.#awayBefore = sumOf(this.#awayBefore, this.#away)
    this.#away = nothing
    this.#sinceMs = nowMs
    this.#hooks = 0
    this.#bytes = 0
  }
}

function sumOf(one: TurnedAway, other: TurnedAway): TurnedAway {
  const sum = (a: number, b: number) => Math.min(a + b, Number.MAX_SAFE_INTEGER)
  return { count: sum(one.count, other.count), bytes: sum(one.bytes, other.bytes) }
}
