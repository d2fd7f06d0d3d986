// What befalls views beside a running service: its ledger fails and is opened again, its views are locked, damaged or on a full disk, and
// hooks go on whatever is being made anew.
// time limit: 180 s
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { homeFiles } from '../../src/ledger/home-files.js'
import { viewNames } from '../../src/projections/projection-catalog.js'
import { openViewStore } from '../../src/projections/view-store.js'
import { viewOwner } from '../../src/service/view-owner.js'
import type { ViewAnswer } from '../../src/service/view-questions.js'
import { answered, codeOf, type RunningService, typed, withService } from '../support/running-service.js'
import { verifyCopy, withFullDisk } from '../support/temporary-ledger.js'

const test = suite('view faults')

async function entriesInDays(running: RunningService): Promise<number> {
  const { parts, size } = answered<ViewAnswer>(await running.ask('/v1/views/activity'))
  const entries = Object.values(parts as Record<string, { entries: number }>).reduce((sum, day) => sum + day.entries, 0)
  assert.is(entries, size)
  return entries
}

test('a ledger that fails and is opened again is the one that views are made of', async () => {
  let home = ''
  await withService({}, async (running) => {
    home = running.home
    answered(await running.hook(typed('before', '1')))
    const before = await entriesInDays(running)
    let failed = 0
    const could = await withFullDisk(1, async () => {
      for (let at = 0; at < 3; at += 1) {
        const { status } = await running.hook(typed(`on a full disk ${'x'.repeat(20_000)} ${at}`, `full-${at}`))
        if (status !== 200) failed += 1
        // The thread shares the store while it breaks.
        await running.ask('/v1/views/activity')
      }
    })
    if (!could) return
    assert.ok(failed > 0)
    // It is opened again some time after the disk is well.
    for (;;) {
      const { status } = await running.hook(typed('after', '2'))
      if (status === 200) break
      await sleep(100)
    }
    const entries = await running.entries()
    assert.ok(entries.length > before)
    assert.is(await entriesInDays(running), entries.length)
    const found = answered<{ entries: unknown[] }>(await running.ask('/v1/search?words=after'))
    assert.is(found.entries.length, 1)
  })
  assert.equal((await verifyCopy(homeFiles(home))).findings, [])
})

test('hooks are answered while views are made anew over and over, and each rebuild holds what was there', () =>
  withService({}, async (running) => {
    for (let turn = 0; turn < 30; turn += 1) answered(await running.hook(typed(`turn ${turn}`, String(turn))))
    let hooks = 0
    let isOver = false
    const hooking = (async () => {
      while (!isOver) {
        answered(await running.hook(typed(`beside ${hooks}`, `beside-${hooks}`)))
        hooks += 1
      }
    })()
    for (let round = 0; round < 5; round += 1) {
      const least = (await running.entries('limit=1&order=desc'))[0]?.index ?? 0
      const { done, size } = answered<{ done: boolean; size: number }>(await running.ask('/v1/views/rebuild', { body: {} }))
      assert.ok(done && size > least)
    }
    isOver = true
    await hooking
    assert.ok(hooks > 0)
    await entriesInDays(running)
  }))

test('views that another process has are no reason not to answer; when it lets go they are kept again', () =>
  withService({}, async (running) => {
    answered(await running.hook(typed('locked', '1')))
    const other = await openViewStore(homeFiles(running.home).views, viewOwner())
    const lone = await entriesInDays(running)
    assert.is(answered<{ entries: unknown[] }>(await running.ask('/v1/search?words=locked')).entries.length, 1)
    assert.equal(answered<{ views: unknown[] }>(await running.ask('/v1/views')).views, [])
    assert.is(codeOf(await running.ask('/v1/views/rebuild', { body: {} })), 'STORE_LOCKED')
    await other.close()
    assert.is(await entriesInDays(running), lone)
    // Every view of the catalogue, and the index of words.
    assert.is(answered<{ views: unknown[] }>(await running.ask('/v1/views')).views.length, viewNames.length + 1)
  }))

test('views that were damaged while no service ran are thrown away, and those of a killed one too', async () => {
  let home = ''
  let size = 0
  await withService({}, async (running) => {
    home = running.home
    answered(await running.hook(typed('damaged', '1')))
    size = await entriesInDays(running)
  })
  const { views } = homeFiles(home)
  assert.not.ok(existsSync(join(views, 'in-use')))
  await (await openViewStore(views, viewOwner())).close()
  const store = join(views, 'store')
  for (const name of readdirSync(store).filter((one) => one.endsWith('.ldb'))) truncateSync(join(store, name), 20)
  await withService({ home }, async (running) => assert.ok((await entriesInDays(running)) > size))
  writeFileSync(join(views, 'in-use'), '999999999 1')
  await withService({ home }, async (running) => assert.ok((await entriesInDays(running)) > size))
})

test.run()
