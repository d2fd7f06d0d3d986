// What befalls a running service and its home: sockets taken away, the home deleted, disks full and read-only, a second service, no answer.
// time limit: 180 s
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { VerifyReport } from '../../src/verify/verify-ledger.js'
import { AttachedHost, readServiceFacts, until } from '../support/attached-host.js'
import { type ExportedLine, exportedLines } from '../support/exported-lines.js'
import { askedCall, typedMessage } from '../support/hermes-payloads.js'
import {
  type Ended,
  endServices,
  homeForService,
  type ServiceProcess,
  serviceLogOf,
  startServiceProcess,
  statusOf,
  tryServiceProcess,
  writeSettings,
} from '../support/service-process.js'
import { json, stele } from '../support/stele-command.js'

const test = suite('service faults')
test.after(endServices)
const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** The capability gate lets go and the provenance gate blocks, so that both answers are there to be seen in one home. */
const mixedModes = { capability: { mode: 'observe' }, provenance: { mode: 'block' } }
const blocked = askedCall('memory', { action: 'add', content: 'the user said so' }, { call: 'blocked' })
const letGo = askedCall('terminal', { command: 'ls' }, { call: 'let-go' })

const ofType = (lines: readonly ExportedLine[], type: string) => lines.filter((line) => line.type === type)
const isRunning = (found: Ended | ServiceProcess): found is ServiceProcess => 'pid' in found

function hookByShell(home: string, payload: object, as: { uid?: number; gid?: number } = {}) {
  const { status, stdout } = spawnSync(process.execPath, [program, 'hook', '--home', home], {
    input: JSON.stringify(payload),
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    ...as,
  })
  return { status, action: (JSON.parse(stdout) as { action?: string }).action }
}

function assertSound(home: string): void {
  const report = json<VerifyReport>(stele(['verify', '--json', '--home', home]))
  assert.equal(report.findings, [])
  assert.ok(report.ok)
}

test('a second service on a home refuses with the process of the first, and the first goes on', async () => {
  const home = homeForService()
  const first = await startServiceProcess(home)
  const second = await tryServiceProcess(home)
  assert.not.ok(isRunning(second))
  if (isRunning(second)) return
  assert.is(second.code, 3)
  assert.match(second.stderr, /SERVICE_RUNNING/)
  assert.match(second.stderr, new RegExp(`\\b${first.pid}\\b`))
  assert.is((await statusOf(home)).pid, first.pid)
  await first.end()
})

test('a second service refuses in the same way while the first hangs, and takes nothing from it', async () => {
  const home = homeForService()
  const first = await startServiceProcess(home)
  process.kill(first.pid, 'SIGSTOP')
  const second = await tryServiceProcess(home)
  process.kill(first.pid, 'SIGCONT')
  assert.not.ok(isRunning(second))
  if (isRunning(second)) return
  assert.is(second.code, 3)
  assert.match(second.stderr, new RegExp(`SERVICE_RUNNING.*\\b${first.pid}\\b`))
  await until('the first answers again', async () => (await statusOf(home).catch(() => undefined))?.pid === first.pid)
  await first.end()
})

test('sockets that are removed under a running service, or replaced by something else, are back within seconds', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const reachable = () =>
    statusOf(home).then(
      ({ pid }) => pid === service.pid,
      () => false,
    )
  const took: number[] = []
  const measured = async (deed: () => void) => {
    deed()
    const startedMs = performance.now()
    await until('the socket is back', reachable)
    took.push(performance.now() - startedMs)
  }
  const socket = join(home, 'service.sock')
  await measured(() => rmSync(socket))
  await measured(() => {
    rmSync(socket)
    writeFileSync(socket, '')
  })
  await measured(() => renameSync(socket, `${socket}.moved`))
  rmSync(join(home, 'owner.sock'))
  await until('the owner’s too', () => existsSync(join(home, 'owner.sock')))
  console.log(`note: a removed socket was back after ${took.map((ms) => Math.round(ms)).join(', ')} ms`)
  const host = new AttachedHost(home)
  await host.attach()
  assert.equal((await host.hook(typedMessage('through the new socket'))).directive, {})
  host.close()
  await service.end()
})

test('the folder of a socket outside a home with a long path is back within seconds too', async () => {
  const short = homeForService()
  const runtime = join(dirname(short), 'run')
  mkdirSync(runtime, { mode: 0o700 })
  const home = join(dirname(short), 'a'.repeat(60), 'b'.repeat(60))
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeSettings(home, {})
  const service = await startServiceProcess(home, { env: { XDG_RUNTIME_DIR: runtime } })
  const { socket } = readServiceFacts(home)
  assert.is(dirname(dirname(socket)), runtime)
  rmSync(dirname(socket), { recursive: true })
  await until('the socket is back', () =>
    statusOf(home).then(
      ({ pid }) => pid === service.pid,
      () => false,
    ),
  )
  await service.end()
})

test('a home that is deleted under a service: answers are errors, the process ends by itself, and nothing is made anew', async () => {
  const home = homeForService({ capability: { mode: 'enforce' } })
  const service = await startServiceProcess(home)
  const socket = readServiceFacts(home).socket
  const host = new AttachedHost(home)
  await host.attach()
  await host.hook(typedMessage('kept'))
  // The way in stays open where a connection is: the file of the socket is gone with the home.
  const facts = { socket, pid: service.pid, modes: { provenance: 'observe', capability: 'enforce' }, fieldBytes: 262_144 }
  const asked = [host.sign(letGo), host.sign(typedMessage('into nowhere'))]
  rmSync(home, { recursive: true })
  const answers = await Promise.all(asked.map((one) => host.send(one, facts).catch(() => undefined)))
  for (const answer of answers) {
    assert.is(answer?.directive, undefined, 'no directive without a record')
    assert.ok(answer === undefined || answer.status >= 500, `status ${answer?.status}`)
  }
  assert.ok(
    answers.some((answer) => answer?.code === 'STORE_GONE'),
    `codes ${answers.map((answer) => answer?.code).join()}`,
  )
  const ended = await Promise.race([service.ended, sleep(30_000)])
  assert.ok(ended, 'it ends by itself')
  assert.is(ended?.signal, null)
  assert.not.equal(ended?.code, 0)
  assert.match(ended?.stderr ?? '', /STORE_GONE/)
  assert.not.ok(existsSync(home))
  host.close()
})

test('an empty folder in the place of a deleted home is not made a home by the service, and hooks get errors', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home)
  await host.attach()
  await host.hook(typedMessage('kept'))
  const facts = readServiceFacts(home)
  const asked = [1, 2, 3].map((at) => host.sign(typedMessage(`into nowhere ${at}`)))
  rmSync(home, { recursive: true })
  mkdirSync(home, { mode: 0o700 })
  for (const one of asked) {
    const answer = await host.send(one, facts).catch(() => undefined)
    assert.is(answer?.directive, undefined, 'no directive without a record')
    assert.ok(answer === undefined || answer.status >= 400, `status ${answer?.status}`)
    await sleep(700)
  }
  await sleep(2500)
  for (const name of ['store', 'key', 'digest-key', 'high-water', 'checkpoints.txt'])
    assert.not.ok(existsSync(join(home, name)), `${name} was made anew`)
  host.close()
  const ended = await service.end()
  assert.is(ended.signal, null)
})

/** From outside, as a full disk looks to whoever writes: no file of the process can grow any more. */
function fillDisk(pid: number, full: boolean): boolean {
  const limit = full ? '--fsize=1:' : '--fsize=unlimited:'
  return spawnSync('prlimit', [limit, '--pid', String(pid)], { stdio: 'ignore' }).status === 0
}

test('disk full: hooks get 5xx, enforcing gates block and observing ones let go, and all is told and kept once there is room', async () => {
  const home = homeForService(mixedModes)
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home)
  await host.attach()
  await host.deliver(typedMessage('before'))
  if (!fillDisk(service.pid, true)) {
    console.log('note: no prlimit here, so nobody looked at what a full disk does')
    host.close()
    await service.end()
    return
  }
  const refused = await host.hook(typedMessage('not recorded', { turn: 'turn-2' }))
  assert.is(refused.directive, undefined)
  assert.ok(refused.status >= 500, `status ${refused.status}`)
  const lost = host.sign(typedMessage('spooled by hand', { turn: 'turn-3' }))
  host.spool(lost)
  assert.equal([(await host.deliver(blocked)).how, (await host.deliver(letGo)).how], ['blocked', 'let_go'])
  assert.equal(hookByShell(home, askedCall('memory', { action: 'read' }, { call: 'shell-1' })), { status: 0, action: 'block' })
  assert.equal(hookByShell(home, askedCall('terminal', { command: 'pwd' }, { call: 'shell-2' })), {
    status: 0,
    action: undefined,
  })
  const during = await statusOf(home)
  assert.is(during.pid, service.pid, 'it is still there')
  assert.is(during.ok, false)
  const { failed } = during['ledger'] as { failed: string }
  // A full disk, and no damaged store that would have to be put back from a backup.
  assert.ok(['STORE_WRITE_FAILED', 'FILE_UNWRITABLE'].includes(failed), failed)

  assert.ok(fillDisk(service.pid, false))
  const roomMs = performance.now()
  await until(
    'a hook is served again',
    async () => (await host.deliver(typedMessage('after', { turn: 'turn-4' }))).how === 'answered',
    60_000,
  )
  console.log(`note: with room again, a hook was served after ${Math.round(performance.now() - roomMs)} ms`)
  await until('the spool is taken in', () => readdirSync(join(home, 'spool')).length === 0, 60_000)
  assert.is((await statusOf(home)).ok, true)
  host.close()
  await service.end()
  assertSound(home)

  const lines = exportedLines(home)
  const texts = ofType(lines, 'message.captured').map(({ words }) => words?.['text'])
  for (const text of ['before', 'spooled by hand', 'after']) assert.ok(texts.includes(text), text)
  assert.is(texts.filter((text) => text === 'spooled by hand').length, 1)
  // What the host did on its own, beside the numbers that it did it for.
  const told = ofType(lines, 'mismatch.found').filter(({ data }) => data['kind'] === 'unanswered')
  assert.ok(told.some(({ data }) => data['did'] === 'blocked'))
  assert.ok(told.some(({ data }) => data['did'] === 'let_go'))
  const calls = ofType(lines, 'tool.requested').filter(({ data }) => data['source'] === 'attached')
  assert.equal(
    calls.map(({ data }) => [data['tool'], data['late']]),
    [
      ['memory', true],
      ['terminal', true],
    ],
  )
})

/** Whoever is not held back by file modes has to work as somebody else. */
function unprivileged(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {}
  const nobody = { uid: 65_534, gid: 65_534 }
  return spawnSync(process.execPath, [program, '--version'], nobody).status === 0 ? nobody : undefined
}

test('a home on a read-only disk: no service comes up, the reason is named, calls are blocked by the modes, and nothing is torn', async () => {
  const as = unprivileged()
  if (as === undefined) {
    console.log('note: run by root, and the program cannot be reached by anybody else, so nobody looked at a read-only home')
    return
  }
  const home = homeForService(mixedModes)
  const give = (path: string) => {
    if (as.uid !== undefined && as.gid !== undefined) chownSync(path, as.uid, as.gid)
  }
  for (const path of [dirname(home), home, join(home, 'config.yaml')]) give(path)
  const before = await startServiceProcess(home, as.uid === undefined ? {} : { uid: as.uid })
  assert.equal(hookByShell(home, typedMessage('before'), as), { status: 0, action: undefined })
  await before.end()

  const closed: [string, number][] = []
  const close = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) close(path)
      else if (entry.isFile()) {
        closed.push([path, 0o600])
        chmodSync(path, 0o400)
      }
    }
    closed.push([folder, 0o700])
    chmodSync(folder, 0o500)
  }
  close(home)
  try {
    const refused = await tryServiceProcess(home, as.uid === undefined ? {} : { uid: as.uid })
    assert.not.ok(isRunning(refused))
    if (!isRunning(refused)) {
      assert.is(refused.signal, null)
      assert.match(refused.stderr, /^stele: (FILE_UNWRITABLE|STORE_UNREADABLE|STORE_WRITE_FAILED): /m)
    }
    assert.equal(hookByShell(home, blocked, as), { status: 0, action: 'block' })
    assert.equal(hookByShell(home, letGo, as), { status: 0, action: undefined })
  } finally {
    for (const [path, mode] of closed.toReversed()) chmodSync(path, mode)
  }

  const after = await startServiceProcess(home, as.uid === undefined ? {} : { uid: as.uid })
  assert.equal(hookByShell(home, typedMessage('after', { turn: 'turn-2' }), as), { status: 0, action: undefined })
  await after.end()
  assertSound(home)
  const texts = ofType(exportedLines(home), 'message.captured').map(({ words }) => words?.['text'])
  assert.equal(texts, ['before', 'after'])
})

test('while no service runs, calls are blocked or let go by the modes, and what was seen is appended later, once, in order and marked late', async () => {
  const home = homeForService(mixedModes)
  const host = new AttachedHost(home, { deadlineMs: 2000 })
  const first = await startServiceProcess(home)
  await host.attach()
  await host.deliver(typedMessage('before'))
  await first.end('SIGKILL')

  const seen = [typedMessage('meanwhile', { turn: 'turn-2' }), blocked, letGo]
  const hows: string[] = []
  for (const payload of seen) hows.push((await host.deliver(payload)).how)
  assert.equal(hows, ['let_go', 'blocked', 'let_go'])

  const second = await startServiceProcess(home)
  assert.is((await host.deliver(typedMessage('after', { turn: 'turn-3' }))).how, 'answered')
  host.close()
  await second.end()
  const lines = exportedLines(home).filter(({ data }) => typeof data['seq'] === 'number' && data['source'] === 'attached')
  const told = lines.filter(({ type }) => type === 'message.captured' || type === 'tool.requested')
  assert.equal(
    told.map(({ data, words }) => [data['seq'], words?.['text'] ?? data['tool'], data['late'] ?? false]),
    [
      [1, 'before', false],
      [2, 'meanwhile', true],
      [3, 'memory', true],
      [4, 'terminal', true],
      [5, 'after', false],
    ],
  )
  const mismatches = ofType(exportedLines(home), 'mismatch.found').map(({ data }) => [
    data['seq'],
    data['did'],
    data['judged'] !== null,
  ])
  assert.equal(mismatches, [
    [2, 'let_go', true],
    [3, 'blocked', true],
    [4, 'let_go', true],
  ])
  assert.equal(ofType(exportedLines(home), 'gap.recorded'), [])
})

test('what a host spooled long before the next service came up is vouched for all the same, once it has attached', async () => {
  const home = homeForService({ limits: { spoolWaitSeconds: 3, gapSeconds: 1 } })
  const host = new AttachedHost(home)
  const first = await startServiceProcess(home)
  await host.attach()
  await host.deliver(typedMessage('before'))
  await first.end()
  await host.deliver(letGo)
  // Longer than a line waits for its attach.
  await sleep(4000)
  const second = await startServiceProcess(home)
  assert.is((await host.deliver(typedMessage('after', { turn: 'turn-2' }))).how, 'answered')
  await sleep(2500)
  host.close()
  await second.end()
  const lines = exportedLines(home)
  assert.equal(
    ofType(lines, 'tool.requested').map(({ data }) => [data['source'], data['seq'], data['late']]),
    [['attached', 2, true]],
  )
  assert.equal(ofType(lines, 'gap.recorded'), [])
})

test('while a service hangs, the shell hook and an attached host answer within their deadlines, and each payload is recorded once', async () => {
  const home = homeForService(mixedModes)
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home, { deadlineMs: 2000 })
  await host.attach()
  await host.deliver(typedMessage('before'))
  process.kill(service.pid, 'SIGSTOP')
  const startedMs = performance.now()
  const hows = await Promise.all([host.deliver(blocked), host.deliver(letGo)])
  const hostMs = performance.now() - startedMs
  const shellMs = performance.now()
  const own = { session: 'shell', call: 'shell-1' }
  assert.equal(hookByShell(home, askedCall('memory', { action: 'read' }, own)), { status: 0, action: 'block' })
  console.log(
    `note: beside a service that hangs a host had answered after ${Math.round(hostMs)} ms, stele hook after ${Math.round(performance.now() - shellMs)} ms`,
  )
  assert.equal(
    hows.map(({ how }) => how),
    ['blocked', 'let_go'],
  )
  process.kill(service.pid, 'SIGCONT')
  await until('it answers again', async () => (await host.deliver(typedMessage('after', { turn: 'turn-2' }))).how === 'answered')
  await until('the spool is taken in', () => readdirSync(join(home, 'spool')).length === 0)
  host.close()
  await service.end()
  const lines = exportedLines(home)
  const calls = ofType(lines, 'tool.requested')
  assert.equal(calls.map(({ words }) => words?.['call']).toSorted(), ['blocked', 'let-go', 'shell-1'])
  assert.equal(ofType(lines, 'gap.recorded'), [])
  assertSound(home)
})

test('nothing that a user or an agent wrote stands in service.log', async () => {
  const home = homeForService(mixedModes)
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home)
  await host.attach()
  await host.hook(typedMessage('xyzzy-secret-word'))
  await host.hook(Buffer.from('{"hook_event_name": "xyzzy-secret-word", "session_id": 7'))
  host.close()
  await service.end()
  const log = serviceLogOf(home).join('\n')
  assert.match(log, / started pid=/)
  assert.not.match(log, /xyzzy|session-1|grep/)
  assert.ok(!readFileSync(join(home, 'service.log'), 'utf8').includes(host.secret.toString('hex')))
})

test.run()
