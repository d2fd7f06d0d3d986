// When a budget that is exceeded is told, and what is done before the disk is full.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import type { HomeSize } from '../../src/service/home-size.js'
import { exceededBudgets, SizeWatch } from '../../src/service/size-watch.js'
import { message, temporaryLedger } from '../support/temporary-ledger.js'

const test = suite('size watch')
const mib = 1024 * 1024
const budgets = { homeBytes: 1000, freeBytes: 100 * mib }
const places = { store: 0, views: 0, spool: 0, quarantine: 0, snapshots: 0, log: 0, reserve: 0, rest: 0 }

function sized(home: number, free: number | null): HomeSize {
  return { home, places, rows: null, free }
}

/** A watch over a real ledger, a home of whatever size and a clock. */
async function stage() {
  const home = await temporaryLedger()
  const held: SteleError[] = []
  const made: (number | null)[] = []
  let measured = 0
  const control = {
    home: 0,
    free: (1000 * mib) as number | null,
    budgets,
    nowMs: 0,
    failure: undefined as SteleError | undefined,
  }
  const watchAgain = () =>
    new SizeWatch({
      meter: {
        take: async () => {
          measured += 1
          return sized(control.home, control.free)
        },
      },
      reserve: {
        make: async (free) => {
          made.push(free)
          return true
        },
      },
      kept: {
        get failure() {
          return control.failure
        },
        ready: async () => home.ledger,
        hold: async (reason) => {
          held.push(reason)
        },
      },
      budgets: () => control.budgets,
      now: () => home.world.time,
      monotonic: () => control.nowMs,
    })
  let watch = watchAgain()
  return {
    home,
    held,
    made,
    control,
    measured: () => measured,
    restart: () => {
      watch = watchAgain()
    },
    /** A minute later. */
    look: async () => {
      control.nowMs += 60_000
      home.world.advance(60_000)
      await watch.look()
    },
    lookNow: () => watch.look(),
    told: async () => {
      const told: unknown[] = []
      for await (const { header, payload } of home.ledger.reader.entries())
        if (header.type === 'budget.exceeded') told.push(payload)
      return told
    },
  }
}

test('a budget is exceeded above it, the disk below what should be free; 0 is no budget, and an unknown disk is none', () => {
  assert.equal(exceededBudgets(sized(1000, 100 * mib), budgets), [])
  assert.equal(exceededBudgets(sized(1001, 100 * mib - 1), budgets), ['home', 'disk'])
  assert.equal(exceededBudgets(sized(2 ** 40, 0), { homeBytes: 0, freeBytes: 0 }), [])
  assert.equal(exceededBudgets(sized(1, null), budgets), [])
})

test('it looks ten seconds after the start, then once a minute however often it is called', async () => {
  const { control, lookNow, measured, home } = await stage()
  for (control.nowMs = 0; control.nowMs < 600_000; control.nowMs += 1000) await lookNow()
  // At 10, 70, 130 … 550 seconds.
  assert.is(measured(), 10)
  await home.close()
})

test('it is told once when it is crossed, and again only after it was a tenth below', async () => {
  const { home, control, look, told } = await stage()
  const first = { what: 'home', bytes: 1001, budget: 1000 }
  for (const bytes of [900, 1000]) {
    control.home = bytes
    await look()
  }
  assert.equal(await told(), [])
  for (const bytes of [1001, 5000, 901, 1200]) {
    control.home = bytes
    await look()
  }
  assert.equal(await told(), [first])
  for (const bytes of [900, 1002]) {
    control.home = bytes
    await look()
  }
  assert.equal(await told(), [first, { ...first, bytes: 1002 }])
  await home.close()
})

test('the same of the disk, the other way round', async () => {
  const { home, control, look, told } = await stage()
  for (const free of [110, 100, 99, 10, 109, 50, 110, 98]) {
    control.free = free * mib
    await look()
  }
  assert.equal(await told(), [
    { what: 'disk', bytes: 99 * mib, budget: 100 * mib },
    { what: 'disk', bytes: 98 * mib, budget: 100 * mib },
  ])
  await home.close()
})

test('a service that starts while it is exceeded tells it again after a day, and not before', async () => {
  const { home, control, look, told, restart } = await stage()
  control.home = 2000
  await look()
  assert.is((await told()).length, 1)
  // Others stand behind it by then, more than are read at once.
  for (let at = 0; at < 20; at += 1) await home.ledger.append(Array.from({ length: 100 }, (_, of) => message(`${at} ${of}`)))
  for (let hours = 0; hours < 23; hours += 1) {
    home.world.advance(3_600_000)
    restart()
    await look()
  }
  assert.is((await told()).length, 1)
  home.world.advance(3_600_000)
  restart()
  await look()
  assert.is((await told()).length, 2)
  // What was told of the home says nothing of the disk.
  control.free = mib * 50
  restart()
  await look()
  assert.equal((await told()).at(-1), { what: 'disk', bytes: 50 * mib, budget: 100 * mib })
  await home.close()
})

test('a budget that is raised is told anew when it is crossed as well', async () => {
  const { home, control, look, told } = await stage()
  control.home = 2000
  await look()
  control.budgets = { ...budgets, homeBytes: 10_000 }
  await look()
  control.home = 20_000
  await look()
  assert.equal(await told(), [
    { what: 'home', bytes: 2000, budget: 1000 },
    { what: 'home', bytes: 20_000, budget: 10_000 },
  ])
  await home.close()
})

test('a reserve is made while all is well; below eight MiB the ledger is held, with the reason', async () => {
  const { home, control, look, held, made } = await stage()
  await look()
  assert.equal([made, held], [[1000 * mib], []])
  control.free = 8 * mib
  await look()
  assert.equal(held, [])
  control.free = 8 * mib - 1
  await look()
  assert.equal(
    held.map(({ code, details }) => [code, details]),
    [['DISK_FULL', { freeBytes: 8_388_607, neededBytes: 16_777_216 }]],
  )
  assert.is(made.length, 2)
  await home.close()
})

test('while the ledger is closed nothing is told, held or made, and what was to be told is told later', async () => {
  const { home, control, look, held, made, told } = await stage()
  control.failure = new SteleError('DISK_FULL')
  control.home = 2000
  control.free = 0
  await look()
  assert.equal([held, made, await told()], [[], [], []])
  control.failure = undefined
  control.free = 500 * mib
  await look()
  assert.equal([made.length, (await told()).length], [1, 1])
  await home.close()
})

test('where the file system does not say what is free, nothing is held and nothing made ready for it', async () => {
  const { home, control, look, held, made } = await stage()
  control.free = null
  await look()
  assert.equal([held, made], [[], []])
  await home.close()
})

test.run()
