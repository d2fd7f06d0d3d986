// Breaks the rows, mark and checkpoints of reference stores, and says from the deed which word of the format page must be found.
import { Level } from 'level'
import type { Expectation, Expected } from './corrupt-export.js'
import {
  otherField,
  plainIndexes,
  plainRun,
  plainTail,
  replaced,
  retold,
  rewritten,
  silentIndexes,
  spokenIndexes,
  told,
  unexplained,
} from './corrupt-export.js'
import type { Entry, ReferenceLedger, Row } from './reference-ledger.js'
import {
  appendEntry,
  at,
  canonical,
  checkpointNote,
  checkpointsText,
  earlier,
  epochAt,
  firstVkey,
  highWaterBytes,
  isPlain,
  keyAt,
  keyName,
  leavesOf,
  livingCheckpoints,
  makeCheckpoint,
  makeReferenceLedger,
  markBytes,
  newestCheckpoint,
  notesText,
  payloadOf,
  rowKey,
  sessionRowKey,
  sha256,
  storeRows,
  treeLevels,
  withHeader,
  withHeaderText,
} from './reference-ledger.js'
import type { Random } from './seeded-random.js'

export type StoreCorruption = Expectation & {
  name: string
  rows: Row[]
  /** The bytes of the high-water record, or null where there is none. */
  highWater: Buffer | null
  /** checkpoints.txt; empty where there is none. */
  checkpointsText: string
  /** A vkey to be given with `--key`. */
  pinnedKey?: string
}

/** Writes rows into a new LevelDB store and closes it. */
export async function writeStore(dir: string, rows: readonly Row[]): Promise<void> {
  const store = new Level<Buffer, Buffer>(dir, { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  await store.open()
  await store.batch(rows.map(({ key, value }) => ({ type: 'put' as const, key, value })))
  await store.close()
}

/** The rows of an untouched store with its mark and checkpoints: sound. */
export function soundStore(model: ReferenceLedger): StoreCorruption {
  return {
    name: 'untouched',
    rows: storeRows(model),
    highWater: highWaterBytes(model),
    checkpointsText: checkpointsText(model),
    expect: [],
  }
}

type More = Partial<Omit<StoreCorruption, 'name' | 'rows' | 'expect'>>
type Bench = {
  model: ReferenceLedger
  random: Random
  size: number
  rows: Row[]
  put(name: string, rows: Row[], expect: Expected[], more?: More): void
}

/** Corruptions of the store of a ledger of at least 16 entries, one or more of every kind that fits the ledger. */
export function storeCorruptions(model: ReferenceLedger, random: Random): StoreCorruption[] {
  const out: StoreCorruption[] = []
  const whole = soundStore(model)
  const bench: Bench = {
    model,
    random,
    size: model.entries.length,
    rows: whole.rows,
    put: (name, rows, expect, more = {}) => {
      out.push({ ...whole, name, rows, expect, ...more })
    },
  }
  for (const deed of [
    editHeaderRows,
    rehashHeaders,
    editTree,
    editPayloadRows,
    editWordsRows,
    editErasures,
    loseMiddle,
    loseTail,
    rewriteSuffix,
    editHead,
    editMarks,
    editIndexes,
    editCheckpointRows,
    editCheckpointsFile,
    emptyStore,
    swapEntries,
    spliceForeign,
    newStarts,
  ])
    deed(bench)
  return out
}

/** Rows with some put in or over, and some dropped, in the order of their keys. */
export function withRows(rows: readonly Row[], put: readonly Row[], drop: readonly Buffer[] = []): Row[] {
  const kept = new Map(rows.map((row) => [row.key.toString('hex'), row]))
  for (const key of drop) kept.delete(key.toString('hex'))
  for (const row of put) kept.set(row.key.toString('hex'), row)
  return [...kept.values()].sort((one, other) => Buffer.compare(one.key, other.key))
}

function row(key: Buffer, value: Buffer | string): Row {
  return { key, value: typeof value === 'string' ? Buffer.from(value) : value }
}

function valueAt(rows: readonly Row[], key: Buffer): Buffer {
  const found = rows.find((candidate) => candidate.key.equals(key))
  if (found === undefined) throw new RangeError(`no row ${key.toString('hex')}`)
  return found.value
}

function spoiled(bytes: Buffer, random: Random, from = 0, to = bytes.length): Buffer {
  const out = Buffer.from(bytes)
  const place = from + random.int(to - from)
  out[place] = (out[place] ?? 0) ^ (1 << random.int(8))
  return out
}

/**
 * Step 9: the first mark or checkpoint above the first changed entry is `forked`, unless a finding of steps 1 to 5 or 7
 * lies below its size. Checkpoints of an epoch that was abandoned later do not count: see `oldEpochs`.
 */
function forkedUnlessTold(model: ReferenceLedger, changed: number, findings: Expected[]): Expected[] {
  const { epoch } = at(model.epochs, model.epochs.length - 1)
  const current = livingCheckpoints(model).filter((checkpoint) => checkpoint.epoch === epoch)
  const sizes = [...current.map((checkpoint) => checkpoint.size), model.entries.length]
  const first = Math.min(...sizes.filter((size) => size > changed))
  const lies = findings.some(({ index }) => typeof index === 'number' && index < first)
  return lies ? findings : [...findings, told('forked')]
}

/**
 * A checkpoint of an abandoned epoch that does not fit is `abandoned` up to the size of the abandoned branch; whether that
 * holds also for sizes before the new start, where no branch was abandoned, the page does not say.
 */
function oldEpochs(model: ReferenceLedger): Expected[] {
  return model.epochs.length > 1 ? [told('forked')] : []
}

/** Step 7: where the leaf changed and the nodes above it did not, the pair tells, unless its other entry has a finding. */
function pairFinding(index: number, size: number, findings: Expected[]): Expected[] {
  const first = index - (index % 2)
  if (first + 1 >= size || findings.some((finding) => finding.index === first || finding.index === first + 1)) return findings
  return [...findings, told('tree_altered', first)]
}

function editHeaderRows({ model, random, size, rows, put }: Bench): void {
  const set = (index: number, text: string): Row[] => withRows(rows, [row(rowKey('h', index), text)])
  for (const field of ['v', 'ledger', 'epoch', 'index', 'time', 'type', 'version', 'session', 'payload', 'prev'] as const) {
    const index = random.pick(plainIndexes(model))
    const entry = at(model.entries, index)
    const changed = withHeader(entry, { [field]: otherField(entry, field, model, random) })
    // The s rows follow from the altered header too; that they no longer fit is the same deed.
    const mayAlso = field === 'session' || field === 'index' ? [told('index_altered', null)] : []
    put(`header row: ${field} edited`, set(index, changed.headerText), [told('header_altered', index)], { mayAlso })
  }
  const texts: [string, (text: string) => string][] = [
    ['cut', (text) => text.slice(0, -1)],
    ['emptied', () => ''],
    ['a space put in', (text) => text.replace(',', ', ')],
    ['a field more', (text) => text.replace('{', '{"added":1,')],
  ]
  for (const [what, change] of texts) {
    const index = random.pick(plainIndexes(model))
    // A header that cannot be read gives no s row.
    const mayAlso = [told('index_altered', null)]
    put(`header row: ${what}`, set(index, change(at(model.entries, index).headerText)), [told('header_altered', index)], {
      mayAlso,
    })
  }
  const last = withHeader(at(model.entries, size - 1), { time: '2027-01-01T00:00:00.000Z' })
  put('header row of the last entry edited', set(size - 1, last.headerText), [told('header_altered', size - 1)])
  put('header row of the last entry edited, no mark', set(size - 1, last.headerText), [told('header_altered', size - 1)], {
    highWater: null,
  })
  const first = withHeader(at(model.entries, 0), { ledger: random.hex(16) })
  put('header row of the first entry: ledger edited', set(0, first.headerText), [told('header_altered', 0)])
}

/** Header rows whose leaf rows were made to fit: A holds, the next entry tells. */
function rehashHeaders({ model, random, size, rows, put }: Bench): void {
  const leafToo = (index: number, entry: Entry): Row[] =>
    withRows(rows, [row(rowKey('h', index), entry.headerText), row(rowKey('t', 0, index), Buffer.from(entry.hash, 'hex'))])
  /** Header, leaf and every node above, the head left as it was. */
  const pathToo = (index: number, entry: Entry): Row[] =>
    withRows(storeRows(replaced(model, index, entry)), [row(rowKey('m', 'head'), at(model.entries, size - 1).hash)])
  for (const field of ['time', 'type', 'version'] as const) {
    const index = random.pick(plainIndexes(model).filter((place) => place < size - 1))
    const entry = at(model.entries, index)
    const changed = withHeader(entry, { [field]: otherField(entry, field, model, random) })
    const broken = [told('link_broken', index + 1)]
    put(
      `header and leaf rows: ${field} edited`,
      leafToo(index, changed),
      forkedUnlessTold(model, index, pairFinding(index, size, broken)),
      { mayAlso: oldEpochs(model) },
    )
    put(`header, leaf and node rows: ${field} edited`, pathToo(index, changed), forkedUnlessTold(model, index, broken), {
      mayAlso: oldEpochs(model),
    })
  }
  const middle = random.pick(
    plainIndexes(model).filter((index) => index > 1 && index < size - 1 && at(model.entries, index).erasedBy === null),
  )
  const entry = at(model.entries, middle)
  const cases: [string, Entry, Expected[]][] = [
    ['prev edited', withHeader(entry, { prev: random.hex(32) }), [told('link_broken', middle), told('link_broken', middle + 1)]],
    [
      'payload commitment edited',
      withHeader(entry, { payload: random.hex(32) }),
      [told('payload_altered', middle), told('link_broken', middle + 1)],
    ],
    ['epoch raised', withHeader(entry, { epoch: entry.header.epoch + 1 }), [told('entry_foreign', middle)]],
    ['ledger edited', withHeader(entry, { ledger: random.hex(16) }), [told('entry_foreign', middle)]],
    ['a space in the header', withHeaderText(entry, entry.headerText.replace(',', ', ')), [told('header_altered', middle)]],
    ['session edited', withHeader(entry, { session: `s${random.hex(8)}` }), [told('link_broken', middle + 1)]],
  ]
  // The payload's own finding is of step 6 and explains no root.
  for (const [what, changed, expect] of cases) {
    const steps = expect.filter((finding) => finding.code !== 'payload_altered')
    const more = forkedUnlessTold(model, middle, steps).slice(steps.length)
    put(`header, leaf and node rows: ${what}`, pathToo(middle, changed), [...expect, ...more], { mayAlso: oldEpochs(model) })
  }
  const other = random.pick(plainIndexes(model).filter((index) => Math.abs(index - middle) > 1 && index < size - 1))
  put(
    'header, leaf and node rows: index edited to one that exists',
    pathToo(middle, withHeader(entry, { index: other })),
    [told('entry_missing', middle), told('entry_duplicated', other)],
    { mayAlso: [told('index_altered', null)] },
  )
  const late = plainTail(model) + random.int(size - 1 - plainTail(model))
  const unknown = withHeader(at(model.entries, late), { v: 2 })
  put('header, leaf and node rows: unknown format version', pathToo(late, unknown), [told('version_unknown', late)])

  // The last entry with its leaf: the head in the store is not its hash, and the mark and checkpoints knew another.
  const last = size - 1
  const changed = withHeader(at(model.entries, last), { time: '2027-01-01T00:00:00.000Z' })
  put('header, leaf and node rows of the last entry edited, the head left', pathToo(last, changed), [
    told('head_altered'),
    told('forked'),
  ])
}

function editTree({ model, random, size, rows, put }: Bench): void {
  const leaf = (index: number): Buffer => rowKey('t', 0, index)
  const spoil = (key: Buffer): Row => row(key, spoiled(valueAt(rows, key), random))
  const index = random.int(size)
  put('leaf row edited', withRows(rows, [spoil(leaf(index))]), [told('tree_altered', index)])
  put('leaf row removed', withRows(rows, [], [leaf(index)]), [told('tree_altered', index)])
  put('leaf row cut short', withRows(rows, [row(leaf(index), valueAt(rows, leaf(index)).subarray(0, 31))]), [
    told('tree_altered', index),
  ])
  put('leaf row of the last entry edited', withRows(rows, [spoil(leaf(size - 1))]), [told('tree_altered', size - 1)])
  const changed = { ...at(model.entries, index), hash: random.hex(32) }
  const above = withRows(storeRows(replaced(model, index, changed)), [row(rowKey('m', 'head'), at(model.entries, size - 1).hash)])
  put('leaf row edited with every node above it', above, [told('tree_altered', index)])
  const pair = random.int(size - 1)
  put('leaf rows of two neighbours edited', withRows(rows, [spoil(leaf(pair)), spoil(leaf(pair + 1))]), [
    told('header_altered', pair),
    told('tree_altered', pair + 1),
  ])
  const levels = treeLevels(leavesOf(model.entries))
  for (const level of [1, 1 + random.int(levels.length - 1), levels.length - 1]) {
    const position = random.int(at(levels, level).length)
    const key = rowKey('t', level, position)
    const first = position * 2 ** level
    put(`inner node of level ${level} edited`, withRows(rows, [spoil(key)]), [told('tree_altered', first)])
    put(`inner node of level ${level} removed`, withRows(rows, [], [key]), [told('tree_altered', first)])
  }
  const far = random.int(at(levels, 1).length)
  const near = random.int(size)
  if (Math.floor(near / 2) !== far) {
    put('an inner node and a leaf elsewhere edited', withRows(rows, [spoil(rowKey('t', 1, far)), spoil(leaf(near))]), [
      told('tree_altered', far * 2),
      told('tree_altered', near),
    ])
  }
}

function editPayloadRows({ model, random, rows, put }: Bench): void {
  const key = (index: number): Buffer => rowKey('p', index)
  const cases: [string, (entry: Entry) => string][] = [
    ['payload edited', ({ salt, payloadText }) => salt + canonical({ ...(JSON.parse(payloadText) as object), added: 1 })],
    ['salt edited', ({ payloadText }) => random.hex(16) + payloadText],
    ['a space put in', ({ salt, payloadText }) => salt + payloadText.replace(':', ': ')],
    ['a name put in twice', ({ salt, payloadText }) => salt + payloadText.replace(/^\{("[^"]*":)/, '{$10,$1')],
    ['cut short', ({ salt, payloadText }) => salt + payloadText.slice(0, -1)],
    ['only half a salt', ({ salt }) => salt.slice(16)],
    ['emptied', () => ''],
  ]
  for (const [what, change] of cases) {
    const index = random.pick(plainIndexes(model))
    put(`payload row: ${what}`, withRows(rows, [row(key(index), change(at(model.entries, index)))]), [
      told('payload_altered', index),
    ])
  }
  const flipped = random.pick(plainIndexes(model))
  put('payload row: a bit flipped', withRows(rows, [row(key(flipped), spoiled(valueAt(rows, key(flipped)), random))]), [
    told('payload_altered', flipped),
  ])
  const gone = random.pick(plainIndexes(model))
  put('payload row removed', withRows(rows, [], [key(gone)]), [told('payload_missing', gone)])
  const [one = 0, other = 0] = random.shuffle(plainIndexes(model))
  put(
    'payload rows of two entries swapped',
    withRows(rows, [row(key(one), valueAt(rows, key(other))), row(key(other), valueAt(rows, key(one)))]),
    [told('payload_altered', one), told('payload_altered', other)],
  )
}

function editWordsRows({ model, random, rows, put }: Bench): void {
  const key = (index: number): Buffer => rowKey('w', index)
  const spoken = spokenIndexes(model)
  if (spoken.length === 0) return
  const cases: [string, (entry: Entry) => string][] = [
    ['words edited', ({ wordsSalt, wordsText }) => `${wordsSalt}${(wordsText ?? '').replace(/\}$/, ',"ﬃ":1}')}`],
    ['salt edited', ({ wordsText }) => `${random.hex(16)}${wordsText}`],
    ['a space put in', ({ wordsSalt, wordsText }) => `${wordsSalt}${wordsText?.replace(':', ': ')}`],
    ['emptied', () => ''],
  ]
  for (const [what, change] of cases) {
    const index = random.pick(spoken)
    put(`words row: ${what}`, withRows(rows, [row(key(index), change(at(model.entries, index)))]), [told('words_altered', index)])
  }
  const flipped = random.pick(spoken)
  put('words row: a bit flipped', withRows(rows, [row(key(flipped), spoiled(valueAt(rows, key(flipped)), random))]), [
    told('words_altered', flipped),
  ])
  const gone = random.pick(spoken)
  put('words row removed', withRows(rows, [], [key(gone)]), [told('words_missing', gone)])
  const silent = silentIndexes(model)
  if (silent.length > 0) {
    const index = random.pick(silent)
    put('words row added where the payload commits to none', withRows(rows, [row(key(index), `${random.hex(16)}{"text":"x"}`)]), [
      told('words_altered', index),
    ])
  }
  const [one, other] = random.shuffle(spoken)
  if (one === undefined || other === undefined) return
  put(
    'words rows of two entries swapped',
    withRows(rows, [row(key(one), valueAt(rows, key(other))), row(key(other), valueAt(rows, key(one)))]),
    [told('words_altered', one), told('words_altered', other)],
  )
}

function editErasures({ model, random, rows, put }: Bench): void {
  if (model.erasures.length === 0) return
  const { by } = random.pick(model.erasures)
  const named = unexplained(model, (index) => index === by)
  const { salt, payloadText } = at(model.entries, by)
  const key = rowKey('p', by)
  const reword = (change: object): Row[] =>
    withRows(rows, [row(key, salt + canonical({ ...payloadOf(at(model.entries, by)), ...change }))])
  put("erasure's reason edited", reword({ reason: 'never mind' }), [told('payload_altered', by)])
  put("erasure's ranges widened", reword({ entries: [[0, by - 1]] }), [told('payload_altered', by)])
  put("erasure's ranges emptied", reword({ entries: [] }), [told('payload_altered', by), ...named])
  put("erasure's payload cut", withRows(rows, [row(key, salt + payloadText.slice(0, -1))]), [
    told('payload_altered', by),
    ...named,
  ])
  put("erasure's payload row removed", withRows(rows, [], [key]), [told('payload_missing', by), ...named])
  const restored = at(named, 0).index
  if (typeof restored !== 'number') return
  const { wordsSalt, wordsText } = at(model.entries, restored)
  const again = (text: string): Row[] => withRows(rows, [row(rowKey('w', restored), wordsSalt + text)])
  put('forgotten words put back', again(wordsText ?? ''), [], { notes: [told('erasure_unfinished', restored)] })
  put('forgotten words put back wrongly', again('{"text":"something else"}'), [told('words_altered', restored)], {
    notes: [],
  })
}

/** The keys of the rows that the batches of these entries wrote, without inner nodes unless asked for. */
function batchKeys(model: ReferenceLedger, from: number, to: number, nodes: boolean): Buffer[] {
  const keys: Buffer[] = []
  const levels = treeLevels(leavesOf(model.entries))
  for (let index = from; index <= to; index += 1) {
    const { session } = at(model.entries, index).header
    keys.push(rowKey('h', index), rowKey('p', index), rowKey('w', index), rowKey('t', 0, index))
    if (session !== '') keys.push(sessionRowKey(session, index))
    levels.forEach((level, height) => {
      level.forEach((_, position) => {
        if (nodes && (position + 1) * 2 ** height - 1 === index) keys.push(rowKey('t', height, position))
      })
    })
  }
  return keys
}

function loseMiddle({ model, random, size, rows, put }: Bench): void {
  const inner = plainIndexes(model).filter((index) => index < size - 1)
  for (const nodes of [false, true]) {
    const one = random.pick(inner)
    const what = nodes ? 'with the nodes they completed' : 'without inner nodes'
    put(`rows of one entry lost, ${what}`, withRows(rows, [], batchKeys(model, one, one, nodes)), [told('entry_missing', one)])
    const starts = inner.filter((index) => [1, 2, 3].every((step) => inner.includes(index + step)))
    if (starts.length > 0) {
      const from = random.pick(starts)
      put(`rows of several entries lost, ${what}`, withRows(rows, [], batchKeys(model, from, from + 3, nodes)), [
        told('entry_missing', from),
      ])
    }
  }
  const apart = random
    .shuffle(inner)
    .slice(0, 2)
    .sort((one, other) => one - other)
  if (at(apart, 1) - at(apart, 0) > 1) {
    const keys = apart.flatMap((index) => batchKeys(model, index, index, false))
    put(
      'rows of two entries lost in different places',
      withRows(rows, [], keys),
      apart.map((index) => told('entry_missing', index)),
    )
  }
  const bare = random.pick(inner)
  const { session } = at(model.entries, bare).header
  put('header row lost', withRows(rows, [], [rowKey('h', bare), ...(session === '' ? [] : [sessionRowKey(session, bare)])]), [
    told('entry_missing', bare),
  ])
  if (model.erasures.length > 0) {
    const { by } = random.pick(model.erasures)
    put('rows of an erasure lost', withRows(rows, [], batchKeys(model, by, by, true)), [
      told('entry_missing', by),
      ...unexplained(model, (index) => index === by),
    ])
  }
}

function headRows(model: ReferenceLedger): Row[] {
  return storeRows(model).filter((kept) => kept.key.subarray(0, 1).toString() === 'm')
}

function loseTail({ model, random, size, rows, put }: Bench): void {
  const tail = plainTail(model)
  const kept = tail + random.int(size - tail)
  const short = earlier(model, kept)
  const lost = batchKeys(model, kept, size - 1, true)
  const beyond = livingCheckpoints(model).filter((checkpoint) => checkpoint.size > kept)
  const notes = beyond.map((checkpoint) => rowKey('c', checkpoint.epoch, checkpoint.size))
  const known = checkpointsText(short)
  const cut = withRows(rows, [], lost)
  const refitted = withRows(rows, headRows(short), lost)
  put('tail rows lost, the head left', cut, [told('truncated')])
  put('tail rows lost, the head left, no mark', cut, [told('truncated')], { highWater: null })
  put('tail rows lost, the head left, no mark and no checkpoints', withRows(cut, [], notes), [told('truncated')], {
    highWater: null,
    checkpointsText: known,
  })
  put('tail rows lost, the head rewritten to fit', refitted, [told('rolled_back')])
  put('tail rows lost, the head rewritten, checkpoint rows dropped', withRows(refitted, [], notes), [told('rolled_back')])
  put(
    'tail rows lost, the head rewritten, no checkpoint left but the mark',
    withRows(refitted, [], notes),
    [told('rolled_back')],
    {
      checkpointsText: known,
    },
  )
  put('tail rows lost, the head rewritten, no mark', refitted, [told('truncated')], { highWater: null })
  put('tail rows lost, the head rewritten, no mark but checkpoints.txt', withRows(refitted, [], notes), [told('truncated')], {
    highWater: null,
  })
  put('tail rows lost, the head rewritten, the mark set back', refitted, [told('truncated')], {
    highWater: highWaterBytes(short),
  })
  // Nothing that remains knows better.
  put('tail lost with every trace of it', withRows(refitted, [], notes), [], { highWater: null, checkpointsText: known })
  put('old copy restored beside a newer mark', storeRows(short), [told('rolled_back')])
  put('old copy restored, no mark', storeRows(short), [told('truncated')], { highWater: null })
  put('old copy restored, checkpoints.txt gone', storeRows(short), [told('rolled_back')], { checkpointsText: '' })
  const last = earlier(model, size - 1)
  put('last entry lost, the head rewritten to fit', withRows(rows, headRows(last), batchKeys(model, size - 1, size - 1, true)), [
    told('rolled_back'),
  ])
  const rotation = model.keys[1]
  if (rotation !== undefined && model.epochs.every((epoch) => epoch.first < rotation.from)) {
    // The key of the checkpoints that are listed under it came with the lost rotation.
    put('old copy from before the rotation restored', storeRows(earlier(model, rotation.from)), [told('rolled_back')], {
      mayAlso: [told('key_unknown')],
    })
  }
  const erasure = model.erasures[0]
  if (erasure !== undefined && model.entries.slice(erasure.by + 1).every((entry) => isPlain(entry))) {
    put(
      'tail rows lost with an erasure, the head rewritten to fit',
      withRows(rows, headRows(earlier(model, erasure.by)), batchKeys(model, erasure.by, size - 1, true)),
      [told('rolled_back'), ...unexplained(model, (index) => index >= erasure.by)],
    )
  }
}

function rewriteSuffix({ model, random, size, put }: Bench): void {
  const from = random.pick(plainIndexes(model))
  const changed = rewritten(model, from, random)
  const older = changed.checkpoints.filter((checkpoint) => checkpoint.abandoned || checkpoint.size <= from)
  const other: ReferenceLedger = { ...changed, checkpoints: older }
  put('suffix rewritten beside the mark', storeRows(other), [told('forked')])
  put('suffix rewritten beside the mark, no other trace', storeRows(other), [told('forked')], { checkpointsText: notesText([]) })
  put('suffix rewritten, checkpoint rows left, no mark', storeRows(changed), [told('forked')], { highWater: null })
  put('suffix rewritten, the mark too, checkpoints.txt left', storeRows(other), [told('forked')], {
    highWater: highWaterBytes(other),
  })
  const signed: ReferenceLedger = { ...changed, checkpoints: [...older, makeCheckpoint(changed)] }
  put('suffix rewritten and signed with the key beside the mark', storeRows(signed), [told('forked')], {
    checkpointsText: checkpointsText(signed),
  })
  const longer: ReferenceLedger = { ...other, entries: [...other.entries] }
  const { header, salt } = at(model.entries, size - 1)
  appendEntry(longer, { time: header.time, type: 'turn.ended', session: header.session, payload: { turn: 1 }, salt })
  put('suffix rewritten and longer than the mark', storeRows(longer), [told('forked')])
  // Without mark and checkpoints nothing outside vouches for the end.
  put('suffix rewritten with every trace', storeRows(signed), [], {
    highWater: highWaterBytes(signed),
    checkpointsText: checkpointsText(signed),
  })
  const again = retold(model, random)
  const pinnedKey = firstVkey(model)
  const theirs = { highWater: highWaterBytes(again), checkpointsText: checkpointsText(again) }
  put('whole ledger rewritten under a new key', storeRows(again), [told('key_unknown', null)], { ...theirs, pinnedKey })
  put('whole ledger rewritten under a new key beside the mark', storeRows(again), [told('forked')], {
    checkpointsText: theirs.checkpointsText,
  })
  put('whole ledger rewritten under a new key beside checkpoints.txt', storeRows(again), [told('key_unknown')], {
    highWater: theirs.highWater,
    mayAlso: [told('key_unknown')],
  })
}

function editHead({ model, random, size, rows, put }: Bench): void {
  const name = (what: string): Buffer => rowKey('m', what)
  const set = (what: string, value: string): Row[] => withRows(rows, [row(name(what), value)])
  const altered = [told('head_altered')]
  put('head: hash edited', set('head', random.hex(32)), altered)
  put('head: hash of the entry before', set('head', at(model.entries, size - 2).hash), altered)
  put('head: hash unreadable', set('head', 'hello'), altered)
  put(
    'head: hash edited, no mark and no checkpoints',
    withRows(
      rows,
      [row(name('head'), random.hex(32))],
      livingCheckpoints(model).map((checkpoint) => rowKey('c', checkpoint.epoch, checkpoint.size)),
    ),
    altered,
    {
      highWater: null,
      checkpointsText: '',
    },
  )
  put('head: size lowered', set('size', `${size - 1 - random.int(4)}`), altered)
  put('head: size unreadable', set('size', 'many'), altered)
  put('head: size raised', set('size', `${size + 1 + random.int(4)}`), [told('truncated')])
  put(
    'head: size and hash of an entry that is not there',
    withRows(set('size', `${size + 1}`), [row(name('head'), random.hex(32))]),
    [told('truncated')],
  )
  put('head: another ledger', set('ledger', random.hex(16)), altered)
  put('head: another epoch', set('epoch', '7'), altered)
  for (const what of ['ledger', 'epoch', 'size', 'head']) put(`head: ${what} removed`, withRows(rows, [], [name(what)]), altered)
  put('head: every row removed', withRows(rows, [], ['ledger', 'epoch', 'size', 'head'].map(name)), altered)
}

function editMarks({ model, random, size, rows, put }: Bench): void {
  const mark = highWaterBytes(model)
  const unreadable = [told('mark_unreadable')]
  const give = (what: string, highWater: Buffer | null, expect: Expected[]): void =>
    put(`mark: ${what}`, rows, expect, { highWater })
  give('check bytes broken', spoiled(mark, random, 56, 64), unreadable)
  give('epoch, size or hash broken', spoiled(mark, random, 8, 56), unreadable)
  give('name broken', spoiled(mark, random, 0, 8), unreadable)
  give('cut short', mark.subarray(0, random.int(64)), unreadable)
  give('one byte too long', Buffer.concat([mark, Buffer.from([0])]), unreadable)
  const { epoch } = at(model.epochs, model.epochs.length - 1)
  const otherName = Buffer.concat([Buffer.from('STELEHW2'), mark.subarray(8, 56)])
  give('another name with fitting check bytes', Buffer.concat([otherName, sha256(otherName).subarray(0, 8)]), unreadable)
  give('ahead of the store', markBytes(epoch, size + 1 + random.int(5), random.hex(32)), [told('rolled_back')])
  give('another hash', markBytes(epoch, size, random.hex(32)), [told('forked')])
  const tail = plainTail(model)
  const lagging = tail + random.int(size - tail)
  give('another hash further back', markBytes(epoch, lagging, random.hex(32)), [told('forked')])
  give('lagging', highWaterBytes(earlier(model, lagging)), [])
  give('gone', null, [])
}

function editIndexes({ model, random, size, rows, put }: Bench): void {
  const altered = [told('index_altered', null)]
  const inSession = model.entries.filter((entry) => entry.header.session !== '')
  const { header } = random.pick(inSession)
  put('session row removed', withRows(rows, [], [sessionRowKey(header.session, header.index)]), altered)
  put(
    'session row added for another session',
    withRows(rows, [row(sessionRowKey(`s${random.hex(8)}`, header.index), '')]),
    altered,
  )
  const other = model.entries.find((entry) => entry.header.session !== header.session)
  if (other !== undefined) {
    const key = sessionRowKey(header.session, other.header.index)
    put('session row added for an entry of no or another session', withRows(rows, [row(key, '')]), altered)
    put(
      'session row moved to another entry',
      withRows(rows, [row(key, '')], [sessionRowKey(header.session, header.index)]),
      altered,
    )
  }
  put('session row behind the end', withRows(rows, [row(sessionRowKey(header.session, size + 2), '')]), altered)
  put(
    'every session row removed',
    rows.filter((kept) => kept.key[0] !== 's'.charCodeAt(0)),
    altered,
  )
  // Indexes that can be made again, and that no word is for.
  put(
    'host session and dedupe rows removed',
    rows.filter((kept) => !'id'.includes(kept.key.subarray(0, 1).toString())),
    [],
  )
}

/** A note with one byte of its key id (place 0 to 3) or signature (4 to 67) spoiled. */
function spoiledNote(note: string, random: Random, from: number, to: number): string {
  const sealed = note.trimEnd().split(' ').pop() ?? ''
  return note.replace(sealed, spoiled(Buffer.from(sealed, 'base64'), random, from, to).toString('base64'))
}

function editCheckpointRows({ model, random, size, rows, put }: Bench): void {
  const checkpoint = random.pick(livingCheckpoints(model))
  const key = rowKey('c', checkpoint.epoch, checkpoint.size)
  const set = (note: string): Row[] => withRows(rows, [row(key, note)])
  const forged = [told('checkpoint_forged')]
  const [, , root = ''] = checkpoint.text.split('\n')
  put('checkpoint row: signature edited', set(spoiledNote(checkpoint.text, random, 4, 68)), forged)
  put('checkpoint row: key id edited', set(spoiledNote(checkpoint.text, random, 0, 4)), [told('key_unknown')])
  put('checkpoint row: root edited', set(checkpoint.text.replace(root, random.bytes(32).toString('base64'))), forged)
  put(
    'checkpoint row: unreadable',
    set(random.pick(['', 'hello', checkpoint.text.slice(0, 40), checkpoint.text.replace('\n\n', '\n')])),
    forged,
  )
  put(
    'checkpoint row: size in the key edited',
    withRows(rows, [row(rowKey('c', checkpoint.epoch, size + 7), checkpoint.text)], [key]),
    forged,
  )
  put(
    'checkpoint row: epoch in the key edited',
    withRows(rows, [row(rowKey('c', 5, checkpoint.size), checkpoint.text)], [key]),
    forged,
  )
  put('checkpoint row removed', withRows(rows, [], [key]), [])
  put(
    'every checkpoint row removed',
    rows.filter((kept) => kept.key[0] !== 'c'.charCodeAt(0)),
    [],
  )
}

/** A note that the true key of that time signs, whatever its root. */
function trueNote(model: ReferenceLedger, size: number, root: string): string {
  const epoch = epochAt(model, size - 1)
  return checkpointNote(keyName(model.prefix, model.ledger, epoch), keyAt(model, size), size, root)
}

function editCheckpointsFile({ model, random, size, rows, put }: Bench): void {
  const text = checkpointsText(model)
  const give = (what: string, content: string, expect: Expected[], more: More = {}): void =>
    put(`checkpoints.txt: ${what}`, rows, expect, { checkpointsText: content, ...more })
  const checkpoint = random.pick(livingCheckpoints(model))
  const forged = [told('checkpoint_forged')]
  const replace = (note: string): string => text.replace(JSON.stringify(checkpoint.text), JSON.stringify(note))
  give('signature edited', replace(spoiledNote(checkpoint.text, random, 4, 68)), forged)
  give('key id edited', replace(spoiledNote(checkpoint.text, random, 0, 4)), [told('key_unknown')])
  give('a junk line', `junk\n${text}`, forged)
  give('a line that is no note', `${text}"hello"\n`, forged)
  give('torn last line', text.slice(0, -1 - random.int(60)), [])
  give('junk as a torn last line', `${text}"stele`, [])
  give('gone', '', [])
  give('a line doubled', `${text}${JSON.stringify(newestCheckpoint(model).text)}\n`, [])
  // Of a size in the epoch in force, since a wrong checkpoint of an abandoned epoch may count as abandoned.
  const { first } = at(model.epochs, model.epochs.length - 1)
  const inside = Math.max(2, first + 1 + random.int(size - first))
  give('another root, signed by the true key', text + notesText([trueNote(model, inside, random.hex(32))]), [told('forked')])
  const wrong = notesText([trueNote(model, size - 1, random.hex(32)), trueNote(model, size, random.hex(32))])
  give('two other roots, signed by the true key', text + wrong, [told('forked')])
  const beyond = [size + 2, size + 3].map((place) => trueNote(model, place, random.hex(32)))
  give('two checkpoints beyond store and mark', text + notesText(beyond), [told('truncated')])
  give('two checkpoints beyond the store, no mark', text + notesText(beyond), [told('truncated')], { highWater: null })
  const stranger = makeReferenceLedger({ random, size: 16 })
  give('a checkpoint of another ledger', text + notesText([newestCheckpoint(stranger).text]), [told('key_unknown')])
}

function emptyStore({ model, put }: Bench): void {
  const truncated = [told('truncated')]
  put('empty store beside mark and checkpoints', [], truncated)
  put('empty store beside the mark', [], truncated, { checkpointsText: '' })
  put('empty store beside checkpoints', [], truncated, { highWater: null })
  put('empty store', [], truncated, { highWater: null, checkpointsText: '' })
  put('nothing but the head', headRows(model), truncated)
}

function swapEntries({ model, random, size, rows, put }: Bench): void {
  const run = plainRun(model, random).filter((index) => index < size - 1 && at(model.entries, index).erasedBy === null)
  const [one, other] = random
    .shuffle(run)
    .slice(0, 2)
    .sort((a, b) => a - b)
  if (one === undefined || other === undefined) return
  const swapped = (tags: string[]): Row[] => {
    const rest = rows.filter(({ key }) => !tags.some((tag) => key.equals(rowKey(tag, one)) || key.equals(rowKey(tag, other))))
    const moved = rows.flatMap(({ key, value }) => {
      const tag = tags.find((candidate) => key.equals(rowKey(candidate, one)) || key.equals(rowKey(candidate, other)))
      if (tag === undefined) return []
      return [row(rowKey(tag, key.equals(rowKey(tag, one)) ? other : one), value)]
    })
    return withRows(rest, moved)
  }
  const altered = [told('header_altered', one), told('header_altered', other)]
  const mayAlso = [told('index_altered', null)]
  put('header rows of two entries swapped', swapped(['h']), altered, { mayAlso })
  put('header, payload and words rows of two entries swapped', swapped(['h', 'p', 'w']), altered, { mayAlso })
  const entries = [...model.entries]
  entries[one] = at(model.entries, other)
  entries[other] = at(model.entries, one)
  // The number of the entry that stands where a lower number was due, or the place where it stands.
  put('all rows of two entries swapped, the tree made to fit', storeRows({ ...model, entries }), [told('link_broken', other)], {
    // A checkpoint of a size between the two does not fit, and a finding at the higher number does not lie below it.
    mayAlso: [...mayAlso, told('forked')],
    orElse: [[told('link_broken', one)]],
  })
}

function spliceForeign({ model, random, size, rows, put }: Bench): void {
  const stranger = makeReferenceLedger({ random, size: size + 4 })
  const spare = stranger.entries.filter((entry) => isPlain(entry) && entry.erasedBy === null).map((entry) => entry.header.index)
  const shared = plainIndexes(model).filter((index) => spare.includes(index) && index < size - 1)
  if (shared.length > 0) {
    const index = random.pick(shared)
    const foreign = at(stranger.entries, index)
    const words = foreign.wordsSalt === null ? [] : [row(rowKey('w', index), `${foreign.wordsSalt}${foreign.wordsText}`)]
    const body = [
      row(rowKey('h', index), foreign.headerText),
      row(rowKey('p', index), foreign.salt + foreign.payloadText),
      ...words,
      row(sessionRowKey(foreign.header.session, index), ''),
    ]
    const drop = [rowKey('w', index), sessionRowKey(at(model.entries, index).header.session, index)]
    put(
      'entry of another ledger in place of one, with its leaf row',
      withRows(rows, [...body, row(rowKey('t', 0, index), Buffer.from(foreign.hash, 'hex'))], drop),
      [told('entry_foreign', index)],
    )
    put('entry of another ledger in place of one, the tree made to fit', storeRows(replaced(model, index, foreign)), [
      told('entry_foreign', index),
    ])
    put(
      'entry of another ledger in place of one, without its leaf row',
      withRows(rows, body, drop),
      [told('header_altered', index)],
      {
        mayAlso: [told('index_altered', null)],
      },
    )
  }
  if (spare.includes(size)) {
    const entries = [...model.entries, at(stranger.entries, size)]
    put('entry of another ledger behind the end', storeRows({ ...model, entries }), [told('entry_foreign', size)])
  }
}

/** Marks and checkpoints of a branch that a later epoch names as abandoned, and of one that none does. */
function newStarts({ model, random, size, rows, put }: Bench): void {
  const epoch = model.epochs[1]
  if (epoch === undefined || epoch.abandoned === null || model.abandonedMark === null) return
  const { abandoned } = epoch
  put('mark of the abandoned branch', rows, [], { highWater: model.abandonedMark })
  const left = model.checkpoints.filter((checkpoint) => checkpoint.abandoned)
  if (left.length > 0) {
    const kept = left.map((checkpoint) => row(rowKey('c', checkpoint.epoch, checkpoint.size), checkpoint.text))
    put('checkpoint rows of the abandoned branch left', withRows(rows, kept), [])
  }
  const beyond = abandoned.size + 1
  put('mark of the abandoned epoch beyond the abandoned branch', rows, [told(beyond > size ? 'rolled_back' : 'forked')], {
    highWater: markBytes(abandoned.epoch, beyond, random.hex(32)),
  })
  const old = earlier(model, epoch.first)
  put('store from before the new start beside the mark of the lost branch', storeRows(old), [told('rolled_back')], {
    highWater: model.abandonedMark,
    checkpointsText: notesText([
      ...old.checkpoints.map((checkpoint) => checkpoint.text),
      ...left.map((checkpoint) => checkpoint.text),
    ]),
  })
}
