// What every view that is kept must do, whatever it counts: brought up to the ledger in any steps, over any ends, it is what the ledger
// alone makes of it, at every position.
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { KeptProjection } from '../../src/projections/projection.js'
import { isViewName, type ViewName } from '../../src/projections/projection-catalog.js'
import { ProjectionRunner, viewAsOf } from '../../src/projections/projection-runner.js'
import { openViewStore, type ViewStore } from '../../src/projections/view-store.js'
import { RandomHistory as History, type RandomHistory, randomHistory } from '../support/random-history.js'
import { makeRandom } from '../support/seeded-random.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const secret = Buffer.alloc(32, 7)
const owner = { name: 'this test', isAlive: () => false }
const entriesOfHistory = 220

/** A suite over a view of the catalogue; the caller runs it. */
export function projectionContract(projection: KeptProjection, seeds: readonly number[]) {
  const name = nameOf(projection)
  const contract = suite(`the view ${name}`)

  for (const seed of seeds) {
    contract(`row D6: rebuilt equals incremental at every index, erasures included (history ${seed})`, async () => {
      const history = new History(seed)
      const store = await openViewStore(temporaryFolder(), owner)
      const runner = new ProjectionRunner(store, secret)
      while (history.rows.length < entriesOfHistory) {
        history.addOne()
        assert.is(await runner.catchUp(history.source()), true)
        const at = `at ${history.rows.length}`
        assertSame(await partsOf(runner, name), await fromLedger(history, name), at)
        if (history.rows.length % 40 === 0) assertSame(await rebuilt(history, name), await partsOf(runner, name), at)
      }
      // The past has not changed by what was forgotten since.
      const random = makeRandom(seed)
      for (let check = 0; check < 10; check += 1) {
        const size = random.int(history.rows.length + 1)
        assertSame(await rebuilt(history, name, size), await fromLedger(history, name, size), `as of ${size}`)
      }
      await store.close()
    })

    contract(
      `in steps of any size, over ends in order and without, it is what the ledger makes of it (history ${seed})`,
      async () => {
        const history = randomHistory(seed, entriesOfHistory)
        const random = makeRandom(seed + 1000)
        let folder = temporaryFolder()
        let store = await openViewStore(folder, owner)
        let killed = 0
        for (let size = 0; size < history.rows.length; ) {
          size = Math.min(history.rows.length, size + 1 + random.int(60))
          const runner = new ProjectionRunner(store, secret)
          await runner.catchUp(history.source(size))
          assertSame(await partsOf(runner, name), await fromLedger(history, name, size), `at ${size}`)
          if (random.chance(3)) {
            // As a killed process would leave it.
            const left = join(temporaryFolder(), 'views')
            cpSync(folder, left, { recursive: true, filter: (path) => basename(path) !== 'LOCK' })
            await store.close()
            folder = left
            store = await openViewStore(folder, owner)
            assert.is(await store.mark(name), undefined, 'begun anew')
            killed += 1
          } else if (random.chance(2)) {
            await store.close()
            store = await openViewStore(folder, owner)
            assert.is((await store.mark(name))?.position, size, 'kept')
          }
        }
        assert.ok(killed > 0)
        await store.close()
      },
    )
  }

  contract('its steps own what they are handed, and nothing that they return is shared by two parts', async () => {
    const [one, other] = [projection.initial(), projection.initial()]
    assert.equal(one, other)
    if (typeof one === 'object' && one !== null) {
      assert.is.not(one, other)
      for (const [key, value] of Object.entries(one))
        if (typeof value === 'object' && value !== null) assert.is.not(value, (other as Record<string, unknown>)[key], key)
    }
  })

  contract('a part is plain JSON: it comes back from the disk as it was', async () => {
    const parts = await fromLedger(randomHistory(seeds[0] ?? 1, entriesOfHistory), name)
    assert.ok(parts.length > 0)
    assertSame(JSON.parse(JSON.stringify(parts)) as Parts, parts)
  })

  contract('what is in it does not depend on words: a ledger that has forgotten all of them makes the same view', async () => {
    const history = randomHistory(seeds[0] ?? 1, entriesOfHistory)
    const kept = await fromLedger(history, name)
    for (const [index, rows] of history.rows.entries()) history.rows[index] = { ...rows, words: undefined }
    assertSame(await fromLedger(history, name), kept)
  })

  return contract
}

function nameOf({ name }: KeptProjection): ViewName {
  if (!isViewName(name)) throw new Error(`${name} is not in the catalogue`)
  return name
}

/** As texts: tools may be called `constructor`, which misleads a comparison of objects. */
function assertSame(actual: Parts, expected: Parts, at?: string): void {
  assert.is(JSON.stringify(actual), JSON.stringify(expected), at)
}

type Parts = [string, unknown][]

async function partsOf(runner: ProjectionRunner, name: ViewName): Promise<Parts> {
  const parts: Parts = []
  for await (const part of runner.parts(name)) parts.push(part)
  return parts
}

async function fromLedger(history: RandomHistory, name: ViewName, size = history.rows.length): Promise<Parts> {
  return [...(await viewAsOf(name, history.source(size).storedEntries(0, size)))]
}

async function rebuilt(history: RandomHistory, name: ViewName, size = history.rows.length): Promise<Parts> {
  const store: ViewStore = await openViewStore(temporaryFolder(), owner)
  try {
    const runner = new ProjectionRunner(store, secret)
    await runner.catchUp(history.source(size))
    return await partsOf(runner, name)
  } finally {
    await store.close()
  }
}
