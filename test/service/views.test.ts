// Holds the thread of the views to its life: begun when asked, ended when idle or told to, begun anew when it died, and apart from the
// ledger while somebody needs that for himself.
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { Views } from '../../src/service/views.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { message, type TemporaryLedger, temporaryLedger, turnEnded } from '../support/temporary-ledger.js'

const test = suite('views')

interface Running {
  readonly home: TemporaryLedger
  readonly views: Views
  /** The clock that the thread's rest is counted by. */
  readonly clock: { now: number }
  readonly failures: unknown[]
  /** Whether the thread has the views open. */
  inUse(): boolean
}

async function running(entries = 3): Promise<Running> {
  const home = await temporaryLedger({ seed: 84 })
  for (let at = 1; at < entries; at += 500)
    await home.ledger.append(
      Array.from({ length: Math.min(500, entries - at) }, (_, more) =>
        more % 2 === 0 ? message(`common ${more}`) : turnEnded(1),
      ),
    )
  const clock = { now: 0 }
  const failures: unknown[] = []
  const views = new Views({ home: home.files.home, failed: (error) => failures.push(error), now: () => clock.now })
  return { home, views, clock, failures, inUse: () => existsSync(join(home.files.views, 'in-use')) }
}

/** Waits for what happens in another thread; a test that waits for ever is ended by its time limit. */
async function until(what: () => boolean): Promise<void> {
  while (!what()) await sleep(5)
}

async function end({ home, views }: Running): Promise<void> {
  await views.close()
  await home.close()
}

test('it begins with the first question, answers several at once, and closes the views when it ends', async () => {
  const one = await running()
  assert.is(one.inUse(), false)
  const [activity, state, found] = await Promise.all([
    one.views.ask({ ask: 'view', name: 'activity' }),
    one.views.ask({ ask: 'state' }),
    one.views.ask({ ask: 'search', words: 'common', limit: 5 }),
  ])
  assert.equal([activity.size, state.size, found.lines.length, one.inUse()], [3, 3, 1, true])
  await one.views.close()
  assert.equal([one.inUse(), one.failures], [false, []])
  await rejectsWithCode(one.views.ask({ ask: 'state' }), 'VIEWS_FAILED')
  await one.home.close()
})

test('errors come through with their codes and details, and the thread lives on', async () => {
  const one = await running()
  const error = await rejectsWithCode(one.views.ask({ ask: 'view', name: 'nothing' }), 'VIEW_UNKNOWN')
  assert.equal(error.details, { view: 'nothing' })
  await rejectsWithCode(one.views.ask({ ask: 'view', name: 'sessions', session: 'nobody' }), 'SESSION_UNKNOWN')
  assert.is((await one.views.ask({ ask: 'state' })).size, 3)
  await end(one)
})

test('it ends when nothing was asked for a while, and begins again with the next question', async () => {
  const one = await running()
  await one.views.ask({ ask: 'catch-up' })
  one.clock.now += 20_000
  one.views.look()
  assert.is(one.inUse(), true, 'twenty seconds are not too long')
  one.clock.now += 1
  one.views.look()
  // A question right behind waits for the end of the one before: two threads must not have the views.
  const { size } = await one.views.ask({ ask: 'view', name: 'clock' })
  assert.equal([size, one.inUse(), one.failures], [3, true, []])
  one.clock.now += 20_001
  one.views.look()
  await until(() => !one.inUse())
  await end(one)
})

test('what has come is folded in the background once the first of it has waited a little', async () => {
  const one = await running()
  one.views.grown()
  one.clock.now += 1999
  one.views.grown()
  one.views.look()
  assert.is(one.inUse(), false)
  one.clock.now += 1
  one.views.look()
  await until(() => one.inUse())
  await until(() => existsSync(join(one.home.files.views, 'store')))
  for (;;) {
    const { views } = await one.views.ask({ ask: 'state' })
    if (views.every(({ position }) => position === 3)) break
  }
  await end(one)
})

test('while somebody is apart the thread has the ledger closed: a question waits, and a long one is broken off and answered after', async () => {
  const one = await running(4001)
  const { files, ledger } = one.home
  const order: string[] = []
  const long = one.views.ask({ ask: 'rebuild' }).then(({ done, size }) => order.push(`rebuilt ${done} ${size}`))
  await until(() => one.inUse())
  let meanwhile: Promise<unknown> = Promise.resolve()
  await one.views.apart(async () => {
    meanwhile = one.views.ask({ ask: 'view', name: 'activity' }).then(({ size }) => order.push(`answered ${size}`))
    // The ledger can be closed and its lock taken by another opening: no thread shares it.
    await ledger.close()
    await one.home.reopen()
    await one.home.ledger.append([message('apart')])
    await sleep(50)
    order.push('apart is over')
  })
  await Promise.all([long, meanwhile])
  assert.equal([order[0], [...order.slice(1)].sort()], ['apart is over', ['answered 4002', 'rebuilt true 4002']])
  assert.ok(existsSync(files.views))
  await end(one)
})

test('several may be apart at once; a thread that is begun meanwhile is kept from the ledger too', async () => {
  const one = await running()
  const order: string[] = []
  let asked: Promise<unknown> = Promise.resolve()
  await one.views.apart(async () => {
    asked = one.views.ask({ ask: 'state' }).then(() => order.push('answered'))
    await one.views.apart(async () => {
      await sleep(50)
      order.push('inner')
    })
    await sleep(50)
    order.push('outer')
  })
  await asked
  assert.equal(order, ['inner', 'outer', 'answered'])
  await rejectsWithCode(
    one.views.apart(async () => {
      throw new SteleError('STORE_WRITE_FAILED')
    }),
    'STORE_WRITE_FAILED',
  )
  assert.is((await one.views.ask({ ask: 'state' })).size, 3, 'a task that fails holds nobody up')
  await end(one)
})

test('a thread that dies is told, who waited is refused, and the next question begins another', async () => {
  const one = await running()
  const { digestKey } = one.home.files
  renameSync(digestKey, `${digestKey}-away`)
  const refused = [one.views.ask({ ask: 'state' }), one.views.ask({ ask: 'catch-up' })]
  await Promise.all(refused.map((question) => rejectsWithCode(question, 'VIEWS_FAILED')))
  assert.ok(one.failures.length > 0)
  renameSync(`${digestKey}-away`, digestKey)
  assert.is((await one.views.ask({ ask: 'state' })).size, 3)
  await end(one)
})

test('a service that stops with questions under way closes the views all the same', async () => {
  const one = await running(4001)
  const questions = [one.views.ask({ ask: 'rebuild' }), one.views.ask({ ask: 'view', name: 'activity', asOf: 3999 })]
  const refused = questions.map((question) => rejectsWithCode(question, 'VIEWS_FAILED'))
  await until(() => one.inUse())
  await one.views.close()
  await Promise.all(refused)
  assert.is(one.inUse(), false)
  await one.home.close()
})

test('asked and closed at the same moment, no thread is left', async () => {
  const one = await running()
  const refused = rejectsWithCode(one.views.ask({ ask: 'catch-up' }), 'VIEWS_FAILED')
  await one.views.close()
  await refused
  assert.is(one.inUse(), false)
  await one.home.close()
})

test.run()
