// Holds asking about views to one answer, by way of the service or without one; and to progress on both ways.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findHome } from '../../src/service/open-home.js'
import { type AskedOfViewsOfHome, askViews } from '../../src/service/views-of-home.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { newHome, runService, typed, withService } from '../support/running-service.js'

const test = suite('views of home')

const questions: readonly AskedOfViewsOfHome[] = [
  { ask: 'view', name: 'sessions' },
  { ask: 'view', name: 'sessions', session: 'session-one', asOf: 6 },
  { ask: 'view', name: 'activity', since: '2001-01-01T00:00:00Z' },
  { ask: 'view', name: 'clock', asOf: '2001-01-01T00:00:00Z' },
  { ask: 'view', name: 'gate-context', session: 'session-one' },
  { ask: 'search', words: 'Friday & 周五 100%', limit: 10 },
  { ask: 'search', words: 'turn', limit: 2, below: 9 },
  { ask: 'state' },
  { ask: 'rebuild', name: 'words' },
]

test('the service and this process give the same answers, also where there are no views yet', async () => {
  const running = await runService()
  const home = findHome(running.home, {})
  for (let turn = 0; turn < 6; turn += 1) await running.hook(typed(`turn ${turn}: Friday & 周五 100%`, String(turn)))
  const served: unknown[] = []
  const { size: sizeServed } = await askViews(home, { ask: 'rebuild' })
  for (const question of questions) {
    if (question.ask === 'view' || question.ask === 'search') served.push(await askViews(home, question))
  }
  await running.service.stop()
  const alone: unknown[] = []
  // The service has said that it ended: of that entry the first answers knew nothing.
  for (const question of questions) {
    if (question.ask === 'view') alone.push(await askViews(home, { asOf: sizeServed, ...question }))
    else if (question.ask === 'search') alone.push(await askViews(home, question))
  }
  assert.is(JSON.stringify(alone), JSON.stringify(served))
  assert.equal(await askViews(home, { ask: 'rebuild', name: 'words' }), { done: true, size: sizeServed + 1 })
  const { views, size } = await askViews(home, { ask: 'state' })
  assert.ok(views.every(({ position }) => position === size))
  assert.equal(readdirSync(home.files.snapshots), [], 'no snapshot is left')
  assert.not.ok(existsSync(join(home.files.views, 'in-use')))
})

test('errors are the same on both ways', async () => {
  const ask = async (home: string): Promise<void> => {
    const found = findHome(home, {})
    await rejectsWithCode(askViews(found, { ask: 'view', name: 'nothing' }), 'VIEW_UNKNOWN')
    await rejectsWithCode(askViews(found, { ask: 'view', name: 'sessions', session: 'nobody' }), 'SESSION_UNKNOWN')
    await rejectsWithCode(askViews(found, { ask: 'rebuild', name: '../..' }), 'VIEW_UNKNOWN')
  }
  let home = ''
  await withService({}, async (running) => {
    home = running.home
    await ask(home)
  })
  await ask(home)
  await rejectsWithCode(askViews(findHome(newHome(), {}), { ask: 'state' }), 'HOME_MISSING')
})

test('how far it is told while views are made anew in this process', async () => {
  const running = await runService()
  await running.hook(typed('one', '1'))
  await running.service.stop()
  const home = findHome(running.home, {})
  const told: [number, number][] = []
  const { done, size } = await askViews(home, { ask: 'rebuild' }, (at, of) => told.push([at, of]))
  assert.equal([done, told], [true, [[size, size]]])
})

test.run()
