// Holds the doors of the service to the interfaces page: who may come in by which, and what an error says outside.
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HttpServer } from '../../src/service/http-server.js'
import { openServiceLog } from '../../src/service/service-log.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import {
  type Answer,
  type AskOptions,
  answered,
  askAt,
  codeOf,
  type RunningService,
  runService,
} from '../support/running-service.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('http server')
let running: RunningService

test.before(async () => {
  running = await runService({ listen: { host: '127.0.0.1', port: 0 } })
})
test.after(() => running?.service.stop())

const port = () => new URL(running.file().page ?? '').port
const bearer = () => ({ authorization: `Bearer ${running.file().token}` })

/** Over loopback with exactly these headers. */
const ask = (path: string, options: AskOptions = {}) => askAt({ base: running.file().page ?? '' }, path, options)

/** An error says its code and one sentence of ours; nothing of the machine, of the request, or of what is behind. */
function assertTold(answer: Answer, status: number, code: string): void {
  assert.equal([answer.status, codeOf(answer)], [status, code])
  const { error, ...others } = JSON.parse(answer.text) as { error: { code: string; message: string; details?: object } }
  assert.equal(others, {})
  assert.ok(error.message.length > 10)
  assert.equal(
    Object.keys(error).filter((name) => !['code', 'message', 'details'].includes(name)),
    [],
  )
  assertSaysNothing(answer)
}

function assertSaysNothing({ text, headers }: Answer): void {
  const said = text + JSON.stringify(headers)
  for (const leak of [
    running.home,
    process.cwd(),
    'node_modules',
    'node:',
    '.ts:',
    '.js:',
    '    at ',
    'Secret',
    'FST_',
    'fastify',
  ])
    assert.not.ok(said.includes(leak), `${leak} in ${said}`)
  assert.not.ok(said.includes(running.file().token ?? ''), 'the token')
  assert.is(Object.keys(headers).filter((name) => name.startsWith('access-control')).length, 0)
}

test('over loopback whoever carries the token is let in, by any of its names', async () => {
  for (const host of [`127.0.0.1:${port()}`, `localhost:${port()}`])
    assert.is((await ask('/v1/status', { headers: { ...bearer(), host } })).status, 200, host)
  const own = { ...bearer(), origin: `http://127.0.0.1:${port()}` }
  assert.is((await ask('/v1/status', { headers: own })).status, 200)
})

test('without a token, with a wrong one, or with one in another form nobody is let in', async () => {
  const token = running.file().token ?? ''
  assert.match(token, /^[0-9a-f]{64}$/)
  const wrong = [
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${'0'.repeat(64)}` },
    { authorization: `Bearer ${token}0` },
    { authorization: `Bearer ${token?.slice(1)}` },
    { authorization: `Basic ${token}` },
    { authorization: String(token) },
    { cookie: `token=${token}` },
    { 'x-token': String(token) },
  ]
  for (const headers of wrong) {
    for (const path of ['/v1/status', '/v1/entries', '/v1/openapi.json', '/v1/live', '/v1/entries/0/proof', '/nowhere'])
      assertTold(await ask(path, { headers }), 401, 'TOKEN_REFUSED')
    assertTold(await ask('/v1/hooks', { headers, body: { Secret: 1 } }), 401, 'TOKEN_REFUSED')
    assertTold(await ask('/v1/attach', { headers, body: { Secret: 1 } }), 401, 'TOKEN_REFUSED')
  }
})

test('a token in a query string is refused', async () => {
  const { token } = running.file()
  for (const name of ['token', 'access_token', 'authorization'])
    for (const path of ['/v1/status', '/v1/entries', '/v1/live'])
      assertTold(await ask(`${path}?${name}=${token}`), 401, 'TOKEN_REFUSED')
})

test('a page of another origin is refused, also with the token, and is given no permission by any header', async () => {
  const origins = [
    'http://evil.example',
    `http://evil.example:${port()}`,
    `https://127.0.0.1:${port()}`,
    'http://127.0.0.1',
    `http://127.0.0.1:${Number(port()) + 1}`,
    `http://127.0.0.1:${port()}.evil.example`,
    `http://localhost:${port()}@evil.example`,
    'null',
    'file://',
  ]
  for (const origin of origins) {
    assertTold(await ask('/v1/status', { headers: { ...bearer(), origin } }), 403, 'ORIGIN_REFUSED')
    assertTold(await ask('/v1/hooks', { headers: { ...bearer(), origin }, body: { Secret: 1 } }), 403, 'ORIGIN_REFUSED')
    const asksBefore = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    assertTold(await ask('/v1/hooks', { method: 'OPTIONS', headers: asksBefore }), 403, 'ORIGIN_REFUSED')
  }
})

test('a name that was bound to our address is refused, also with the token', async () => {
  const names = [
    'evil.example',
    `evil.example:${port()}`,
    `127.0.0.1.evil.example:${port()}`,
    '127.0.0.1',
    'localhost',
    `127.0.0.1:${Number(port()) + 1}`,
    `127.0.0.2:${port()}`,
    `user@127.0.0.1:${port()}`,
  ]
  for (const host of names) assertTold(await ask('/v1/status', { headers: { ...bearer(), host } }), 403, 'ORIGIN_REFUSED')
})

test('a request without any Host is refused', async () => {
  const text = await rawRequest(`GET /v1/status HTTP/1.0\r\nAuthorization: Bearer ${running.file().token}\r\n\r\n`)
  assert.match(text, /^HTTP\/1\.1 40[03] /)
  assert.not.ok(text.includes(running.home))
})

test('what is no HTTP, and an address that cannot be read, gets an answer that repeats nothing of it', async () => {
  const broken = [
    'GET /v1/status?Secret SPDY/9\r\n\r\n',
    `GET /v1/Secret%zz HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: Bearer ${running.file().token}\r\nConnection: close\r\n\r\n`,
    `GET /v1/Secret%zz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    `GET /v1/entries/%ff%feSecret HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: Bearer ${running.file().token}\r\nConnection: close\r\n\r\n`,
    `POST /v1/hooks HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nContent-Length: x\r\nSecret: 1\r\n\r\n`,
  ]
  for (const request of broken) {
    const text = await rawRequest(request)
    assert.match(text, /^HTTP\/1\.1 4\d\d /, text)
    for (const leak of ['Secret', 'FST_', running.home]) assert.not.ok(text.includes(leak), text)
  }
})

/** Bytes as they are; everything that came back until the other side closed. */
function rawRequest(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port()), '127.0.0.1', () => socket.write(text))
    let said = ''
    socket.setEncoding('utf8')
    socket.on('data', (more: string) => {
      said += more
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(said))
  })
}

test('an unknown route, and a known one by another method, are not there, and the address is not repeated', async () => {
  for (const answer of [
    await ask('/v1/Secret?Secret=1', { headers: bearer() }),
    await ask('/v1/status', { headers: bearer(), body: { Secret: 1 } }),
    await running.ask('/v1/Secret?Secret=1'),
    await running.ask('/'),
    await running.askOwner('/v1/Secret'),
    await ask('/v1/status', { method: 'DELETE', headers: bearer() }),
  ])
    assertTold(answer, 404, 'ROUTE_UNKNOWN')
})

test('the owner’s verbs are behind the owner’s socket alone, and nothing else is', async () => {
  const body = { confirmation: { how: 'terminal' }, reason: 'Secret' }
  for (const path of ['/v1/owner/config-accept', '/v1/owner/reanchor']) {
    assertTold(await running.ask(path, { body }), 404, 'ROUTE_UNKNOWN')
    assertTold(await ask(path, { headers: bearer(), body }), 404, 'ROUTE_UNKNOWN')
    assertTold(await ask(path, { body }), 401, 'TOKEN_REFUSED')
  }
  for (const path of [
    '/v1/status',
    '/v1/entries',
    '/v1/openapi.json',
    '/v1/checkpoint',
    '/v1/live',
    '/v1/consistency?from=1&to=1',
  ])
    assertTold(await running.askOwner(path), 404, 'ROUTE_UNKNOWN')
  for (const path of ['/v1/hooks', '/v1/attach', '/v1/snapshots'])
    assertTold(await running.askOwner(path, { body: { Secret: 1 } }), 404, 'ROUTE_UNKNOWN')
  assert.is((await running.entries('type=hook.rejected')).length, 0)
})

test('a snapshot, which is a folder of this machine, is not to be had over loopback', async () => {
  assertTold(await ask('/v1/snapshots', { headers: bearer(), body: {} }), 404, 'ROUTE_UNKNOWN')
  assert.not.ok(existsSync(join(running.home, 'snapshots')) && statSync(join(running.home, 'snapshots')).nlink > 2)
})

test('hooks and attaching work over loopback too, for hosts without Unix sockets', async () => {
  const answer = await ask('/v1/hooks', { headers: bearer(), body: { hook_event_name: 'no_such_hook', extra: {} } })
  assert.equal([answer.status, answer.text], [200, '{}'])
})

test('what is wrong with a request is told without repeating any of it', async () => {
  const wrong: readonly (readonly [string, AskOptions])[] = [
    ['/v1/entries?limit=Secret', {}],
    ['/v1/entries?Secret=1', {}],
    ['/v1/entries?order=Secret', {}],
    ['/v1/entries?since=Secret', {}],
    ['/v1/entries/Secret', {}],
    ['/v1/entries/-1', {}],
    ['/v1/entries/1.5/proof', {}],
    ['/v1/consistency?from=Secret&to=1', {}],
    ['/v1/consistency?from=1', {}],
    ['/v1/live?from=Secret', {}],
    ['/v1/attach', { body: '{"Secret' }],
    ['/v1/attach', { body: { Secret: 1 } }],
    ['/v1/attach', { body: '' }],
  ]
  for (const [path, options] of wrong) assertTold(await running.ask(path, options), 400, 'REQUEST_INVALID')
  for (const body of ['{"Secret', '"Secret"', '[]', '', '{"confirmation":{"how":"Secret"}}', '{"Secret":1}'])
    assertTold(await running.askOwner('/v1/owner/config-accept', { body }), 400, 'REQUEST_INVALID')
  const large = { body: { confirmation: { how: 'yes', passphrase: 'Secret'.repeat(400_000) } } }
  assertTold(await running.askOwner('/v1/owner/config-accept', large), 400, 'REQUEST_INVALID')
  const asText = { body: 'Secret', headers: { 'content-type': 'text/plain' } }
  assertTold(await running.askOwner('/v1/owner/config-accept', asText), 400, 'REQUEST_INVALID')
})

test('an entry that is not there is said to be unknown, with its number', async () => {
  const answer = await running.ask('/v1/entries/999999')
  assertTold(answer, 400, 'ENTRY_UNKNOWN')
  assertTold(await running.ask('/v1/entries/999999/proof'), 400, 'ENTRY_UNKNOWN')
})

test('both sockets are the owner’s alone, whatever the umask is', () => {
  const { socket } = running.file()
  for (const path of [socket, join(dirname(socket), 'owner.sock')]) {
    assert.ok(lstatSync(path).isSocket(), path)
    assert.is(lstatSync(path).mode & 0o777, 0o600, path)
  }
})

test('a mistake of ours is told as such, and only the log learns the place in our own files', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'service.log')
  const server = new HttpServer({
    routes: (app) => {
      app.get('/boom', () => {
        throw new TypeError('Secret words of /some/path')
      })
      app.get('/odd', () => {
        throw Object.assign(new Error('Secret'), { statusCode: 503, stack: 'Secret' })
      })
    },
    log: openServiceLog(file),
    token: 'a'.repeat(64),
    heard: () => {},
  })
  await server.ready()
  const socketPath = join(folder, 'service.sock')
  try {
    await server.listenOnSocket('socket', socketPath)
    for (const path of ['/boom', '/odd']) assertTold(await askAt({ socketPath }, path), 500, 'INTERNAL')
  } finally {
    await server.close()
  }
  const log = readFileSync(file, 'utf8')
  assert.match(log, /code=INTERNAL error=TypeError at=\S*test\.ts:\d+/)
  for (const leak of ['Secret', '/some/path', folder]) assert.not.ok(log.includes(leak), log)
})

function bareServer(): HttpServer {
  return new HttpServer({
    routes: (app) => {
      app.get('/v1/slow', async () => {
        await new Promise((resolve) => setTimeout(resolve, 300))
        return { slow: true }
      })
    },
    log: { write: () => {}, fail: () => {} },
    token: 'a'.repeat(64),
    heard: () => {},
  })
}

test('an address that is taken is an error that names it', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const address = taken.address()
  const busy = typeof address === 'object' && address !== null ? address.port : 0
  const server = bareServer()
  try {
    const { details } = await rejectsWithCode(server.listenOnLoopback('127.0.0.1', busy), 'LISTEN_FAILED')
    assert.equal(details, { host: '127.0.0.1', port: busy })
  } finally {
    await server.close()
    taken.close()
  }
})

test('a socket where none can be made is an error, never a crash', async () => {
  const server = bareServer()
  try {
    await rejectsWithCode(server.listenOnSocket('socket', join(temporaryFolder(), 'no', 'folder', 'x.sock')), 'FILE_UNWRITABLE')
  } finally {
    await server.close()
  }
})

test('a socket that was left over is replaced, and one that was taken away or replaced is noticed', async () => {
  const socketPath = join(temporaryFolder(), 'x.sock')
  const [old, server] = [bareServer(), bareServer()]
  await Promise.all([old.ready(), server.ready()])
  try {
    await old.listenOnSocket('socket', socketPath)
    assert.ok(old.isInPlace('socket', socketPath))
    await server.listenOnSocket('socket', socketPath)
    assert.equal([old.isInPlace('socket', socketPath), server.isInPlace('socket', socketPath)], [false, true])
    assert.is((await askAt({ socketPath }, '/v1/slow')).status, 200)
    rmSync(socketPath)
    assert.not.ok(server.isInPlace('socket', socketPath))
    mkdirSync(socketPath)
    assert.not.ok(server.isInPlace('socket', socketPath))
  } finally {
    await Promise.all([old.close(), server.close()])
  }
})

test('closing answers what is under way, and takes no more', async () => {
  const socketPath = join(temporaryFolder(), 'x.sock')
  const server = bareServer()
  await server.ready()
  await server.listenOnSocket('socket', socketPath)
  const asked = askAt({ socketPath }, '/v1/slow')
  await new Promise((resolve) => setTimeout(resolve, 100))
  const closed = server.close()
  assert.equal(answered(await asked), { slow: true })
  await closed
  const after = await askAt({ socketPath }, '/v1/slow').catch((error: NodeJS.ErrnoException) => error.code)
  assert.ok(after === 'ENOENT' || after === 'ECONNREFUSED', String(after))
})

test.run()
