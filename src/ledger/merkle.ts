// The RFC 6962 tree as the writer keeps it: its right edge in memory, complete subtrees as rows, proofs from those rows.

import { assert } from '../foundation/assert.js'
import { emptyRoot, nodeHash } from '../foundation/digest.js'
import { SteleError } from '../foundation/stele-error.js'
import { treeKey } from './row-keys.js'
import type { Row, Store } from './store.js'

/** The roots of the complete subtrees along the right edge: index is the level, undefined where the size has no such bit. */
export type RightEdge = readonly (Uint8Array | undefined)[]

export const emptyEdge: RightEdge = []

/** Adds leaf number `index` to the edge and pushes the rows of every subtree that it completes. */
export function addLeaf(edge: RightEdge, index: number, leaf: Uint8Array, rows: Row[]): RightEdge {
  const next = edge.slice()
  let hash = leaf
  let level = 0
  let position = index
  rows.push({ key: treeKey(0, position), value: leaf })
  for (;;) {
    const left = next[level]
    if (left === undefined) break
    hash = nodeHash(left, hash)
    next[level] = undefined
    level += 1
    position = Math.floor(position / 2)
    rows.push({ key: treeKey(level, position), value: hash })
  }
  next[level] = hash
  return next
}

/** RFC 6962, section 2.1: the root over all leaves that the edge covers. */
export function rootOf(edge: RightEdge): Uint8Array {
  let root: Uint8Array | undefined
  for (const subtree of edge) {
    if (subtree === undefined) continue
    root = root === undefined ? subtree : nodeHash(subtree, root)
  }
  return root ?? emptyRoot()
}

/** The right edge of a stored tree of `size` leaves; undefined where a row that it needs is missing. */
export async function loadEdge(store: Store, size: number): Promise<RightEdge | undefined> {
  const edge: (Uint8Array | undefined)[] = []
  for (let level = 0, rest = size; rest > 0; level += 1, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 0) {
      edge.push(undefined)
      continue
    }
    const row = await store.get(treeKey(level, rest - 1))
    if (row === undefined) return undefined
    edge.push(row)
  }
  return edge
}

/** RFC 6962, section 2.1.1: hashes from the leaf's sibling upward. Needs index < size. */
export async function inclusionProof(store: Store, index: number, size: number): Promise<Uint8Array[]> {
  assert(index < size, 'an inclusion proof is asked for a leaf of the tree')
  const path: Uint8Array[] = []
  let start = 0
  let end = size
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    if (index < middle) {
      path.push(await rangeRoot(store, middle, end))
      end = middle
    } else {
      path.push(await rangeRoot(store, start, middle))
      start = middle
    }
  }
  return path.reverse()
}

/** RFC 6962, section 2.1.2: that the tree of `first` leaves is the beginning of the one of `second`. Needs 0 < first ≤ second. */
export async function consistencyProof(store: Store, first: number, second: number): Promise<Uint8Array[]> {
  assert(0 < first && first <= second, 'a consistency proof goes from a smaller tree to a larger one')
  const proof: Uint8Array[] = []
  let start = 0
  let end = second
  // Whether the old tree covers [start, end) whole from its own start; then its root is known to the checker and left out.
  let known = true
  while (first < end) {
    const middle = start + splitOf(end - start)
    if (first <= middle) {
      proof.push(await rangeRoot(store, middle, end))
      end = middle
    } else {
      proof.push(await rangeRoot(store, start, middle))
      start = middle
      known = false
    }
  }
  if (!known) proof.push(await rangeRoot(store, start, end))
  return proof.reverse()
}

/** The largest power of two below a number of leaves of at least two. */
function splitOf(leaves: number): number {
  let split = 1
  while (split * 2 < leaves) split *= 2
  return split
}

/** The root over the leaves [start, end), which begins where a subtree of its size would. */
async function rangeRoot(store: Store, start: number, end: number): Promise<Uint8Array> {
  const leaves = end - start
  const level = Math.log2(leaves)
  if (Number.isInteger(level)) {
    const row = await store.get(treeKey(level, start / leaves))
    if (row === undefined) throw new SteleError('STORE_UNREADABLE', { reason: `no tree row of level ${level}` })
    return row
  }
  const middle = start + splitOf(leaves)
  return nodeHash(await rangeRoot(store, start, middle), await rangeRoot(store, middle, end))
}
