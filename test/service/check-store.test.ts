// Before a service opens a store another process reads it: damage is named before the first hook, and nothing dies of it.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HomeFiles } from '../../src/ledger/home-files.js'
import { payloadKey } from '../../src/ledger/row-keys.js'
import { checkStore, type StoreCheck } from '../../src/service/check-store.js'
import { findHome } from '../../src/service/open-home.js'
import type { LogFacts, ServiceLog } from '../../src/service/service-log.js'
import { until } from '../support/attached-host.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import {
  answered,
  quietSettings,
  type RunningService,
  refusesToStart,
  runService,
  typed,
  withService,
  writeSettings,
} from '../support/running-service.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { editStore, message, storedRows, temporaryLedger } from '../support/temporary-ledger.js'

const test = suite('check store')

function memoryLog(): ServiceLog & { readonly lines: { what: string; facts: LogFacts }[] } {
  const lines: { what: string; facts: LogFacts }[] = []
  return {
    lines,
    write: (what, facts = {}) => lines.push({ what, facts }),
    fail: (what, error) => lines.push({ what, facts: { error: String(error) } }),
  }
}

/** A home with so many messages that nobody has open. */
async function writtenHome(messages = 30): Promise<HomeFiles> {
  const { ledger, files } = await temporaryLedger()
  for (let at = 0; at < messages; at += 1) await ledger.append([message(`words ${at}`)])
  await ledger.close()
  writeSettings(files.home, quietSettings)
  return files
}

/** Changes a letter of a stored payload. */
async function alterPayload(files: HomeFiles, index: number): Promise<void> {
  const key = payloadKey(index)
  const value = (await storedRows(files)).find((row) => row.key.equals(key))?.value
  assert.ok(value)
  await editStore(files, [{ key, value: Buffer.from(value.toString().replace('"cli"', '"clx"')) }])
}

const check = (files: HomeFiles, log: ServiceLog = memoryLog()) => checkStore(findHome(files.home, {}), log)

/** On a busy machine even a short check may outlast what a start waits for it. */
async function wholeCheck(files: HomeFiles, log: ServiceLog): Promise<StoreCheck> {
  const found = await check(files, log)
  await until('it is done', () => found.done)
  return found
}

test('where there is no store there is nothing to check', async () => {
  const home = findHome(join(temporaryFolder(), 'home'), {})
  assert.equal(await checkStore(home, memoryLog()), { findings: [], done: true })
  assert.not.ok(existsSync(home.files.home))
})

test('a sound store has no findings, and the next check goes on from there', async () => {
  const files = await writtenHome()
  const log = memoryLog()
  assert.equal(await wholeCheck(files, log), { findings: [], done: true })
  assert.equal(log.lines, [])
  await until('it has tidied up', () => existsSync(files.verified) && readdirSync(files.snapshots).length === 0)
})

test('an altered entry in the middle is named with its index, in the log too, and the service says so for as long as it runs', async () => {
  const files = await writtenHome()
  await alterPayload(files, 5)
  const log = memoryLog()
  assert.equal(await wholeCheck(files, log), { findings: ['payload_altered@5'], done: true })
  assert.equal(log.lines, [{ what: 'finding', facts: { code: 'payload_altered', index: 5 } }])
  await withService({ home: files.home }, async (running) => {
    const ask = async () => answered<{ ok: boolean; checked: StoreCheck }>(await running.ask('/v1/status'))
    await until('it is checked', async () => (await ask()).checked.done)
    assert.equal(running.service.findings, ['payload_altered@5'])
    const status = await ask()
    assert.equal([status.ok, status.checked], [false, { findings: ['payload_altered@5'], done: true }])
    // Not the end of it: what comes is recorded behind the damage.
    assert.is((await running.hook(typed('goes on'))).status, 200)
  })
  assert.match(readFileSync(files.log, 'utf8'), /^\S+ finding code=payload_altered index=5$/m)
})

test('a ledger that lost its end is refused, and nobody is served', async () => {
  const files = await writtenHome()
  const log = readdirSync(files.store).find((name) => name.endsWith('.log')) ?? ''
  const bytes = statSync(join(files.store, log)).size
  assert.ok(bytes > 1000)
  truncateSync(join(files.store, log), Math.floor(bytes / 2))
  const error = await refusesToStart({ home: files.home }, 'LEDGER_ROLLED_BACK')
  assert.is(error.kind, 'damaged')
  assert.not.ok(existsSync(join(files.home, 'service.sock')))
  assert.not.ok(existsSync(join(files.home, 'service.json')))
})

/** Sends signals to the reading process that this one has started, as soon as it is there. */
async function signalReader(signal: NodeJS.Signals): Promise<number> {
  let reader: number | undefined
  await until('the reader is there', () => {
    const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    const [, pid] = /(\d+) .*verify-store/.exec(children) ?? []
    reader = pid === undefined ? undefined : Number(pid)
    return reader !== undefined
  })
  process.kill(Number(reader), signal)
  return Number(reader)
}

test('a store that kills whoever reads it is named, and stops the start if it is still under way; this process lives on', async () => {
  const files = await writtenHome(3)
  let running: RunningService | undefined
  try {
    const [started] = await Promise.allSettled([runService({ home: files.home }), signalReader('SIGABRT')])
    if (started.status === 'rejected') await rejectsWithCode(Promise.reject(started.reason), 'STORE_UNREADABLE')
    else running = started.value
    await until('it is named', () => /finding code=store_unreadable/.test(readFileSync(files.log, 'utf8')))
  } finally {
    await running?.service.stop()
  }
  await withService({ home: files.home }, async (again) => assert.is((await again.ask('/v1/status')).status, 200))
})

test('a check that was ended from outside says nothing of the store, and the start goes on', async () => {
  const files = await writtenHome(3)
  const log = memoryLog()
  const [found] = await Promise.all([check(files, log), signalReader('SIGTERM')])
  await until('its end is told', () => log.lines.length > 0)
  assert.equal(found, { findings: ['not_checked'], done: true })
  assert.equal(
    log.lines.map(({ what }) => what),
    ['not_checked'],
  )
})

test('a start does not wait for a long check: it goes on beside it and tells what it found later', async () => {
  const files = await writtenHome(3)
  await alterPayload(files, 2)
  const checking = check(files)
  const reader = await signalReader('SIGSTOP')
  try {
    const found = await checking
    assert.equal(found, { findings: [], done: false })
    process.kill(reader, 'SIGCONT')
    await until('it is done', () => found.done)
    assert.equal(found.findings, ['payload_altered@2'])
  } finally {
    try {
      process.kill(reader, 'SIGCONT')
    } catch {
      // It has ended.
    }
  }
})

test.run()
