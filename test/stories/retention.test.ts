// Retention as a person meets it: services that come and go over weeks, by a clock that a test sets.
// time limit: 300 s
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../support/attached-host.js'
import { askHome, askOwnerOf, type SaidWords, sayWords } from '../support/forgetting-home.js'
import { answered } from '../support/running-service.js'
import { steleBeside } from '../support/service-commands.js'
import { endServices, homeForService, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { json } from '../support/stele-command.js'
import { findWordRunsInHome } from '../support/words-in-home.js'

const test = suite('retention')
test.after(endServices)

const preload = new URL('../support/shifted-clock.mjs', import.meta.url).href
const day = 24 * 60 * 60 * 1000
/** The service looks at all this once a second. */
const looksMs = 3500

interface Weeks {
  readonly home: string
  readonly set: (days: number) => void
  /** A service on some day that hears words and ends. */
  on(days: number, at: number): Promise<SaidWords>
  start(): Promise<ServiceProcess>
  isLeft(said: SaidWords): boolean
  erasures(): Promise<{ by: string; reason: string }[]>
}

function weeks(
  settings: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {},
  more: NodeJS.ProcessEnv = {},
): Weeks {
  const home = homeForService(settings)
  const clock = join(home, '..', 'clock')
  const set = (days: number): void => writeFileSync(clock, String(days * day))
  set(0)
  const env = { NODE_OPTIONS: `--import=${preload}`, STELE_TEST_CLOCK_FILE: clock, ...more }
  const start = (): Promise<ServiceProcess> => startServiceProcess(home, { env })
  return {
    home,
    set,
    start,
    on: async (days, at) => {
      set(days)
      const service = await start()
      const said = await sayWords(home, 1, { from: at })
      await service.end()
      return said
    },
    isLeft: ({ gone, kept }) => findWordRunsInHome(home, [...gone, ...kept]).length > 0,
    erasures: async () =>
      answered<{ entries: { data: { by: string; reason: string } }[] }>(
        await askHome(home, '/v1/entries?type=payload.erased'),
      ).entries.map(({ data }) => data),
  }
}

test('row P95: words of 31 days ago go by themselves, those of 29 days stay, and the proof is sound', async () => {
  const { home, set, on, start, isLeft, erasures } = weeks()
  const first = await on(-31, 0)
  const second = await on(-29, 1)
  assert.ok(isLeft(first) && isLeft(second))
  set(0)
  const service = await start()
  await until('the old words are forgotten', async () => (await erasures()).length > 0)
  await until('the disk has let go of them', () => !isLeft(first))
  assert.ok(isLeft(second))
  assert.equal(
    (await erasures()).map(({ by, reason }) => [by, reason]),
    [['retention', 'retention']],
  )
  const report = json<{ ok: boolean; erased: number }>(await steleBeside(['verify', '--json', '--home', home], ''))
  // Of two sessions the start, a message and four of a call.
  assert.equal([report.ok, report.erased], [true, 2 * (1 + 1 + 4)])
  await sleep(looksMs)
  assert.is((await erasures()).length, 1, 'once a day')
  await service.end()
})

test('row P95: seven days by the name of the provenance gate are honoured, and 0 is refused with a text', async () => {
  const variable = { PROVENANCE_GATE_RETENTION_DAYS: '7' }
  const { home, set, on, start, isLeft, erasures } = weeks({}, variable)
  const first = await on(-8, 0)
  const second = await on(-6, 1)
  set(0)
  const service = await start()
  await until('the old words are forgotten', async () => (await erasures()).length > 0 && !isLeft(first))
  assert.ok(isLeft(second))
  await service.end()
  const refused = await startServiceProcess(home, { env: { PROVENANCE_GATE_RETENTION_DAYS: '0' } }).then(
    () => 'started',
    (error: unknown) => String(error),
  )
  assert.match(refused, /CONFIG_INVALID.*PROVENANCE_GATE_RETENTION_DAYS.*for ever is retention\.days: 0/)
})

test('0 keeps for ever, and a shorter retention in a file waits for the owner before a word goes', async () => {
  const { home, set, on, start, isLeft, erasures } = weeks({ retention: { days: 0 } })
  const first = await on(-400, 0)
  // Not after a leap of more than a month: days are lived through one by one.
  for (let days = -375, at = 1; days < 0; days += 25, at += 1) await on(days, at)
  set(0)
  let service = await start()
  await sleep(looksMs)
  assert.equal(await erasures(), [])
  assert.ok(isLeft(first))
  await service.end()
  writeFileSync(join(home, 'config.yaml'), 'retention: {days: 30}\ncheckpoint: {anchor: none}\n')
  service = await start()
  await sleep(looksMs)
  assert.ok(isLeft(first), 'it waits')
  answered(await askOwnerOf(home, '/v1/owner/config-accept', { confirmation: { how: 'terminal' } }))
  await service.end()
  service = await start()
  await until('now it counts', async () => (await erasures()).length > 0 && !isLeft(first))
  await service.end()
})

test('a clock that leaps under a running service, or before one starts, costs no word', async () => {
  const { set, on, start, isLeft, erasures } = weeks()
  const first = await on(-2, 0)
  set(0)
  let service = await start()
  await sleep(looksMs)
  set(200)
  await sleep(looksMs)
  assert.equal(await erasures(), [])
  await service.end()
  service = await start()
  await sleep(looksMs)
  assert.equal(await erasures(), [])
  await service.end()
  set(27_000)
  service = await start()
  await sleep(looksMs)
  assert.equal(await erasures(), [])
  set(0)
  await sleep(looksMs)
  await service.end()
  service = await start()
  await sleep(looksMs)
  assert.equal(await erasures(), [])
  assert.ok(isLeft(first))
  await service.end()
})

test.run()
