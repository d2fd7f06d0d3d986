// Holds spans to the calendar.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dayPeriods, isDay } from '../../src/reports/day-periods.js'

const test = suite('day-periods')

test('one day is one period, and days without entries are periods too', () => {
  assert.equal(dayPeriods('2026-03-01', '2026-03-01').keys, ['2026-03-01'])
  assert.equal(dayPeriods('2024-02-28', '2024-03-01').keys, ['2024-02-28', '2024-02-29', '2024-03-01'])
})

test('62 days are counted by day, 63 by week from its Monday', () => {
  // From 1 January 2026, a Thursday: 31 + 28 + 3 days.
  const days = dayPeriods('2026-01-01', '2026-03-03')
  assert.equal([days.unit, days.keys.length], ['day', 62])
  const weeks = dayPeriods('2026-01-01', '2026-03-04')
  assert.is(weeks.unit, 'week')
  assert.equal(weeks.keys.slice(0, 2), ['2025-12-29', '2026-01-05'])
  assert.is(weeks.keys.at(-1), '2026-03-02')
  assert.is(weeks.keyOf('2026-01-04'), '2025-12-29', 'a Sunday belongs to the Monday before')
  assert.is(weeks.keyOf('2026-01-05'), '2026-01-05')
})

test('400 days are 58 weeks, more than 62 weeks are months, more than 62 months are years', () => {
  // 400 days from Thursday 1 January 2026 end on 4 February 2027: 57 Mondays after the first.
  assert.equal([dayPeriods('2026-01-01', '2027-02-04').unit, dayPeriods('2026-01-01', '2027-02-04').keys.length], ['week', 58])
  // 61 weeks lie between Monday 1 December 2025 and Monday 1 February 2027; a day earlier is a week more.
  assert.equal([dayPeriods('2025-12-01', '2027-02-04').unit, dayPeriods('2025-12-01', '2027-02-04').keys.length], ['week', 62])
  assert.is(dayPeriods('2025-11-30', '2027-02-04').unit, 'month')
  const long = dayPeriods('2024-11-30', '2027-01-01')
  assert.equal([long.unit, long.keys.length, long.keys[0], long.keys.at(-1)], ['month', 27, '2024-11', '2027-01'])
  const years = dayPeriods('1970-01-01', '2026-03-04')
  assert.equal([years.unit, years.keys.length, years.keyOf('2026-03-04')], ['year', 57, '2026'])
})

test('the last day that a time can name is reached and not passed', () => {
  assert.equal(dayPeriods('9999-12-30', '9999-12-31').keys, ['9999-12-30', '9999-12-31'])
  assert.is(dayPeriods('0000-01-01', '9999-12-31').keys.length, 10000)
})

test('a day is one that is in the calendar', () => {
  for (const day of ['2026-03-01', '2024-02-29', '0000-01-01']) assert.ok(isDay(day), day)
  for (const day of ['2026-02-29', '2026-99-99', '2026-3-1', '', '2026-03-01T', '__proto__']) assert.not.ok(isDay(day), day)
})

test.run()
