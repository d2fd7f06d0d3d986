// Reads a store's rows for verification. The store is a snapshot or a copy that nobody else uses: opening a store changes its files.
import { Level } from 'level'
import { SteleError } from '../foundation/stele-error.js'
import { leafHash } from './hash.js'
import type { FoundCheckpoint } from './judge-checkpoints.js'
import type { StoredHead } from './judge-head.js'
import type { PlacedEntry } from './placed-entry.js'
import { RowCursor } from './row-cursor.js'
import { type IndexSum, SessionIndexSummer } from './session-index.js'

type Db = Level<Buffer, Buffer>

export interface SnapshotRows {
  readonly head: StoredHead
  readonly checkpoints: readonly FoundCheckpoint[]
  /** Entries in order of their keys, in blocks; the tree rows that a block completes can be had by `storedNode` while it is worked on. */
  blocks(from: number): AsyncIterable<readonly PlacedEntry[]>
  storedNode(level: number, position: number): Buffer | undefined
  /** Hash of the header at an index, 64 hex characters; undefined where it cannot be read. */
  headerHash(index: number): Promise<string | undefined>
  /** Sum over the `s` rows of entries. */
  sessionSum(): Promise<IndexSum>
  /** Rows among those of entries and tree whose keys are not of the format's form; known when all blocks were read. */
  strangers(): number
  /** Highest number of an entry's header plus one; an estimate for progress. */
  readonly about: number
  close(): Promise<void>
}

const blockEntries = 1024
const levels = 53

/** Opens a copy of a store. Throws `STORE_UNREADABLE` where LevelDB refuses. */
export async function readSnapshot(folder: string): Promise<SnapshotRows> {
  const db: Db = new Level(folder, { createIfMissing: false, keyEncoding: 'buffer', valueEncoding: 'buffer' })
  try {
    await db.open()
    const head = await readHead(db)
    const checkpoints = await readCheckpointRows(db)
    const tree: RowCursor[] = []
    const cursors: RowCursor[] = []
    return {
      head,
      checkpoints,
      about: Number(head.size ?? 0) || 0,
      blocks: (from) => readBlocks(db, tree, cursors, from),
      strangers: () => cursors.reduce((sum, cursor) => sum + cursor.strangers, 0),
      storedNode: (level, position) => tree[level]?.take(position),
      headerHash: (index) =>
        db.get(numbered('h', index)).then(
          (bytes) => (bytes === undefined ? undefined : leafHash(bytes).toString('hex')),
          () => undefined,
        ),
      sessionSum: () => sumSessions(db),
      close: async () => {
        for (const cursor of tree) await cursor.close()
        await db.close()
      },
    }
  } catch (cause) {
    await db.close().catch(() => {})
    throw new SteleError('STORE_UNREADABLE', {}, { cause })
  }
}

async function* readBlocks(
  db: Db,
  tree: RowCursor[],
  cursors: RowCursor[],
  from: number,
): AsyncGenerator<readonly PlacedEntry[]> {
  const headers = new RowCursor((start) => iterate(db, numbered('h', start), 'i'), from, 9)
  const payloads = new RowCursor((start) => iterate(db, numbered('p', start), 'q'), from, 9)
  const words = new RowCursor((start) => iterate(db, numbered('w', start), 'x'), from, 9)
  for (let level = 0; level < levels; level += 1) tree.push(treeCursor(db, level, Math.floor(from / 2 ** level)))
  const beside = [payloads, words, ...tree.slice(0, 1)]
  cursors.push(headers, payloads, words, ...tree)
  let told = 0
  try {
    for (let start = from; ; start += blockEntries) {
      const end = start + blockEntries
      await headers.fill(end)
      await Promise.all([payloads.fill(end), words.fill(end)])
      await Promise.all(tree.map((cursor, level) => cursor.fill(Math.floor(end / 2 ** level))))
      const block: PlacedEntry[] = []
      for (let place = headers.peek(); place !== undefined && place < end; place = headers.peek()) {
        for (const [first] of headers.unreadable.slice(told)) {
          if (first > place) break
          block.push({ place: first, unreadable: 'LevelDB cannot read its block' })
          told += 1
        }
        block.push(readPlaced(place, headers, payloads, words, tree[0], beside))
      }
      if (block.length > 0) yield block
      else if (headers.peek() === undefined) break
    }
    const rest = headers.unreadable.slice(told).map(([first]) => ({ place: first, unreadable: 'LevelDB cannot read its block' }))
    if (rest.length > 0) yield rest
  } finally {
    for (const cursor of [headers, payloads, words]) await cursor.close()
  }
}

function readPlaced(
  place: number,
  headers: RowCursor,
  payloads: RowCursor,
  words: RowCursor,
  leaves: RowCursor | undefined,
  beside: readonly RowCursor[],
): PlacedEntry {
  const header = headers.take(place)
  const kept = leaves?.take(place)
  const payload = payloads.take(place)
  const found = words.take(place)
  if (beside.some((cursor) => cursor.isUnreadable(place))) return { place, unreadable: 'LevelDB cannot read one of its blocks' }
  return { place, header, kept: kept?.length === 32 ? kept : undefined, payload, words: found }
}

function treeCursor(db: Db, level: number, from: number): RowCursor {
  return new RowCursor(
    (start) => {
      const lower = Buffer.concat([Buffer.from('t'), numberBytes(level), numberBytes(start)])
      const upper = Buffer.concat([Buffer.from('t'), numberBytes(level + 1)])
      return db.iterator({ gte: lower, lt: upper, ...scan })
    },
    from,
    17,
  )
}

const scan = { fillCache: false, highWaterMarkBytes: 1024 * 1024 } as const

function iterate(db: Db, gte: Buffer, below: string) {
  return db.iterator({ gte, lt: Buffer.from(below), ...scan })
}

function numbered(tag: string, number: number): Buffer {
  return Buffer.concat([Buffer.from(tag), numberBytes(number)])
}

function numberBytes(number: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(number))
  return bytes
}

async function readHead(db: Db): Promise<StoredHead> {
  const [ledger, epoch, size, head] = await db.getMany(['ledger', 'epoch', 'size', 'head'].map((name) => Buffer.from(`m${name}`)))
  const text = (row: Buffer | undefined) => row?.toString()
  return { ledger: text(ledger), epoch: text(epoch), size: text(size), head: text(head) }
}

async function readCheckpointRows(db: Db): Promise<FoundCheckpoint[]> {
  const found: FoundCheckpoint[] = []
  for await (const [key, value] of db.iterator({ gte: Buffer.from('c'), lt: Buffer.from('d'), ...scan })) {
    const row =
      key.length === 17
        ? { epoch: Number(key.readBigUInt64BE(1)), size: Number(key.readBigUInt64BE(9)) }
        : { epoch: -1, size: -1 }
    found.push({ note: value.toString(), from: 'home', row })
  }
  return found
}

async function sumSessions(db: Db): Promise<IndexSum> {
  const summer = new SessionIndexSummer()
  const iterator = db.iterator({ gte: Buffer.from('s'), lt: Buffer.from('t'), ...scan })
  try {
    for (let pairs = await iterator.nextv(4096); pairs.length > 0; pairs = await iterator.nextv(4096)) {
      for (const [key] of pairs) {
        if (key.length === 17) summer.add(`s${key.toString('hex', 1, 9)}`, Number(key.readBigUInt64BE(9)))
        else summer.add('s', -1)
      }
    }
  } finally {
    await iterator.close()
  }
  return summer.sum
}
