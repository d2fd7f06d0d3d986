// Holds the verifier's tree to a recursive one, and its findings to the format page: a wrong node is told once, at the first entry below it.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { TreeCheck } from '../../src/verify/verify-tree.js'
import { nodeHash } from '../support/reference-ledger.js'
import { referenceLeaf, referenceRoot } from '../support/reference-tree.js'
import { makeRandom } from '../support/seeded-random.js'

const leavesOf = (size: number, salt = ''): Buffer[] =>
  Array.from({ length: size }, (_, at) => referenceLeaf(Buffer.from(`${salt}${at}`)))

/** Rows by `level position`, of complete subtrees only. */
type Rows = Map<string, Buffer>

function rowsOver(leaves: readonly Buffer[]): Rows {
  const rows: Rows = new Map()
  for (let level = 0, below = leaves; below.length > 0; level += 1) {
    below.forEach((hash, position) => {
      rows.set(`${level} ${position}`, hash)
    })
    below = Array.from({ length: below.length >> 1 }, (_, at) => nodeHash(below[2 * at] as Buffer, below[2 * at + 1] as Buffer))
  }
  return rows
}

interface Outcome {
  readonly told: number[]
  readonly asked: string[]
  readonly check: TreeCheck
}

function checked(computed: readonly Buffer[], rows: Rows | undefined, kept = computed, toldAt: readonly number[] = []): Outcome {
  const told: number[] = []
  const asked: string[] = []
  const check = new TreeCheck({
    onAltered: (index) => told.push(index),
    ...(rows === undefined
      ? {}
      : {
          storedNode: (level: number, position: number) => {
            asked.push(`${level} ${position}`)
            return rows.get(`${level} ${position}`)
          },
        }),
  })
  computed.forEach((hash, at) => {
    check.add({ computed: hash, kept: kept[at] ?? hash, told: toldAt.includes(at) })
  })
  return { told, asked, check }
}

const hex = (bytes: Buffer): string => bytes.toString('hex')
const flipped = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => (at === 7 ? byte ^ 4 : byte)))

test('the roots at every size up to 70 are those of a recursive tree', () => {
  const leaves = leavesOf(70)
  const check = new TreeCheck({ onAltered: () => assert.unreachable() })
  for (let size = 0; size <= 70; size += 1) {
    const { computed, kept } = check.roots()
    assert.is(check.size, size)
    assert.is(hex(computed), hex(referenceRoot(leaves.slice(0, size))), `size ${size}`)
    assert.is(hex(kept), hex(computed))
    check.add({ computed: leaves[size] ?? Buffer.alloc(32), kept: leaves[size] ?? Buffer.alloc(32), told: false })
  }
})

test('two roots are kept: over the computed hashes and over the kept ones', () => {
  const random = makeRandom(4)
  for (let size = 1; size <= 40; size += 1) {
    const computed = leavesOf(size)
    const kept = computed.map((hash) => (random.chance(4) ? flipped(hash) : hash))
    const { check } = checked(computed, undefined, kept)
    assert.is(hex(check.roots().computed), hex(referenceRoot(computed)), `size ${size}`)
    assert.is(hex(check.roots().kept), hex(referenceRoot(kept)), `size ${size}`)
  }
})

test('sound rows are asked for once each, as they are completed, and nothing is told', () => {
  const leaves = leavesOf(11)
  const { told, asked } = checked(leaves, rowsOver(leaves))
  assert.equal(told, [])
  assert.equal(asked, ['1 0', '1 1', '2 0', '1 2', '1 3', '2 1', '3 0', '1 4'])
})

test('any one inner node that is wrong or missing is told once, at the first entry below it', () => {
  for (const size of [2, 3, 4, 7, 8, 13, 16, 31]) {
    const leaves = leavesOf(size)
    const rows = rowsOver(leaves)
    for (const [name, hash] of rows) {
      const [level = 0, position = 0] = name.split(' ').map(Number)
      if (level === 0) continue
      const wrong = new Map(rows).set(name, flipped(hash))
      assert.equal(checked(leaves, wrong).told, [position * 2 ** level], `${name} of ${size} wrong`)
      wrong.delete(name)
      assert.equal(checked(leaves, wrong).told, [position * 2 ** level], `${name} of ${size} missing`)
    }
  }
})

test('a node that was made anew together with all above it is told once, where it begins', () => {
  const leaves = leavesOf(16)
  const rows = rowsOver(leaves)
  for (const [level, position] of [
    [1, 3],
    [2, 1],
    [3, 0],
    [4, 0],
  ] as const) {
    const forged = new Map(rows).set(`${level} ${position}`, flipped(rows.get(`${level} ${position}`) ?? Buffer.alloc(32)))
    for (let up = level + 1, at = position >> 1; forged.has(`${up} ${at}`); up += 1, at >>= 1) {
      const left = forged.get(`${up - 1} ${2 * at}`) ?? Buffer.alloc(32)
      forged.set(`${up} ${at}`, nodeHash(left, forged.get(`${up - 1} ${2 * at + 1}`) ?? Buffer.alloc(32)))
    }
    assert.equal(checked(leaves, forged).told, [position * 2 ** level])
  }
})

test('wrong nodes apart are told each, and one above another is not told besides', () => {
  const leaves = leavesOf(16)
  const rows = rowsOver(leaves)
  const wrong = (...names: string[]): Rows => {
    const out = new Map(rows)
    for (const name of names) out.set(name, flipped(rows.get(name) ?? Buffer.alloc(32)))
    return out
  }
  assert.equal(checked(leaves, wrong('1 1', '1 5')).told, [2, 10])
  assert.equal(checked(leaves, wrong('1 0', '2 0', '4 0')).told, [0])
  assert.equal(checked(leaves, wrong('2 0', '2 2')).told, [0, 8])
  assert.equal(checked(leaves, wrong('1 4', '2 0', '3 1')).told, [0, 8])
})

test('a leaf that was told already explains every node above it, whether they fit its kept or its computed hash', () => {
  const computed = leavesOf(16)
  const kept = computed.map((hash, at) => (at === 5 ? flipped(hash) : hash))
  assert.equal(checked(computed, rowsOver(kept), kept, [5]).told, [])
  assert.equal(checked(computed, rowsOver(computed), kept, [5]).told, [])
  const elsewhere = rowsOver(computed)
  elsewhere.set('1 6', flipped(elsewhere.get('1 6') ?? Buffer.alloc(32)))
  assert.equal(checked(computed, elsewhere, kept, [5]).told, [12], 'but not a node elsewhere')
})

test('inner nodes are held against the kept hashes, so a tree made over them is sound in itself', () => {
  const computed = leavesOf(8)
  const kept = leavesOf(8, 'other ')
  const { told, check } = checked(computed, rowsOver(kept), kept)
  assert.equal(told, [])
  assert.is(hex(check.roots().computed), hex(referenceRoot(computed)))
  assert.is(hex(check.roots().kept), hex(referenceRoot(kept)))
  assert.equal(checked(computed, rowsOver(computed), kept).told.length > 0, true)
})

test('a check that goes on from an edge comes to the same roots and findings', () => {
  const leaves = leavesOf(40)
  const rows = rowsOver(leaves)
  rows.set('3 4', flipped(rows.get('3 4') ?? Buffer.alloc(32)))
  for (let size = 0; size <= 32; size += 1) {
    const edge = checked(leaves.slice(0, size), undefined).check.edge()
    const told: number[] = []
    const check = new TreeCheck({
      edge,
      size,
      onAltered: (index) => told.push(index),
      storedNode: (level, position) => rows.get(`${level} ${position}`),
    })
    for (const hash of leaves.slice(size)) check.add({ computed: hash, kept: hash, told: false })
    assert.is(check.size, 40)
    assert.is(hex(check.roots().computed), hex(referenceRoot(leaves)), `from ${size}`)
    assert.equal(told, [32], `from ${size}`)
  }
})

test.run()
