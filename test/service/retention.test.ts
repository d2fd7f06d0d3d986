// Holds retention to the forgetting page: words go after their days, once a day at most, and never because a clock was wrong.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { openStore } from '../../src/ledger/store.js'
import { selectWords, type WordsSelection } from '../../src/ledger/words-selection.js'
import { type ClockView, clockPart } from '../../src/projections/clock.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { cutOffs, Retention, type RetentionDays } from '../../src/service/retention.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { message, sessionStarted, type TemporaryLedger, temporaryLedger, turnEnded } from '../support/temporary-ledger.js'

const test = suite('retention')

const hour = 60 * 60 * 1000
const day = 24 * hour
const all = (days: number): RetentionDays => ({ messages: days, tools: days, sessions: days, judgements: days })

interface Stage {
  readonly home: TemporaryLedger
  readonly control: { days: RetentionDays }
  /** A service that starts now. */
  start(): Retention
  /** Both clocks go on by days, with an entry each day; returns what each look said. */
  live(retention: Retention, days: number): Promise<string[]>
  /** Texts of messages that are kept, in order. */
  kept(): Promise<string[]>
  readonly sweeps: WordsSelection[]
}

/** A real ledger in a world whose clocks a test holds, and the view of its clock made from it. */
async function stage(days = 30): Promise<Stage> {
  const home = await temporaryLedger()
  const { world, files } = home
  const control = { days: all(days) }
  const sweeps: WordsSelection[] = []
  const clock = async (): Promise<ClockView | undefined> => {
    const { reader, size } = home.ledger
    return (await viewAsOf('clock', reader.storedEntries(0, size))).get(clockPart) as ClockView | undefined
  }
  const forget = async (selection: WordsSelection): Promise<void> => {
    sweeps.push(selection)
    const store = await openStore(files.store, { shared: true })
    const options = { size: home.ledger.size, sessionDigest: (session: string) => home.ledger.digest('session', session) }
    const words = await selectWords(store, selection, options).finally(() => store.close())
    if (words.entries === 0) throw new SteleError('ERASURE_EMPTY')
    await home.ledger.forget(words.ranges, { by: 'retention', reason: 'retention', known: words })
  }
  const start = (): Retention =>
    new Retention({ clocks: { now: world.now, monotonic: world.monotonic }, days: () => control.days, clock, forget })
  return {
    home,
    control,
    start,
    sweeps,
    live: async (retention, count) => {
      const said: string[] = []
      for (let at = 0; at < count; at += 1) {
        world.advance(day)
        await home.ledger.append([turnEnded(1)])
        said.push(await retention.look())
      }
      return said
    },
    kept: async () => {
      const texts: string[] = []
      for await (const { header, words } of home.ledger.reader.entries())
        if (header.type === 'message.captured' && words !== undefined) texts.push(String(words['text']))
      return texts
    },
  }
}

const erasures = async ({ home }: Stage): Promise<string[]> => {
  const times: string[] = []
  for await (const { header } of home.ledger.reader.entries()) if (header.type === 'payload.erased') times.push(header.time)
  return times
}

test('row P95: words of day 0 are there on day 30 and gone on day 31, and those of a day later are there a day longer', async () => {
  const here = await stage()
  const { home, start, live, kept } = here
  const retention = start()
  await home.ledger.append([message('day 0')])
  await live(retention, 1)
  await home.ledger.append([message('day 1')])
  const said = await live(retention, 29)
  assert.equal(new Set(said), new Set(['nothing_old']))
  assert.equal(await kept(), ['day 0', 'day 1'])
  assert.equal(await live(retention, 1), ['done'])
  assert.equal(await kept(), ['day 1'])
  assert.equal(await live(retention, 1), ['done'])
  assert.equal(await kept(), [])
  await home.ledger.close()
})

test('once a day at most, whatever is old, and however often it is looked at or started', async () => {
  const here = await stage(1)
  const { home, start, live } = here
  await live(start(), 3)
  for (let at = 0; at < 96; at += 1) {
    // An entry every hour for four days, and a service that starts for each.
    await home.ledger.append([message(`hour ${at}`)])
    home.world.advance(hour)
    await start().look()
  }
  const times = await erasures(here)
  assert.ok(times.length >= 2 && times.length <= 4, times.join(' '))
  for (const [at, time] of times.entries())
    if (at > 0) assert.ok(Date.parse(time) - Date.parse(times[at - 1] ?? '') >= day, times.join(' '))
  await home.ledger.close()
})

test('a service that stays looks once an hour, and one that starts looks at once', async () => {
  const { home, start, live } = await stage()
  await live(start(), 2)
  const retention = start()
  assert.is(await retention.look(), 'nothing_old')
  home.world.advance(hour - 1)
  assert.is(await retention.look(), 'early')
  home.world.advance(1)
  assert.is(await retention.look(), 'nothing_old')
  await home.ledger.close()
})

test('0 keeps for ever, and by kind only what has a number goes', async () => {
  const here = await stage(0)
  const { home, control, start, live, kept } = here
  const handle = await home.ledger.sessionHandle('host')
  await home.ledger.append([sessionStarted(handle, 'host'), message('kept', handle)])
  const retention = start()
  assert.equal(new Set(await live(retention, 400)), new Set(['for_ever']))
  assert.equal([await kept(), await erasures(here)], [['kept'], []])
  control.days = { ...all(0), sessions: 7 }
  assert.equal(await live(retention, 1), ['done'])
  assert.equal(await kept(), ['kept'])
  assert.is((await home.ledger.reader.entry(1)).words, undefined)
  await home.ledger.close()
})

test('a ledger that has not seen a whole day forgets nothing', async () => {
  const { home, start, control } = await stage()
  control.days = all(1)
  const retention = start()
  for (let at = 0; at < 24; at += 1) {
    assert.is(await retention.look(), 'clock_unsteady')
    home.world.advance(hour)
    await home.ledger.append([message(`${at}`)])
  }
  assert.is(await retention.look(), 'nothing_old')
  await home.ledger.close()
})

test('a clock that steps back, a second or a year, costs nothing, and what is then of the future stays', async () => {
  for (const back of [2 * hour, 365 * day]) {
    const here = await stage()
    const { home, start, live, kept } = here
    await live(start(), 40)
    await home.ledger.append([message('before')])
    home.world.time -= back
    await home.ledger.append([message('after')])
    const retention = start()
    assert.is(await retention.look(), 'clock_unsteady')
    assert.is((await live(retention, 1))[0], 'nothing_old')
    assert.equal(await kept(), ['before', 'after'])
    await home.ledger.close()
  }
})

test('a clock that leaps while a service runs costs nothing, not even after a day, unless it stays so for a day by both clocks', async () => {
  const here = await stage()
  const { home, start, live, kept } = here
  const retention = start()
  await live(retention, 5)
  await home.ledger.append([message('young')])
  home.world.time += 40 * day
  home.world.elapsed += hour
  assert.is(await retention.look(), 'clocks_disagree')
  await home.ledger.append([message('in the leap')])
  assert.is(await start().look(), 'clock_unsteady', 'a service that starts then does not believe it either')
  home.world.time -= 40 * day
  home.world.elapsed += hour
  await home.ledger.append([message('back')])
  assert.is(await start().look(), 'clock_unsteady')
  assert.equal(await live(start(), 2), ['nothing_old', 'nothing_old'])
  assert.equal(await kept(), ['young', 'in the leap', 'back'])
  assert.equal(await erasures(here), [])
  await home.ledger.close()
})

test('a leap that no step tells, of less than a month, is not believed by the service that saw it, for a whole day', async () => {
  const here = await stage()
  const { home, start, live, kept } = here
  const retention = start()
  await live(retention, 5)
  await home.ledger.append([message('a day old')])
  await live(retention, 1)
  // The wall clock goes on by 29 days, and the other by one hour.
  home.world.time += 29 * day
  home.world.elapsed += hour
  await home.ledger.append([turnEnded(1)])
  assert.is(await retention.look(), 'clocks_disagree')
  for (let at = 0; at < 23; at += 1) {
    home.world.advance(hour)
    assert.is(await retention.look(), 'clocks_disagree')
  }
  assert.equal(await kept(), ['a day old'])
  home.world.advance(hour)
  await home.ledger.append([turnEnded(1)])
  assert.is(await retention.look(), 'done', 'then it is the time')
  await home.ledger.close()
})

test('a start in the year 2100 and back costs nothing, and afterwards the time is true again', async () => {
  const here = await stage()
  const { home, start, live, kept } = here
  await live(start(), 35)
  await home.ledger.append([message('before')])
  const now = home.world.time
  home.world.time = Date.UTC(2100, 0, 1)
  await home.ledger.append([message('of 2100')])
  assert.is(await start().look(), 'clock_unsteady')
  home.world.advance(hour)
  assert.is(await start().look(), 'clock_unsteady')
  home.world.time = now + 2 * hour
  await home.ledger.append([message('after')])
  const retention = start()
  assert.is(await retention.look(), 'clock_unsteady')
  await live(retention, 29)
  assert.equal(await kept(), ['before', 'of 2100', 'after'])
  await live(retention, 3)
  // What bears a time of 2100 is not older than 30 days for a long time.
  assert.equal(await kept(), ['of 2100'])
  await home.ledger.close()
})

test('after a pause of more than a month nothing is forgotten in the first hour, and after a day it is', async () => {
  const { home, start, live, kept } = await stage()
  await live(start(), 3)
  await home.ledger.append([message('before the holiday')])
  home.world.advance(45 * day)
  const retention = start()
  await home.ledger.append([turnEnded(1)])
  assert.is(await retention.look(), 'clock_unsteady')
  assert.equal(await kept(), ['before the holiday'])
  assert.equal(await live(retention, 1), ['done'])
  assert.equal(await kept(), [])
  await home.ledger.close()
})

test('clocks that drift apart as clocks do are believed; a ledger without entries, or without a time, is not', async () => {
  const { home, start, live } = await stage()
  await live(start(), 2)
  const retention = start()
  home.world.time += 60 * day + 1900
  home.world.elapsed += 60 * day
  await home.ledger.append([turnEnded(1)])
  assert.is(await retention.look(), 'clock_unsteady', 'it was away for long, and that alone is what is wrong')
  const clocks = { now: home.world.now, monotonic: home.world.monotonic }
  const forget = async (): Promise<void> => assert.unreachable()
  const days = (): RetentionDays => all(30)
  assert.is(await new Retention({ clocks, days, forget, clock: async () => undefined }).look(), 'clock_unsteady')
  const unknown: ClockView = { lastTime: '', steadySince: '', lastSweep: null }
  assert.is(await new Retention({ clocks, days, forget, clock: async () => unknown }).look(), 'clock_unsteady')
  await home.ledger.close()
})

test('a failure is told, and does not count as a look that has found nothing', async () => {
  const { home, live, start } = await stage()
  await live(start(), 2)
  const retention = new Retention({
    clocks: { now: home.world.now, monotonic: home.world.monotonic },
    days: () => all(30),
    clock: async () => ({
      lastTime: new Date(home.world.time).toISOString(),
      steadySince: '2020-01-01T00:00:00.000Z',
      lastSweep: null,
    }),
    forget: () => Promise.reject(new SteleError('ERASURE_UNFINISHED')),
  })
  await rejectsWithCode(() => retention.look(), 'ERASURE_UNFINISHED')
  await home.ledger.close()
})

test('a time is cut off by kind, to the millisecond, and 0 cuts off nothing', () => {
  const now = Date.UTC(2026, 11, 31, 12)
  assert.equal(cutOffs({ messages: 30, tools: 1, sessions: 0, judgements: 36_500 }, now), {
    messages: '2026-12-01T12:00:00.000Z',
    tools: '2026-12-30T12:00:00.000Z',
    sessions: null,
    judgements: '1927-01-25T12:00:00.000Z',
  })
})

test.run()
