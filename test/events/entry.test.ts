// Holds commitments and headers to the test vectors, which another program made from the format page alone.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type CommittedDraft,
  canonicalHeader,
  commitDraft,
  commitmentsHold,
  formatVersion,
  type Header,
  readEntry,
  readHeader,
  readSalted,
  sealHeader,
} from '../../src/events/entry.js'
import { canonicalJson } from '../../src/foundation/canonical-json.js'
import { throwsWithCode } from '../support/rejects-with-code.js'

const test = suite('entry')

interface VectorLine extends Header {
  readonly hash: string
  readonly salt: string
  readonly data: Readonly<Record<string, unknown>>
  readonly wordsSalt?: string
  readonly words?: Readonly<Record<string, unknown>>
  readonly erased?: number
  readonly raw: { readonly header: string; readonly payload: string; readonly words?: string }
}

const vectors = readFileSync(new URL('../fixtures/vectors/ledger-v1.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as VectorLine)
  .filter((line) => 'index' in line)

/** As the page beside the vectors gives them. */
const commitmentBeginnings = [
  '4ef42a3d611169bc',
  '90862ccbddb99383',
  '04af20927a64fd27',
  'ac69c0b76790484d',
  '4bf6ff5127e5edbb',
  'c7754e1fbd79ddc7',
]
const hashBeginnings = [
  '57fda5f37e841394',
  '91d57a7fc70366c6',
  'c675049759485757',
  '3491fbc451de5f0b',
  '3e8b1e6b0657fea0',
  '8b4da7814bbd850f',
]
const headerOfVector0 =
  '{"epoch":0,"index":0,"ledger":"000102030405060708090a0b0c0d0e0f",' +
  '"payload":"4ef42a3d611169bc0422dee8a2b0694b5df5e45a2b4cdf8a5d2fea799008a3d0",' +
  '"prev":"0000000000000000000000000000000000000000000000000000000000000000","session":"","time":"2026-11-29T20:49:00.000Z",' +
  '"type":"ledger.created","v":1,"version":1}'
const payloadOfVector4 =
  '{"big":1e+21,"code":"tool_not_granted","confidence":0.30000000000000004,"gate":"capability","tiny":1e-7,"verdict":"deny",' +
  '"words":"dc359ddfb8e94fde0d50376a90e469dfa16e025256fca708346f6f24d0c2048a","zero":0,' +
  '"\u{1F600}":"astral key sorts before U+FB03 in UTF-16","\ufb03":"U+FB03"}'

const saltA = '0123456789abcdef0123456789abcdef'
const saltB = 'fedcba9876543210fedcba9876543210'

test('the format version is 1', () => {
  assert.is(formatVersion, 1)
})

test('there are six vectors, and all but the forgotten one give facts and words', () => {
  assert.is(vectors.length, 6)
  assert.equal(
    vectors.map(({ erased }) => erased),
    [undefined, undefined, 5, undefined, undefined, undefined],
  )
})

for (const [index, line] of vectors.entries()) {
  test(`the payload commitment, the canonical header and the hash of vector ${index} come out`, () => {
    const draft = draftOf(line)
    assert.is(draft.payload, line.payload)
    assert.ok(draft.payload.startsWith(String(commitmentBeginnings[index])))
    assert.is(textOf(draft.payloadRow), line.salt + line.raw.payload)
    const header = sealHeader(draft, line)
    assert.is(textOf(header), line.raw.header)
    assert.is(leafHashOf(header), line.hash)
    assert.ok(line.hash.startsWith(String(hashBeginnings[index])))
    const next = vectors[index + 1]
    if (next !== undefined) assert.is(next.prev, leafHashOf(header))
  })
}

test('the words of the vectors that still have them give the rows that the vectors give', () => {
  for (const line of vectors.filter(({ words }) => words !== undefined)) {
    assert.is(
      textOf(draftOf(line).wordsRow ?? Buffer.alloc(0)),
      String(line.wordsSalt) + String(line.raw.words),
      String(line.index),
    )
  }
})

test('the canonical header of vector 0 is the one of the page', () => {
  const [first] = vectors
  assert.ok(first !== undefined)
  assert.is(textOf(sealHeader(draftOf(first), first)), headerOfVector0)
  assert.is(canonicalHeader(readHeader(Buffer.from(headerOfVector0))), headerOfVector0)
})

test('the canonical payload of vector 4 is the one of the page', () => {
  const line = vectors[4]
  assert.ok(line !== undefined)
  assert.is(textOf(draftOf(line).payloadRow), line.salt + payloadOfVector4)
})

test('an event without words commits to its facts alone', () => {
  const draft = commitDraft({ type: 'a.b', version: 1, session: '', facts: { b: 1, a: [2] }, words: undefined }, saltA, saltB)
  assert.is(textOf(draft.payloadRow), `${saltA}{"a":[2],"b":1}`)
  assert.is(draft.wordsRow, undefined)
  assert.is(draft.payload, sha256(`stele/payload/v1\n${saltA}\n{"a":[2],"b":1}`))
})

test('the commitment to the words stands in the payload as its member words, under a salt of its own', () => {
  const draft = commitDraft({ type: 'a.b', version: 1, session: '', facts: { z: 1 }, words: { text: '我' } }, saltA, saltB)
  const commitment = sha256(`stele/words/v1\n${saltB}\n{"text":"我"}`)
  assert.is(textOf(draft.wordsRow ?? Buffer.alloc(0)), `${saltB}{"text":"我"}`)
  assert.is(textOf(draft.payloadRow), `${saltA}{"words":"${commitment}","z":1}`)
  assert.is(draft.payload, sha256(`stele/payload/v1\n${saltA}\n{"words":"${commitment}","z":1}`))
})

test('words without any member are committed to as well', () => {
  const draft = commitDraft({ type: 'a.b', version: 1, session: '', facts: {}, words: {} }, saltA, saltB)
  assert.is(textOf(draft.payloadRow), `${saltA}{"words":"${sha256(`stele/words/v1\n${saltB}\n{}`)}"}`)
})

test('case 112: facts and words without a canonical form are refused, never hashed as something else', () => {
  for (const bad of ['\ud800', Number.NaN, undefined, 1n, new Date(0)]) {
    const draft = { type: 'a.b', version: 1, session: '' }
    throwsWithCode(() => commitDraft({ ...draft, facts: { bad }, words: undefined }, saltA, saltB), 'CANONICAL_JSON_REFUSED')
    throwsWithCode(() => commitDraft({ ...draft, facts: {}, words: { bad } }, saltA, saltB), 'CANONICAL_JSON_REFUSED')
  }
})

const hex = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))
const whole = fc.oneof(fc.nat(3), fc.maxSafeNat())
const header: fc.Arbitrary<Header> = fc.record(
  {
    v: fc.constant(1),
    ledger: hex(32),
    epoch: whole,
    index: whole,
    time: fc
      .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    type: fc.stringMatching(/^[a-z]{1,12}\.[a-z]{1,12}$/),
    version: whole,
    session: fc.oneof(
      fc.constant(''),
      hex(16).map((handle) => `s${handle}`),
    ),
    payload: hex(64),
    prev: hex(64),
  },
  { noNullPrototype: true },
)

test('the header that the template writes is the canonical JSON of its ten members, and reads back', () => {
  fc.assert(
    fc.property(header, (each) => {
      const sorted = Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))
      assert.is(canonicalHeader(each), JSON.stringify(Object.fromEntries(sorted)))
      assert.is(canonicalHeader(each), canonicalJson(each))
      assert.equal(readHeader(Buffer.from(canonicalHeader(each))), each)
    }),
    { seed: 1, numRuns: 1000 },
  )
})

test('a sealed header holds what the draft and its place say, and format version 1', () => {
  fc.assert(
    fc.property(header, ({ ledger, epoch, index, time, prev, type, version, session, payload }) => {
      const draft: CommittedDraft = { type, version, session, payload, payloadRow: Buffer.alloc(0), wordsRow: undefined }
      const expected = { epoch, index, ledger, payload, prev, session, time, type, v: 1, version }
      assert.is(textOf(sealHeader(draft, { ledger, epoch, index, time, prev })), JSON.stringify(expected))
    }),
    { seed: 2, numRuns: 200 },
  )
})

test('a stored row is its 32 salt characters and the text behind them', () => {
  assert.equal(readSalted(Buffer.from(`${saltA}{"text":"我"}`)), { salt: saltA, text: '{"text":"我"}' })
})

test('the entry that stored rows make has the header, the payload and the words that were put in', () => {
  for (const line of vectors) {
    const words = line.raw.words === undefined ? undefined : Buffer.from(String(line.wordsSalt) + line.raw.words)
    const entry = readEntry(Buffer.from(line.raw.header), Buffer.from(line.salt + line.raw.payload), words)
    const { v, ledger, epoch, index, time, type, version, session, payload, prev } = line
    assert.equal(entry.header, { v, ledger, epoch, index, time, type, version, session, payload, prev })
    assert.equal(entry.payload, line.data)
    assert.equal(entry.words, line.words)
  }
})

test('commitments hold for the rows of every vector, with the words forgotten too', () => {
  for (const line of vectors) {
    const payload = Buffer.from(line.salt + line.raw.payload)
    assert.is(commitmentsHold(line, payload, undefined), true)
    if (line.raw.words === undefined) continue
    assert.is(commitmentsHold(line, payload, Buffer.from(String(line.wordsSalt) + line.raw.words)), true)
  }
})

test('commitments do not hold when one byte of a row is another, salts included', () => {
  const line = vectors[3]
  assert.ok(line?.raw.words !== undefined)
  const payload = Buffer.from(line.salt + line.raw.payload)
  const words = Buffer.from(String(line.wordsSalt) + line.raw.words)
  for (let place = 0; place < payload.length; place += 1) {
    assert.is(commitmentsHold(line, withFlippedBit(payload, place), words), false, `byte ${place} of the payload row`)
  }
  for (let place = 0; place < words.length; place += 1) {
    assert.is(commitmentsHold(line, payload, withFlippedBit(words, place)), false, `byte ${place} of the words row`)
  }
})

test('commitments are made over the stored bytes: bytes that only decode to the same text do not hold', () => {
  const repaired = 'a\ufffdb'
  const draft = commitDraft({ type: 'a.b', version: 1, session: '', facts: { repaired }, words: { repaired } }, saltA, saltB)
  const whole = readHeader(sealHeader(draft, { ledger: '0'.repeat(32), epoch: 0, index: 1, time: '', prev: '0'.repeat(64) }))
  const rows = [Buffer.from(draft.payloadRow), Buffer.from(draft.wordsRow ?? [])] as const
  // One byte that is no UTF-8 reads as U+FFFD, too.
  const [payload, words] = rows.map((row) => Buffer.from(row.toString('hex').replace('efbfbd', 'ff'), 'hex'))
  assert.ok(payload !== undefined && words !== undefined && payload.length === rows[0].length - 2)
  assert.is(commitmentsHold(whole, ...rows), true)
  assert.is(commitmentsHold(whole, payload, rows[1]), false)
  assert.is(commitmentsHold(whole, rows[0], words), false)
})

test('commitments do not hold for words that no payload commits to, or for those of another entry', () => {
  const [created, started] = vectors
  assert.ok(created !== undefined && started?.raw.words !== undefined)
  const words = Buffer.from(String(started.wordsSalt) + started.raw.words)
  assert.is(commitmentsHold(created, Buffer.from(created.salt + created.raw.payload), words), false)
  const other = vectors[3]
  assert.ok(other !== undefined)
  assert.is(commitmentsHold(other, Buffer.from(other.salt + other.raw.payload), words), false)
})

/** The draft of a vector; where its words are forgotten only the payload that names them is known. */
function draftOf({ type, version, session, data, salt, words, wordsSalt = saltB, erased }: VectorLine): CommittedDraft {
  if (erased !== undefined) {
    const canonical = canonicalJson(data)
    const payload = sha256(`stele/payload/v1\n${salt}\n${canonical}`)
    return { type, version, session, payload, payloadRow: Buffer.from(salt + canonical), wordsRow: undefined }
  }
  const { words: commitment, ...facts } = data
  const draft = commitDraft({ type, version, session, facts, words }, salt, wordsSalt)
  assert.is(commitment === undefined, words === undefined, 'the vector is whole')
  return draft
}

function withFlippedBit(row: Buffer, place: number): Buffer {
  const flipped = Buffer.from(row)
  flipped[place] = (row[place] ?? 0) ^ 1
  return flipped
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}

function leafHashOf(bytes: Uint8Array): string {
  return createHash('sha256')
    .update(Buffer.from([0]))
    .update(bytes)
    .digest('hex')
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

test.run()
