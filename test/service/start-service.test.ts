// The running house as a whole: how it starts, what it mends by itself, and how it ends.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, Server } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { homeFiles } from '../../src/ledger/home-files.js'
import { readHome } from '../../src/ledger/read-home.js'
import { readServiceFile, writeServiceFile } from '../../src/service/service-file.js'
import type { SizeStatus } from '../../src/service/service-status.js'
import { readCheckpoint } from '../../src/verify/verify-checkpoint.js'
import { AttachedHost, until } from '../support/attached-host.js'
import {
  answered,
  askAt,
  newHome,
  quietSettings,
  type RunningService,
  refusesToStart,
  runService,
  toolCall,
  typed,
  withService,
  writeSettings,
} from '../support/running-service.js'
import { temporaryLedger, verifyCopy } from '../support/temporary-ledger.js'

const test = suite('start service')

const statusOf = async ({ ask }: RunningService) => answered<Record<string, unknown>>(await ask('/v1/status'))

test('a service makes the home where there is none, for the owner alone, and begins with the settings in force', async () => {
  await withService({}, async (running) => {
    const entries = await running.entries()
    assert.equal(
      entries.map(({ type }) => type),
      ['ledger.created', 'config.activated'],
    )
    const { why, provenanceMode, program } = entries[1]?.data ?? {}
    assert.equal([why, provenanceMode, program], ['started', 'observe', '0.0.0-test'])
    assert.is(running.service.home, running.home)
    assert.equal(running.service.findings, [])
  })
})

test('its state says who it is, how the ledger stands and what holds', async () => {
  await withService({}, async (running) => {
    const host = new AttachedHost(running.home)
    const gone = new AttachedHost(running.home, { pid: 2 ** 22 - 3 })
    await host.attach()
    await gone.attach()
    const { started, ledger, size, ...others } = await statusOf(running)
    const { home, places, rows, free, budget, exceeded } = size as SizeStatus
    assert.is(
      home,
      Object.values(places).reduce((sum, bytes) => sum + bytes, 0),
    )
    assert.ok(places.store > 0 && places.log > 0 && places.rest > 0)
    assert.equal(Object.keys(rows ?? {}), ['headers', 'facts', 'words', 'tree', 'indexes', 'checkpoints'])
    // The defaults: ten GiB for the home, one GiB free.
    assert.is(budget, 10 * 1024 ** 3)
    assert.equal(exceeded, free !== null && free < 1024 ** 3 ? ['disk'] : [])
    const { id, ...position } = ledger as { id: string }
    assert.match(id, /^[0-9a-f]{32}$/)
    assert.is(new Date(String(started)).toISOString(), started)
    assert.equal(position, { size: 4, epoch: 0 })
    assert.equal(others, {
      ok: true,
      home: running.home,
      pid: process.pid,
      version: '0.0.0-test',
      page: null,
      checked: { findings: [], done: true },
      modes: { provenance: 'observe', capability: 'observe' },
      settings: { waiting: [], rejected: null },
      hosts: { attached: 2, alive: 1 },
      erasures: [],
      spooled: 0,
      policy: {
        file: join(running.home, 'allowlist.yaml'),
        digest: null,
        text: null,
        everyCommand: false,
        waiting: null,
        rejected: null,
      },
      // Off, and no key: the defaults.
      jev: {
        enabled: false,
        mode: 'shadow',
        active: false,
        api_key_configured: false,
        turn_classifier: true,
        tool_shaping: false,
        risk_gate: true,
        verify: false,
        model: 'jev-1.13.0',
        base_url: 'https://api.typesafe.ai',
        telemetry_scope: 'current process only',
        client: null,
        telemetry: { counts: {}, recent: [] },
      },
    })
    host.close()
    gone.close()
  })
})

test('an orderly end answers what is under way, signs all that there is, and leaves neither a lock nor a socket', async () => {
  const running = await runService()
  const asked = Array.from({ length: 10 }, (_, at) => running.hook(typed(`under way ${at}`, `${at}`)))
  await Promise.race(asked)
  const stops = [running.service.stop(), running.service.stop()]
  for (const answer of await Promise.allSettled(asked)) if (answer.status === 'fulfilled') assert.is(answer.value.status, 200)
  await Promise.all(stops)
  assert.is(await running.service.ended, 'stopped')
  assert.is(running.file().pid, null)
  for (const name of ['service.sock', 'owner.sock']) assert.not.ok(existsSync(join(running.home, name)), name)
  const files = homeFiles(running.home)
  await readHome(files, async (reader) => {
    const size = await reader.size()
    assert.is(readCheckpoint((await reader.newestCheckpoint()) ?? '')?.size, size)
    const { header, payload } = await reader.entry(size - 1)
    assert.equal([header.type, payload], ['service.ended', { why: 'stopped' }], 'the last thing that it says')
  })
  const report = await verifyCopy(files)
  assert.equal([report.ok, report.assurance, report.notes], [true, 'signed', []])
  await withService({ home: running.home }, async (again) => assert.is((await again.ask('/v1/status')).status, 200))
})

test('a second service on one home is refused and names the first; of two that start at once one gets it', async () => {
  await withService({}, async (running) => {
    const error = await refusesToStart({ home: running.home }, 'SERVICE_RUNNING')
    assert.equal([error.details, error.kind], [{ pid: process.pid }, 'refused'])
    assert.is((await running.ask('/v1/status')).status, 200)
  })
  const home = newHome()
  writeSettings(home, quietSettings)
  const started = await Promise.allSettled([runService({ home }), runService({ home }), runService({ home })])
  try {
    const codes = started.map((one) => (one.status === 'fulfilled' ? 'runs' : (one.reason as { code?: string }).code))
    assert.equal(codes.sort(), ['SERVICE_RUNNING', 'SERVICE_RUNNING', 'runs'])
    assert.is((await askAt({ socketPath: join(home, 'service.sock') }, '/v1/status')).status, 200)
  } finally {
    for (const one of started) if (one.status === 'fulfilled') await one.value.service.stop()
  }
})

test('where something else has the ledger open a service is refused, too', async () => {
  const { files, close } = await temporaryLedger()
  try {
    writeSettings(files.home, quietSettings)
    assert.equal((await refusesToStart({ home: files.home }, 'SERVICE_RUNNING')).details, {})
  } finally {
    await close()
  }
})

test('a start that fails lets everything go again', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const address = taken.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const home = newHome()
  try {
    await refusesToStart({ home, settings: quietSettings, listen: { host: '127.0.0.1', port } }, 'LISTEN_FAILED')
    assert.not.ok(existsSync(join(home, 'service.sock')))
  } finally {
    taken.close()
  }
  await withService({ home, listen: { host: '127.0.0.1', port: 0 } }, async (running) => {
    assert.is((await running.askLoopback('/v1/status')).status, 200)
  })
})

test('a home that others can reach into, and settings that cannot be read, are refused', async () => {
  const open = newHome()
  await withService({ home: open, settings: quietSettings }, async () => {})
  chmodSync(open, 0o755)
  await refusesToStart({ home: open }, 'HOME_NOT_PRIVATE')
  const bad = newHome()
  await refusesToStart({ home: bad, settings: 'provenance: maybe\n' }, 'CONFIG_INVALID')
  await refusesToStart({ home: bad, settings: quietSettings, environment: { STELE_CAPABILITY_MODE: 'x' } }, 'CONFIG_INVALID')
})

test('a socket that somebody took away, or put another in place of, is restored by itself, and everybody is reached again', async () => {
  await withService({}, async (running) => {
    for (const name of ['service.sock', 'owner.sock']) {
      const path = join(running.home, name)
      rmSync(path)
      await until(`${name} is back`, () => existsSync(path))
      rmSync(path)
      writeFileSync(path, 'foreign')
      await until(`${name} is ours again`, () => statSync(path).isSocket())
    }
    assert.is((await running.hook(typed('still there'))).status, 200)
    assert.is((await running.askOwner('/v1/owner/config-accept', { body: {} })).status, 400)
  })
})

test('a home that was made anew and has a service of its own is left to that one', async () => {
  const running = await runService()
  const others = { ...running.file(), pid: process.ppid, started: '2026-11-30T09:00:00.000Z' }
  const socket = join(running.home, 'service.sock')
  try {
    rmSync(running.home, { recursive: true })
    mkdirSync(running.home, { mode: 0o700 })
    writeServiceFile(running.home, others)
    writeFileSync(socket, 'theirs')
    assert.is(await running.service.ended, 'home_gone')
    assert.equal(readServiceFile(running.home), others)
  } finally {
    await running.service.stop()
  }
})

test('a service whose home was deleted ends by itself, and does not bring it back', async () => {
  const running = await runService()
  try {
    rmSync(running.home, { recursive: true })
    assert.is(await running.service.ended, 'home_gone')
    assert.not.ok(existsSync(running.home))
  } finally {
    await running.service.stop()
  }
})

/** Lets the clock that never goes back jump ahead, for everybody in this process. */
async function withJumpingClock(task: (jump: (ms: number) => void) => Promise<void>): Promise<void> {
  const now = performance.now.bind(performance)
  let ahead = 0
  performance.now = () => now() + ahead
  try {
    await task((ms) => {
      ahead += ms
    })
  } finally {
    performance.now = now
  }
}

test('a service that was started on demand leaves when nobody asked for the time that is set, and not before', async () => {
  await withJumpingClock(async (jump) => {
    const settings = `${quietSettings}service:\n  idleExitMinutes: 10\n`
    const running = await runService({ settings, leavesWhenIdle: true })
    try {
      let ended = false
      const end = running.service.ended.then((how) => {
        ended = true
        return how
      })
      for (let at = 0; at < 2; at += 1) {
        jump(6 * 60_000)
        assert.is((await running.ask('/v1/status')).status, 200)
        await new Promise((resolve) => setTimeout(resolve, 1200))
        assert.is(ended, false)
      }
      jump(11 * 60_000)
      assert.is(await end, 'idle')
      assert.is(readServiceFile(running.home)?.pid, null)
    } finally {
      await running.service.stop()
    }
  })
})

test('one that was started by hand, or is never to leave, stays', async () => {
  await withJumpingClock(async (jump) => {
    const never = `${quietSettings}service:\n  idleExitMinutes: 0\n`
    const all = await Promise.all([runService(), runService({ settings: never, leavesWhenIdle: true })])
    try {
      jump(24 * 3_600_000)
      await new Promise((resolve) => setTimeout(resolve, 1500))
      for (const running of all) assert.is((await running.ask('/v1/status')).status, 200)
    } finally {
      for (const running of all) await running.service.stop()
    }
  })
})

test('settings that change are taken up without anybody asking, and service.json tells them', async () => {
  await withService({}, async (running) => {
    writeSettings(running.home, `${quietSettings}capability:\n  mode: enforce\n`)
    await until('it is told', () => running.file().modes.capability === 'enforce')
    writeSettings(running.home, `${quietSettings}capability:\n  mode: observe\n`)
    await until('it is recorded', async () => (await running.entries('type=config.loosened')).length === 1)
    assert.equal(running.file().modes, { provenance: 'observe', capability: 'enforce' })
    const status = await statusOf(running)
    assert.equal(status['modes'], { provenance: 'observe', capability: 'enforce' })
    assert.equal(status['ok'], true)
  })
})

test('a decision right behind a change already stands under it', async () => {
  await withService({}, async (running) => {
    const decided = async (call: string) => {
      assert.is((await running.hook(toolCall('terminal', {}, call))).status, 200)
      return (await running.entries('type=gate.decided&order=desc&limit=1'))[0]?.data
    }
    assert.equal([(await decided('1'))?.['mode'], (await decided('2'))?.['enforced']], ['observe', false])
    writeSettings(running.home, `${quietSettings}capability:\n  mode: enforce\n`)
    const after = await decided('3')
    assert.equal([after?.['mode'], after?.['enforced']], ['enforce', true])
  })
})

test('a bad file while it runs is shown and recorded once, and the last good settings stay, over a restart refused', async () => {
  const home = newHome()
  await withService({ home, settings: `${quietSettings}capability:\n  mode: enforce\n` }, async (running) => {
    writeSettings(home, 'capability:\n  mode: words of somebody\n')
    for (let at = 0; at < 3; at += 1) await running.hook(typed(`x ${at}`, `${at}`))
    const status = await statusOf(running)
    assert.equal([status['ok'], status['modes']], [false, { provenance: 'observe', capability: 'enforce' }])
    const { rejected } = status['settings'] as { rejected: Record<string, unknown> }
    assert.equal([rejected['code'], rejected['key'], rejected['place']], ['CONFIG_INVALID', 'capability.mode', 'config.yaml'])
    assert.not.ok(JSON.stringify(status).includes('words of'))
    assert.is((await running.entries('type=config.rejected')).length, 1)
  })
  await refusesToStart({ home }, 'CONFIG_INVALID')
  // Whoever asks meanwhile still finds what held.
  assert.is(readServiceFile(home)?.modes.capability, 'enforce')
})

test('what a weaker file asks for while no service runs waits when one starts', async () => {
  const home = newHome()
  await withService({ home, settings: `${quietSettings}capability:\n  mode: enforce\n` }, async () => {})
  await withService({ home, settings: `${quietSettings}capability:\n  mode: off\n` }, async (running) => {
    assert.equal(running.file().modes, { provenance: 'observe', capability: 'enforce' })
    const { settings } = (await statusOf(running)) as { settings: { waiting: object[] } }
    assert.equal(settings.waiting, [{ key: 'capability.mode', from: 'enforce', to: 'off' }])
    assert.is((await running.entries('type=config.loosened')).length, 1)
  })
})

test('a live tail does not hold up the end: nobody has to be cut off', async () => {
  const { closeAllConnections } = Server.prototype
  let cutOff = false
  Server.prototype.closeAllConnections = function (this: Server) {
    cutOff = true
    closeAllConnections.call(this)
  }
  const running = await runService({ listen: { host: '127.0.0.1', port: 0 } })
  const ended: Promise<unknown>[] = []
  try {
    for (const tail of [running.ask('/v1/live'), running.askLoopback('/v1/live?from=0')]) ended.push(tail.catch(() => 'ended'))
    await new Promise((resolve) => setTimeout(resolve, 200))
  } finally {
    await running.service.stop()
    Server.prototype.closeAllConnections = closeAllConnections
  }
  await Promise.all(ended)
  assert.is(cutOff, false)
})

test('snapshots that a reader left behind long ago are removed at the start, and newer ones are not', async () => {
  const home = newHome()
  await withService({ home, settings: quietSettings }, async (running) => {
    for (let at = 0; at < 2; at += 1) await running.ask('/v1/snapshots', { method: 'POST' })
  })
  const folder = join(home, 'snapshots')
  const [old = '', recent = ''] = readdirSync(folder).sort()
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000)
  utimesSync(join(folder, old), twoDaysAgo, twoDaysAgo)
  await withService({ home }, async () => {
    assert.equal([existsSync(join(folder, old)), existsSync(join(folder, recent))], [false, true])
  })
})

test('files that lie in the home under strange names are left alone', async () => {
  const home = newHome()
  const strange = join(home, 'notes of mine')
  mkdirSync(strange, { recursive: true, mode: 0o700 })
  chmodSync(home, 0o700)
  writeFileSync(join(strange, 'x'), 'x')
  await withService({ home, settings: quietSettings }, async () => {})
  assert.is(readFileSync(join(strange, 'x'), 'utf8'), 'x')
})

test.run()
