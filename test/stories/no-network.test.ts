// Row P99: nothing leaves the machine. A whole run, every process of it under a preload that refuses and writes down whatever would.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttachedHost, type Payload, readServiceFacts } from '../support/attached-host.js'
import { recordedHooks } from '../support/recorded-session.js'
import { endServices, homeForService, startServiceProcess } from '../support/service-process.js'
import { stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('no network')
test.after(endServices)
const preload = new URL('../support/refuse-network.mjs', import.meta.url).href

interface Noted {
  readonly what: string
  readonly detail: string
}

function watched(log: string): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import=${preload}`, STELE_TEST_NETWORK_LOG: log }
}

function notedIn(log: string): Noted[] {
  if (!existsSync(log)) return []
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Noted)
}

test('the preload itself refuses and notes a connection, a name, a fetch, a datagram and an open port, and nothing on loopback', () => {
  const log = join(temporaryFolder(), 'network.log')
  const tries = `
    import net from 'node:net'
    import { request } from 'node:http'
    import { lookup } from 'node:dns'
    import { resolve4 } from 'node:dns/promises'
    import dgram from 'node:dgram'
    const attempt = async (name, call) => { try { await call(); console.log(name + ' went through') } catch { console.log(name + ' was refused') } }
    await attempt('connect', () => net.connect(9, '192.0.2.1'))
    await attempt('http', () => request({ host: 'example.com', port: 80 }))
    await attempt('lookup', () => new Promise((done) => lookup('example.com', done)))
    await attempt('resolve', () => resolve4('example.com'))
    await attempt('fetch', () => fetch('http://example.com/'))
    await attempt('datagram', () => dgram.createSocket('udp4').send('x', 9, '192.0.2.1'))
    await attempt('listen', () => new Promise((done) => net.createServer().listen(0, '0.0.0.0', done)))
    await attempt('loopback', () => new Promise((done) => { const server = net.createServer(() => {}).listen(0, '127.0.0.1', () =>
      net.connect(server.address().port, '127.0.0.1', done)) }))
    process.exit(0)`
  const env = { ...process.env, ...watched(log) }
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', tries], { encoding: 'utf8', env })
  const refused = ['connect', 'http', 'lookup', 'resolve', 'fetch', 'datagram', 'listen'].map((name) => `${name} was refused`)
  assert.equal(stdout.trimEnd().split('\n'), [...refused, 'loopback went through'])
  assert.equal(notedIn(log).length, 1 + refused.length)
})

test('row P99: init, serve, a whole recorded session by both ways, and every reading command connect to nothing outside', async () => {
  const log = join(temporaryFolder(), 'network.log')
  const env = watched(log)
  const home = homeForService()
  const out = (name: string) => join(temporaryFolder(), name)
  const ran = (words: readonly string[], input = '') => {
    const { status, stderr } = stele([...words, '--home', home], { input, env })
    assert.is(status, 0, `stele ${words.join(' ')}: ${stderr}`)
  }

  ran(['init'])
  // With the page’s own port, as it is by default.
  const service = await startServiceProcess(home, { env, words: ['--listen', '127.0.0.1:0'] })
  const host = new AttachedHost(home)
  await host.attach()
  for (const line of recordedHooks) assert.equal((await host.hook(JSON.parse(line) as Payload)).directive, {})
  for (const line of recordedHooks.slice(0, 4)) ran(['hook'], line)
  const receipt = out('receipt.txt')
  for (const words of [
    ['status'],
    ['verify'],
    ['log', '--limit', '5'],
    ['show', '3'],
    ['export', '--out', out('ledger.jsonl')],
    ['prove', '3', '--out', receipt],
    ['checkpoint'],
    ['config'],
    ['key', 'show'],
  ])
    ran(words)
  host.close()
  assert.is((await service.end()).code, 0)
  // And once more with nobody there: the hook starts a service of its own.
  ran(['hook'], recordedHooks[1])
  const { pid } = readServiceFacts(home)
  ran(['stop'])
  ran(['verify', '--quick'])

  const noted = notedIn(log)
  assert.equal(
    noted.filter(({ what }) => what !== 'loaded'),
    [],
  )
  const loaded = noted.map(({ detail }) => detail)
  for (const process of [
    'main.js init',
    'main.js serve',
    'main.js hook',
    'main.js verify',
    'main.js stop',
    'verify-child.js verify-store',
  ])
    assert.ok(loaded.includes(process), `${process} ran under the preload: ${[...new Set(loaded)].join(', ')}`)
  assert.ok(loaded.filter((detail) => detail === 'main.js serve').length >= 3, 'the detached service too')
  assert.type(pid, 'number')
})

test.run()
