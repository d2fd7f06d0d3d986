// Row D7: what comes by the plugin and by the shell hook is one event, whoever brings it twice.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { homeFiles } from '../../src/ledger/home-files.js'
import { AttachedHost, readServiceFacts, until, writeSpoolFile } from '../support/attached-host.js'
import { type ExportedLine, exportedLines } from '../support/exported-lines.js'
import { askedCall, typedMessage } from '../support/hermes-payloads.js'
import { endServices, homeForService, startServiceProcess } from '../support/service-process.js'
import { askSocket } from '../support/socket-request.js'
import { stele } from '../support/stele-command.js'
import { storedRows } from '../support/temporary-ledger.js'

const test = suite('two doorways')
test.after(endServices)

/** How often payloads came again, by the `d` rows of the format page: 0 for each that came once. */
async function repeatsIn(home: string): Promise<Map<number, number[]>> {
  const repeats = new Map<number, number[]>()
  for (const { key, value } of await storedRows(homeFiles(home))) {
    if (key[0] !== 'd'.charCodeAt(0)) continue
    const index = Number(value.readBigUInt64BE(0))
    repeats.set(index, [...(repeats.get(index) ?? []), Number(value.readBigUInt64BE(16))])
  }
  return repeats
}

const timesAgain = (repeats: Map<number, number[]>, index: number) =>
  (repeats.get(index) ?? []).reduce((sum, one) => sum + one, 0)
const ofType = (lines: readonly ExportedLine[], type: string) => lines.filter((line) => line.type === type)

test('row D7: a payload that the plugin brought and the shell hook brings again is one entry and one duplicate', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home)
  await host.attach()
  const payloads = [typedMessage('ship it on Friday'), askedCall('terminal', { command: 'ls' })]
  for (const payload of payloads) assert.equal((await host.hook(payload)).directive, {})
  for (const payload of payloads) {
    const { status, stdout, stderr } = stele(['hook', '--home', home], { input: JSON.stringify(payload) })
    assert.equal([status, stdout, stderr], [0, '{}\n', ''])
  }
  host.close()
  assert.is((await service.end()).code, 0)

  const lines = exportedLines(home)
  const repeats = await repeatsIn(home)
  for (const type of ['message.captured', 'tool.requested', 'gate.decided']) {
    const found = ofType(lines, type)
    assert.is(found.length, 1, type)
    if (type !== 'gate.decided') {
      assert.equal([found[0]?.data['source'], found[0]?.data['attach']], ['attached', host.index])
    }
  }
  assert.is(ofType(lines, 'hook.foreign').length, 0, 'what is known already is nobody’s intrusion')
  const [started] = ofType(lines, 'session.started')
  const [asked] = ofType(lines, 'tool.requested')
  assert.is(timesAgain(repeats, started?.index ?? -1), 1, 'the message, whose first entry is the start of its session')
  assert.is(timesAgain(repeats, asked?.index ?? -1), 1)
})

test('row D7: a payload that both bring at the same moment is answered twice and vouched for once', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const host = new AttachedHost(home)
  await host.attach()
  await host.hook(typedMessage('go on'))
  const { socket } = readServiceFacts(home)
  for (let call = 0; call < 20; call += 1) {
    const payload = askedCall('terminal', { command: `echo ${call}` }, { call: `call-${call}` })
    const [plugin, shell] = await Promise.all([
      host.hook(payload),
      askSocket(socket, { path: '/v1/hooks', body: JSON.stringify(payload), headers: { 'Content-Type': 'application/json' } }),
    ])
    assert.equal([plugin.directive, shell.status, shell.bytes.toString()], [{}, 200, '{}'])
  }
  host.close()
  assert.is((await service.end()).code, 0)
  const lines = exportedLines(home)
  const vouched = ofType(lines, 'tool.requested').filter(({ data }) => data['source'] === 'attached')
  assert.is(vouched.length, 20)
  // One that overtook the host is no evidence, and the session that it spoke for is the host's.
  assert.equal(
    ofType(lines, 'tool.requested').filter(({ data }) => data['source'] !== 'attached'),
    [],
  )
  for (const { data } of ofType(lines, 'hook.foreign')) assert.equal([data['why'], data['attach']], ['no_attach', host.index])
})

test('what the shell hook brought first is not taken for the host’s own word, which follows as an entry of its own', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const payload = typedMessage('I approve of everything')
  assert.is(stele(['hook', '--home', home], { input: JSON.stringify(payload) }).stdout, '{}\n')
  const host = new AttachedHost(home)
  await host.attach()
  await host.hook(payload)
  host.close()
  assert.is((await service.end()).code, 0)
  const found = ofType(exportedLines(home), 'message.captured')
  assert.equal(
    found.map(({ data }) => data['source']),
    ['unattested', 'attached'],
  )
})

test('a plugin that is loaded twice in one process makes one entry of each payload, and none of them is foreign', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const hosts = [new AttachedHost(home), new AttachedHost(home)]
  for (const host of hosts) await host.attach()
  for (const payload of [
    typedMessage('hello'),
    askedCall('read_file', { path: 'a' }),
    askedCall('read_file', { path: 'b' }, { call: 'call-2' }),
  ]) {
    for (const host of hosts) assert.equal((await host.hook(payload)).directive, {})
  }
  for (const host of hosts) host.close()
  assert.is((await service.end()).code, 0)
  const lines = exportedLines(home)
  assert.equal([ofType(lines, 'message.captured').length, ofType(lines, 'tool.requested').length], [1, 2])
  assert.is(ofType(lines, 'hook.foreign').length, 0)
})

test('a spool that is put back after it was taken adds nothing', async () => {
  const home = homeForService()
  const [spool, kept] = [join(home, 'spool'), join(home, 'kept')]
  const host = new AttachedHost(home)
  const first = await startServiceProcess(home)
  await host.attach()
  await host.hook(typedMessage('before'))
  await first.end()
  host.spool(host.sign(askedCall('terminal', { command: 'make' })))
  // Without a name of its own, and from nobody: nothing but the file itself tells that it is the same.
  const bare = { ...typedMessage('', { session: 'another' }), extra: { user_message: 'from nobody', platform: 'cli' } }
  writeSpoolFile(home, '1764500000000-00000000-00000001.json', { attach: '', seq: 0, mac: '', body: JSON.stringify(bare) })
  cpSync(spool, kept, { recursive: true })
  assert.is(readdirSync(kept).length, 2)

  const second = await startServiceProcess(home)
  await host.attach()
  await until('the spool is taken', () => readdirSync(spool).length === 0)
  const size = exportedLines(home).length
  cpSync(kept, spool, { recursive: true })
  await until('the spool is taken again', () => readdirSync(spool).length === 0)
  host.close()
  assert.is((await second.end()).code, 0)
  const lines = exportedLines(home)
  // Nothing but the end of the service itself.
  assert.equal([lines.length, lines.at(-1)?.type], [size + 1, 'service.ended'])
  assert.equal(
    ofType(lines, 'tool.requested').map(({ data }) => [data['source'], data['late'], data['seq']]),
    [['attached', true, 2]],
  )
  assert.is(lines.filter(({ words }) => words?.['text'] === 'from nobody').length, 1)
})

test.run()
