// Which words were forgotten by a point of the history: what a gate could not know then is no reason not to judge again, and what it knew
// and is gone since is one.
import { holdsIndex, type IndexPairs } from '../foundation/index-pairs.js'

export class ErasedSoFar {
  /** Ascending and apart. */
  #pairs: IndexPairs = []
  readonly #added: IndexPairs[] = []

  /** What one `payload.erased` names. */
  add(pairs: IndexPairs): void {
    this.#added.push(pairs)
  }

  has(index: number): boolean {
    if (this.#added.length > 0) this.#pairs = unionOf([...this.#pairs, ...this.#added.splice(0).flat()])
    return holdsIndex(this.#pairs, index)
  }
}

function unionOf(pairs: IndexPairs): IndexPairs {
  const joined: [number, number][] = []
  for (const [first, last] of [...pairs].sort(([one], [other]) => one - other)) {
    const before = joined.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else joined.push([first, last])
  }
  return joined
}
