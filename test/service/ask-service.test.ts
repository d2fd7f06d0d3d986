// How a command speaks with a service: the service's own errors come through as such, and whatever is no answer is nobody.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SteleError } from '../../src/foundation/stele-error.js'
import { askService, askServiceText, isServing } from '../../src/service/ask-service.js'
import { serviceFilePath } from '../../src/service/service-file.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { quietSettings, refusesToStart, withService } from '../support/running-service.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('ask service')

/** Something that listens on the sockets of a home and answers as it likes. */
async function withListener(answer: RequestListener, task: (home: string) => Promise<void>): Promise<void> {
  const home = temporaryFolder()
  const servers = ['service.sock', 'owner.sock'].map((name) => createServer(answer).listen(join(home, name)))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))))
  try {
    await task(home)
  } finally {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  }
}

const says =
  (status: number, text: string): RequestListener =>
  (_, response) => {
    response.writeHead(status).end(text)
  }

test('an answer comes back as the value or the text that it is', async () => {
  await withListener(says(200, '{"pid":7}'), async (home) => {
    assert.equal(await askService(home, '/v1/status'), { pid: 7 })
    assert.is(await askServiceText(home, '/v1/checkpoint'), '{"pid":7}')
    assert.is(await isServing(home), true)
  })
})

test('a request goes to the path, the method and the socket that were asked for, with its body as JSON', async () => {
  const seen: unknown[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      seen.push([method, url, headers['content-type'], Buffer.concat(chunks).toString()])
      response.end('{}')
    })
  }
  await withListener(listener, async (home) => {
    await askService(home, '/v1/entries?limit=1')
    await askService(home, '/v1/owner/reanchor', { method: 'POST', body: { reason: 'ä' }, door: 'owner' })
    rmSync(join(home, 'owner.sock'))
    await askService(home, '/v1/status')
    await rejectsWithCode(askService(home, '/v1/status', { door: 'owner' }), 'SERVICE_UNREACHABLE')
  })
  assert.equal(seen, [
    ['GET', '/v1/entries?limit=1', undefined, ''],
    ['POST', '/v1/owner/reanchor', 'application/json', '{"reason":"ä"}'],
    ['GET', '/v1/status', undefined, ''],
  ])
})

test('an error of the service is thrown as its own, with its details', async () => {
  const body = JSON.stringify({ error: { code: 'OWNER_UNCONFIRMED', message: 'x', details: { hosts: 2 } } })
  await withListener(says(403, body), async (home) => {
    const error = await rejectsWithCode(askService(home, '/v1/owner/reanchor', { door: 'owner' }), 'OWNER_UNCONFIRMED')
    assert.equal([error instanceof SteleError, error.details], [true, { hosts: 2 }])
    await rejectsWithCode(askServiceText(home, '/x'), 'OWNER_UNCONFIRMED')
    assert.is(await isServing(home), false)
  })
})

test('an error in words that are not ours is as good as no answer', async () => {
  for (const text of [
    '{"error":{"code":"SOMETHING_ELSE"}}',
    '{"error":{"code":"constructor"}}',
    '{"error":7}',
    '{}',
    'null',
    '[]',
    '<html>',
    '',
  ]) {
    await withListener(says(500, text), async (home) => {
      await rejectsWithCode(askService(home, '/v1/status'), 'SERVICE_UNREACHABLE')
      assert.is(await askServiceText(home, '/v1/checkpoint'), undefined)
    })
  }
  await withListener(says(200, 'no JSON'), async (home) => {
    await rejectsWithCode(askService(home, '/v1/status'), 'SERVICE_UNREACHABLE')
  })
})

test('one that never answers, stops in the middle or hangs up is nobody, after the time that it was given', async () => {
  const listeners: readonly RequestListener[] = [
    () => {},
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"half":')
    },
    (request) => request.socket.destroy(),
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"half":')
      setTimeout(() => response.destroy(), 50)
    },
  ]
  for (const listener of listeners) {
    await withListener(listener, async (home) => {
      await rejectsWithCode(askService(home, '/v1/status', { timeoutMs: 200 }), 'SERVICE_UNREACHABLE')
      assert.is(await isServing(home, 200), false)
    })
  }
})

test('where nobody listens, or a socket was left over, there is no service', async () => {
  const home = temporaryFolder()
  await rejectsWithCode(askService(home, '/v1/status'), 'SERVICE_UNREACHABLE')
  assert.is(await askServiceText(home, '/v1/checkpoint'), undefined)
  assert.is(await isServing(home), false)
  writeFileSync(join(home, 'service.sock'), '')
  assert.is(await isServing(home), false)
  assert.is(await isServing(join(home, 'nowhere')), false)
})

test('through a folder into which others can write nobody is asked', async () => {
  let asked = 0
  const listener: RequestListener = (_, response) => {
    asked += 1
    response.end('{}')
  }
  await withListener(listener, async (home) => {
    chmodSync(home, 0o777)
    const error = await rejectsWithCode(askService(home, '/v1/status'), 'SERVICE_UNREACHABLE')
    assert.is((error.cause as SteleError).code, 'SOCKET_FOLDER_UNSAFE')
    chmodSync(home, 0o700)
    assert.is(await isServing(home), true)
  })
  assert.is(asked, 1)
})

test('a service whose home is too deep for a socket is found from another environment, by what service.json says', async () => {
  const home = join(temporaryFolder(), 'd'.repeat(100))
  mkdirSync(home, { mode: 0o700 })
  await withService({ home, settings: quietSettings, environment: { XDG_RUNTIME_DIR: temporaryFolder() } }, async (running) => {
    assert.not.ok(running.file().socket.startsWith(home))
    assert.equal((await askService<{ home: string }>(home, '/v1/status')).home, home)
    await rejectsWithCode(
      askService(home, '/v1/owner/config-accept', { method: 'POST', body: { confirmation: { how: 'yes' } }, door: 'owner' }),
      'CONFIG_NOTHING_WAITS',
    )
    await refusesToStart({ home }, 'SERVICE_RUNNING')
    writeFileSync(serviceFilePath(home), 'unreadable')
    assert.is(await isServing(home), false)
  })
})

test.run()
