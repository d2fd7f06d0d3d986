// Row P92: two Hermes profiles have a home each, and nothing of one is ever found in the other.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttachedHost, readServiceFacts, type SignedPayload } from '../support/attached-host.js'
import { exportedLines } from '../support/exported-lines.js'
import { askedCall, typedMessage } from '../support/hermes-payloads.js'
import { endServices, endWithTest, type ServiceProcess, startServiceProcess, writeSettings } from '../support/service-process.js'
import { askSocket } from '../support/socket-request.js'
import { stele } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('two profiles')
test.after(endServices)

interface Profile {
  readonly hermesHome: string
  readonly home: string
  readonly host: AttachedHost
  readonly secretWord: string
}

const folder = temporaryFolder()
const work = profileOf('work', 'invoices')
const play = profileOf('play', 'dragons')
const services: ServiceProcess[] = []

function profileOf(name: string, secretWord: string): Profile {
  const hermesHome = join(folder, name)
  const home = join(hermesHome, 'plugin-data', 'stele')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeSettings(home, {})
  endWithTest(home)
  return { hermesHome, home, host: new AttachedHost(home), secretWord }
}

/** Sends what one profile has signed to the service of the other. */
function sendTo({ home }: Profile, { host }: Profile, { seq, mac, body }: SignedPayload) {
  const headers = { 'Stele-Attach': host.id, 'Stele-Seq': String(seq), 'Stele-Mac': mac, 'Content-Type': 'application/json' }
  return askSocket(readServiceFacts(home).socket, { path: '/v1/hooks', headers, body })
}

test.before(async () => {
  for (const { home } of [work, play]) services.push(await startServiceProcess(home))
  for (const { host } of [work, play]) await host.attach()
})

test.after(async () => {
  for (const { host } of [work, play]) host.close()
  for (const service of services) await service.end()
})

test('row P92: each profile has its own home in its own plugin folder, with keys and sockets of its own', () => {
  for (const { home } of [work, play]) {
    for (const name of ['key', 'digest-key', 'store', 'service.sock']) assert.ok(existsSync(join(home, name)), name)
  }
  assert.not.equal(readServiceFacts(work.home).socket, readServiceFacts(play.home).socket)
})

test('row P92: the same session id in two profiles is two sessions, each in its own ledger', async () => {
  for (const { host, secretWord } of [work, play]) {
    await host.hook(typedMessage(`tell me about ${secretWord}`))
    await host.hook(askedCall('terminal', { command: `grep ${secretWord}` }))
  }
  for (const [own, other] of [
    [work, play],
    [play, work],
  ] as const) {
    const lines = exportedLines(own.home)
    const text = JSON.stringify(lines)
    assert.ok(text.includes(own.secretWord))
    assert.not.ok(text.includes(other.secretWord))
    assert.equal(lines.filter(({ type }) => type === 'message.captured').length, 1)
  }
  const handles = [work, play].map(({ home }) => exportedLines(home).find(({ session }) => session !== '')?.session)
  assert.not.equal(handles[0], handles[1])
})

test('row P92: the shell hook finds the home of the profile that it runs in', () => {
  for (const { hermesHome, secretWord } of [work, play]) {
    const input = JSON.stringify(typedMessage(`by hand: ${secretWord}`, { session: `shell-${secretWord}` }))
    const { status, stdout, stderr } = stele(['hook'], { input, env: { HERMES_HOME: hermesHome } })
    assert.equal([status, stdout, stderr], [0, '{}\n', ''])
  }
  for (const { home, secretWord } of [work, play]) {
    const texts = exportedLines(home).map(({ words }) => words?.['text'])
    assert.equal(
      texts.filter((text) => String(text).startsWith('by hand')),
      [`by hand: ${secretWord}`],
    )
  }
})

test('row P92: a payload that one profile has signed is refused by the service of the other and leaves nothing there', async () => {
  const before = exportedLines(play.home).length
  const answer = await sendTo(play, work, work.host.sign(typedMessage('carried over')))
  assert.is(answer.status, 403)
  assert.match(answer.bytes.toString(), /ATTACH_UNKNOWN/)
  assert.is(exportedLines(play.home).length, before)
})

test('row P92: digests of the same words differ from home to home, so that no ledger confirms a guess about another', async () => {
  for (const { host } of [work, play]) await host.hook(typedMessage('the very same words', { turn: 'turn-9', session: 'same' }))
  const digests = [work, play].map(
    ({ home }) => exportedLines(home).find(({ words }) => words?.['text'] === 'the very same words')?.data['digest'],
  )
  assert.match(String(digests[0]), /^[0-9a-f]{64}$/)
  assert.not.equal(digests[0], digests[1])
})

test('row P92: both ledgers are sound', () => {
  for (const { home } of [work, play]) assert.is(stele(['verify', '--home', home]).status, 0)
})

test.run()
