// Holds the daily budget to whole days of UTC and to what was sent before.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeDailyBudget } from '../../src/outbound/daily-budget.js'

const test = suite('daily-budget')

const noon = Date.UTC(2026, 10, 30, 12)

test('as many as the day has may be spent, and none more', () => {
  const budget = makeDailyBudget(2)
  assert.equal([budget.spend(noon), budget.spend(noon), budget.spend(noon)], [true, true, false])
  assert.equal(budget.at(noon), { day: '2026-11-30', requests: 2 })
})

test('the day ends at midnight UTC', () => {
  const budget = makeDailyBudget(1)
  budget.spend(noon)
  const midnight = Date.UTC(2026, 11, 1)
  assert.equal([budget.spend(midnight - 1), budget.spend(midnight)], [false, true])
})

test('what was sent before counts on its own day only', () => {
  assert.is(makeDailyBudget(1, { day: '2026-11-30', requests: 1 }).spend(noon), false)
  assert.is(makeDailyBudget(1, { day: '2026-11-29', requests: 1 }).spend(noon), true)
})

test('0 is any number, and counts', () => {
  const budget = makeDailyBudget(0)
  for (let time = 0; time < 1000; time += 1) assert.ok(budget.spend(noon))
  assert.is(budget.at(noon).requests, 1000)
})

test.run()
