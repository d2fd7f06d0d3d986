// Holds service.json to docs/service.md: replaced as a whole, for the owner alone, and there when the service has gone.
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readServiceFile, type ServiceFile, writeServiceFile } from '../../src/service/service-file.js'
import { throwsWithCode } from '../support/rejects-with-code.js'
import { newHome, quietSettings, runService, withService } from '../support/running-service.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('service file')

const content: ServiceFile = {
  socket: '/home/ada/.hermes/plugin-data/stele/service.sock',
  pid: 4711,
  version: '0.1.0',
  page: 'http://127.0.0.1:41234',
  token: 'ab'.repeat(32),
  modes: { provenance: 'observe', capability: 'enforce' },
  command: ['/usr/bin/node', '/opt/stele/dist/cli/main.js'],
  started: '2026-11-30T09:00:00.000Z',
  fieldBytes: 262_144,
  stageMs: 2000,
}

test('what is written is read again, and nothing else lies beside it', () => {
  const home = temporaryFolder()
  assert.is(readServiceFile(home), undefined)
  writeServiceFile(home, content)
  assert.equal(readServiceFile(home), content)
  assert.equal(readdirSync(home), ['service.json'])
})

test('it is for the owner alone, whatever was left lying around and whatever the umask is', () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'service.json'), 'old', { mode: 0o644 })
  writeFileSync(join(home, 'service.json.new'), 'half', { mode: 0o666 })
  chmodSync(join(home, 'service.json.new'), 0o666)
  const before = process.umask(0)
  try {
    writeServiceFile(home, content)
  } finally {
    process.umask(before)
  }
  assert.is(statSync(join(home, 'service.json')).mode & 0o777, 0o600)
  assert.equal(readServiceFile(home), content)
})

test('a reader that has it open goes on reading the old one: it is replaced, never overwritten', () => {
  const home = temporaryFolder()
  writeServiceFile(home, content)
  const open = openSync(join(home, 'service.json'), 'r')
  try {
    writeServiceFile(home, { ...content, pid: null, page: null, token: null })
    assert.equal(JSON.parse(readFileSync(open, 'utf8')), content)
    assert.equal(readServiceFile(home), { ...content, pid: null, page: null, token: null })
  } finally {
    closeSync(open)
  }
})

test('where it cannot be written the old one stays', () => {
  const home = temporaryFolder()
  writeServiceFile(home, content)
  mkdirSync(join(home, 'service.json.new'))
  throwsWithCode(() => writeServiceFile(home, { ...content, pid: 1 }), 'FILE_UNWRITABLE')
  assert.equal(readServiceFile(home), content)
  throwsWithCode(() => writeServiceFile(join(home, 'nowhere'), content), 'FILE_UNWRITABLE')
})

test('one that is there and cannot be read is an error, and never taken for none', () => {
  for (const text of ['', '{', 'no JSON', '{"socket":']) {
    const home = temporaryFolder()
    writeFileSync(join(home, 'service.json'), text)
    throwsWithCode(() => readServiceFile(home), 'FILE_UNREADABLE')
  }
  const home = temporaryFolder()
  mkdirSync(join(home, 'service.json'))
  throwsWithCode(() => readServiceFile(home), 'FILE_UNREADABLE')
})

test('a service writes every member of the contract, and leaves it behind without its number when it has ended', async () => {
  const home = newHome()
  const running = await runService({ home, settings: quietSettings, listen: { host: '127.0.0.1', port: 0 } })
  let serving: ServiceFile
  try {
    serving = running.file()
  } finally {
    await running.service.stop()
  }
  assert.equal(Object.keys(serving).sort(), Object.keys(content).sort())
  assert.equal(
    [serving.socket, serving.pid, serving.version, serving.command, serving.modes, serving.fieldBytes],
    [
      join(home, 'service.sock'),
      process.pid,
      '0.0.0-test',
      ['node', 'stele'],
      { provenance: 'observe', capability: 'observe' },
      262_144,
    ],
  )
  assert.match(serving.page ?? '', /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.match(serving.token ?? '', /^[0-9a-f]{64}$/)
  assert.is(new Date(serving.started).toISOString(), serving.started)
  const after = readServiceFile(home)
  assert.equal(after, { ...serving, pid: null, page: null, token: null })
})

test('with loopback off there is neither page nor token, and each service makes a token of its own', async () => {
  const home = newHome()
  await withService({ home, settings: quietSettings }, async (running) => {
    assert.equal([running.file().page, running.file().token, running.service.page], [null, null, null])
  })
  const tokens: unknown[] = []
  for (let at = 0; at < 2; at += 1) {
    rmSync(join(home, 'service.json'))
    await withService({ home, listen: { host: '127.0.0.1', port: 0 } }, async (running) => {
      tokens.push(running.file().token)
    })
  }
  assert.is(new Set(tokens).size, 2)
})

test.run()
