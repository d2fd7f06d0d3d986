// Sets of indices as pairs of first and last, both included, ascending and without overlap.

export type IndexPairs = readonly (readonly [first: number, last: number])[]

/** In time that grows with the logarithm of the number of pairs. */
export function holdsIndex(pairs: IndexPairs, index: number): boolean {
  let low = 0
  let high = pairs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((pairs[middle]?.[1] ?? 0) < index) low = middle + 1
    else high = middle
  }
  return (pairs[low]?.[0] ?? Number.POSITIVE_INFINITY) <= index
}
