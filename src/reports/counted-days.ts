// The days of a view that a report counts, and what it says of them: days by their date, from the day of the time that was asked for on.
import { dayPeriods, isDay, type PeriodUnit } from './day-periods.js'
import type { Report, ReportFrame } from './report.js'

/** The day of `frame.since` counts whole; what is no day is no part of a report. */
export function countedDays<Day>(days: ReadonlyMap<string, Day>, { since }: ReportFrame): ReadonlyMap<string, Day> {
  const sinceDay = since?.slice(0, 10) ?? ''
  return new Map([...days].filter(([day]) => isDay(day) && day >= sinceDay).sort(([one], [other]) => (one < other ? -1 : 1)))
}

export function spanOfDays(days: ReadonlyMap<string, unknown>): Report['span'] {
  const dates = [...days.keys()]
  const [from, to] = [dates[0], dates.at(-1)]
  return from === undefined || to === undefined ? null : { from, to }
}

export interface PeriodSums<Sum = readonly number[]> {
  readonly unit: PeriodUnit
  /** By period, in order, also the empty ones. */
  readonly sums: ReadonlyMap<string, Sum>
}

/** Of each period the sum of its days, from nothing. */
export function periodsOfDays<Day, Sum>(
  days: ReadonlyMap<string, Day>,
  span: Report['span'],
  nothing: () => Sum,
  add: (sum: Sum, day: Day) => void,
): PeriodSums<Sum> {
  if (span === null) return { unit: 'day', sums: new Map() }
  const { unit, keys, keyOf } = dayPeriods(span.from, span.to)
  const sums = new Map(keys.map((key) => [key, nothing()]))
  for (const [date, day] of days) {
    const sum = sums.get(keyOf(date))
    if (sum !== undefined) add(sum, day)
  }
  return { unit, sums }
}

/** Of each period so many sums as `figures` gives of a day. */
export function periodSums<Day>(
  days: ReadonlyMap<string, Day>,
  span: Report['span'],
  width: number,
  figures: (day: Day) => readonly number[],
): PeriodSums {
  const nothing = () => Array.from({ length: width }, () => 0)
  return periodsOfDays(days, span, nothing, (sum, day) => {
    for (const [at, figure] of figures(day).entries()) sum[at] = (sum[at] ?? 0) + figure
  })
}

export const periodWords: Readonly<Record<PeriodUnit, { readonly a: string; readonly column: string }>> = {
  day: { a: 'a day', column: 'Day' },
  week: { a: 'a week', column: 'Week from' },
  month: { a: 'a month', column: 'Month' },
  year: { a: 'a year', column: 'Year' },
}

/** What every report by days says at its end. */
export function notesOfDays(unit: PeriodUnit, { since }: ReportFrame): string[] {
  return [
    'Days are UTC days by the clock of the machine as it was read.',
    ...(since === undefined ? [] : ['The day of the time that was asked for counts whole.']),
    ...(unit === 'day' ? [] : [`The span is longer than 62 days and so it is counted ${periodWords[unit].a}.`]),
  ]
}
