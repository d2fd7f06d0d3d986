// The RFC 6962 tree as its section 2.1 writes it, by recursion over all leaves: slow, and plain enough to be checked by eye.
import { createHash } from 'node:crypto'

/** The hash of leaf data: SHA-256(0x00 ‖ data). */
export function referenceLeaf(data: Uint8Array): Buffer {
  return createHash('sha256').update(Uint8Array.of(0)).update(data).digest()
}

function join(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Uint8Array.of(1)).update(left).update(right).digest()
}

/** The largest power of two smaller than n. */
function splitOf(n: number): number {
  return 2 ** (31 - Math.clz32(n - 1))
}

/** MTH(D[n]) over the hashes of the leaves. */
export function referenceRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest()
  if (leaves.length === 1) return leaves[0] as Buffer
  const k = splitOf(leaves.length)
  return join(referenceRoot(leaves.slice(0, k)), referenceRoot(leaves.slice(k)))
}

/** PATH(m, D[n]), section 2.1.1. */
export function referencePath(m: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length <= 1) return []
  const k = splitOf(leaves.length)
  if (m < k) return [...referencePath(m, leaves.slice(0, k)), referenceRoot(leaves.slice(k))]
  return [...referencePath(m - k, leaves.slice(k)), referenceRoot(leaves.slice(0, k))]
}

/** PROOF(m, D[n]), section 2.1.2. */
export function referenceConsistency(m: number, leaves: readonly Buffer[], whole = true): Buffer[] {
  if (m === leaves.length) return whole ? [] : [referenceRoot(leaves)]
  const k = splitOf(leaves.length)
  if (m <= k) return [...referenceConsistency(m, leaves.slice(0, k), whole), referenceRoot(leaves.slice(k))]
  return [...referenceConsistency(m - k, leaves.slice(k), false), referenceRoot(leaves.slice(0, k))]
}
