// Holds the choice of words to what a person means by an index, a session, a sender, an age or all: no word more, and none less.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keyedDigest } from '../../src/foundation/digest.js'
import { headerKey, sessionKey, wordsKey } from '../../src/ledger/row-keys.js'
import type { Row } from '../../src/ledger/store.js'
import { rangesMax, type SelectedWords, selectWords, type WordsSelection } from '../../src/ledger/words-selection.js'
import { memoryStore } from '../support/memory-store.js'

const test = suite('words selection')

interface Written {
  readonly type?: string
  readonly time?: string
  readonly session?: string
  /** Absent for an entry that has none, or none any more. */
  readonly words?: object
}

const one = 's1111111111111111'
const two = 's2222222222222222'
const day = (count: number): string => `2026-11-${String(count).padStart(2, '0')}T12:00:00.000Z`
const said = (text: string, more: Written & { sender?: string } = {}): Written => {
  const { sender, ...rest } = more
  return { type: 'message.captured', words: { text, ...(sender === undefined ? {} : { sender }) }, ...rest }
}
const wordless: Written = { type: 'turn.ended' }

const salt = '5'.repeat(32)
const secret = Buffer.alloc(32, 7)
const sessionDigest = (session: string): string => keyedDigest(secret, 'session', session)

/** Rows as a ledger has them, as far as choosing looks at them. */
function rowsOf(entries: readonly Written[]): Row[] {
  return entries.flatMap(({ type = 'message.captured', time = day(1), session = '', words }, index) => {
    const header = { epoch: 0, index, ledger: '1'.repeat(32), session, time, type, v: 1, version: 1, payload: '', prev: '' }
    return [
      { key: headerKey(index), value: Buffer.from(JSON.stringify(header)) },
      ...(words === undefined ? [] : [{ key: wordsKey(index), value: Buffer.from(salt + JSON.stringify(words)) }]),
      ...(session === '' ? [] : [{ key: sessionKey(session, index), value: Buffer.alloc(0) }]),
    ]
  })
}

const chosen = (entries: readonly Written[], selection: WordsSelection, size = entries.length): Promise<SelectedWords> =>
  selectWords(memoryStore(rowsOf(entries)), selection, { size, sessionDigest })

const nothing: SelectedWords = { ranges: [], entries: 0, bytes: 0, types: {}, first: null, last: null, hostSessions: [] }
const before = (time: string | null) => ({ messages: time, tools: time, sessions: time, judgements: time })

test('by index exactly those entries are chosen that have words and are there', async () => {
  const entries = [wordless, said('a'), said('bc'), wordless, said('d'), said('e')]
  const words = await chosen(entries, { by: 'index', indices: [4, 2, 1, 3, 0, 2, 99] })
  // A salt of 32 bytes and the words as canonical JSON: {"text":"a"} are 12.
  assert.equal(words, {
    ...nothing,
    ranges: [
      [1, 2],
      [4, 4],
    ],
    entries: 3,
    bytes: 3 * 32 + 12 + 13 + 12,
    types: { 'message.captured': 3 },
    first: day(1),
    last: day(1),
  })
})

test('nothing is chosen where no words are left of what is named', async () => {
  const entries = [wordless, said('a', { session: one }), wordless]
  for (const selection of [
    { by: 'index', indices: [0, 2] },
    { by: 'index', indices: [7] },
    { by: 'session', handle: two },
    { by: 'sender', sender: 'anybody' },
    { by: 'age', before: before(day(1)) },
    { by: 'age', before: before(null) },
  ] satisfies WordsSelection[])
    assert.equal(await chosen(entries, selection), nothing, JSON.stringify(selection))
  assert.equal(await chosen([wordless], { by: 'all' }), nothing)
  assert.equal(await chosen([], { by: 'all' }), nothing)
})

test('by session its words are chosen and no others, from the first to the last, with the way from the host to its handle', async () => {
  const entries: Written[] = [
    said('x', { session: two, time: day(1) }),
    { type: 'session.started', session: one, time: day(2), words: { session: 'host-one' } },
    said('x', { session: two, time: day(3) }),
    said('y', { session: one, time: day(4) }),
    { type: 'tool.requested', session: one, time: day(3), words: { call: 'c' } },
    { ...wordless, session: one },
    said('x', { time: day(9) }),
  ]
  const { bytes: _, ...words } = await chosen(entries, { by: 'session', handle: one })
  assert.equal(words, {
    ranges: [
      [1, 1],
      [3, 4],
    ],
    entries: 3,
    types: { 'session.started': 1, 'message.captured': 1, 'tool.requested': 1 },
    first: day(2),
    last: day(4),
    hostSessions: [sessionDigest('host-one')],
  })
})

test('by sender the messages of one are chosen, and the claims that were held against them', async () => {
  const claim = (sender: string | null): Written => ({
    type: 'claim.judged',
    words: { claim: 'c', quote: null, sender, target: 't' },
  })
  const entries = [said('a', { sender: 'ann' }), said('b', { sender: 'ben' }), said('c'), claim('ann'), claim('ben'), claim(null)]
  const { ranges, types } = await chosen(entries, { by: 'sender', sender: 'ann' })
  assert.equal(ranges, [
    [0, 0],
    [3, 3],
  ])
  assert.equal(types, { 'message.captured': 1, 'claim.judged': 1 })
})

test('by age each kind has a time of its own, that very moment stays, and a kind without one stays', async () => {
  const entries: Written[] = [
    said('old', { time: day(1) }),
    { type: 'tool.completed', time: day(1), words: { result: 'old' } },
    said('on the moment', { time: day(5) }),
    { type: 'session.started', time: day(1), words: { session: 'h' } },
    { type: 'gate.decided', time: day(1), words: { reason: 'kept' } },
    { type: 'tool.completed', time: day(6), words: { result: 'young' } },
  ]
  const { ranges } = await chosen(entries, {
    by: 'age',
    before: { messages: day(5), tools: day(6), sessions: day(2), judgements: null },
  })
  assert.equal(ranges, [
    [0, 1],
    [3, 3],
  ])
})

test("by age a policy's text stays, and so does what was brought in from elsewhere; --all takes both", async () => {
  const entries: Written[] = ['policy.activated', 'entry.imported', 'hook.rejected'].map((type) => ({
    type,
    words: { text: 't' },
  }))
  assert.equal((await chosen(entries, { by: 'age', before: before(day(30)) })).ranges, [])
  assert.equal((await chosen(entries, { by: 'all' })).ranges, [[0, 2]])
})

test('only words below the size of the ledger are looked at', async () => {
  const entries = [said('a', { session: one }), said('b', { session: one }), said('c', { session: one })]
  for (const selection of [
    { by: 'all' },
    { by: 'session', handle: one },
    { by: 'index', indices: [0, 1, 2] },
    { by: 'age', before: before(day(9)) },
  ] satisfies WordsSelection[])
    assert.equal((await chosen(entries, selection, 2)).ranges, [[0, 1]])
})

/** Words at every second place. */
const everySecond = (count: number, other: Written): Written[] =>
  Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? said('a', { session: one }) : other))

test('4096 ranges are told exactly, and more are joined over entries without words', async () => {
  const exact = await chosen(everySecond(4096, wordless), { by: 'all' })
  assert.is(exact.ranges.length, 4096)
  assert.equal(
    [exact.ranges[0], exact.ranges.at(-1)],
    [
      [0, 0],
      [8190, 8190],
    ],
  )
  const joined = await chosen(everySecond(4097, wordless), { by: 'all' })
  assert.equal(joined.ranges, [[0, 8192]])
  assert.is(joined.entries, 4097)
})

test('no range reaches over words that stay, however many ranges there are', async () => {
  const kept = said('stays', { session: two })
  const entries = [...everySecond(2, kept), ...everySecond(4097, wordless), kept, ...everySecond(1, wordless)]
  const { ranges, entries: count } = await chosen(entries, { by: 'session', handle: one })
  // 0 to 3 alternate; 4 to 8196 are joined; 8198 stays; 8199 goes.
  assert.equal(ranges, [
    [0, 0],
    [2, 2],
    [4, 8196],
    [8199, 8199],
  ])
  assert.is(count, 2 + 4097 + 1)
})

test('words whose header is gone or damaged are no bridge, and go with --all and by their index', async () => {
  const rows = rowsOf([...everySecond(4097, wordless), said('z'), ...everySecond(1, wordless)])
  const damaged = 8194
  for (const header of [undefined, Buffer.from('{no json')]) {
    const key = headerKey(damaged).toString('hex')
    const others = rows.filter((row) => Buffer.from(row.key).toString('hex') !== key)
    const store = memoryStore([...others, ...(header === undefined ? [] : [{ key: headerKey(damaged), value: header }])])
    const options = { size: 8197, sessionDigest }
    const bySession = await selectWords(store, { by: 'session', handle: one }, options)
    assert.equal(bySession.ranges, [
      [0, 8192],
      [8195, 8195],
    ])
    const all = await selectWords(store, { by: 'all' }, options)
    assert.equal(all.ranges, [[0, 8195]])
    assert.equal(all.types, { 'message.captured': 4098, unknown: 1 })
    assert.equal((await selectWords(store, { by: 'index', indices: [damaged] }, options)).ranges, [[damaged, damaged]])
  }
})

test('damaged words can be forgotten like others, and name no sender and no session', async () => {
  const rows = rowsOf([{ type: 'session.started', words: { session: 'h' } }, said('a', { sender: 'ann' })])
  const damaged = rows.map((row) => (row.key[0] === 'w'.charCodeAt(0) ? { ...row, value: Buffer.from('short') } : row))
  const options = { size: 2, sessionDigest }
  const { ranges, hostSessions } = await selectWords(memoryStore(damaged), { by: 'all' }, options)
  assert.equal([ranges, hostSessions], [[[0, 1]], []])
  assert.equal((await selectWords(memoryStore(damaged), { by: 'sender', sender: 'ann' }, options)).ranges, [])
})

test('a sweep ends where thousands on end are young, but not where they are of a time that has not come', async () => {
  const young = (count: number, time: string): Written[] => Array.from({ length: count }, () => said('y', { time }))
  const old = said('old', { time: day(1) })
  const sweep = (entries: readonly Written[]) => chosen(entries, { by: 'age', before: before(day(5)), sweep: { now: day(10) } })
  assert.equal((await sweep([old, ...young(4000, day(6)), old])).ranges, [
    [0, 0],
    [4001, 4001],
  ])
  assert.equal((await sweep([old, ...young(6000, day(6)), old])).ranges, [[0, 0]])
  assert.equal((await sweep([old, ...young(6000, '2100-01-01T00:00:00.000Z'), old])).ranges, [
    [0, 0],
    [6001, 6001],
  ])
  const asked = await chosen([old, ...young(6000, day(6)), old], { by: 'age', before: before(day(5)) })
  assert.is(asked.entries, 2, 'what a person asks for is looked for everywhere')
})

test('a sweep takes no more pieces than one erasure can tell; what a person asks for is told to be too wide instead', async () => {
  const kept: Written = { type: 'policy.activated', words: { text: 'p' } }
  const entries = everySecond(rangesMax + 5, kept)
  const selection = { by: 'age', before: before(day(9)) } as const
  const store = memoryStore(rowsOf(entries))
  const options = { size: entries.length, sessionDigest }
  const swept = await selectWords(store, { ...selection, sweep: { now: day(10) } }, options)
  assert.is(swept.ranges.length, rangesMax)
  assert.is(swept.entries, rangesMax)
  assert.is((await selectWords(store, selection, options)).ranges.length, rangesMax + 5)
})

test('progress is told in entries of those that are looked at', async () => {
  const told: [number, number][] = []
  await selectWords(
    memoryStore(rowsOf(everySecond(500, wordless))),
    { by: 'all' },
    {
      size: 1000,
      sessionDigest,
      onProgress: (done, of) => told.push([done, of]),
    },
  )
  assert.ok(told.length > 0)
  for (const [done, of] of told) assert.ok(done <= of && of === 1000)
})

test.run()
