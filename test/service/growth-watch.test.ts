// Days of growth are looked up now and then, from the view of activity alone.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { GrowthWatch } from '../../src/service/growth-watch.js'
import type { ViewAnswer, ViewQuestion } from '../../src/service/view-questions.js'

const test = suite('growth watch')

const noonMs = Date.UTC(2026, 10, 30, 12)

function watched(parts: ViewAnswer['parts']) {
  const asked: ViewQuestion[] = []
  const clock = { monotonicMs: 0 }
  const watch = new GrowthWatch({
    ask: async (question) => {
      asked.push(question)
      return { name: 'activity', ledger: '0'.repeat(32), size: 9, time: '', parts }
    },
    clocks: { now: () => noonMs, monotonic: () => clock.monotonicMs },
  })
  return { watch, asked, clock }
}

test('it asks for the last seven days, and not again within a minute', async () => {
  const { watch, asked, clock } = watched({
    '2026-11-29': { entries: 4, bytes: 2000 },
    '2026-11-30': { entries: 5, bytes: 2500 },
  })
  assert.is(watch.days, undefined)
  await watch.look()
  assert.equal(asked, [], 'nothing has come')
  watch.grown()
  await watch.look()
  watch.grown()
  await watch.look()
  clock.monotonicMs = 59_999
  await watch.look()
  assert.equal(asked, [{ ask: 'view', name: 'activity', since: '2026-11-24T12:00:00.000Z' }])
  assert.equal(watch.days, [
    { day: '2026-11-29', entries: 4, bytes: 2000 },
    { day: '2026-11-30', entries: 5, bytes: 2500 },
  ])
  clock.monotonicMs = 60_000
  await watch.look()
  assert.is(asked.length, 2, 'what came within the minute is looked up after it, though nothing comes any more')
  clock.monotonicMs = 120_000
  await watch.look()
  assert.is(asked.length, 2)
})

test('of more days than seven, which a clock that was wrong can make, the last are told', async () => {
  const days = Array.from({ length: 9 }, (_, at) => [`2026-11-${10 + at}`, { entries: at, bytes: at }] as const)
  const { watch } = watched(Object.fromEntries(days))
  watch.grown()
  await watch.look()
  assert.equal(
    watch.days?.map(({ day }) => day),
    ['2026-11-12', '2026-11-13', '2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18'],
  )
})

test.run()
