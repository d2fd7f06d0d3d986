// Holds the days that a report counts to the time that was asked for, and their sums to arithmetic by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { countedDays, notesOfDays, periodSums, periodWords, spanOfDays } from '../../src/reports/counted-days.js'
import { reportFrame } from '../support/report-views.js'

const test = suite('counted-days')

const days = new Map([
  ['2026-03-03', 3],
  ['not a day', 100],
  ['2026-03-01', 1],
])

test('days stand in order, what is none is left out, and the day of the time that was asked for counts whole', () => {
  assert.equal(
    [...countedDays(days, reportFrame)],
    [
      ['2026-03-01', 1],
      ['2026-03-03', 3],
    ],
  )
  assert.equal([...countedDays(days, { ...reportFrame, since: '2026-03-03T23:59:59.999Z' })], [['2026-03-03', 3]])
})

test('the span goes from the first to the last, and a day between them is there with zeros', () => {
  const counted = countedDays(days, reportFrame)
  const span = spanOfDays(counted)
  assert.equal(span, { from: '2026-03-01', to: '2026-03-03' })
  const { unit, sums } = periodSums(counted, span, 2, (day) => [day, day * 10])
  assert.is(unit, 'day')
  assert.equal(
    [...sums],
    [
      ['2026-03-01', [1, 10]],
      ['2026-03-02', [0, 0]],
      ['2026-03-03', [3, 30]],
    ],
  )
  assert.equal([spanOfDays(new Map()), periodSums(new Map(), null, 1, () => []).sums.size], [null, 0])
})

test('a long span is counted by week, and the notes say so', () => {
  const long = new Map([
    ['2026-01-05', 1],
    ['2026-06-01', 2],
  ])
  const { unit, sums } = periodSums(long, spanOfDays(long), 1, (day) => [day])
  assert.equal([unit, sums.get('2026-01-05'), sums.get('2026-06-01')], ['week', [1], [2]])
  assert.match(notesOfDays(unit, reportFrame).join(' '), periodWords.week.a)
  assert.is(notesOfDays('day', reportFrame).length, 1)
})

test.run()
