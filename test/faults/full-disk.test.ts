// A disk that is really full, under a running service: what is answered, what is closed with the room of the reserve, and how it goes on.
// It takes a small file system of its own, which only root may mount.
// time limit: 240 s
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readCheckpointLines } from '../../src/ledger/checkpoint-lines.js'
import { readMark } from '../../src/ledger/high-water.js'
import { homeFiles } from '../../src/ledger/home-files.js'
import type { VerifyReport } from '../../src/verify/verify-ledger.js'
import { AttachedHost, until } from '../support/attached-host.js'
import { exportedLines } from '../support/exported-lines.js'
import { askedCall, typedMessage } from '../support/hermes-payloads.js'
import { endServices, serviceLogOf, startServiceProcess, statusOf, writeSettings } from '../support/service-process.js'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('full disk')
const mounted = new Set<string>()
test.after(async () => {
  await endServices()
  for (const folder of mounted) spawnSync('umount', [folder], { stdio: 'ignore' })
})

const mib = 1024 * 1024
/** The capability gate lets go and the provenance gate blocks, so that both answers are there to be seen in one home. */
const mixedModes = { capability: { mode: 'observe' }, provenance: { mode: 'block' } }
const blocked = (call: string) => askedCall('memory', { action: 'add', content: 'the user said so' }, { call })
const letGo = (call: string) => askedCall('terminal', { command: 'ls' }, { call })

interface SmallDisk {
  readonly home: string
  free(): number
  /** Leaves so many bytes free. */
  fill(left: number): void
  makeRoom(): void
}

/** A home on a file system of 96 MiB; undefined where none can be mounted. */
function smallDisk(): SmallDisk | undefined {
  const folder = temporaryFolder()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m,mode=700', 'none', folder], { stdio: 'ignore' }).status !== 0) {
    console.log('note: no file system could be mounted here, so nobody looked at a disk that is really full')
    return undefined
  }
  mounted.add(folder)
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o700 })
  writeSettings(home, { ...mixedModes, limits: { freeBytes: 80 * mib } })
  const filler = join(folder, 'filler')
  const free = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    home,
    free,
    fill: (left) => {
      const descriptor = openSync(filler, 'a')
      try {
        while (free() > left) writeSync(descriptor, Buffer.alloc(Math.min(mib, free() - left)))
      } finally {
        closeSync(descriptor)
      }
    },
    makeRoom: () => rmSync(filler),
  }
}

function assertSignedAndSound(home: string): void {
  const files = homeFiles(home)
  const mark = readMark(files.highWater)
  const size = typeof mark === 'object' ? mark.size : -1
  const newest = readCheckpointLines(files.checkpoints).at(-1)?.split('\n')[1]
  assert.is(newest, String(size), 'the newest checkpoint covers every entry')
  const { vkey } = json<{ vkey: string }>(stele(['init', '--json', '--home', home]))
  const report = json<VerifyReport>(stele(['verify', '--json', '--home', home, '--key', vkey]))
  assert.equal([report.findings, report.ok, report.assurance], [[], true, 'signed'])
}

const failureOf = async (home: string) => ((await statusOf(home))['ledger'] as { failed?: string }).failed
const hasReserve = (home: string) => statSync(join(home, 'reserve'), { throwIfNoEntry: false })?.size === 8 * mib

/** Payloads until the service says that it cannot record any more. */
async function speakUntilFull(host: AttachedHost): Promise<void> {
  for (let at = 0; at < 2000; at += 1) {
    const answer = await host.hook(typedMessage(`${at} ${'x'.repeat(20_000)}`, { turn: `full-${at}` }))
    if (answer.directive === undefined) return
  }
  throw new Error('the disk was never full')
}

test('a write that fails: the reserve is given back, the head is signed, modes decide, and the service ends in order on the full disk', async () => {
  const disk = smallDisk()
  if (disk === undefined) return
  const { home } = disk
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home)
  await host.attach()
  await host.deliver(typedMessage('before'))
  await until('the reserve is made', () => hasReserve(home), 30_000)
  assert.equal((await statusOf(home))['ok'], true)
  disk.fill(0)
  await speakUntilFull(host)
  await until('it is closed for want of room', async () => (await failureOf(home)) === 'DISK_FULL', 20_000)
  assert.is(existsSync(join(home, 'reserve')), false)
  assert.equal([(await host.deliver(blocked('full-1'))).how, (await host.deliver(letGo('full-2'))).how], ['blocked', 'let_go'])
  const refused = await host.hook(typedMessage('not recorded', { turn: 'turn-2' }))
  assert.equal([refused.status, refused.code], [503, 'DISK_FULL'])
  const { exceeded, free } = (await statusOf(home))['size'] as { exceeded: string[]; free: number }
  assert.equal([exceeded, free < 16 * mib], [['disk'], true])
  const ended = await service.end()
  assert.equal([ended.code, ended.signal], [0, null])
  assert.ok(disk.free() < 16 * mib, 'still full')
  const log = serviceLogOf(home).join('\n')
  assert.match(log, / reserve_given_back/)
  assert.not.match(log, / not_closed_/)

  disk.makeRoom()
  assertSignedAndSound(home)
  const again = await startServiceProcess(home)
  assert.is((await host.deliver(typedMessage('after', { turn: 'turn-3' }))).how, 'answered')
  await until('the spool is taken in', () => readdirSync(join(home, 'spool')).length === 0, 30_000)
  host.close()
  await again.end()
  assertSignedAndSound(home)
  const lines = exportedLines(home)
  const calls = lines.filter(({ type }) => type === 'tool.requested').map(({ data, words }) => [words?.['call'], data['late']])
  assert.equal(calls, [
    ['full-1', true],
    ['full-2', true],
  ])
  const did = lines.filter(({ type }) => type === 'mismatch.found').map(({ data }) => data['did'])
  assert.ok(did.includes('blocked') && did.includes('let_go'), did.join())
})

test('a disk that is nearly full: it is told, the ledger is closed with its head signed, and it goes on by itself once there is room', async () => {
  const disk = smallDisk()
  if (disk === undefined) return
  const { home } = disk
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home)
  await host.attach()
  await host.deliver(typedMessage('before'))
  disk.fill(6 * mib)
  await until('it is held', async () => (await failureOf(home)) === 'DISK_FULL', 30_000)
  assert.equal([(await host.deliver(blocked('full-1'))).how, (await host.deliver(letGo('full-2'))).how], ['blocked', 'let_go'])
  // The head was signed when it was closed: nothing is open that a crash could hurt.
  assertSignedAndSound(home)
  disk.makeRoom()
  const roomMs = performance.now()
  await until(
    'a hook is served again',
    async () => (await host.deliver(typedMessage('after', { turn: 'turn-4' }))).how === 'answered',
    30_000,
  )
  console.log(`note: with room again, a hook was served after ${Math.round(performance.now() - roomMs)} ms`)
  await until('the spool is taken in', () => readdirSync(join(home, 'spool')).length === 0, 30_000)
  assert.is((await statusOf(home)).ok, true)
  host.close()
  await service.end()
  assertSignedAndSound(home)
  const told = exportedLines(home).filter(({ type }) => type === 'budget.exceeded')
  assert.equal(
    told.map(({ data }) => [data['what'], data['budget']]),
    [['disk', 80 * mib]],
  )
  assert.ok(Number(told[0]?.data['bytes']) < 8 * mib)
})

test('a service that was killed, and a disk that is full when the next one starts: that one opens the ledger with the room of the reserve', async () => {
  const disk = smallDisk()
  if (disk === undefined) return
  const { home } = disk
  const first = await startServiceProcess(home)
  const host = new AttachedHost(home)
  await host.attach()
  await host.deliver(typedMessage('before'))
  await until('the reserve is made', () => hasReserve(home), 30_000)
  await first.end('SIGKILL')
  disk.fill(0)
  const second = await startServiceProcess(home)
  assert.is(existsSync(join(home, 'reserve')), false)
  assert.is((await host.deliver(typedMessage('in the room of the reserve', { turn: 'turn-2' }))).how, 'answered')
  host.close()
  const ended = await second.end()
  assert.equal([ended.code, ended.signal], [0, null])
  disk.makeRoom()
  assertSignedAndSound(home)
  assert.ok(existsSync(dirname(home)))
})

test.run()
