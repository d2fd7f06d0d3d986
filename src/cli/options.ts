// Reads option values, and says in one line what is wrong with one and what is allowed.
import { SteleError } from '../foundation/stele-error.js'

/** A whole number of zero or more. */
export function wholeNumber(option: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(value)) throw invalidOption(option, 'a whole number of zero or more')
    return value
  }
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/** ISO 8601, or a span before now such as `30d` or `2h`. Returns ISO 8601 in UTC. */
export function timeSince(option: string, nowMs = Date.now()): (text: string) => string {
  return (text) => {
    const [, count, unit] = /^([0-9]+)([smhdw])$/.exec(text) ?? []
    const ms = count === undefined || unit === undefined ? isoTime(text) : nowMs - Number(count) * (unitMs[unit] ?? 0)
    if (Number.isNaN(ms) || Math.abs(ms) > 8.64e15) throw invalidOption(option, 'ISO 8601, or a span such as 30d or 2h')
    return new Date(ms).toISOString()
  }
}

/** The same, and a bare number is days. */
export function daysOrTime(option: string, nowMs = Date.now()): (text: string) => string {
  return (text) => timeSince(option, nowMs)(/^[0-9]+$/.test(text) ? `${text}d` : text)
}

/** Milliseconds since 1970; NaN for what is not ISO 8601, or a day that its month does not have. */
function isoTime(text: string): number {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return Number.NaN
  return Date.parse(text)
}

export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

export function invalidOption(option: string, allowed: string): SteleError {
  return new SteleError('OPTION_INVALID', { option, allowed })
}
