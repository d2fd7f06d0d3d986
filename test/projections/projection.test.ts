// Holds folding to its three promises: history is upcast, what fits no schema is passed over, and a new event folds as its entry will.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../src/events/entry.js'
import type { NewEvent } from '../../src/events/event-catalog.js'
import { type FoldedEntry, fold, foldNew, type Projection } from '../../src/projections/projection.js'

const test = suite('projection')

const handle = 's0123456789abcdef'
const digest = 'd1'.repeat(32)
const time = '2026-11-29T20:40:00.000Z'

type Seen = readonly FoldedEntry<'hook.rejected' | 'turn.ended'>[]

const heard: Projection<Seen> = {
  name: 'heard',
  version: 1,
  initial: () => [],
  on: {
    'hook.rejected': (seen, entry) => [...seen, entry],
    'turn.ended': (seen, entry) => [...seen, entry],
  },
}

test('an entry is folded with its place, its session, its facts and its words', () => {
  const words = { turn: 'turn-a' }
  const [seen] = fold(heard, heard.initial(), entryOf('turn.ended', 2, { turn: 3, source: 'attached', attach: 4, seq: 9 }, words))
  assert.equal(seen, {
    index: 7,
    time,
    session: handle,
    facts: { turn: 3, source: 'attached', attach: 4, seq: 9 },
    words,
  })
})

test('an entry of an older version is folded as today’s would be', () => {
  const [seen] = fold(heard, heard.initial(), entryOf('hook.rejected', 1, { hook: '', code: 'syntax', bytes: 3, digest }))
  assert.equal(seen?.facts, { hook: '', code: 'syntax', bytes: 3, digest, source: 'unattested' })
})

test('entries that a fold does not speak of, of unknown types and versions, and that do not fit, are passed over', () => {
  const strange = [
    entryOf('session.ended', 2, { reason: '', source: 'unattested' }),
    entryOf('turn.ended', 99, { turn: 3, source: 'unattested' }),
    entryOf('turn.ended', 2, { turn: -1, source: 'unattested' }),
    entryOf('turn.ended', 1, { turn: 3, source: 'attached', attach: 4 }),
    entryOf('turn.ended', 2, {}),
    ...['made.up', '__proto__', 'constructor', 'toString'].map((type) => entryOf(type, 1, { turn: 3, source: 'unattested' })),
  ]
  for (const entry of strange) assert.equal(fold(heard, [], entry), [], entry.header.type)
})

test('an event that is about to become an entry folds as that entry will', () => {
  const event: NewEvent = { type: 'turn.ended', session: handle, facts: { turn: 3, source: 'unattested' }, words: { turn: 'a' } }
  const entry = entryOf('turn.ended', 2, event.facts, event.words)
  assert.equal(foldNew(heard, [], event, { index: 7, time }), fold(heard, [], entry))
  const other: NewEvent = { type: 'session.ended', facts: { reason: '', source: 'unattested' } }
  assert.equal(foldNew(heard, [], other, { index: 7, time }), [])
})

function entryOf(type: string, version: number, payload: Entry['payload'], words?: Entry['words']): Entry {
  const header = { v: 1, ledger: '0'.repeat(32), epoch: 0, index: 7, time, type, version }
  return { header: { ...header, session: handle, payload: digest, prev: digest }, payload, words }
}

test.run()
