// The size of a home in a few words: what takes most of it, what is free, and what came by day.
import type { DayOfGrowth, SizeStatus } from '../service/service-status.js'

const partsTold = 4
const daysTold = 7

/** Without the label: `12.3 MiB (words 4.1 MiB, facts 3.0 MiB), 120 GiB free`. */
export function sizeWords({ home, places, rows, free }: SizeStatus): string {
  const { store, ...others } = places
  const kinds = rows === null ? [] : Object.entries(rows)
  const inTables = kinds.reduce((sum, [, bytes]) => sum + bytes, 0)
  const parts: [string, number][] = [
    ...kinds,
    // What is only in LevelDB's log so far, and what it has not cleared away yet.
    [rows === null ? 'store' : 'other of the store', Math.max(0, store - inTables)],
    ...Object.entries(others),
  ]
  const greatest = parts
    .filter(([, bytes]) => bytes > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, partsTold)
    .map(([name, bytes]) => `${name} ${bytesWords(bytes)}`)
  const made = greatest.length === 0 ? '' : ` (${greatest.join(', ')})`
  return `${bytesWords(home)}${made}${free === null ? '' : `, ${bytesWords(free)} free`}`
}

/** One line for each budget that is exceeded. */
export function budgetLines({ exceeded, budget, free }: SizeStatus): string[] {
  return exceeded.map((what) =>
    what === 'home'
      ? `the home takes more than its budget of ${bytesWords(budget)} (limits.homeBytes)`
      : `only ${bytesWords(free ?? 0)} are free on the disk (limits.freeBytes)`,
  )
}

/** The last seven days in one line: `11-30 1204 entries, 2.1 MiB; …`. */
export function growthWords(growth: readonly DayOfGrowth[]): string {
  return growth
    .slice(-daysTold)
    .map(({ day, entries, bytes }) => `${day.slice(5)} ${entries} entries, ${bytesWords(bytes)}`)
    .join('; ')
}

/** With three digits or so: 512 B, 4.1 KiB, 120 GiB. */
export function bytesWords(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
