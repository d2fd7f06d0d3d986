// The service as its owner meets it on the command line: starting, asking, working beside it, accepting, ending.
// time limit: 300 s
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { homeFiles } from '../../src/ledger/home-files.js'
import { readHome } from '../../src/ledger/read-home.js'
import type { ServiceFile } from '../../src/service/service-file.js'
import { readCheckpoint } from '../../src/verify/verify-checkpoint.js'
import { AttachedHost, until } from '../support/attached-host.js'
import { askAt, typed } from '../support/running-service.js'
import { assertRefused, hookAt, steleAt, steleBeside, withoutHermes } from '../support/service-commands.js'
import { endServices, endWithTest, homeForService, startServiceProcess, writeSettings } from '../support/service-process.js'
import { json, stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('service command')
test.after(endServices)

const serviceJson = (home: string) => JSON.parse(readFileSync(join(home, 'service.json'), 'utf8')) as ServiceFile
const status = (home: string) => json<Record<string, unknown>>(steleAt(home, 'status', '--json'))

const served = homeForService()

test('without a home status says so, and doctor finds what is wrong', () => {
  const nowhere = join(temporaryFolder(), 'nowhere')
  assertRefused(steleAt(nowhere, 'status'), 'HOME_MISSING', 2)
  const ran = steleAt(nowhere, 'doctor', '--json')
  assert.is(ran.status, 1)
  const { ok, findings } = json<{ ok: boolean; findings: { about: string; state: string; todo: string }[] }>(ran)
  assert.is(ok, false)
  assert.equal(
    findings.filter(({ state }) => state === 'wrong').map(({ about, todo }) => `${about}: ${todo}`),
    ['home: run `stele init`'],
  )
  assert.not.ok(existsSync(nowhere), 'asking makes no home')
})

test('where none runs, status answers from the files, and stop has nothing to do', () => {
  const home = homeForService()
  assert.is(steleAt(home, 'init').status, 0)
  const { size, ...others } = status(home)
  assert.equal(others, { serving: false, home, ledger: { size: 1, epoch: 0 }, modes: null, erasures: [], spooled: 0 })
  const { places, rows } = size as { places: Record<string, number>; rows: null }
  assert.equal([rows, (places['store'] ?? 0) > 0, places['views']], [null, true, 0])
  assert.match(steleAt(home, 'status').stdout, /^Size: {5}[0-9.]+ (KiB|MiB) \(.*store .*\), .* free$/m)
  const told = steleAt(home, 'status')
  assert.is(told.status, 0)
  assert.match(told.stdout, /No service .* is running/)
  assert.equal(json(steleAt(home, 'stop', '--json')), { home, stopped: false, pid: null })
  assert.is(steleAt(home, 'stop').status, 0)
  assert.is(steleAt(home, 'doctor').status, 0)
})

test('serve --detach returns when the service answers, and again at once when there is one', () => {
  assert.equal([steleAt(served, 'serve', '--detach', '--json').stdout], [`${JSON.stringify({ home: served, serving: true })}\n`])
  const { pid, page, token } = serviceJson(served)
  assert.type(pid, 'number')
  assert.match(page ?? '', /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.match(token ?? '', /^[0-9a-f]{64}$/)
  const now = status(served)
  assert.equal([now['serving'], now['ok'], now['pid'], now['home']], [true, true, pid, served])
  const said = steleAt(served, 'status').stdout
  assert.match(said, new RegExp(`process ${pid}`))
  assert.match(said, /^Size: {5}/m)
  assert.not.match(said, /^Budget:/m)
  assert.is(steleAt(served, 'serve', '--detach').status, 0)
  assert.is(serviceJson(served).pid, pid)
})

test('the page’s address answers whoever has the token', async () => {
  const { page, token } = serviceJson(served)
  const ask = (headers: Record<string, string>) => fetch(`${page}/v1/status`, { headers })
  assert.equal([(await ask({ authorization: `Bearer ${token}` })).status, (await ask({})).status], [200, 401])
})

test('a second service is refused and names the process of the first', () => {
  const { pid } = serviceJson(served)
  const ran = steleAt(served, 'serve')
  assertRefused(ran, 'SERVICE_RUNNING', 3)
  assert.match(ran.stderr, new RegExp(`\\(pid: ${pid}\\)`))
  assert.is(status(served)['pid'], pid)
})

test('init beside a service changes nothing and says what there is', () => {
  const told = json<{ created: boolean; size: number; vkey: string }>(steleAt(served, 'init', '--json'))
  assert.equal([told.created, told.size], [false, 2])
  assert.match(told.vkey, /^stele\.local\//)
})

test('a hook goes to the service, is on disk when it is answered, and says nothing else', () => {
  const ran = hookAt(served, typed('I decided we ship on Friday'))
  assert.equal([ran.status, ran.stdout, ran.stderr], [0, '{}\n', ''])
  const [line] = steleAt(served, 'log', '--type', 'message.captured', '--json').stdout.trimEnd().split('\n')
  assert.is((JSON.parse(line ?? '') as { words: { text: string } }).words.text, 'I decided we ship on Friday')
})

test('checkpoint, prove, verify-proof, export, verify, log and show work beside it', () => {
  const folder = temporaryFolder()
  const { vkey } = json<{ vkey: string }>(steleAt(served, 'init', '--json'))
  const head = json<{ checkpoint: string; size: number }>(steleAt(served, 'checkpoint', '--json'))
  assert.is(head.size, (status(served)['ledger'] as { size: number }).size)
  const receipt = join(folder, 'receipt.txt')
  assert.is(steleAt(served, 'prove', '3', '--out', receipt).status, 0)
  assert.is(stele(['verify-proof', receipt, '--key', vkey]).status, 0)
  const exported = join(folder, 'ledger.jsonl')
  assert.is(steleAt(served, 'export', '--out', exported).status, 0)
  for (const ran of [
    steleAt(served, 'verify', '--json', '--key', vkey),
    stele(['verify', '--json', '--export', exported, '--key', vkey]),
  ]) {
    const report = json<{ ok: boolean; assurance: string; size: number; findings: unknown[] }>(ran)
    assert.equal([ran.status, report.ok, report.assurance, report.findings], [0, true, 'signed', []])
    assert.ok(report.size >= head.size)
  }
  assert.is(steleAt(served, 'log').status, 0)
  assert.match(steleAt(served, 'show', '0').stdout, /ledger\.created/)
})

test('doctor asks for one real decision, finds it on record, and its entries are marked', () => {
  const ran = steleAt(served, 'doctor', '--json')
  const { ok, findings } = json<{ ok: boolean; findings: { about: string; state: string; says: string }[] }>(ran)
  assert.equal([ran.status, ok], [0, true])
  const states = new Map(findings.map(({ about, state }) => [about, state]))
  assert.equal(
    ['home', 'service', 'ledger', 'decision', 'hermes'].map((about) => states.get(about)),
    ['well', 'well', 'well', 'well', 'note'],
  )
  const lines = steleAt(served, 'log', '--json', '--limit', '100').stdout.trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as { type: string; session: string; data: { probe?: boolean } })
  const session = entries.find(({ type }) => type === 'gate.decided')?.session ?? ''
  assert.match(session, /^s[0-9a-f]{16}$/)
  const probed = entries.filter((entry) => entry.session === session)
  assert.ok(probed.length >= 3)
  assert.equal(
    probed.map(({ type, data }) => [type, data.probe]),
    probed.map(({ type }) => [type, true]),
  )
  const words = steleAt(served, 'doctor')
  assert.is(words.status, 0)
  assert.match(words.stdout, /^ok +home/m)
})

test('doctor exits with 1 and names what is wrong: a bad file, or a home that others can reach into', () => {
  const file = join(served, 'config.yaml')
  const before = readFileSync(file)
  writeFileSync(file, 'provenance:\n  mode: sometimes\n')
  try {
    const ran = steleAt(served, 'doctor', '--json')
    // The command itself reads the same file: it must say so in its own words at least.
    assert.ok(ran.status === 1 || ran.status === 2, ran.stderr)
    assert.match(ran.stdout + ran.stderr, /provenance\.mode/)
  } finally {
    writeFileSync(file, before)
  }
  const open = homeForService()
  assert.is(steleAt(open, 'init').status, 0)
  chmodSync(open, 0o755)
  const ran = steleAt(open, 'doctor', '--json')
  const { ok, findings } = json<{ ok: boolean; findings: { about: string; state: string }[] }>(ran)
  assert.equal(
    [ran.status, ok, findings.filter(({ state }) => state === 'wrong').map(({ about }) => about)],
    [1, false, ['home']],
  )
})

test('a detached start that is refused says why, at once, and claims nothing', async () => {
  const open = homeForService()
  assert.is(steleAt(open, 'init').status, 0)
  chmodSync(open, 0o755)
  assertRefused(steleAt(open, 'serve', '--detach'), 'HOME_NOT_PRIVATE', 3)
  assertRefused(steleAt(open, 'serve', '--detach', '--json'), 'HOME_NOT_PRIVATE', 3)
  const bad = homeForService()
  writeFileSync(join(bad, 'config.yaml'), 'no: such key\n')
  assertRefused(steleAt(bad, 'serve', '--detach'), 'CONFIG_INVALID', 2)
  assertRefused(steleAt(bad, 'serve'), 'CONFIG_INVALID', 2)
})

test('--listen takes off or a loopback address, and nothing that others could reach', () => {
  for (const address of ['0.0.0.0:80', 'example.com:80', '127.0.0.1:99999', '127.0.0.1'])
    assertRefused(steleAt(homeForService(), 'serve', '--listen', address), 'OPTION_INVALID', 2)
  const home = homeForService()
  try {
    assert.is(steleAt(home, 'serve', '--detach', '--listen', 'off').status, 0)
    assert.equal([serviceJson(home).page, serviceJson(home).token, status(home)['page']], [null, null, null])
  } finally {
    assert.is(steleAt(home, 'stop').status, 0)
  }
})

test('stop ends it and says whom; afterwards status knows it from the files', () => {
  const { pid } = serviceJson(served)
  const size = (status(served)['ledger'] as { size: number }).size
  assert.equal(json(steleAt(served, 'stop', '--json')), { home: served, stopped: true, pid })
  assert.not.ok(existsSync(`/proc/${pid}`))
  const { pid: pidAfter, page, token, modes } = serviceJson(served)
  assert.equal([pidAfter, page, token, modes], [null, null, null, { provenance: 'observe', capability: 'observe' }])
  const { size: _, ...told } = status(served)
  // The service has said that it ended.
  assert.equal(told, { serving: false, home: served, ledger: { size: size + 1, epoch: 0 }, modes, erasures: [], spooled: 0 })
  assert.equal(json(steleAt(served, 'stop', '--json')), { home: served, stopped: false, pid: null })
})

test('each of the usual signals ends it in order: exit 0, no number left, and a checkpoint over everything', async () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const home = homeForService()
    const service = await startServiceProcess(home)
    const { socket } = serviceJson(home)
    assert.is((await askAt({ socketPath: socket }, '/v1/hooks', { body: typed(signal) })).text, '{}')
    assert.equal(await service.end(signal), { code: 0, signal: null, stderr: '' })
    assert.is(serviceJson(home).pid, null)
    await readHome(homeFiles(home), async (reader) => {
      assert.is(readCheckpoint((await reader.newestCheckpoint()) ?? '')?.size, await reader.size())
    })
  }
})

const loose = { capability: { mode: 'observe' } }
const tight = { capability: { mode: 'enforce' } }

test('a loosening waits for the owner: shown by status, refused unconfirmed, accepted over the owner’s socket', async () => {
  const home = homeForService(tight)
  const service = await startServiceProcess(home)
  assertRefused(steleAt(home, 'config', 'accept', '--yes'), 'CONFIG_NOTHING_WAITS', 3)
  writeSettings(home, loose)
  const { settings } = status(home) as { settings: { waiting: object[] } }
  assert.equal(settings.waiting, [{ key: 'capability.mode', from: 'enforce', to: 'observe' }])
  assert.match(steleAt(home, 'status').stdout, /Waiting: +capability\.mode from enforce to observe/)
  // No terminal here: in a session of its own the program cannot find one.
  assertRefused(await steleBeside(['config', 'accept', '--home', home], '', ['setsid']), 'OWNER_UNCONFIRMED', 3)
  const host = new AttachedHost(home)
  await host.attach()
  assertRefused(steleAt(home, 'config', 'accept', '--yes'), 'OWNER_UNCONFIRMED', 3)
  host.close()
  assert.is(serviceJson(home).modes.capability, 'enforce')
  await service.end()

  const again = await startServiceProcess(home)
  const accepted = json<{ accepted: object[] }>(steleAt(home, 'config', 'accept', '--yes', '--json'))
  assert.equal(accepted, { accepted: [{ key: 'capability.mode', from: 'enforce', to: 'observe' }] })
  assert.is(serviceJson(home).modes.capability, 'observe')
  await again.end()
  assertRefused(steleAt(home, 'config', 'accept', '--yes'), 'SERVICE_UNREACHABLE', 6)
})

test('a passphrase that was set at init is what confirms, also with --yes', async () => {
  const home = homeForService(tight)
  const file = join(temporaryFolder(), 'passphrase')
  writeFileSync(file, 'short\n')
  assertRefused(steleAt(home, 'init', '--passphrase-file', file), 'OPTION_INVALID', 2)
  writeFileSync(file, 'correct horse battery\n')
  assert.is(json<{ passphrase: boolean }>(steleAt(home, 'init', '--passphrase-file', file, '--json')).passphrase, true)
  const service = await startServiceProcess(home)
  writeSettings(home, loose)
  const wrong = join(temporaryFolder(), 'wrong')
  writeFileSync(wrong, 'wrong horse battery\n')
  const refused = steleAt(home, 'config', 'accept', '--yes', '--passphrase-file', wrong)
  assertRefused(refused, 'PASSPHRASE_WRONG', 3)
  assert.not.match(refused.stderr, /horse/)
  assertRefused(await steleBeside(['config', 'accept', '--yes', '--home', home], '', ['setsid']), 'OWNER_UNCONFIRMED', 3)
  assertRefused(steleAt(home, 'config', 'accept', '--passphrase-file', join(temporaryFolder(), 'none')), 'FILE_UNREADABLE', 2)
  assert.is(serviceJson(home).modes.capability, 'enforce')
  // Also while an attached host is alive.
  const host = new AttachedHost(home)
  await host.attach()
  assert.is(steleAt(home, 'config', 'accept', '--passphrase-file', file).status, 0)
  host.close()
  assert.is(serviceJson(home).modes.capability, 'observe')
  // Without a service the command asks for it just the same.
  await service.end()
  assertRefused(steleAt(home, 'reanchor', '--reason', 'x', '--yes', '--passphrase-file', wrong), 'PASSPHRASE_WRONG', 3)
  assertRefused(steleAt(home, 'reanchor', '--reason', 'x', '--passphrase-file', file), 'REANCHOR_NOT_NEEDED', 3)
})

test('reanchor beside a service that needs none is refused, and the service goes on', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  assertRefused(steleAt(home, 'reanchor', '--reason', 'x', '--yes'), 'REANCHOR_NOT_NEEDED', 3)
  assert.is(hookAt(home, typed('goes on')).stdout, '{}\n')
  assert.equal([status(home)['serving'], status(home)['ok'], status(home)['pid']], [true, true, service.pid])
  await service.end()
})

test('a home whose sockets lie elsewhere is served, asked and stopped like any other, from every environment', async () => {
  const home = join(temporaryFolder(), 'd'.repeat(110))
  const runtime = temporaryFolder()
  mkdirSync(home, { mode: 0o700 })
  writeSettings(home, {})
  endWithTest(home)
  const inRuntime = (...words: string[]) =>
    stele([...words, '--home', home], { env: { ...withoutHermes, XDG_RUNTIME_DIR: runtime } })
  try {
    assert.is(inRuntime('serve', '--detach').status, 0)
    assert.ok(serviceJson(home).socket.startsWith(runtime))
    assert.is(hookAt(home, typed('from elsewhere')).stdout, '{}\n')
    assert.is(status(home)['serving'], true)
    assert.is(steleAt(home, 'serve', '--detach').status, 0)
    assertRefused(steleAt(home, 'config', 'accept', '--yes'), 'CONFIG_NOTHING_WAITS', 3)
  } finally {
    assert.is(json<{ stopped: boolean }>(steleAt(home, 'stop', '--json')).stopped, true)
  }
})

test('a copy of a home never speaks with the service of the home that it was copied from', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const copy = homeForService()
  rmSync(copy, { recursive: true })
  assert.is(spawnSync('cp', ['-r', home, copy]).status, 0)
  for (const name of ['service.sock', 'owner.sock']) rmSync(join(copy, name), { force: true })
  rmSync(join(copy, 'store', 'LOCK'), { force: true })
  assert.is(status(copy)['serving'], false)
  // It names a process that is there, and a socket of another home: nobody is ended.
  assert.match(steleAt(copy, 'stop').stdout, /^No service of /)
  await until('it still answers', () => status(home)['pid'] === service.pid)
  await service.end()
})

test.run()
