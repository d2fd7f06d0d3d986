// One line of the table, and how several rounds become one figure.

export interface Measured {
  readonly what: string
  readonly figure: string
  readonly target: string
  readonly met: boolean | undefined
  readonly spread: string
}

export const rounds = 5

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

export function spreadOf(values: readonly number[], digits = 2): string {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`
}

/** A ratio that should be at least, or at most, a target; the median over rounds counts. */
export function ratio(what: string, values: readonly number[], bound: { least?: number; most?: number }, unit = '×'): Measured {
  const value = median(values)
  const met = bound.least === undefined ? value <= (bound.most ?? Number.POSITIVE_INFINITY) : value >= bound.least
  const target = bound.least === undefined ? `≤ ${bound.most} ${unit}` : `≥ ${bound.least} ${unit}`
  return { what, figure: `${value.toFixed(2)} ${unit}`, target, met, spread: spreadOf(values) }
}

export function plain(what: string, values: readonly number[], unit: string, digits = 0): Measured {
  return {
    what,
    figure: `${median(values).toFixed(digits)} ${unit}`,
    target: '',
    met: undefined,
    spread: spreadOf(values, digits),
  }
}
