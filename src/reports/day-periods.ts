// The days of a span in periods that fit a page: days, else weeks (from Monday), months or years. All in UTC, as the ledger's times are.

export type PeriodUnit = 'day' | 'week' | 'month' | 'year'

export interface DayPeriods {
  readonly unit: PeriodUnit
  /** In order, also those without an entry: a day or a Monday as `YYYY-MM-DD`, a month as `YYYY-MM`, a year. */
  readonly keys: readonly string[]
  /** The period that a day belongs to. */
  readonly keyOf: (day: string) => string
}

/** So many bars can be told apart. */
const periodsMax = 62
const dayMs = 86_400_000

/**
 * Periods from a day to a day, both days by `isDay` and included; `to` is not before `from`. The first and the last of them may reach
 * beyond the span. Years are as many as they are: a clock that was never set makes half a century, and nobody lives through more.
 */
export function dayPeriods(from: string, to: string): DayPeriods {
  for (const unit of ['day', 'week', 'month'] as const) {
    const periods = periodsOf(unit, from, to, periodsMax)
    if (periods !== undefined) return periods
  }
  return periodsOf('year', from, to, Number.POSITIVE_INFINITY) ?? { unit: 'year', keys: [], keyOf: keyOf.year }
}

const keyOf: Readonly<Record<PeriodUnit, (day: string) => string>> = {
  day: (day) => day,
  week: (day) => dayOf(Date.parse(day) - ((new Date(day).getUTCDay() + 6) % 7) * dayMs),
  month: (day) => day.slice(0, 7),
  year: (day) => day.slice(0, 4),
}

const nextOf: Readonly<Record<PeriodUnit, (key: string) => string>> = {
  day: (key) => dayOf(Date.parse(key) + dayMs),
  week: (key) => dayOf(Date.parse(key) + 7 * dayMs),
  // From the first of a month, 32 days lead into the next.
  month: (key) => dayOf(Date.parse(`${key}-01`) + 32 * dayMs).slice(0, 7),
  year: (key) => String(Number(key) + 1).padStart(4, '0'),
}

function periodsOf(unit: PeriodUnit, from: string, to: string, max: number): DayPeriods | undefined {
  const last = keyOf[unit](to)
  const keys = [keyOf[unit](from)]
  for (let key = keyOf[unit](from); key !== last; keys.push(key)) {
    if (keys.length >= max) return undefined
    key = nextOf[unit](key)
  }
  return { unit, keys, keyOf: keyOf[unit] }
}

/** A ledger that was tampered with can name any day. */
export function isDay(day: string): boolean {
  const timeMs = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN
  return Number.isFinite(timeMs) && dayOf(timeMs) === day
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
