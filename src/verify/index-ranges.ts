// Which words are gone, and which of them some `payload.erased` names. IndexRanges of indices, so that a year of erasures is a few numbers.

/** Pairs of indices, both ends included, ascending and apart. */
export type IndexRanges = readonly (readonly [number, number])[]

/** A growing set of indices that come in ascending order. */
export class IndexRuns {
  readonly #runs: [number, number][]
  #late = false

  constructor(runs: IndexRanges = []) {
    this.#runs = runs.map(([first, last]) => [first, last])
  }

  add(index: number): void {
    const run = this.#runs.at(-1)
    if (run !== undefined && run[0] <= index && index <= run[1] + 1) run[1] = Math.max(run[1], index)
    else this.#runs.push([index, index])
    this.#late ||= run !== undefined && index < run[0]
  }

  get runs(): IndexRanges {
    // An entry that stood in the wrong place came late.
    return this.#late ? unionOf(this.#runs) : this.#runs
  }
}

/** Joins ranges that overlap or touch. */
export function unionOf(ranges: IndexRanges): IndexRanges {
  const sorted = ranges.map(([first, last]): [number, number] => [first, last]).sort(([a], [b]) => a - b)
  const joined: [number, number][] = []
  for (const range of sorted) {
    const run = joined.at(-1)
    if (run !== undefined && range[0] <= run[1] + 1) run[1] = Math.max(run[1], range[1])
    else joined.push(range)
  }
  return joined
}

/** The indices that both sets of ranges hold; each must be ascending and apart. */
export function intersectionOf(one: IndexRanges, other: IndexRanges): IndexRanges {
  const both: [number, number][] = []
  let at = 0
  for (const [first, last] of one) {
    while (at < other.length && (other[at]?.[1] ?? 0) < first) at += 1
    for (let next = at; next < other.length; next += 1) {
      const [start, end] = other[next] ?? [0, -1]
      if (start > last) break
      both.push([Math.max(first, start), Math.min(last, end)])
    }
  }
  return both
}

/** The indices of the first set that the second lacks; each must be ascending and apart. */
export function differenceOf(one: IndexRanges, other: IndexRanges): IndexRanges {
  const left: [number, number][] = []
  let at = 0
  for (const [first, last] of one) {
    let start = first
    while (at < other.length && (other[at]?.[1] ?? 0) < first) at += 1
    for (let next = at; next < other.length; next += 1) {
      const [from, to] = other[next] ?? [0, -1]
      if (from > last) break
      if (start < from) left.push([start, from - 1])
      start = Math.max(start, to + 1)
    }
    if (start <= last) left.push([start, last])
  }
  return left
}

export function countOf(ranges: IndexRanges): number {
  return ranges.reduce((count, [first, last]) => count + last - first + 1, 0)
}

/** The `entries` of a `payload.erased`, as far as they can be read: pairs below its own index. */
export function erasedRanges(value: unknown, below: number): IndexRanges {
  if (!Array.isArray(value)) return []
  return value.filter((pair): pair is [number, number] => {
    if (!Array.isArray(pair) || pair.length !== 2) return false
    const [first, last] = pair as unknown[]
    return (
      Number.isSafeInteger(first) &&
      Number.isSafeInteger(last) &&
      Number(first) >= 0 &&
      Number(first) <= Number(last) &&
      Number(last) < below
    )
  })
}
