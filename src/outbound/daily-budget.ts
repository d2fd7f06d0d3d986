// How many requests may be sent in a day (UTC). It counts in memory: whoever makes it says what was sent on this day before, which the ledger
// knows (`jevRequestsOf` of src/gates/jev), so that a restart is no new day.

export interface SentToday {
  /** UTC, as 2026-11-30. */
  readonly day: string
  readonly requests: number
}

export interface DailyBudget {
  /** False where the day's requests are spent; else one of them is. */
  spend(nowMs: number): boolean
  at(nowMs: number): SentToday
}

/** `requestsMax` 0: any number; they are counted all the same. `before` counts only on its own day. */
export function makeDailyBudget(requestsMax: number, before?: SentToday): DailyBudget {
  let sent: SentToday = before ?? { day: '', requests: 0 }
  const at = (nowMs: number): SentToday => {
    const day = new Date(nowMs).toISOString().slice(0, 10)
    return day === sent.day ? sent : { day, requests: 0 }
  }
  return {
    at,
    spend: (nowMs) => {
      const today = at(nowMs)
      if (requestsMax > 0 && today.requests >= requestsMax) return false
      sent = { day: today.day, requests: today.requests + 1 }
      return true
    },
  }
}
