// Holds the walked chain against every checkpoint that was found or brought along, and says how much they vouch for.
import type { FindingList } from './findings.js'
import type { ChainCheck } from './verify-chain.js'
import {
  readCheckpoint,
  renamed,
  type SignedCheckpoint,
  type VerifierKey,
  verifyCheckpointSignature,
} from './verify-checkpoint.js'

export interface FoundCheckpoint {
  readonly note: string
  /** Kept beside the ledger; brought from elsewhere; or found in a place that others write to as well, such as the system log. */
  readonly from: 'home' | 'outside' | 'shared'
  /** Epoch and size in the key of a `c` row. */
  readonly row?: { readonly epoch: number; readonly size: number }
}

export interface Vouched {
  checked: number
  anchored: number
  abandoned: number
  /** Largest size that a fitting checkpoint covers, and the largest that one from outside does. */
  coveredSize: number
  anchoredSize: number
}

interface Judged {
  readonly checkpoint: SignedCheckpoint
  readonly epoch: number
}

/** docs/format.md, "One word for one deed", step 9 for checkpoints. `rolledBack` is the size that a mark explains. */
export function judgeCheckpoints(
  found: readonly FoundCheckpoint[],
  chain: ChainCheck,
  findings: FindingList,
  rolledBack: number,
): Vouched {
  const vouched: Vouched = { checked: 0, anchored: 0, abandoned: 0, coveredSize: 0, anchoredSize: 0 }
  if (chain.size === 0) {
    const named = found.some(({ note }) => (readCheckpoint(note)?.size ?? 0) > 0)
    if (named && !findings.has('truncated')) findings.add('truncated', null, 'a checkpoint names entries, and there are none')
    return vouched
  }
  const beyond: number[] = []
  const forked: number[] = []
  for (const { note, outside, rows } of merged(ownAmong(found, chain.ledger))) {
    const judged = judgeSignature(note, rows, chain, findings)
    if (judged === undefined) continue
    const { checkpoint, epoch } = judged
    const at = chain.atSize.get(checkpoint.size)
    if (at?.computedRoot === checkpoint.root && epoch <= chain.epoch) {
      vouched.checked += 1
      vouched.coveredSize = Math.max(vouched.coveredSize, checkpoint.size)
      if (outside) {
        vouched.anchored += 1
        vouched.anchoredSize = Math.max(vouched.anchoredSize, checkpoint.size)
      }
    } else if (chain.body.keys.isAbandoned(epoch, checkpoint.size)) vouched.abandoned += 1
    else if (checkpoint.size > chain.size) beyond.push(checkpoint.size)
    else if (at !== undefined && at.keptRoot !== checkpoint.root && !findings.explains(checkpoint.size))
      forked.push(checkpoint.size)
  }
  if (chain.stopped) return vouched
  const unexplained = beyond.filter((size) => size > rolledBack)
  if (unexplained.length > 0 && !findings.has('truncated')) {
    findings.add(
      'truncated',
      null,
      `a checkpoint names ${unexplained.reduce((most, size) => Math.max(most, size))} entries, and there are ${chain.size}`,
    )
  }
  if (forked.length > 0 && !findings.has('forked')) {
    const size = forked.reduce((least, next) => Math.min(least, next))
    findings.add('forked', size - 1, `a checkpoint of size ${size} was signed over other entries`)
  }
  return vouched
}

/** Sizes at which the chain must be asked for its roots. */
export function sizesOf(found: readonly FoundCheckpoint[]): Set<number> {
  return new Set(found.flatMap(({ note }) => readCheckpoint(note)?.size ?? []))
}

function judgeSignature(note: string, rows: Merged['rows'], chain: ChainCheck, findings: FindingList): Judged | undefined {
  const checkpoint = readCheckpoint(note)
  if (checkpoint === undefined) {
    findings.add('checkpoint_forged', null, 'a checkpoint cannot be read')
    return undefined
  }
  const { size } = checkpoint
  const known = keyFor(checkpoint, chain)
  if (known === undefined) {
    if (!chain.body.keysUncertain)
      findings.add('key_unknown', null, `the checkpoint of size ${size} is not signed by a key that was in force`)
    return undefined
  }
  const verdict = verifyCheckpointSignature(checkpoint, known.key)
  if (verdict !== 'good' || rows.some((row) => row.size !== size || row.epoch !== known.epoch)) {
    findings.add('checkpoint_forged', null, `the checkpoint of size ${size} is not what was signed`)
    return undefined
  }
  return { checkpoint, epoch: known.epoch }
}

/** The key that a signature line names, where it was in force at this size, or belongs to an epoch that this ledger has lost. */
function keyFor({ signatures, size }: SignedCheckpoint, chain: ChainCheck): { key: VerifierKey; epoch: number } | undefined {
  for (const { name, id } of signatures) {
    const epoch = chain.body.keys.epochOf(name)
    const key = epoch === undefined ? lostKey(name, id, chain) : chain.body.keys.inForce(epoch, size)
    if (key?.name === name && key.id === id) return { key, epoch: epoch ?? lostEpoch(name) }
  }
  return undefined
}

/** A key of this ledger under the name of an epoch that is abandoned, or has not begun here (any more). */
function lostKey(name: string, id: string, chain: ChainCheck): VerifierKey | undefined {
  const epoch = lostEpoch(name)
  if (name.split('/').at(-2) !== chain.ledger || (epoch <= chain.epoch && !chain.body.keys.isEpochAbandoned(epoch)))
    return undefined
  return chain.body.keys.everInForce.map((key) => renamed(key, name)).find((key) => key.id === id)
}

/** The number behind the last slash; 0 where there is none. */
function lostEpoch(name: string): number {
  const [, epoch] = /\/([1-9][0-9]*)$/.exec(name) ?? []
  return epoch === undefined ? 0 : Number(epoch)
}

/**
 * Leaves out what outside copies tell of other ledgers: one file, or the system log, may serve many. Where a file that was brought
 * speaks of no checkpoint of this ledger at all, it stays: then this is not the ledger that its owner meant.
 */
function ownAmong(found: readonly FoundCheckpoint[], ledger: string): FoundCheckpoint[] {
  const isOwn = ({ note }: FoundCheckpoint) =>
    readCheckpoint(note)?.signatures.some(({ name }) => name.split('/').includes(ledger)) ?? false
  const anyOwn = found.some((one) => one.from === 'outside' && isOwn(one))
  return found.filter((one) => one.from === 'home' || isOwn(one) || (one.from === 'outside' && !anyOwn))
}

interface Merged {
  readonly note: string
  readonly outside: boolean
  readonly rows: readonly NonNullable<FoundCheckpoint['row']>[]
}

/** The same note in the store, in checkpoints.txt and outside is one checkpoint. */
function merged(found: readonly FoundCheckpoint[]): Merged[] {
  const notes = new Map<string, Merged>()
  for (const { note, from, row } of found) {
    const same = notes.get(note) ?? { note, outside: false, rows: [] }
    notes.set(note, {
      note,
      outside: same.outside || from !== 'home',
      rows: row === undefined ? same.rows : [...same.rows, row],
    })
  }
  return [...notes.values()]
}
