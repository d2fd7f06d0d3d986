// Holds the keeping of checkpoints to the format page: when one is due, where it goes, and what thinning leaves.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { leafHash } from '../../src/foundation/digest.js'
import type { Anchor } from '../../src/ledger/anchor.js'
import { newSigningKeyPem, readCheckpointText, readSigningKey } from '../../src/ledger/checkpoint.js'
import { CheckpointKeeper, thinCheckpoints } from '../../src/ledger/checkpoint-keeper.js'
import { appendCheckpointLine, readCheckpointLines } from '../../src/ledger/checkpoint-lines.js'
import { addLeaf, emptyEdge, type RightEdge } from '../../src/ledger/merkle.js'
import { type MemoryStore, memoryStore } from '../support/memory-store.js'
import { checkpointNote, keyName, makeKey, rootOf, rowKey } from '../support/reference-ledger.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const ledger = '000102030405060708090a0b0c0d0e0f'
const prefix = 'stele.local/'
const seed = Buffer.alloc(32, 9)
const signer = makeKey(seed)
const dayMs = 86_400_000
const hourMs = 3_600_000
/** Noon of a day. */
const today = Date.UTC(2026, 10, 29, 12)

interface Kept {
  readonly epoch: number
  readonly size: number
  /** Time of the entry under it. */
  readonly at: number
}

/** A store and a file that hold these checkpoints and the headers under them. */
function kept(checkpoints: readonly Kept[]): { store: MemoryStore; file: string } {
  const file = join(temporaryFolder(), 'checkpoints.txt')
  const rows = checkpoints.flatMap(({ epoch, size, at }) => {
    const note = checkpointNote(keyName(prefix, ledger, epoch), signer, size, '11'.repeat(32))
    appendCheckpointLine(file, note)
    const header = JSON.stringify({ epoch, index: size - 1, time: new Date(at).toISOString() })
    return [
      { key: rowKey('c', epoch, size), value: Buffer.from(note) },
      { key: rowKey('h', size - 1), value: Buffer.from(header) },
    ]
  })
  return { store: memoryStore(rows), file }
}

function sizesInStore(store: MemoryStore): number[] {
  const rows = store.rows().filter(({ key }) => key[0] === 'c'.charCodeAt(0))
  return rows.map(({ key }) => Number(Buffer.from(key).readBigUInt64BE(9)))
}

function sizesInFile(file: string): (number | undefined)[] {
  return readCheckpointLines(file).map((note) => readCheckpointText(note)?.size)
}

function keeperOf(anchors: readonly Anchor[] = [], { store = memoryStore(), size = 0 } = {}) {
  const file = join(temporaryFolder(), 'checkpoints.txt')
  const key = readSigningKey(newSigningKeyPem())
  return { store, file, keeper: new CheckpointKeeper({ store, key, origin: 'stele.local', file, anchors, size }) }
}

function stateOf(size: number, lastTimeMs = today, epoch = 0) {
  let edge: RightEdge = emptyEdge
  for (let index = 0; index < size; index += 1) edge = addLeaf(edge, index, leafHash(Buffer.from(`${index}`)), [])
  return { ledger, epoch, size, head: '22'.repeat(32), lastTimeMs, edge }
}

test('a checkpoint is due 1,024 entries after the last one, and anything newer is behind it', () => {
  const { keeper } = keeperOf([], { size: 100 })
  assert.not(keeper.behind({ ...stateOf(0), size: 100 }))
  assert.ok(keeper.behind({ ...stateOf(0), size: 101 }))
  assert.not(keeper.due({ ...stateOf(0), size: 1123 }))
  assert.ok(keeper.due({ ...stateOf(0), size: 1124 }))
})

test('a checkpoint signs the root over all entries and is kept in the store and in the file', async () => {
  const { keeper, store, file } = keeperOf()
  assert.is(keeper.newest, undefined)
  const made = await keeper.make(stateOf(5))
  const root = rootOf(Array.from({ length: 5 }, (_, index) => Buffer.from(leafHash(Buffer.from(`${index}`)))))
  assert.is(made.size, 5)
  assert.is(made.root, root.toString('hex'))
  assert.ok(made.note.startsWith(`stele.local/${ledger}\n5\n${root.toString('base64')}\n\n\u2014 stele.local/${ledger} `))
  assert.is(Buffer.from((await store.get(rowKey('c', 0, 5))) ?? []).toString(), made.note)
  assert.equal(readCheckpointLines(file), [made.note])
  assert.equal(keeper.newest, made)
  assert.not(keeper.behind(stateOf(5)))
})

test('a checkpoint of a later epoch carries it in its name and its key', async () => {
  const { keeper, store } = keeperOf()
  const made = await keeper.make(stateOf(3, today, 2))
  assert.ok(made.note.startsWith(`stele.local/${ledger}/2\n3\n`))
  assert.ok(await store.get(rowKey('c', 2, 3)))
})

test('every anchor is handed the note, and it is told who took it', async () => {
  const taken: string[] = []
  const anchor = (name: Anchor['name'], answer: boolean): Anchor => ({
    name,
    take: async (note) => {
      taken.push(note)
      return answer
    },
  })
  const { keeper } = keeperOf([anchor('syslog', false), anchor('mirror', true)])
  const made = await keeper.make(stateOf(1))
  assert.equal(taken, [made.note, made.note])
  assert.equal(made.anchors, [
    { name: 'syslog', taken: false },
    { name: 'mirror', taken: true },
  ])
})

test('thinning keeps all of the last week and the last of each older day, in the store and in the file', async () => {
  const before = today - 7 * dayMs
  const checkpoints: Kept[] = []
  // Four a day, at 1, 7, 13 and 19 o'clock, over twelve days.
  for (let day = 12; day >= 1; day -= 1) {
    for (const hour of [1, 7, 13, 19]) {
      const at = Date.UTC(2026, 10, 29) - day * dayMs + hour * hourMs
      checkpoints.push({ epoch: 0, size: (checkpoints.length + 1) * 10, at })
    }
  }
  const { store, file } = kept(checkpoints)
  await thinCheckpoints(store, file, before)
  const lastOfDay = new Map<number, number>()
  for (const { size, at } of checkpoints) if (at < before) lastOfDay.set(Math.floor(at / dayMs), size)
  const expected = checkpoints.filter(({ size, at }) => at >= before || lastOfDay.get(Math.floor(at / dayMs)) === size)
  const sizes = expected.map(({ size }) => size)
  // Days 12 to 8: one each. Day 7 before noon: the one of 7 o'clock. Everything since: 2 + 6 days of 4.
  assert.is(sizes.length, 5 + 1 + 2 + 24)
  assert.equal(sizesInStore(store), sizes)
  assert.equal(sizesInFile(file), sizes)
  await thinCheckpoints(store, file, before)
  assert.equal(sizesInStore(store), sizes, 'a second time it finds nothing')
})

test('thinning touches nothing where nothing is older, and keeps the only one of a day', async () => {
  const old = today - 100 * dayMs
  const checkpoints = [
    { epoch: 0, size: 1, at: old },
    { epoch: 0, size: 2, at: old + dayMs },
    { epoch: 0, size: 3, at: today },
    { epoch: 0, size: 4, at: today + 1 },
  ]
  const { store, file } = kept(checkpoints)
  await thinCheckpoints(store, file, today - 7 * dayMs)
  assert.equal(sizesInStore(store), [1, 2, 3, 4])
  assert.equal(sizesInFile(file), [1, 2, 3, 4])
  assert.is(store.writes, 0)
})

test('thinning keeps the last of a day in each epoch', async () => {
  const old = today - 30 * dayMs
  const { store, file } = kept([
    { epoch: 0, size: 1, at: old },
    { epoch: 0, size: 2, at: old + 1 },
    { epoch: 1, size: 3, at: old + 2 },
    { epoch: 1, size: 4, at: old + 3 },
  ])
  await thinCheckpoints(store, file, today)
  assert.equal(sizesInStore(store), [2, 4])
  assert.equal(sizesInFile(file), [2, 4])
})

test('thinning leaves the notes of an abandoned branch, whose entries are gone, where they are', async () => {
  const old = today - 30 * dayMs
  const { store, file } = kept([
    { epoch: 0, size: 1, at: old },
    { epoch: 0, size: 90, at: old },
    { epoch: 0, size: 91, at: old },
  ])
  await store.write([], [rowKey('h', 89), rowKey('h', 90)])
  await thinCheckpoints(store, file, today)
  assert.equal(sizesInStore(store), [1, 90, 91])
})

test('the first checkpoint of a new day thins the old ones', async () => {
  const old = today - 20 * dayMs
  const { store, file } = kept([
    { epoch: 0, size: 1, at: old },
    { epoch: 0, size: 2, at: old + 1 },
  ])
  const key = readSigningKey(newSigningKeyPem())
  const keeper = new CheckpointKeeper({ store, key, origin: 'stele.local', file, anchors: [], size: 2 })
  const header = (size: number, at: number) => ({
    key: rowKey('h', size - 1),
    value: Buffer.from(JSON.stringify({ time: new Date(at).toISOString() })),
  })
  await store.write([header(3, today)])
  await keeper.make(stateOf(3, today))
  assert.equal(sizesInStore(store), [2, 3])
  assert.equal(sizesInFile(file), [2, 3])
})

test.run()
