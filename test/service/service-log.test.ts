// service.log tells what the service did and nothing that anybody said, and never grows beyond its bound.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { failureFacts, openServiceLog } from '../../src/service/service-log.js'
import { AttachedHost } from '../support/attached-host.js'
import { runService, toolCall, typed } from '../support/running-service.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('service log')
const mebibyte = 1024 * 1024

test('a line is the time, what happened and facts, in a file for the owner alone', () => {
  const file = join(temporaryFolder(), 'service.log')
  const before = process.umask(0)
  try {
    openServiceLog(file, () => Date.UTC(2026, 10, 30, 9)).write('started', { pid: 7, ok: true, page: null, version: '0.1.0' })
  } finally {
    process.umask(before)
  }
  assert.is(readFileSync(file, 'utf8'), '2026-11-30T09:00:00.000Z started pid=7 ok=true page=null version=0.1.0\n')
  assert.is(statSync(file).mode & 0o777, 0o600)
})

test('a value cannot make a line or a fact of its own', () => {
  const file = join(temporaryFolder(), 'service.log')
  openServiceLog(file).write('x', { one: 'a\nb c=d\r\n2026-11-30T09:00:00.000Z forged pid=1' })
  const text = readFileSync(file, 'utf8')
  assert.is(text.split('\n').length, 2)
  assert.match(text, /^\S+ x one=\S+\n$/)
  assert.is(text.split('=').length, 2)
})

test('of a failure of ours the code and its details are told', () => {
  const facts = failureFacts(new SteleError('LISTEN_FAILED', { port: 7 }, { cause: new Error('secret words') }))
  assert.equal(facts, { code: 'LISTEN_FAILED', port: 7 })
})

test('of any other failure only its kind and places in the code are told, never its text', () => {
  const error = new RangeError('secret words at /home/ada/diary.txt:3:1')
  error.stack = `RangeError: secret words\n    secret.ts line of words\n    at secretFunction (/home/ada/secret folder/spool.ts:12:3)\n    at file:///opt/stele/dist/service/start-service.js:99:1`
  const told = JSON.stringify(failureFacts(error))
  assert.match(told, /"code":"INTERNAL","error":"RangeError","at":"spool\.ts:12,start-service\.js:99"/)
  for (const leak of ['secret', 'words', 'ada', 'diary']) assert.not.ok(told.includes(leak), told)
  for (const thrown of ['secret words', { message: 'secret words' }, undefined, null])
    assert.equal(failureFacts(thrown), { code: 'INTERNAL' })
})

test('at its bound it is turned over once, so that at most two of its size lie on the disk', () => {
  const file = join(temporaryFolder(), 'service.log')
  const log = openServiceLog(file)
  writeFileSync(file, 'first\n'.padEnd(4 * mebibyte + 1, 'x'))
  log.write('second')
  assert.match(readFileSync(file, 'utf8'), /^\S+ second\n$/)
  assert.ok(readFileSync(`${file}.1`, 'utf8').startsWith('first'))
  writeFileSync(file, 'third\n'.padEnd(4 * mebibyte + 1, 'x'))
  log.write('fourth')
  assert.ok(readFileSync(`${file}.1`, 'utf8').startsWith('third'))
  assert.not.ok(existsSync(`${file}.2`))
  const long = 'y'.repeat(200_000)
  for (let at = 0; at < 100; at += 1) log.write('more', { long })
  assert.ok(statSync(file).size + statSync(`${file}.1`).size < 9 * mebibyte)
})

test('a log that cannot be written stops nothing', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'service.log'))
  openServiceLog(join(folder, 'service.log')).write('x')
  openServiceLog(join(folder, 'no', 'folder', 'service.log')).fail('x', new Error('y'))
})

test('whatever is sent to a service, none of its words, ids and queries is in the log', async () => {
  const running = await runService({ listen: { host: '127.0.0.1', port: 0 } })
  const host = new AttachedHost(running.home)
  const words = 'privateword'
  try {
    await host.attach()
    await host.hook(typed(words, words, words))
    await host.hook(toolCall(words, { path: words }, words, words))
    await running.hook(typed(words, words, words))
    await running.ask('/v1/hooks', { body: `{"${words}` })
    await running.ask(`/v1/${words}?${words}=${words}`)
    await running.ask(`/v1/entries?session=${words}&type=${words}`)
    await running.ask(`/v1/entries?${words}=${words}`)
    await running.ask(`/v1/entries/${words}`)
    await running.ask('/v1/attach', { body: { [words]: words } })
    await running.askLoopback(`/v1/status?token=${words}`, {
      headers: { authorization: `Bearer ${words}`, origin: `http://${words}` },
    })
    await running.askLoopback('/v1/status', { headers: { host: words } })
    await running.askOwner('/v1/owner/reanchor', { body: { reason: words, confirmation: { how: 'yes', passphrase: words } } })
    await running.askOwner('/v1/owner/config-accept', { body: `{"${words}` })
    await running.ask('/v1/hooks', { body: Buffer.alloc(17 * mebibyte), headers: { 'stele-attach': words } })
  } finally {
    host.close()
    await running.service.stop()
  }
  const log = readFileSync(join(running.home, 'service.log'), 'utf8')
  assert.match(log, /^\S+ started pid=\d+ /m)
  assert.match(log, /^\S+ request door=socket method=GET route=\/v1\/entries status=400 /m)
  assert.match(log, /^\S+ request door=loopback method=GET route=\/v1\/status status=403 /m)
  assert.match(log, /^\S+ stopped$/m)
  const { token } = running.file()
  for (const secret of [words, host.secret.toString('hex'), host.id, 'session', String(token ?? 'Bearer'), running.home])
    assert.not.ok(log.includes(secret), `${secret} in\n${log}`)
})

test.run()
