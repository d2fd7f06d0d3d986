// The verb that the provenance gate has for forgetting: the same as erase, with days as a bare number.
// time limit: 300 s
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { askHome, sayWords } from '../support/forgetting-home.js'
import { answered } from '../support/running-service.js'
import { assertRefused, steleAt, steleBeside } from '../support/service-commands.js'
import { endServices, homeForService, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { json, type Ran } from '../support/stele-command.js'
import { findPlainDigestsInHome, findWordRunsInHome } from '../support/words-in-home.js'

const test = suite('purge')
test.after(endServices)

const preload = new URL('../support/shifted-clock.mjs', import.meta.url).href
const day = 24 * 60 * 60 * 1000

/** A home whose services see a clock that can be set. */
function clockedHome(): { home: string; set: (ms: number) => void; start: () => Promise<ServiceProcess> } {
  // Retention is another story.
  const home = homeForService({ retention: { days: 0 } })
  const clock = join(home, '..', 'clock')
  const set = (ms: number): void => writeFileSync(clock, String(ms))
  set(0)
  const env = { NODE_OPTIONS: `--import=${preload}`, STELE_TEST_CLOCK_FILE: clock }
  return { home, set, start: () => startServiceProcess(home, { env }) }
}

const purge = (home: string, ...words: string[]): Promise<Ran> => steleBeside(['purge', ...words, '--home', home], '')

interface Shown {
  readonly type: string
  readonly data: { readonly by?: string; readonly reason?: string }
}

const erasuresOf = async (home: string): Promise<Shown['data'][]> =>
  answered<{ entries: Shown[] }>(await askHome(home, '/v1/entries?type=payload.erased')).entries.map(({ data }) => data)

test('row P20: words older than so many days go, a bare number is days, and the reason is purge where none is given', async () => {
  for (const time of ['30', '30d']) {
    const { home, set, start } = clockedHome()
    set(-31 * day)
    let service = await start()
    const old = await sayWords(home, 2)
    await service.end()
    set(-29 * day)
    service = await start()
    const young = await sayWords(home, 2, { from: 2 })
    await service.end()
    set(0)
    service = await start()
    const preview = json<{ entries: number; types: object }>(await purge(home, '--older-than', time, '--preview', '--json'))
    // Two sessions: the start of each, and in each round a message and four of a call: asked, reached, decided, come back.
    assert.is(preview.entries, 2 * (1 + 2 * 5), time)
    const done = await purge(home, '--older-than', time, '--yes')
    assert.is(done.status, 0, done.stderr)
    assert.equal(findWordRunsInHome(home, [...old.gone, ...old.kept]), [])
    const kept = new Set(findWordRunsInHome(home, [...young.gone, ...young.kept]).map((found) => found.split(': ')[1]))
    assert.is(kept.size, 2 * 2 * 2 * 2, 'of each message and each command both runs')
    const [erasure] = await erasuresOf(home)
    assert.equal([erasure?.by, erasure?.reason], ['owner', 'purge'])
    await service.end()
  }
})

test('row P96: with --all no word is left in any table, log or other file of the home, and it says what stays (row P20)', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const said = await sayWords(home, 5)
  const texts = [...said.gone, ...said.kept]
  assert.ok(findWordRunsInHome(home, texts).length > 0)
  const done = await purge(home, '--all', '--yes', '--reason', 'the machine goes to somebody else')
  assert.is(done.status, 0, done.stderr)
  assert.match(
    done.stdout,
    /^Forgotten: the words of 52 entries \(\d+ bytes\)\. No table, log or view of the home holds them any more\.\n/,
  )
  assert.match(done.stdout, /headers, counts, verdicts and decisions stay, and so does the proof\./)
  assert.match(done.stdout, /\nCopies that went or lost words: \d+ snapshots, \d+ put aside, \d+ exports\.\n/)
  assert.match(done.stdout, /`stele prove \d+` gives the receipt\.\n$/)
  assert.equal(findWordRunsInHome(home, texts), [])
  assert.equal(findPlainDigestsInHome(home, texts), [])
  const { entries } = answered<{ entries: (Shown & { words?: object })[] }>(await askHome(home, '/v1/entries?limit=1000'))
  assert.equal(
    entries.filter(({ words }) => words !== undefined),
    [],
  )
  const [erasure] = await erasuresOf(home)
  assert.is(erasure?.reason, 'the machine goes to somebody else')
  const report = json<{ ok: boolean; erased: number }>(await steleBeside(['verify', '--json', '--home', home], ''))
  assert.equal([report.ok, report.erased], [true, 52])
  await service.end()
  assert.equal(findWordRunsInHome(home, texts), [], 'closing brings nothing back')
  assert.ok(readdirSync(join(home, 'store')).length > 0)
})

test('row P20: neither option is an input error, and days below nothing are one that names the option', () => {
  const home = homeForService()
  assert.is(steleAt(home, 'init').status, 0)
  const neither = steleAt(home, 'purge', '--yes')
  assertRefused(neither, 'OPTION_INVALID', 2)
  assert.match(neither.stderr, /--older-than or --all/)
  assertRefused(steleAt(home, 'purge', '--yes', '--all', '--older-than', '30'), 'OPTION_INVALID', 2)
  for (const words of [['--older-than', '-1'], ['--older-than=-1'], ['--older-than', '1.5'], ['--older-than', 'month']]) {
    const ran = steleAt(home, 'purge', '--yes', ...words)
    assertRefused(ran, 'OPTION_INVALID', 2)
    assert.match(ran.stderr, /--older-than/)
  }
})

test.run()
