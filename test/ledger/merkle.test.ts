// Holds the writer's tree to the published RFC 6962 vectors and to a recursive tree, and its proofs to the verifier, mutations included.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { leafHash, nodeHash } from '../../src/foundation/digest.js'
import {
  addLeaf,
  consistencyProof,
  emptyEdge,
  inclusionProof,
  loadEdge,
  type RightEdge,
  rootOf,
} from '../../src/ledger/merkle.js'
import type { Row } from '../../src/ledger/store.js'
import * as verifier from '../../src/verify/hash.js'
import { rootFromInclusion, verifyConsistency } from '../../src/verify/verify-proof.js'
import { type MemoryStore, memoryStore } from '../support/memory-store.js'
import { referenceConsistency, referenceLeaf, referencePath, referenceRoot } from '../support/reference-tree.js'
import { makeRandom } from '../support/seeded-random.js'

// The eight leaves and values of transparency-dev/merkle and of RFC 6962 test code (ledger facts, 5.4).
const standardLeaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  (hex) => Buffer.from(hex, 'hex'),
)
const standardRoots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
] as const
const known = {
  '96a2': '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
  '5f08': '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  '6b47': '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  bc1a: 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  ca85: 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
  '0ebc': '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
} as const
const standardPaths: readonly (readonly [index: number, size: number, path: readonly string[]])[] = [
  [0, 1, []],
  [0, 8, [known['96a2'], known['5f08'], known['6b47']]],
  [5, 8, [known.bc1a, known.ca85, standardRoots[4]]],
  [2, 3, [standardRoots[2]]],
  [1, 5, [standardRoots[1], known['5f08'], known.bc1a]],
]
const standardConsistencies: readonly (readonly [first: number, second: number, proof: readonly string[]])[] = [
  [1, 1, []],
  [6, 8, [known['0ebc'], known.ca85, standardRoots[4]]],
  [2, 5, [known['5f08'], known.bc1a]],
  [4, 8, [known['6b47']]],
  [
    3,
    7,
    [
      '0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7',
      '07506a85fd9dd2f120eb694f86011e5bb4662e5c415a62917033d4a9624487e7',
      standardRoots[2],
      '837dbb152e9b079010717e84e865da4ebc0fa198a806d59d31bf15accef22d0e',
    ],
  ],
]

interface Grown {
  readonly leaves: readonly Buffer[]
  /** The edge at every size from 0. */
  readonly edges: readonly RightEdge[]
  readonly store: MemoryStore
}

function grow(data: readonly Uint8Array[]): Grown {
  const rows: Row[] = []
  const edges: RightEdge[] = [emptyEdge]
  let edge = emptyEdge
  for (const [index, bytes] of data.entries()) {
    edge = addLeaf(edge, index, leafHash(bytes), rows)
    edges.push(edge)
  }
  return { leaves: data.map(referenceLeaf), edges, store: memoryStore(rows) }
}

const standard = grow(standardLeaves)
const seventy = grow(Array.from({ length: 70 }, (_, at) => Buffer.from(`entry ${at}`)))
const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')
const edgeAt = ({ edges }: Grown, size: number): RightEdge => edges[size] ?? emptyEdge
const buffers = (proof: readonly Uint8Array[]): Buffer[] => proof.map((hash) => Buffer.from(hash))

test('the writer and the verifier hash leaves and nodes as the published single hashes say', () => {
  for (const room of [{ leafHash, nodeHash }, verifier]) {
    assert.is(hex(room.leafHash(new Uint8Array(0))), '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
    assert.is(hex(room.leafHash(Buffer.from('L123456'))), '395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56')
  }
  // The published node is over texts of four bytes each; the writer's joins whatever it is given.
  assert.is(
    hex(nodeHash(Buffer.from('N123'), Buffer.from('N456'))),
    'aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb',
  )
})

test('the roots over the standard leaves are the published ones at every size from 0 to 8', () => {
  for (const [size, root] of standardRoots.entries()) {
    assert.is(hex(rootOf(edgeAt(standard, size))), root, `size ${size}`)
    assert.is(hex(referenceRoot(standard.leaves.slice(0, size))), root, `the reference at size ${size}`)
  }
})

test('the inclusion proofs over the standard leaves are the published ones', async () => {
  for (const [index, size, path] of standardPaths) {
    assert.equal((await inclusionProof(standard.store, index, size)).map(hex), [...path], `${index} in ${size}`)
  }
})

test('the consistency proofs over the standard leaves are the published ones', async () => {
  for (const [first, second, proof] of standardConsistencies) {
    assert.equal((await consistencyProof(standard.store, first, second)).map(hex), [...proof], `${first} to ${second}`)
  }
})

test('the verifier accepts the published proofs', () => {
  for (const [index, size, path] of standardPaths) {
    const root = rootFromInclusion(standard.leaves[index] as Buffer, index, size, fromHex(path))
    assert.is(hex(root), standardRoots[size], `${index} in ${size}`)
  }
  for (const [first, second, proof] of standardConsistencies) {
    const roots = fromHex([standardRoots[first] ?? '', standardRoots[second] ?? '']) as [Buffer, Buffer]
    assert.ok(verifyConsistency(first, second, ...roots, fromHex(proof)), `${first} to ${second}`)
  }
})

test('roots and proofs of every size up to 70 are those of a recursive tree, and the verifier accepts each', async () => {
  for (let size = 0; size <= 70; size += 1) {
    const leaves = seventy.leaves.slice(0, size)
    assert.is(hex(rootOf(edgeAt(seventy, size))), hex(referenceRoot(leaves)), `size ${size}`)
    for (let place = 0; place < size; place += 1) await agreeAt(seventy, place, size)
  }
})

test('roots and proofs of larger trees are those of a recursive tree', async () => {
  const random = makeRandom(6962)
  const large = grow(Array.from({ length: 1100 }, () => random.bytes(20)))
  for (const size of [127, 128, 129, 255, 511, 512, 513, 1023, 1024, 1025, 1100]) {
    assert.is(hex(rootOf(edgeAt(large, size))), hex(referenceRoot(large.leaves.slice(0, size))), `size ${size}`)
    for (const place of [0, random.int(size), random.int(size), size - 1]) await agreeAt(large, place, size)
  }
})

test('a row is kept for every complete subtree and for nothing else', async () => {
  const levels: Record<number, number> = {}
  for (const { key } of seventy.store.rows()) {
    const level = Buffer.from(key).readBigUInt64BE(1)
    levels[Number(level)] = (levels[Number(level)] ?? 0) + 1
  }
  // 70 leaves: 70, 35, 17, 8, 4, 2 and 1 complete subtrees of 1, 2, 4, 8, 16, 32 and 64 leaves.
  assert.equal(levels, { 0: 70, 1: 35, 2: 17, 3: 8, 4: 4, 5: 2, 6: 1 })
})

test('the edge of a stored tree of any size gives the same root, and is told to be missing where a row is', async () => {
  for (let size = 0; size <= 70; size += 1) {
    const edge = await loadEdge(seventy.store, size)
    assert.ok(edge, `size ${size}`)
    assert.is(hex(rootOf(edge)), hex(referenceRoot(seventy.leaves.slice(0, size))), `size ${size}`)
  }
  // 70 = 64 + 4 + 2: the subtree of 4 leaves over the entries 64 to 67 is number 16 of level 2.
  const holed = memoryStore(seventy.store.rows())
  const key = Buffer.alloc(17)
  key.write('t')
  key.writeBigUInt64BE(2n, 1)
  key.writeBigUInt64BE(16n, 9)
  await holed.write([], [key])
  assert.is(await loadEdge(holed, 70), undefined)
  assert.ok(await loadEdge(holed, 64))
})

test('the verifier rejects every inclusion proof that was tampered with', async () => {
  const random = makeRandom(1)
  let rejected = 0
  for (const size of [1, 2, 3, 4, 5, 6, 7, 8, 13, 33, 64, 70]) {
    for (const index of new Set([0, 1, size >> 1, size - 2, size - 1])) {
      if (index < 0 || index >= size) continue
      const leaf = seventy.leaves[index] as Buffer
      const root = referenceRoot(seventy.leaves.slice(0, size))
      const proof = buffers(await inclusionProof(seventy.store, index, size))
      const holds = (at: number, of: number, with_: readonly Buffer[], from = leaf): boolean =>
        rootFromInclusion(from, at, of, with_)?.equals(root) === true
      assert.ok(holds(index, size, proof))
      for (const [name, bad] of mutations(proof, root, random)) {
        assert.not(holds(index, size, bad), `${index} in ${size}: ${name}`)
        rejected += 1
      }
      assert.not(holds(index, size, proof, flipped(leaf, random.int(256))), 'another leaf')
      for (const at of [index - 1, index + 1, index ^ 2, size, size + 1]) {
        if (at < 0) continue
        assert.not(holds(at, size, proof), `${index} in ${size} said to be at ${at}`)
        rejected += 1
      }
      for (const of of [size - 1, size + 1, size * 2, size >> 1]) {
        // A path of the same turns is the same mathematics: what binds the size is the signature over it.
        if (of > index && pathShape(index, of) === pathShape(index, size)) continue
        assert.not(holds(index, of, proof), `${index} in ${size} said to be in ${of}`)
        rejected += 1
      }
    }
  }
  assert.ok(rejected > 1000, `${rejected} mutations`)
})

test('the verifier rejects every consistency proof that was tampered with', async () => {
  const random = makeRandom(2)
  let rejected = 0
  for (const second of [1, 2, 3, 4, 5, 6, 7, 8, 13, 33, 64, 70]) {
    for (const first of new Set([1, 2, 3, second >> 1, second - 1, second])) {
      if (first < 1 || first > second) continue
      const one = referenceRoot(seventy.leaves.slice(0, first))
      const two = referenceRoot(seventy.leaves.slice(0, second))
      const proof = buffers(await consistencyProof(seventy.store, first, second))
      assert.ok(verifyConsistency(first, second, one, two, proof))
      const name = `${first} to ${second}`
      for (const [what, bad] of mutations(proof, two, random)) {
        assert.not(verifyConsistency(first, second, one, two, bad), `${name}: ${what}`)
        rejected += 1
      }
      for (const [what, badOne, badTwo] of [
        ['another first root', flipped(one, random.int(256)), two],
        ['another second root', one, flipped(two, random.int(256))],
        ['roots swapped', two, one],
        ['an empty first root', Buffer.alloc(0), two],
      ] as const) {
        if (badOne.equals(one) && badTwo.equals(two)) continue
        assert.not(verifyConsistency(first, second, badOne, badTwo, proof), `${name}: ${what}`)
        rejected += 1
      }
      for (const [from, to] of [
        [first - 1, second],
        [first + 1, second],
        [first ^ 2, second],
        [first, second - 1],
        [first, second + 1],
        [first, second * 2],
        [second, first],
        [0, second],
      ] as const) {
        if (from === first && to === second) continue
        if (0 < from && from <= to && proofShape(from, to) === proofShape(first, second)) continue
        assert.not(verifyConsistency(from, to, one, two, proof), `${name} said to be ${from} to ${to}`)
        rejected += 1
      }
    }
  }
  assert.ok(rejected > 1000, `${rejected} mutations`)
})

async function agreeAt(tree: Grown, place: number, size: number): Promise<void> {
  const leaves = tree.leaves.slice(0, size)
  const path = buffers(await inclusionProof(tree.store, place, size))
  assert.equal(path.map(hex), referencePath(place, leaves).map(hex), `path of ${place} in ${size}`)
  const root = Buffer.from(rootOf(edgeAt(tree, size)))
  assert.ok(rootFromInclusion(leaves[place] as Buffer, place, size, path)?.equals(root), `${place} in ${size}`)

  const first = place + 1
  const proof = buffers(await consistencyProof(tree.store, first, size))
  assert.equal(proof.map(hex), referenceConsistency(first, leaves).map(hex), `proof of ${first} to ${size}`)
  assert.ok(verifyConsistency(first, size, Buffer.from(rootOf(edgeAt(tree, first))), root, proof), `${first} to ${size}`)
}

/** Every way of spoiling the hashes of a proof, each with its name. */
function mutations(proof: readonly Buffer[], root: Buffer, random: ReturnType<typeof makeRandom>): [string, Buffer[]][] {
  const out: [string, Buffer[]][] = []
  for (const [at, hash] of proof.entries()) {
    const others = (bad: Buffer): Buffer[] => proof.map((kept, place) => (place === at ? bad : kept))
    out.push([`a bit flipped in hash ${at}`, others(flipped(hash, random.int(256)))])
    out.push([`hash ${at} replaced by zeros`, others(Buffer.alloc(32))])
    out.push([`hash ${at} replaced by the root`, others(root)])
    out.push([`hash ${at} left out`, proof.filter((_, place) => place !== at)])
    out.push([`hash ${at} twice`, [...proof.slice(0, at), hash, ...proof.slice(at)]])
    const next = proof[at + 1]
    if (next !== undefined && !next.equals(hash))
      out.push([`hashes ${at} and ${at + 1} swapped`, [...proof.slice(0, at), next, hash, ...proof.slice(at + 2)]])
  }
  if (proof.length > 1) out.push(['the hashes in reverse', proof.toReversed()])
  if (proof.length > 0) out.push(['no hashes', []])
  for (const [what, extra] of [
    ['garbage', random.bytes(32)],
    ['the root', root],
    ['zeros', Buffer.alloc(32)],
  ] as const) {
    out.push([`${what} behind`, [...proof, extra]])
    out.push([`${what} in front`, [extra, ...proof]])
  }
  return out
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const out = Buffer.from(bytes)
  out[bit >> 3] = (out[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return out
}

const splitOf = (size: number): number => 2 ** (31 - Math.clz32(size - 1))

/** The turns of a path from the leaf upward: what a checker computes depends on nothing else. */
function pathShape(index: number, size: number): string {
  if (size <= 1) return ''
  const split = splitOf(size)
  return index < split ? `${pathShape(index, split)}r` : `${pathShape(index - split, size - split)}l`
}

/** The same for a consistency proof: `K` begins with the root that is known, `S` with a hash of the proof. */
function proofShape(first: number, second: number, whole = true): string {
  if (first === second) return whole ? 'K' : 'S'
  const split = splitOf(second)
  return first <= split ? `${proofShape(first, split, whole)}r` : `${proofShape(first - split, second - split, false)}b`
}

function fromHex(hashes: readonly string[]): Buffer[] {
  return hashes.map((hash) => Buffer.from(hash, 'hex'))
}

test.run()
