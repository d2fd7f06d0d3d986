// Holds what a gate may rely on to the session's own entries: given what was typed, when it grew old or was forgotten, then what counts.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../src/events/entry.js'
import { type GateContextView, readGateContext, typedWords } from '../../src/projections/gate-context.js'
import { startOfTime } from '../support/temporary-ledger.js'

const test = suite('gate context')

const dayMs = 24 * 60 * 60 * 1000
const digest = 'd1'.repeat(32)
const [one, two, three] = ['s0000000000000001', 's0000000000000002', 's0000000000000003'] as const
const timeOf = (ms: number): string => new Date(startOfTime + ms).toISOString()

interface Told {
  readonly session: string
  readonly index: number
  readonly ms?: number
  readonly type?: string
  readonly facts?: Record<string, unknown>
  readonly words?: Record<string, unknown> | undefined
}

function entryOf({ session, index, ms = 0, type = 'message.captured', facts, words }: Told): Entry {
  const payload = facts ?? { turn: 1, platform: 'cli', characters: 2, digest, source: 'attached', attach: 0, seq: 1 }
  const version = type === 'session.linked' ? 1 : 2
  const header = { v: 1, ledger: '0a'.repeat(16), epoch: 0, index, time: timeOf(ms), type, version, session }
  return { header: { ...header, payload: digest, prev: digest }, payload, words }
}

const said = (session: string, index: number, text: string | undefined, ms = 0): Told => ({
  ...{ session, index, ms },
  words: text === undefined ? undefined : { text, sender: 'ann' },
})
const linked = (session: string, index: number, parent: string | null, why = 'compression'): Told => ({
  ...{ session, index, type: 'session.linked' },
  facts: { parent, why, source: 'unattested' },
  words: { parent: 'old' },
})

function reading(told: readonly Told[]): { read: (handle: string) => AsyncIterable<Entry>; asked: string[] } {
  const asked: string[] = []
  const read = async function* (handle: string): AsyncGenerator<Entry> {
    asked.push(handle)
    for (const one of told) if (one.session === handle) yield entryOf(one)
  }
  return { read, asked }
}

const texts = (view: GateContextView): unknown[] => view.messages.map(({ text }) => text)

test('a message counts with its place, its turn, who vouches for it and who sent it', async () => {
  const { read } = reading([said(one, 4, 'ship on Friday', 7)])
  assert.equal(await readGateContext(read, one), {
    messages: [{ index: 4, time: timeOf(7), turn: 1, source: 'attached', text: 'ship on Friday', sender: 'ann' }],
    goesOnFrom: undefined,
    goesOnAt: 0,
    turn: 1,
    refused: {},
  })
})

test('it is made of the session’s own entries: no other session is read', async () => {
  const { read, asked } = reading([said(one, 1, 'mine'), said(two, 2, 'not mine'), linked(one, 3, two, 'subagent')])
  assert.equal([texts(await readGateContext(read, one)), asked], [['mine'], [one]])
})

test('a session that goes on from a compressed one has its messages too, oldest first, and theirs', async () => {
  const told = [
    said(three, 1, 'a'),
    said(two, 2, 'b'),
    linked(two, 3, three),
    said(one, 4, 'c'),
    linked(one, 5, two),
    said(three, 6, 'd'),
  ]
  const view = await readGateContext(reading(told).read, one)
  assert.equal([texts(view), view.goesOnFrom], [['a', 'b', 'c'], two])
})

test('what is typed in a session after another went on from it is another conversation, whenever it is read', async () => {
  const told = [said(two, 1, 'before'), linked(one, 2, two), said(two, 3, 'after'), linked(one, 4, two), said(one, 5, 'own')]
  for (const [asOf, typed] of [
    [3, ['before']],
    [5, ['before']],
    [6, ['before', 'own']],
  ] as const) {
    const view = await readGateContext(reading(told).read, one, asOf)
    assert.equal([texts(view), view.goesOnAt], [typed, 2], `as of ${asOf}`)
  }
})

test('sessions that name each other in a ring are read once', async () => {
  const { read, asked } = reading([said(two, 1, 'x'), linked(one, 2, two), linked(two, 3, one)])
  assert.equal([texts(await readGateContext(read, one)), asked], [['x'], [one, two]])
})

test('a chain without an end is read 64 sessions back', async () => {
  const handles = Array.from({ length: 80 }, (_, at) => `s${String(at).padStart(16, '0')}`)
  const told = handles.flatMap((handle, at) => [
    said(handle, (80 - at) * 2, String(at)),
    linked(handle, (80 - at) * 2 + 1, handles[at + 1] ?? null),
  ])
  const { read, asked } = reading(told)
  assert.equal([(await readGateContext(read, handles[0] ?? '')).messages.length, asked.length], [64, 64])
})

test('as of an index nothing later counts, a link neither', async () => {
  const told = [said(two, 1, 'before'), said(one, 2, 'a'), said(one, 3, 'b'), linked(one, 4, two)]
  const { read } = reading(told)
  assert.equal(
    [texts(await readGateContext(read, one, 3)), texts(await readGateContext(read, one, 5))],
    [['a'], ['before', 'a', 'b']],
  )
})

test('words that are forgotten back nothing, and that something was said stays', async () => {
  const view = await readGateContext(reading([said(one, 1, undefined), said(one, 2, 'kept')]).read, one)
  assert.equal(texts(view), [undefined, 'kept'])
  assert.equal(
    typedWords(view.messages, { atMs: startOfTime, days: 30 }).map(({ index }) => index),
    [2],
  )
})

test('row P95: day 31 backs nothing before any sweep', async () => {
  // Nothing has been erased: the words lie in the ledger, and do not count all the same.
  const view = await readGateContext(reading([said(one, 1, 'on day 0'), said(one, 2, 'on day 1', dayMs)]).read, one)
  const backing = (ms: number, days = 30): unknown[] =>
    typedWords(view.messages, { atMs: startOfTime + ms, days }).map(({ text }) => text)
  assert.equal(backing(30 * dayMs), ['on day 0', 'on day 1'], 'thirty days are kept, to the end')
  assert.equal(backing(30 * dayMs + 1), ['on day 1'])
  assert.equal(backing(31 * dayMs), ['on day 1'])
  assert.equal(backing(31 * dayMs + 1), [])
  assert.equal(backing(5000 * dayMs), [])
})

test('row P95: kept for ever backs for ever, and a message of a clock that was ahead counts', async () => {
  const view = await readGateContext(reading([said(one, 1, 'old'), said(one, 2, 'ahead', 400 * dayMs)]).read, one)
  const backing = (ms: number, days: number): unknown[] =>
    typedWords(view.messages, { atMs: startOfTime + ms, days }).map(({ text }) => text)
  assert.equal(
    [backing(5000 * dayMs, 0), backing(dayMs, 1)],
    [
      ['old', 'ahead'],
      ['old', 'ahead'],
    ],
  )
})

test.run()
