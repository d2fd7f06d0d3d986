// How a value reads to a person, the same on every face.
import type { Value, ValueKind } from './report.js'
import { shownText } from './shown-text.js'

export const shownNothing = '–'

/** A number under the kind `text` or a text under another is shown as it is. */
export function shownValue(kind: ValueKind, value: Value): string {
  if (value === null) return shownNothing
  if (typeof value === 'string') return kind === 'time' ? shownTime(value) : shownText(value)
  if (kind === 'bytes') return shownBytes(value)
  if (kind === 'duration') return shownDuration(value)
  if (kind === 'share') return shownShare(value)
  return kind === 'count' ? shownCount(value) : String(value)
}

const narrowSpace = '\u202f'

function shownCount(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, narrowSpace)
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

function shownBytes(value: number): string {
  let unit = 0
  let amount = value
  // What would be rounded to 1024 belongs to the next unit.
  while (amount >= (unit === 0 ? 1024 : 1023.95) && unit < byteUnits.length - 1) {
    amount /= 1024
    unit += 1
  }
  return `${unit === 0 ? shownCount(amount) : amount.toFixed(1)} ${byteUnits[unit]}`
}

function shownDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${twoDigits(seconds % 60)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
  const hours = Math.round(minutes / 60)
  return `${shownCount(Math.floor(hours / 24))} d ${twoDigits(hours % 24)} h`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function shownTime(time: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? `${time.slice(0, 16)}Z` : shownText(time)
}

/** Nearly nothing is not nothing, and nearly all is not all. */
function shownShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 0.05) return '<0.1 %'
  if (percent < 100 && percent >= 99.95) return '>99.9 %'
  return `${percent.toFixed(1)} %`
}
