// Killed between any two steps, and at moments that nobody chose, an erasure ends after a restart in the same state.
// time limit: 600 s
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { homeFiles } from '../../src/ledger/home-files.js'
import { takeSnapshot } from '../../src/ledger/snapshot.js'
import { until } from '../support/attached-host.js'
import { askHome, goneSession, type SaidWords, sayWords, viewOf } from '../support/forgetting-home.js'
import { answered } from '../support/running-service.js'
import { steleAt, steleBeside } from '../support/service-commands.js'
import { endServices, homeForService, type ServiceProcess, startServiceProcess, statusOf } from '../support/service-process.js'
import { json } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { findWordRunsInHome } from '../support/words-in-home.js'

const test = suite('erase killed')
test.after(endServices)

const eraser = fileURLToPath(new URL('../support/killed-eraser.ts', import.meta.url))

const rounds = 4
/** The start of the session, and in each round a message and four of a call: asked, reached, decided, come back. */
const wordsOfSession = 1 + 5 * rounds

interface Full {
  readonly home: string
  readonly said: SaidWords
  readonly exported: string
  readonly sessions: object
}

/** A home with words of two sessions, an export and a service that ended; perhaps with a snapshot that a reader left, which is waited for. */
async function fullHome({ withSnapshot = false } = {}): Promise<Full> {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const said = await sayWords(home, rounds)
  const sessions = await viewOf(home, 'sessions')
  await service.end()
  const exported = join(temporaryFolder(), 'ledger.jsonl')
  assert.is(steleAt(home, 'export', '--out', exported).status, 0)
  if (withSnapshot) (await takeSnapshot(homeFiles(home))).leave()
  assert.ok(findWordRunsInHome(home, said.gone).length > 0)
  return { home, said, exported, sessions }
}

/** How the process ended. */
function killedAt(home: string, step: string, session?: string): NodeJS.Signals | number | null {
  const words = ['--import', 'tsx', eraser, home, step, ...(session === undefined ? [] : [session])]
  const { status, signal, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  assert.ok(signal === 'SIGKILL' || status === 0, stderr)
  return signal ?? status
}

/** Holds a home, whose service runs, to what an erasure must have come to. */
async function assertForgotten({ home, said, exported, sessions }: Full): Promise<void> {
  await until('nothing is left to do', async () => ((await statusOf(home))['erasures'] as object[]).length === 0, 60_000)
  assert.equal(findWordRunsInHome(home, said.gone), [])
  const kept = new Set(findWordRunsInHome(home, said.kept).map((found) => found.split(': ')[1]))
  assert.is(kept.size, 2 * 2 * rounds, 'both runs of each message and each command of the other session')
  const report = json<{ ok: boolean; findings: object[]; notes: { code: string }[]; erased: number }>(
    await steleBeside(['verify', '--json', '--home', home], ''),
  )
  // The head is signed a minute after an entry, so some may not be covered yet.
  const notes = report.notes.filter(({ code }) => code !== 'not_covered')
  assert.equal([report.ok, report.findings, notes, report.erased], [true, [], [], wordsOfSession])
  const { entries } = answered<{ entries: object[] }>(await askHome(home, '/v1/entries?type=payload.erased'))
  assert.is(entries.length, 1, 'recorded once')
  assert.equal(await viewOf(home, 'sessions'), sessions)
  for (const text of said.gone) assert.not.ok(readFileSync(exported, 'utf8').includes(text))
  const ofExport = json<{ ok: boolean }>(await steleBeside(['verify', '--json', '--export', exported, '--home', home], ''))
  assert.is(ofExport.ok, true)
  for (const folder of ['erasures', 'snapshots']) {
    const path = join(home, folder)
    assert.equal(existsSync(path) ? readdirSync(path) : [], [], folder)
  }
}

/** A snapshot is waited for some time, and a reader may just have one. */
async function endOf(service: ServiceProcess, full: Full): Promise<void> {
  await assertForgotten(full)
  await service.end()
  assert.equal(findWordRunsInHome(full.home, full.said.gone), [], 'nor when the service has ended')
}

for (const step of ['written-down', 'recorded', 'scanning', 'rows', 'terms', 'snapshots', 'put-aside', 'exports', 'done']) {
  test(`killed after "${step}", twice in a row, it is finished by the next service`, async () => {
    const full = await fullHome({ withSnapshot: step === 'terms' })
    assert.is(killedAt(full.home, step, goneSession), 'SIGKILL')
    const second = killedAt(full.home, step)
    // What was only written down goes on, and what is done is not begun again.
    assert.is(second, step === 'written-down' || step === 'done' ? 0 : 'SIGKILL')
    await endOf(await startServiceProcess(full.home), full)
  })
}

test('killed after the first step only, and the words were never gone: the next service does all of it', async () => {
  const full = await fullHome()
  assert.is(killedAt(full.home, 'written-down', goneSession), 'SIGKILL')
  assert.ok(findWordRunsInHome(full.home, full.said.gone).length > 0)
  await endOf(await startServiceProcess(full.home), full)
})

test('a service that is killed at any moment of an erasure leaves nothing that its next start, or the next asking, does not end', async () => {
  for (const afterMs of [0, 2, 5, 10, 15, 20, 30, 50]) {
    const full = await fullHome()
    const service = await startServiceProcess(full.home)
    const erase = spawn(process.execPath, [
      fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)),
      ...['erase', '--session', goneSession, '--yes', '--reason', 'the user asked', '--home', full.home],
    ])
    const log = join(full.home, 'service.log')
    // Before the service is asked for anything there is nothing to be killed in.
    const previewed = (): boolean =>
      readFileSync(log, 'utf8').includes('erase-preview') || readFileSync(log, 'utf8').includes('forgetting')
    await until('the service is at it', previewed)
    await sleep(afterMs)
    await service.end('SIGKILL')
    if (erase.exitCode === null) await once(erase, 'exit')
    const next = await startServiceProcess(full.home)
    await until('nothing is left to do', async () => ((await statusOf(full.home))['erasures'] as object[]).length === 0, 60_000)
    const { entries } = answered<{ entries: object[] }>(await askHome(full.home, '/v1/entries?type=payload.erased'))
    if (entries.length === 0) {
      const again = await steleBeside(['erase', '--session', goneSession, '--yes', '--reason', 'again', '--home', full.home], '')
      assert.is(again.status, 0, again.stderr)
    }
    await endOf(next, full)
  }
})

test.run()
