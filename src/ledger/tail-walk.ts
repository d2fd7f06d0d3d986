// The walk at open: everything that LevelDB could have lost or bent since the last synced checkpoint, before the first append.
// It is the writer's own caution; the proof is the verifier's (src/verify), which shares nothing with this file.
import { commitmentsHold, type Header, readHeader } from '../events/entry.js'
import { leafHash, toHex, zeroHash } from '../foundation/digest.js'
import type { SteleErrorCode } from '../foundation/stele-error.js'
import { keyId, readCheckpointText, type SigningKey, signCheckpoint } from './checkpoint.js'
import type { Mark } from './high-water.js'
import { addLeaf, emptyEdge, loadEdge, type RightEdge, rootOf } from './merkle.js'
import { allOf, bytesToNumber, headerKey, metaKey, numberedFrom, payloadKey, treeKey, wordsKey } from './row-keys.js'
import type { Row, Store } from './store.js'

/** Where the chain stands: all that is needed to append the next entry. */
export interface ChainState {
  readonly ledger: string
  readonly epoch: number
  readonly size: number
  /** Hash of the last entry, 64 hex characters; zeros where there is none. */
  readonly head: string
  /** Wall clock of the last entry in milliseconds since 1970; undefined where there is none. */
  readonly lastTimeMs: number | undefined
  readonly edge: RightEdge
}

/** A size that somebody vouched for, and the head it had: zeros where only the size is known. */
export interface Claim {
  readonly epoch: number
  readonly size: number
  readonly head: string
}

export interface TailReport {
  /** The sound beginning of the ledger: all of it, where there is no trouble with its entries. */
  readonly state: ChainState
  readonly trouble: SteleErrorCode | undefined
  /** The largest head that anybody vouched for in the epoch in force: what is abandoned if the owner starts anew. */
  readonly claimed: Claim
  /** Size of the newest checkpoint in the store, 0 where there is none. */
  readonly checkpointSize: number
}

export interface TailWitnesses {
  readonly marks: readonly (Mark | 'unreadable' | undefined)[]
  /** The last whole line of checkpoints.txt. */
  readonly lastCheckpoint: string | undefined
  /** Bytes in LevelDB's logs before the opening. */
  readonly logBytes: number
  readonly key: SigningKey
}

// No entry takes fewer bytes of log than its header, payload and leaf rows; so a log of so many bytes held at most so many entries.
const entryBytesMin = 600

/** Walks the end of the ledger and holds it against its witnesses. It names the first trouble and changes nothing. */
export async function walkTail(store: Store, witnesses: TailWitnesses): Promise<TailReport> {
  const meta = await readMeta(store)
  const newest = await newestCheckpoint(store)
  const count = await countEntries(store)
  const checkpointSize = newest === undefined ? 0 : (readCheckpointText(newest)?.size ?? 0)
  const from = Math.max(0, Math.min(checkpointSize, count - Math.ceil(witnesses.logBytes / entryBytesMin)))

  const start = (await stateAt(store, from)) ?? { ...genesis, ledger: meta?.ledger ?? '' }
  const { state, broken } = await walkEntries(store, start, count)
  const found =
    entryTrouble(broken) ??
    metaTrouble(meta, state) ??
    (await markTrouble(store, witnesses.marks, state)) ??
    (await checkpointTrouble(store, newest, state, witnesses.key)) ??
    (await checkpointTrouble(store, witnesses.lastCheckpoint, state, witnesses.key))
  const largest = largestClaim(state, count, meta, witnesses.marks, [newest, witnesses.lastCheckpoint])
  // A fork is about the branch that disputes; but no epoch may be left out that anybody has seen.
  const claimed = found?.claim !== undefined && found.claim.epoch >= largest.epoch ? found.claim : largest
  return { state, trouble: found?.code, claimed, checkpointSize }
}

interface Found {
  readonly code: SteleErrorCode
  /** The branch that this trouble is about; elsewhere the largest claim is. */
  readonly claim?: Claim
}

function entryTrouble(broken: SteleErrorCode | undefined): Found | undefined {
  return broken === undefined ? undefined : { code: broken }
}

const genesis: ChainState = { ledger: '', epoch: 0, size: 0, head: zeroHash, lastTimeMs: undefined, edge: emptyEdge }

interface Meta {
  readonly ledger: string
  readonly epoch: number
  readonly size: number
  readonly head: string
}

async function readMeta(store: Store): Promise<Meta | undefined> {
  const rows = await store.getMany([metaKey('ledger'), metaKey('epoch'), metaKey('size'), metaKey('head')])
  const [ledger, epoch, size, head] = rows.map((row) => (row === undefined ? '' : Buffer.from(row).toString()))
  if (!/^[0-9a-f]{32}$/.test(ledger ?? '') || !/^[0-9a-f]{64}$/.test(head ?? '')) return undefined
  if (!/^[0-9]+$/.test(epoch ?? '') || !/^[0-9]+$/.test(size ?? '')) return undefined
  return { ledger: ledger ?? '', epoch: Number(epoch), size: Number(size), head: head ?? '' }
}

async function countEntries(store: Store): Promise<number> {
  for await (const rows of store.range({ ...allOf('h'), reverse: true })) {
    for (const { key } of rows) if (key.length === headerKey(0).length) return bytesToNumber(key, 1) + 1
  }
  return 0
}

async function newestCheckpoint(store: Store): Promise<string | undefined> {
  for await (const [row] of store.range({ ...allOf('c'), reverse: true, limit: 1 })) {
    if (row !== undefined) return Buffer.from(row.value).toString()
  }
  return undefined
}

/** The state after `size` entries, taken from the last of them; undefined where its rows do not allow it. */
async function stateAt(store: Store, size: number): Promise<ChainState | undefined> {
  if (size === 0) return undefined
  const bytes = await store.get(headerKey(size - 1))
  const edge = await loadEdge(store, size)
  const header = bytes === undefined ? undefined : headerOrNone(bytes)
  if (bytes === undefined || header === undefined || edge === undefined) return undefined
  const { ledger, epoch, time } = header
  return { ledger, epoch, size, head: toHex(leafHash(bytes)), lastTimeMs: Date.parse(time), edge }
}

async function walkEntries(
  store: Store,
  start: ChainState,
  count: number,
): Promise<{ state: ChainState; broken: SteleErrorCode | undefined }> {
  let state = start
  for await (const found of store.range(numberedFrom('h', start.size))) {
    // Rows with other keys are none of ours; the verifier tells them.
    const rows = found.filter(({ key }) => key.length === headerKey(0).length)
    const others = await besideHeaders(store, rows)
    for (const [at, row] of rows.entries()) {
      if (bytesToNumber(row.key, 1) !== state.size) return { state, broken: 'LEDGER_ENTRY_MISSING' }
      const next = follow(state, row.value, others[at])
      if (next === undefined) return { state, broken: 'LEDGER_ENTRY_ALTERED' }
      state = next
    }
  }
  return { state, broken: state.size === count ? undefined : 'LEDGER_ENTRY_MISSING' }
}

interface BesideHeader {
  readonly payload: Uint8Array | undefined
  readonly words: Uint8Array | undefined
  readonly leaf: Uint8Array | undefined
}

async function besideHeaders(store: Store, rows: readonly Row[]): Promise<BesideHeader[]> {
  const indices = rows.map(({ key }) => bytesToNumber(key, 1))
  const payloads = await store.getMany(indices.map(payloadKey))
  const words = await store.getMany(indices.map(wordsKey))
  const leaves = await store.getMany(indices.map((index) => treeKey(0, index)))
  return indices.map((_, at) => ({ payload: payloads[at], words: words[at], leaf: leaves[at] }))
}

/** The state one entry further, or undefined where the entry is not what its neighbours and commitments say. */
function follow(state: ChainState, headerBytes: Uint8Array, beside: BesideHeader | undefined): ChainState | undefined {
  const hash = leafHash(headerBytes)
  if (beside?.payload === undefined || beside.leaf === undefined) return undefined
  if (toHex(hash) !== toHex(beside.leaf)) return undefined
  const header = headerOrNone(headerBytes)
  if (header === undefined || header.index !== state.size || header.prev !== state.head) return undefined
  if (!commitmentsHold(header, beside.payload, beside.words)) return undefined
  return {
    ledger: header.ledger,
    epoch: header.epoch,
    size: state.size + 1,
    head: toHex(hash),
    lastTimeMs: Date.parse(header.time),
    edge: addLeaf(state.edge, state.size, hash, []),
  }
}

/** Bytes that a leaf row vouches for can still be no header, where somebody wrote both. */
function headerOrNone(bytes: Uint8Array): Header | undefined {
  try {
    return readHeader(bytes)
  } catch {
    return undefined
  }
}

function metaTrouble(meta: Meta | undefined, state: ChainState): Found | undefined {
  if (meta === undefined) return { code: 'LEDGER_HEAD_ALTERED' }
  if (meta.size > state.size) return { code: 'LEDGER_TRUNCATED' }
  const fits = meta.size === state.size && meta.head === state.head && meta.epoch === state.epoch && meta.ledger === state.ledger
  return fits ? undefined : { code: 'LEDGER_HEAD_ALTERED' }
}

async function markTrouble(store: Store, marks: TailWitnesses['marks'], state: ChainState): Promise<Found | undefined> {
  for (const mark of marks) {
    if (mark === undefined) continue
    if (mark === 'unreadable') return { code: 'LEDGER_MARK_UNREADABLE' }
    // A mark of an earlier epoch lags: the new start was on disk, and the mark behind it was not written any more.
    if (mark.epoch < state.epoch) continue
    if (mark.size > state.size) return { code: 'LEDGER_ROLLED_BACK' }
    if (mark.epoch > state.epoch) return { code: 'LEDGER_FORKED', claim: mark }
    const header = mark.size === 0 ? undefined : await store.get(headerKey(mark.size - 1))
    if (header !== undefined && toHex(leafHash(header)) !== mark.head) return { code: 'LEDGER_FORKED', claim: mark }
  }
  return undefined
}

async function checkpointTrouble(
  store: Store,
  note: string | undefined,
  state: ChainState,
  key: SigningKey,
): Promise<Found | undefined> {
  const checkpoint = note === undefined ? undefined : readCheckpointText(note)
  if (note === undefined || checkpoint === undefined || epochOf(checkpoint.name) < state.epoch) return undefined
  // Ed25519 is deterministic: a note that we would not write again byte for byte was altered, or signed by another key.
  if (signCheckpoint(checkpoint, key) !== note) {
    return { code: namesKey(note, checkpoint.name, key) ? 'LEDGER_CHECKPOINT_ALTERED' : 'LEDGER_KEY_MISMATCH' }
  }
  if (checkpoint.size > state.size) return { code: 'LEDGER_TRUNCATED' }
  const edge = await loadEdge(store, checkpoint.size)
  if (edge === undefined) return { code: 'LEDGER_ENTRY_ALTERED' }
  if (toHex(rootOf(edge)) === toHex(checkpoint.root)) return undefined
  return { code: 'LEDGER_FORKED', claim: { epoch: epochOf(checkpoint.name), size: checkpoint.size, head: zeroHash } }
}

/** Whether a note's signature line bears the name and id of our key, whatever its signature is worth. */
function namesKey(note: string, name: string, key: SigningKey): boolean {
  const [, encoded] = /^\u2014 \S+ (\S+)$/mu.exec(note) ?? []
  return encoded !== undefined && Buffer.from(encoded, 'base64').subarray(0, 4).equals(keyId(name, key.publicKey))
}

/** `origin/<ledger>` is epoch 0, `origin/<ledger>/<epoch>` a later one. */
export function epochOf(checkpointName: string): number {
  const [last = '', before = ''] = checkpointName.split('/').reverse()
  return /^[0-9a-f]{32}$/.test(before) && /^[1-9][0-9]*$/.test(last) ? Number(last) : 0
}

function largestClaim(
  state: ChainState,
  count: number,
  meta: Meta | undefined,
  marks: TailWitnesses['marks'],
  notes: readonly (string | undefined)[],
): Claim {
  const claims: Claim[] = [{ epoch: state.epoch, size: state.size, head: state.head }]
  for (const mark of marks) if (mark !== undefined && mark !== 'unreadable' && mark.epoch >= state.epoch) claims.push(mark)
  if (meta !== undefined) claims.push(meta)
  for (const note of notes) {
    const checkpoint = note === undefined ? undefined : readCheckpointText(note)
    if (checkpoint !== undefined && epochOf(checkpoint.name) >= state.epoch)
      claims.push({ epoch: epochOf(checkpoint.name), size: checkpoint.size, head: zeroHash })
  }
  claims.push({ epoch: state.epoch, size: count, head: zeroHash })
  // The first of equals: whoever knows the head comes before whoever knows only the size.
  return claims.reduce((largest, claim) => (isBeyond(claim, largest) ? claim : largest))
}

function isBeyond(claim: Claim, largest: Claim): boolean {
  return claim.epoch > largest.epoch || (claim.epoch === largest.epoch && claim.size > largest.size)
}
