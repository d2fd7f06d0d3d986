// The mathematics of Merkle proofs (RFC 9162, section 2.1.3.2 and 2.1.4.2) and the receipt that carries one (C2SP tlog-proof).
import { SteleError } from '../foundation/stele-error.js'
import { readCanonicalForm } from './canonical-form.js'
import { leafHash, nodeHash, payloadCommitment } from './hash.js'
import { readStoredHeader, type StoredHeader } from './stored-header.js'
import {
  readCheckpoint,
  renamed,
  type SignedCheckpoint,
  type VerifierKey,
  verifyCheckpointSignature,
} from './verify-checkpoint.js'

/** The root that a leaf and its proof lead to; undefined where the proof cannot belong to that index and size. */
export function rootFromInclusion(leaf: Buffer, index: number, size: number, proof: readonly Buffer[]): Buffer | undefined {
  if (index >= size) return undefined
  let node = index
  let last = size - 1
  let root = leaf
  for (const hash of proof) {
    if (last === 0) return undefined
    if (node % 2 === 1 || node === last) {
      root = nodeHash(hash, root)
      while (node % 2 === 0 && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else {
      root = nodeHash(root, hash)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 ? root : undefined
}

/** Whether the tree of `second` leaves begins with the tree of `first` leaves. */
export function verifyConsistency(
  first: number,
  second: number,
  firstRoot: Buffer,
  secondRoot: Buffer,
  proof: readonly Buffer[],
): boolean {
  if (first > second || first === 0) return false
  if (first === second) return proof.length === 0 && firstRoot.equals(secondRoot)
  // A tree of a power of two is a node of the larger one, so the proof leaves its root out.
  const path = isPowerOfTwo(first) ? [firstRoot, ...proof] : [...proof]
  const start = path.shift()
  if (start === undefined || proof.length === 0) return false
  let node = first - 1
  let last = second - 1
  while (node % 2 === 1) {
    node = half(node)
    last = half(last)
  }
  let fromFirst = start
  let fromSecond = start
  for (const hash of path) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      fromFirst = nodeHash(hash, fromFirst)
      fromSecond = nodeHash(hash, fromSecond)
      while (node % 2 === 0 && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else {
      fromSecond = nodeHash(fromSecond, hash)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 && fromFirst.equals(firstRoot) && fromSecond.equals(secondRoot)
}

const half = (value: number) => Math.floor(value / 2)
const isPowerOfTwo = (value: number) => Number.isInteger(Math.log2(value))

export interface Receipt {
  readonly index: number
  readonly proof: readonly Buffer[]
  readonly checkpoint: SignedCheckpoint
  readonly extra: { readonly header: string; readonly salt: string; readonly payload: string } | undefined
}

/** Reads a C2SP tlog-proof. Throws `PROOF_UNREADABLE`. */
export function parseReceipt(text: string): Receipt {
  const blank = text.indexOf('\n\n')
  const lines = text.slice(0, blank).split('\n')
  const checkpoint = readCheckpoint(text.slice(blank + 2))
  if (blank < 0 || lines.shift() !== 'c2sp.org/tlog-proof@v1' || checkpoint === undefined)
    throw new SteleError('PROOF_UNREADABLE')
  const extra = lines[0]?.startsWith('extra ') ? readExtra(lines.shift() ?? '') : undefined
  const [, index] = /^index (0|[1-9][0-9]{0,15})$/.exec(lines.shift() ?? '') ?? []
  const proof = lines.map((line) => Buffer.from(line, 'base64'))
  const whole = proof.every((hash, at) => hash.length === 32 && hash.toString('base64') === lines[at])
  if (index === undefined || !whole) throw new SteleError('PROOF_UNREADABLE')
  return { index: Number(index), proof, checkpoint, extra }
}

function readExtra(line: string): Receipt['extra'] {
  const encoded = line.slice('extra '.length)
  const bytes = Buffer.from(encoded, 'base64')
  const value = bytes.toString('base64') === encoded ? readCanonicalForm(bytes)?.value : undefined
  if (typeof value !== 'object' || value === null) throw new SteleError('PROOF_UNREADABLE')
  const { header, salt, payload, ...others } = value as Record<string, unknown>
  if (typeof header !== 'string' || typeof salt !== 'string' || typeof payload !== 'string')
    throw new SteleError('PROOF_UNREADABLE')
  if (Object.keys(others).length > 0) throw new SteleError('PROOF_UNREADABLE')
  return { header, salt, payload }
}

export type ReceiptFault =
  | 'header_altered'
  | 'payload_altered'
  | 'index_differs'
  | 'not_included'
  | 'checkpoint_forged'
  | 'key_unknown'
  | 'entry_needed'

export interface ReceiptVerdict {
  readonly ok: boolean
  readonly fault: ReceiptFault | null
  readonly index: number
  readonly size: number
  readonly origin: string
  /** The entry's header and facts, where the receipt proves them. */
  readonly header: StoredHeader | null
  readonly payload: unknown
}

/** What an entry beside a receipt without `extra` must give: the stored strings. */
export interface BesideReceipt {
  readonly header: string
  readonly salt: string
  readonly payload: string
}

/** Checks a receipt without the ledger. The key is the one that the reader pinned; a signature by another proves nothing. */
export function verifyProof(receipt: Receipt, key: VerifierKey, beside?: BesideReceipt): ReceiptVerdict {
  const { index, proof, checkpoint } = receipt
  const base = { index, size: checkpoint.size, origin: checkpoint.origin }
  const failed = (fault: ReceiptFault): ReceiptVerdict => ({ ...base, ok: false, fault, header: null, payload: null })
  const entry = receipt.extra ?? beside
  if (entry === undefined) return failed('entry_needed')
  const headerBytes = Buffer.from(entry.header)
  const header = readStoredHeader(headerBytes)
  if (header === undefined) return failed('header_altered')
  if (header.index !== index) return failed('index_differs')
  const payload = readCanonicalForm(Buffer.from(entry.payload))
  if (payload === undefined || payloadCommitment(Buffer.from(entry.salt + entry.payload)) !== header.payload)
    return failed('payload_altered')
  const root = rootFromInclusion(leafHash(headerBytes), index, checkpoint.size, proof)
  if (root?.toString('hex') !== checkpoint.root) return failed('not_included')
  const signature = signatureUnderPinnedKey(checkpoint, key)
  if (signature !== 'good') return failed(signature === 'bad' ? 'checkpoint_forged' : 'key_unknown')
  return { ...base, ok: true, fault: null, header, payload: payload.value }
}

/** A pinned key is its public key, whatever name stands before it: the name of a ledger changes with its epoch. */
function signatureUnderPinnedKey(checkpoint: SignedCheckpoint, key: VerifierKey) {
  const exact = verifyCheckpointSignature(checkpoint, key)
  if (exact !== 'unknown') return exact
  return verifyCheckpointSignature(checkpoint, renamed(key, checkpoint.origin))
}
