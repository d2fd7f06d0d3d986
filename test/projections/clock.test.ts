// Holds what the ledger tells of its clock to times that were made by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ClockView, clock, clockPart } from '../../src/projections/clock.js'
import { foldSeen, type SeenEntry } from '../../src/projections/projection.js'

const test = suite('clock')

const day = 24 * 60 * 60 * 1000
const start = Date.UTC(2026, 10, 29)
const at = (ms: number): string => new Date(start + ms).toISOString()

type Happened = readonly [ms: number, type?: string, facts?: Record<string, unknown>]

function given(happened: readonly Happened[]): ClockView {
  return happened.reduce((view, [ms, type = 'made.up', facts], index) => {
    const seen: SeenEntry = { index, time: at(ms), session: '', type, bytes: 1, facts, words: undefined }
    return foldSeen(clock, view, seen)
  }, clock.initial())
}

test('everything belongs to its one part', () => {
  assert.is(clock.partOf({ time: at(0), session: '', type: 'made.up' }), clockPart)
  assert.is(clock.partOf({ time: at(0), session: 's0123456789abcdef', type: 'turn.ended' }), clockPart)
})

test('given a first entry, the clock is steady since then', () => {
  assert.equal(given([[0]]), { lastTime: at(0), steadySince: at(0), lastSweep: null })
})

test('given entries that follow each other within a month, it stays steady since the first', () => {
  assert.is(given([[0], [1], [1], [30 * day], [60 * day]]).steadySince, at(0))
})

test('given a leap of more than thirty days, it is steady since that entry', () => {
  assert.is(given([[0], [day], [31 * day + 1], [32 * day]]).steadySince, at(31 * day + 1))
  assert.is(given([[0], [day], [31 * day]]).steadySince, at(0), 'thirty days are none')
})

test('given a step back of more than a second, it is steady since that entry, and since a recorded step too', () => {
  assert.is(given([[5000], [3999], [6000]]).steadySince, at(3999))
  assert.is(given([[5000], [4000], [6000]]).steadySince, at(5000), 'a second is none')
  assert.is(given([[5000], [5001, 'clock.stepped', {}], [6000]]).steadySince, at(5001))
})

test('given erasures, the last sweep is that of the newest for age', () => {
  const erased = (by: string): Record<string, unknown> => ({ by, entries: [[0, 0]], reason: 'r', bytes: 1 })
  assert.is(given([[0], [1, 'payload.erased', erased('owner')]]).lastSweep, null)
  const swept = given([[0], [1, 'payload.erased', erased('retention')], [2, 'payload.erased', erased('terminal')]])
  assert.is(swept.lastSweep, at(1))
})

test.run()
