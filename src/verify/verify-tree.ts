// The tree over the entries, twice: over the hashes that were computed from bytes, and over those that were kept beside them.
import { emptyRoot, nodeHash } from './hash.js'

interface Subtree {
  readonly computed: Buffer
  readonly kept: Buffer
  /** What the store's row for this node holds; undefined where rows are not kept (an export). */
  readonly stored: Buffer | undefined
  /** A finding lies at or below this node already. */
  readonly told: boolean
}

export interface Leaf {
  readonly computed: Buffer
  readonly kept: Buffer
  readonly told: boolean
}

export interface TreeOptions {
  /** The stored row of an inner node, asked for in order of completion; undefined where it is missing. */
  readonly storedNode?: (level: number, position: number) => Buffer | undefined
  /** An inner node is not the hash of its children and nothing below explains it. */
  readonly onAltered: (firstIndex: number) => void
  /** Right edge to go on from, smallest subtree first; the leaves below were seen by an earlier verification. */
  readonly edge?: readonly (Buffer | undefined)[]
  readonly size?: number
}

export class TreeCheck {
  readonly #options: TreeOptions
  readonly #edge: (Subtree | undefined)[]
  size: number

  constructor(options: TreeOptions) {
    this.#options = options
    this.size = options.size ?? 0
    this.#edge = (options.edge ?? []).map((hash) =>
      hash === undefined ? undefined : { computed: hash, kept: hash, stored: hash, told: false },
    )
  }

  /** Adds the next leaf; its own row is judged by the caller. */
  add({ computed, kept, told }: Leaf): void {
    let node: Subtree = { computed, kept, stored: kept, told }
    let level = 0
    let position = this.size
    for (;;) {
      const left = this.#edge[level]
      if (left === undefined) break
      this.#edge[level] = undefined
      level += 1
      position = Math.floor(position / 2)
      node = this.#join(left, node, level, position)
    }
    this.#edge[level] = node
    this.size += 1
  }

  #join(left: Subtree, right: Subtree, level: number, position: number): Subtree {
    const computed = nodeHash(left.computed, right.computed)
    const same = left.computed === left.kept && right.computed === right.kept
    const kept = same ? computed : nodeHash(left.kept, right.kept)
    const told = left.told || right.told
    if (this.#options.storedNode === undefined) return { computed, kept, stored: undefined, told }
    const stored = this.#options.storedNode(level, position)
    const expected =
      left.stored === left.kept && right.stored === right.kept
        ? kept
        : nodeHash(left.stored ?? left.kept, right.stored ?? right.kept)
    if (stored?.equals(expected)) return { computed, kept, stored: expected === kept ? kept : stored, told }
    if (!told) this.#options.onAltered(position * 2 ** level)
    return { computed, kept, stored: stored ?? expected, told: true }
  }

  /** Roots over all leaves so far (RFC 6962, section 2.1). */
  roots(): { computed: Buffer; kept: Buffer } {
    let computed: Buffer | undefined
    let kept: Buffer | undefined
    for (const subtree of this.#edge) {
      if (subtree === undefined) continue
      const same = subtree.computed === subtree.kept && computed === kept
      computed = computed === undefined ? subtree.computed : nodeHash(subtree.computed, computed)
      kept = same ? computed : kept === undefined ? subtree.kept : nodeHash(subtree.kept, kept)
    }
    return { computed: computed ?? emptyRoot, kept: kept ?? emptyRoot }
  }

  /** The right edge over the computed hashes, for a later verification to go on from. */
  edge(): (Buffer | undefined)[] {
    return this.#edge.map((subtree) => subtree?.computed)
  }
}
