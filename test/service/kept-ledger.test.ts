// After a failed write nobody knows what is stored: the ledger is closed, walked and opened again, by itself, and until then every
// answer is the reason.
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { homeFiles } from '../../src/ledger/home-files.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { KeptLedger } from '../../src/service/kept-ledger.js'
import { AttachedHost } from '../support/attached-host.js'
import { rejectsWithCode, throwsWithCode } from '../support/rejects-with-code.js'
import { answered, codeOf, newHome, quietSettings, runService, toolCall, typed } from '../support/running-service.js'
import { message, temporaryLedger, verifyCopy, withFullDisk } from '../support/temporary-ledger.js'

const test = suite('kept ledger')

/** A kept ledger on a real home, with a clock, and openings that a test can hold or let fail. */
async function stage() {
  const home = await temporaryLedger()
  const told: string[] = []
  const openedAtMs: number[] = []
  const opened: Ledger[] = [home.ledger]
  const control: { nowMs: number; apart: number; opening: () => Promise<void>; reserve: boolean; full: SteleError | undefined } =
    {
      nowMs: 0,
      apart: 0,
      opening: async () => {},
      reserve: false,
      full: undefined,
    }
  const kept = new KeptLedger(home.ledger, {
    open: async () => {
      openedAtMs.push(control.nowMs)
      await control.opening()
      const ledger = await home.reopen()
      opened.push(ledger)
      return ledger
    },
    reopened: () => told.push('reopened'),
    failed: (error) => told.push(error instanceof SteleError ? error.code : 'foreign'),
    apart: (task) => {
      control.apart += 1
      return task().finally(() => {
        control.apart -= 1
      })
    },
    makeRoom: () => {
      if (!control.reserve) return false
      told.push('given back')
      control.reserve = false
      return true
    },
    full: async () => control.full,
    now: () => control.nowMs,
  })
  return { home, kept, told, openedAtMs, opened, control }
}

/** As if a write of this ledger had failed. */
function breakLedger(ledger: Ledger, failure = new SteleError('STORE_WRITE_FAILED')): void {
  Object.defineProperty(ledger, 'failure', { get: () => failure })
}

test('an open ledger is handed out as it is', async () => {
  const { home, kept, openedAtMs } = await stage()
  try {
    assert.is(await kept.ready(), home.ledger)
    assert.is(kept.ledger, home.ledger)
    assert.is(kept.failure, undefined)
    assert.equal(openedAtMs, [])
  } finally {
    await kept.close()
  }
})

test('the store is closed and opened while no other thread has it, and not otherwise', async () => {
  const { home, kept, control } = await stage()
  try {
    const seen: number[] = [control.apart]
    control.opening = async () => void seen.push(control.apart)
    breakLedger(home.ledger)
    await kept.ready()
    await kept.without(async () => void seen.push(control.apart))
    seen.push(control.apart)
    assert.equal(seen, [0, 1, 1, 1, 0])
  } finally {
    await kept.close()
  }
})

test('a ledger whose write failed is closed and opened again, and both are told', async () => {
  const { kept, told, opened } = await stage()
  try {
    const [broken] = opened
    assert.ok(broken)
    breakLedger(broken)
    const ledger = await kept.ready()
    assert.is(ledger, opened[1])
    assert.is(kept.ledger, ledger)
    await rejectsWithCode(() => broken.append([message('too late')]), 'LEDGER_CLOSED')
    assert.is((await ledger.append([message('goes on')])).index, 1)
    assert.equal(told, ['STORE_WRITE_FAILED', 'reopened'])
    assert.is(kept.failure, undefined)
  } finally {
    await kept.close()
  }
})

test('while it cannot be opened every answer is the reason, and it is tried again after pauses that grow and have an end', async () => {
  const { kept, told, openedAtMs, opened, control } = await stage()
  try {
    control.opening = () => Promise.reject(new SteleError('STORE_GONE'))
    if (opened[0] !== undefined) breakLedger(opened[0])
    for (control.nowMs = 0; control.nowMs < 300_000; control.nowMs += 100) {
      await rejectsWithCode(kept.ready(), 'STORE_GONE')
      throwsWithCode(() => kept.ledger, 'STORE_GONE')
      assert.is(kept.failure?.code, 'STORE_GONE')
    }
    const pauses = openedAtMs.slice(1).map((at, before) => at - (openedAtMs[before] ?? 0))
    assert.is(openedAtMs[0], 0)
    assert.ok((pauses[0] ?? 0) <= 1000, 'the first pause is short')
    assert.equal(
      pauses,
      [...pauses].sort((one, other) => one - other),
    )
    assert.equal([Math.max(...pauses), pauses.length < 20, pauses.length > 10], [30_000, true, true], pauses.join(' '))
    control.opening = async () => {}
    control.nowMs += 30_000
    assert.is(await kept.ready(), opened[1])
    assert.equal([told[0], told.at(-1)], ['STORE_WRITE_FAILED', 'reopened'])
    // The next failure begins with a short pause again.
    if (opened[1] !== undefined) breakLedger(opened[1])
    control.opening = () => Promise.reject(new SteleError('STORE_GONE'))
    control.nowMs += 60_000
    await rejectsWithCode(kept.ready(), 'STORE_GONE')
    control.opening = async () => {}
    control.nowMs += 1000
    assert.is(await kept.ready(), opened[2])
  } finally {
    await kept.close()
  }
})

test('a failure that has no code of ours is told as a store that cannot be read', async () => {
  const { kept, told, opened, control } = await stage()
  try {
    control.opening = () => Promise.reject(new Error('words of somebody else'))
    if (opened[0] !== undefined) breakLedger(opened[0])
    const error = await rejectsWithCode(kept.ready(), 'STORE_UNREADABLE')
    assert.not.ok(error.line.includes('words of'))
    assert.equal(told, ['STORE_WRITE_FAILED', 'foreign'])
  } finally {
    await kept.close()
  }
})

test('many who ask at once wait for one opening, which begins when the old one has let go', async () => {
  const { kept, told, openedAtMs, opened, control } = await stage()
  try {
    const [broken] = opened
    assert.ok(broken)
    breakLedger(broken)
    const close = broken.close.bind(broken)
    let closed = false
    control.opening = async () => {
      assert.ok(closed, 'two have the store')
    }
    broken.close = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      await close()
      closed = true
    }
    const first = kept.ready()
    await new Promise((resolve) => setImmediate(resolve))
    const ledgers = await Promise.all([first, ...Array.from({ length: 20 }, () => kept.ready())])
    assert.is(new Set(ledgers).size, 1)
    assert.is(ledgers[0], opened[1])
    assert.equal([openedAtMs.length, told], [1, ['STORE_WRITE_FAILED', 'reopened']])
  } finally {
    await kept.close()
  }
})

test('a task that opens the store itself has it alone, and whoever asks meanwhile gets the ledger behind it', async () => {
  const { home, kept, openedAtMs, opened } = await stage()
  try {
    let running = false
    const doing = kept.without(async () => {
      running = true
      await rejectsWithCode(() => home.ledger.append([message('x')]), 'LEDGER_CLOSED')
      await new Promise((resolve) => setTimeout(resolve, 100))
      assert.equal(openedAtMs, [], 'nobody opened it meanwhile')
      running = false
      return 'done'
    })
    await new Promise((resolve) => setTimeout(resolve, 30))
    assert.is(running, true)
    throwsWithCode(() => kept.ledger, 'LEDGER_CLOSED')
    const meanwhile = kept.ready()
    assert.is(await doing, 'done')
    assert.is(await meanwhile, opened[1])
    assert.is(kept.ledger, opened[1])
  } finally {
    await kept.close()
  }
})

test('two such tasks run one after the other', async () => {
  const { kept } = await stage()
  try {
    let running = 0
    const task = async () => {
      running += 1
      assert.is(running, 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running -= 1
    }
    await Promise.all([kept.without(task), kept.without(task), kept.without(task), kept.ready()])
    assert.is((await kept.ready()).failure, undefined)
  } finally {
    await kept.close()
  }
})

test('a task that fails is told to who asked for it, and the ledger is open again', async () => {
  const { kept, opened } = await stage()
  try {
    await rejectsWithCode(
      kept.without(() => Promise.reject(new SteleError('REANCHOR_NOT_NEEDED'))),
      'REANCHOR_NOT_NEEDED',
    )
    assert.is(await kept.ready(), opened[1])
    assert.is(kept.failure, undefined)
  } finally {
    await kept.close()
  }
})

/** It lets go of the store, and says that it could not write. */
function failFirstClose(ledger: Ledger, closed = (): unknown => undefined): void {
  const close = ledger.close.bind(ledger)
  let isFirst = true
  ledger.close = async () => {
    if (!isFirst) return
    isFirst = false
    closed()
    await close()
    throw new SteleError('STORE_WRITE_FAILED')
  }
}

/** A full disk, as it is told. */
const full = new SteleError('DISK_FULL')

test('on a full disk what is in reserve is given back before the ledger is closed; then its head is signed, and it stays closed', async () => {
  const { home, kept, told, opened, openedAtMs, control } = await stage()
  await home.ledger.append([message('not under a checkpoint yet')])
  const [broken] = opened
  assert.ok(broken)
  breakLedger(broken)
  // As it is after a write that failed: its head cannot be signed any more.
  failFirstClose(broken, () => told.push('let go'))
  control.reserve = true
  control.full = full
  await rejectsWithCode(kept.ready(), 'DISK_FULL')
  assert.equal(told, ['STORE_WRITE_FAILED', 'given back', 'let go', 'DISK_FULL'])
  assert.is(openedAtMs.length, 1)
  await rejectsWithCode(() => (opened[1] as Ledger).append([message('x')]), 'LEDGER_CLOSED')
  assert.equal((await verifyCopy(home.files)).findings, [])
  // It is not opened again and again meanwhile: each opening needs room.
  for (control.nowMs = 0; control.nowMs < 60_000; control.nowMs += 100) await rejectsWithCode(kept.ready(), 'DISK_FULL')
  assert.equal([openedAtMs.length, kept.failure?.code], [1, 'DISK_FULL'])
  control.full = undefined
  control.nowMs += 500
  assert.is(await kept.ready(), opened[2])
  assert.equal([told.at(-1), kept.failure], ['reopened', undefined])
  await kept.close()
})

test('one that is held before the disk is full is closed in order, and opened when there is room', async () => {
  const { home, kept, told, opened, openedAtMs, control } = await stage()
  await home.ledger.append([message('not under a checkpoint yet')])
  control.reserve = true
  control.full = full
  const appending = home.ledger.append([message('under way')])
  await kept.hold(full)
  assert.is((await appending).index, 2)
  await rejectsWithCode(kept.ready(), 'DISK_FULL')
  assert.equal([told, openedAtMs], [['DISK_FULL', 'given back'], []])
  const { checkpoints } = home.files
  assert.match(readFileSync(checkpoints, 'utf8').trimEnd().split('\n').at(-1) ?? '', /\\n3\\n/)
  control.full = undefined
  control.nowMs += 500
  assert.is(await kept.ready(), opened[1])
  await kept.close()
})

test('at the end, a head that cannot be signed for want of room is signed with what is in reserve', async () => {
  const { home, kept, told, opened, control } = await stage()
  await home.ledger.append([message('not under a checkpoint yet')])
  const [first] = opened
  assert.ok(first)
  failFirstClose(first)
  control.reserve = true
  await kept.close()
  assert.equal([told, opened.length], [['given back'], 2])
  await rejectsWithCode(() => (opened[1] as Ledger).append([message('x')]), 'LEDGER_CLOSED')
  await rejectsWithCode(kept.ready(), 'LEDGER_CLOSED')
})

test('at the end, without a reserve, the failure is told', async () => {
  const { kept, opened } = await stage()
  const [first] = opened
  assert.ok(first)
  failFirstClose(first)
  await rejectsWithCode(kept.close(), 'STORE_WRITE_FAILED')
})

test('a failure that is none of room gives nothing back', async () => {
  const { kept, told, opened, control } = await stage()
  if (opened[0] !== undefined) breakLedger(opened[0], new SteleError('STORE_GONE'))
  control.reserve = true
  control.full = full
  await kept.ready()
  assert.equal([told, control.reserve], [['STORE_GONE', 'reopened'], true])
  await kept.close()
})

test('after the end nothing is opened any more', async () => {
  const { kept, openedAtMs, opened, control } = await stage()
  await kept.close()
  await rejectsWithCode(() => (opened[0] as Ledger).append([message('x')]), 'LEDGER_CLOSED')
  control.nowMs += 60_000
  await rejectsWithCode(kept.ready(), 'LEDGER_CLOSED')
  throwsWithCode(() => kept.ledger, 'LEDGER_CLOSED')
  assert.equal(openedAtMs, [])
})

test('on a full disk a service answers with the reason, an enforcing one lets nothing run, and it goes on by itself once there is room', async () => {
  const home = newHome()
  const running = await runService({ home, settings: `${quietSettings}capability:\n  mode: enforce\n` })
  const host = new AttachedHost(home)
  let ran = false
  try {
    await host.attach()
    assert.is((await running.hook(typed('before', '1'))).status, 200)
    ran = await withFullDisk(1, async () => {
      for (let at = 0; at < 3; at += 1) {
        const answer = await running.hook(toolCall('terminal', { command: 'x'.repeat(5000) }, `full ${at}`))
        if (at === 0) assert.equal([answer.status, codeOf(answer)], [502, 'STORE_WRITE_FAILED'])
        assert.ok(answer.status >= 500 && /^(STORE_[A-Z_]+|FILE_UNWRITABLE)$/.test(codeOf(answer)), answer.text)
      }
      const status = answered<{ ok: boolean; ledger: object }>(await running.ask('/v1/status'))
      assert.equal([status.ok, 'failed' in status.ledger], [false, true])
      assert.is((await running.ask('/v1/entries')).status >= 500, true)
    })
    const deadline = performance.now() + 20_000
    for (let at = 0; (await running.hook(typed('after', `after ${at}`))).status !== 200; at += 1)
      assert.ok(performance.now() < deadline, 'it never came back')
    assert.equal(answered<{ ok: boolean }>(await running.ask('/v1/status')).ok, true)
    const words = (await running.entries('type=message.captured')).map((entry) => entry.words?.['text'])
    assert.equal([words.includes('before'), words.includes('after')], [true, true])
    assert.is((await host.hook(typed('still attached', 'x', 'other'))).status, 200)
  } finally {
    host.close()
    await running.service.stop()
  }
  if (!ran) process.stdout.write('\nnote: the size of files could not be limited here, so no disk was full\n')
  const report = await verifyCopy(homeFiles(home))
  assert.equal(report.findings, [])
})

test.run()
