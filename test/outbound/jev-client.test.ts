// Holds the client of the decision model to the wire, with the vendor's real SDK against a server on loopback: what it sends, what it takes for
// an answer, and what each fault comes to.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { noul, TypeSafeClient } from '@typesafe-ai/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JevAnswer } from '../../src/gates/jev/engine.js'
import { completionQuestions, riskQuestions, turnQuestions } from '../../src/gates/jev/questions.js'
import { completionState, riskState, stateFields, turnState } from '../../src/gates/jev/states.js'
import { makeTurnCache, type TurnEntry } from '../../src/gates/jev/turn-cache.js'
import { isJevKey } from '../../src/outbound/jev-address.js'
import { type JevClient, type JevClientOptions, type ModelChange, makeJevClient } from '../../src/outbound/jev-client.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { type Sanitized, type SanitizeOptions, sanitizeState } from '../../src/redaction/sanitize.js'
import {
  answerAll,
  answersTo,
  answerWith,
  closeJevServers,
  type JevServer,
  type Respond,
  replyTo,
  sendJson,
  startJevServer,
} from '../support/jev-server.js'

const test = suite('jev-client')

const key = 'tsk-Q7w2E9r4T1y6U3i8O5p0'
const sanitize: SanitizeOptions = { redactor: makeRedactor({ knownValues: [key] }) }
const calm = { prior_turn_seen: false, unresolved_task: false, ongoing_tool_workflow: false }

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))

test.after.each(() => {
  assert.equal(unhandled.splice(0), [], 'no rejection without a listener')
})
test.after(closeJevServers)

function turn(message: string): Sanitized {
  return turnState({ userMessage: message, platform: 'cli', model: 'agent-model', hostFirstTurn: true }, calm, sanitize)
}

const hello = turn('hello')

function clientOf(server: Pick<JevServer, 'url'>, options: Partial<JevClientOptions> = {}): JevClient {
  return makeJevClient({
    apiKey: key,
    baseUrl: server.url,
    model: 'jev-test',
    timeoutMs: 5000,
    workersMax: 4,
    requestsPerDay: 0,
    ...options,
  })
}

function failureOf(answer: JevAnswer<unknown>): string {
  return answer.isDecided ? `decided by ${answer.answered}` : answer.failure
}

/** What one decision comes to, and how many requests it took. */
async function outcomeOf(respond: Respond, options: Partial<JevClientOptions> = {}): Promise<[string, number]> {
  const server = await startJevServer(respond)
  const answer = await clientOf(server, options).classifyTurn(hello)
  // Whatever is still to reject does so meanwhile.
  await pause(20)
  const { length } = server.requests
  await server.close()
  return [failureOf(answer), length]
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function entryOf(message: string): TurnEntry {
  const cache = makeTurnCache({ turnsMax: 4, ttlMs: 1000, idleMs: 1000 })
  const reservation = cache.reserve('s1', 't1', true, 0)
  if (reservation?.kind !== 'owner') throw new Error('a new turn')
  reservation.entry.state = turn(message)
  return reservation.entry
}

test('vector H8, row J13: a turn is one POST with eight questions, three of them choices, and a state of exactly the fields that are told', async () => {
  const server = await startJevServer()
  const answer = await clientOf(server, { model: 'jev-1.13.0' }).classifyTurn(hello)
  assert.is(server.requests.length, 1)
  const [request] = server.requests
  assert.equal([request?.method, request?.path], ['POST', '/v1/systemone'])
  assert.equal(Object.keys(request?.body ?? {}), ['model', 'state', 'questions'])
  assert.is(request?.body['model'], 'jev-1.13.0')
  assert.equal(Object.keys(request?.body['state'] as object), [...stateFields.turn])
  assert.equal(request?.body['state'], {
    user_message: 'hello',
    platform: 'cli',
    model: 'agent-model',
    host_first_turn: true,
    conversation: { prior_turn_seen: false, unresolved_task: false, ongoing_tool_workflow: false },
    input_metadata: { input_complete: true, truncated: false, redacted: false, truncated_fields: [], field_lengths: [] },
  })
  assert.ok(request?.text.includes(`"state":${hello.text},`), 'the very text that was measured')
  const questions = Object.entries(request?.body['questions'] as Readonly<Record<string, { readonly type: string }>>)
  assert.is(questions.length, 8)
  assert.equal(
    questions.filter(([, { type }]) => type === 'choice').map(([id]) => id),
    ['intent', 'complexity', 'side_effect_likelihood'],
  )
  assert.equal(request?.body['questions'], turnQuestions)
  assert.is(answer.isDecided, true)
  if (!answer.isDecided) return
  assert.equal(answer.decision, {
    intent: 'chat',
    complexity: 'trivial',
    side_effect_likelihood: 'low',
    needs_web: 0.01,
    needs_browser: 0.01,
    needs_terminal: 0.01,
    needs_files: 0.01,
    should_delegate: 0.01,
    confidence: 0.99,
    model: 'jev-test',
  })
  assert.equal([answer.asked, answer.answered, answer.tokens], ['jev-1.13.0', 'jev-test', { input: 80, output: 10 }])
  assert.ok(answer.latencyMs > 0 && answer.latencyMs < 5000)
})

test('vector H9: a call is one POST with six yes-no questions, an ending one with four, each with exactly its fields', async () => {
  const server = await startJevServer()
  const client = clientOf(server)
  const entry = entryOf('delete the old exports')
  const risk = riskState(entry, { tool: 'terminal', args: { command: 'rm -r exports' }, isAmbiguous: false }, sanitize)
  const ending = completionState(
    entry,
    { changedPaths: ['a.ts'], finalResponse: 'Done.', evidence: [], isEvidenceCut: false },
    sanitize,
  )
  const assessed = await client.assessRisk(risk)
  const completed = await client.assessCompletion(ending)
  assert.equal(
    server.requests.map(({ method, path }) => `${method} ${path}`),
    ['POST /v1/systemone', 'POST /v1/systemone'],
  )
  const [first, second] = server.requests.map(({ body }) => body)
  assert.equal(first?.['questions'], riskQuestions)
  assert.equal(second?.['questions'], completionQuestions)
  const types = (body: typeof first) =>
    Object.values(body?.['questions'] as Readonly<Record<string, { readonly type: string }>>).map(({ type }) => type)
  assert.equal([types(first), types(second)], [Array(6).fill('noul'), Array(4).fill('noul')])
  const fields = (body: typeof first) => Object.keys(body?.['state'] as object).sort()
  assert.equal(fields(first), [...stateFields.risk].sort())
  assert.equal(fields(second), [...stateFields.completion].sort())
  assert.equal(assessed.isDecided && assessed.decision.destructive, 0.01)
  assert.equal(completed.isDecided && completed.decision.claims_complete, 0.01)
})

test('the key goes into one header and nowhere else', async () => {
  const server = await startJevServer()
  await clientOf(server).classifyTurn(hello)
  const [request] = server.requests
  assert.is(request?.headers.authorization, `Bearer ${key}`)
  const elsewhere = Object.entries(request?.headers ?? {}).filter(
    ([name, value]) => name !== 'authorization' && String(value).includes(key),
  )
  assert.equal(elsewhere, [])
  assert.is(`${request?.path}${request?.text}`.includes(key), false)
  assert.equal(
    Object.keys(request?.headers ?? {})
      .filter((name) => name.startsWith('x-'))
      .sort(),
    ['x-typesafe-runtime', 'x-typesafe-sdk'],
  )
})

test('vector G34: the key in what the user typed and in arguments never gets onto the wire', async () => {
  const server = await startJevServer()
  const client = clientOf(server)
  const entry = entryOf(`my key is ${key}, use it`)
  await client.classifyTurn(turn(`my key is ${key}, use it`))
  const args = { command: `curl -H "X: ${key}"`, list: [key], [key]: 'x' }
  await client.assessRisk(riskState(entry, { tool: 'terminal', args, isAmbiguous: false }, sanitize))
  assert.is(server.requests.length, 2)
  for (const { text } of server.requests) assert.is(text.includes(key), false)
})

test('what has not been through the sanitizer is not sent, whatever its type says', async () => {
  const server = await startJevServer()
  const client = clientOf(server)
  const forged: unknown[] = [{ ...hello, state: { user_message: 'raw' } }, { ...hello }, null, 'words']
  for (const given of forged as Sanitized[]) {
    assert.is(failureOf(await client.classifyTurn(given)), 'bad_request')
    assert.is(failureOf(await client.assessRisk(given)), 'bad_request')
  }
  assert.is(server.requests.length, 0)
})

const malformed: readonly (readonly [what: string, respond: Respond])[] = [
  ['one answer missing', answerWith('needs_web', undefined)],
  ['an answer of another type', answerWith('needs_web', { type: 'choice', choice: 'yes', confidence: 1 })],
  ['a probability of 1.2', answerWith('needs_web', { type: 'noul', noul: 1.2 })],
  ['a probability below nothing', answerWith('needs_web', { type: 'noul', noul: -0.1 })],
  ['a probability as a text', answerWith('needs_web', { type: 'noul', noul: '0.5' })],
  ['a probability that is true', answerWith('needs_web', { type: 'noul', noul: true })],
  ['a label that was not offered', answerWith('intent', { type: 'choice', choice: 'poetry', confidence: 0.9 })],
  ['a label of an object', answerWith('intent', { type: 'choice', choice: 'constructor', confidence: 0.9 })],
  ['no confidence and no distribution', answerWith('intent', { type: 'choice', choice: 'chat', confidence: null })],
  ['answers in a list', answerAll({ answers: [] })],
  ['no answers', answerAll({ answers: null })],
  ['no model', answerAll({ model: 5 })],
  ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>welcome</html>')],
  ['an empty reply', (response) => response.writeHead(200).end()],
  ['no content', (response) => response.writeHead(204).end()],
  ['half of a JSON text', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"model":"jev-te')],
  ['null', (response) => sendJson(response, 200, null)],
  ['very deep JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(200_000))],
  [
    'very deep JSON that ends',
    (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  ],
  ['not modified', (response) => response.writeHead(304).end()],
]

for (const [what, respond] of malformed)
  test(`vector H10: ${what} is no decision and no crash`, async () => {
    assert.equal(await outcomeOf(respond), ['malformed', 1])
  })

test('a server of somebody else may leave the confidence out and send more than was asked', async () => {
  const respond = answerWith('intent', {
    type: 'choice',
    choice: 'chat',
    confidence: null,
    probabilities: { chat: 0.7 },
    extra: 1,
  })
  const server = await startJevServer(respond)
  const answer = await clientOf(server).classifyTurn(hello)
  assert.is(answer.isDecided && answer.decision.confidence, 0.7)
})

test('usage that is none leaves the decision and counts no tokens', async () => {
  for (const usage of [
    undefined,
    null,
    {},
    { input_tokens: -1, output_tokens: 1 },
    { input_tokens: 1.5, output_tokens: 1 },
    'many',
  ]) {
    const server = await startJevServer(answerAll({ usage }))
    const answer = await clientOf(server).classifyTurn(hello)
    assert.equal(answer.isDecided && answer.tokens, undefined, inspect(usage))
    assert.is(answer.isDecided, true)
    await server.close()
  }
})

const status = (code: number, headers: Readonly<Record<string, string>> = {}, detail: unknown = 'no'): Respond => {
  return (response) => sendJson(response, code, { detail }, headers)
}
const drip: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 10)
  response.on('close', () => clearInterval(timer))
}

const faults: readonly (readonly [what: string, failure: string, respond: Respond])[] = [
  ['400', 'bad_request', status(400)],
  ['401', 'auth', status(401)],
  ['403', 'auth', status(403)],
  ['404', 'bad_request', status(404, {}, 'Not Found')],
  ['408', 'bad_request', status(408)],
  ['422', 'bad_request', status(422, {}, [{ loc: ['body', 'state'], msg: 'too long', type: 'x' }])],
  ['429', 'rate_limit', status(429)],
  ['429 with retry-after', 'rate_limit', status(429, { 'retry-after': '1' })],
  ['500', 'server', status(500)],
  ['503', 'server', status(503, { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' })],
  ['529', 'overloaded', status(529)],
  ['a connection that is cut', 'connection', (response) => response.destroy()],
  [
    'a connection that is cut within the body',
    'connection',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }).write('{"model"')
      setTimeout(() => response.destroy(), 10)
    },
  ],
  ['no reply', 'timeout', () => {}],
  ['headers and then silence', 'timeout', (response) => response.writeHead(200).flushHeaders()],
  ['a body that drips', 'timeout', drip],
  ['an error whose body drips', 'timeout', (response) => response.writeHead(500).write('{')],
  ['a redirect', 'connection', (response) => response.writeHead(307, { location: 'https://elsewhere.test/v1' }).end()],
  [
    'a reply of more than 256 KiB',
    'connection',
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(' '.repeat(256 * 1024 + 1)),
  ],
  [
    'a small reply that unpacks to 20 MiB',
    'connection',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20 * 2 ** 20))),
  ],
]

for (const [what, failure, respond] of faults)
  test(`vector H11, section 12: ${what} is one request, no decision, ${failure}, and no rejection that nobody hears`, async () => {
    assert.equal(await outcomeOf(respond, { timeoutMs: failure === 'timeout' ? 500 : 5000 }), [failure, 1])
  })

test('a packed reply is read, and one of just 256 KiB is', async () => {
  const packed: Respond = (response, request) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(JSON.stringify(replyTo(request))))
  assert.equal(await outcomeOf(packed), ['decided by jev-test', 1])
  const large: Respond = (response, request) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(replyTo(request)).padEnd(256 * 1024))
  assert.equal(await outcomeOf(large), ['decided by jev-test', 1])
})

test('a redirect is not followed: the key and the words stay with the address that was named', async () => {
  const elsewhere = await startJevServer()
  const server = await startJevServer((response) => response.writeHead(307, { location: `${elsewhere.url}/v1/systemone` }).end())
  assert.is(failureOf(await clientOf(server).classifyTurn(hello)), 'connection')
  assert.is(elsewhere.requests.length, 0)
})

test('where nobody listens it is connection, soon', async () => {
  const server = await startJevServer()
  await server.close()
  const begun = performance.now()
  assert.is(failureOf(await clientOf(server).classifyTurn(hello)), 'connection')
  assert.ok(performance.now() - begun < 1500)
})

test('row J45, vector C5: the caller hears at the deadline, the request is really cancelled, and no second one is sent', async () => {
  let closed = 0
  const server = await startJevServer((response) => {
    response.on('close', () => {
      closed += 1
    })
  })
  const begun = performance.now()
  const answer = await clientOf(server, { timeoutMs: 300 }).classifyTurn(hello)
  const took = performance.now() - begun
  assert.is(failureOf(answer), 'timeout')
  assert.ok(took >= 295 && took < 1500, `${took} ms`)
  for (let waited = 0; closed === 0 && waited < 1000; waited += 10) await pause(10)
  await pause(100)
  assert.equal([server.requests.length, closed], [1, 1])
})

test('vector E40: a transport that does not let itself be cancelled still answers at the deadline, and keeps its place until it has ended', async () => {
  let end = (_: Response): void => {}
  const stubborn = () => new Promise<Response>((resolve) => (end = resolve))
  const client = clientOf({ url: 'http://127.0.0.1:9' }, { fetch: stubborn, timeoutMs: 30, workersMax: 1 })
  assert.is(failureOf(await client.classifyTurn(hello)), 'timeout')
  assert.is(client.state().running, 1)
  assert.is(failureOf(await client.classifyTurn(hello)), 'capacity')
  const late = { model: 'jev-late', answers: answersTo(turnQuestions), usage: null }
  end(new Response(JSON.stringify(late), { headers: { 'content-type': 'application/json' } }))
  await pause(20)
  assert.equal([client.state().running, client.state().answered], [0, []], 'the late answer changed nothing')
})

test('vectors H1 and H2: with two places taken a hundred more fail at once, none waits, and then the next one is answered', async () => {
  const held: (() => void)[] = []
  const server = await startJevServer((response, request) => held.push(() => sendJson(response, 200, replyTo(request))))
  const client = clientOf(server, { workersMax: 2 })
  const working = [client.classifyTurn(hello), client.classifyTurn(hello)]
  const begun = performance.now()
  const more = await Promise.all(Array.from({ length: 100 }, () => client.classifyTurn(hello)))
  assert.ok(performance.now() - begun < 500)
  assert.equal(new Set(more.map(failureOf)), new Set(['capacity']))
  while (held.length < 2) await pause(5)
  assert.is(server.requests.length, 2)
  for (const release of held.splice(0)) release()
  assert.equal((await Promise.all(working)).map(failureOf), ['decided by jev-test', 'decided by jev-test'])
  const next = client.classifyTurn(hello)
  while (held.length < 1) await pause(5)
  held[0]?.()
  assert.is(failureOf(await next), 'decided by jev-test')
  assert.is(server.requests.length, 3)
})

test('row J64: ten decisions go over one connection', async () => {
  const server = await startJevServer()
  const client = clientOf(server)
  for (let time = 0; time < 10; time += 1) assert.is(failureOf(await client.classifyTurn(hello)), 'decided by jev-test')
  assert.equal([server.requests.length, server.connections()], [10, 1])
})

test('after three failures in a row nothing is sent for a while; then one request tries, and its answer lets the others through', async () => {
  const server = await startJevServer(status(500))
  let clock = 0
  const client = clientOf(server, { monotonicMs: () => clock })
  for (let time = 0; time < 3; time += 1) assert.is(failureOf(await client.classifyTurn(hello)), 'server')
  assert.is(failureOf(await client.classifyTurn(hello)), 'circuit_open')
  assert.equal([server.requests.length, client.state().circuit.state], [3, 'open'])
  clock = 5000
  assert.is(client.state().circuit.state, 'half_open')
  const held: (() => void)[] = []
  server.respond = (response, request) => held.push(() => sendJson(response, 200, replyTo(request)))
  const probe = client.classifyTurn(hello)
  assert.is(failureOf(await client.classifyTurn(hello)), 'circuit_open', 'while the probe is under way')
  while (held.length === 0) await pause(5)
  server.respond = answerAll()
  held[0]?.()
  assert.is(failureOf(await probe), 'decided by jev-test')
  assert.is(failureOf(await client.classifyTurn(hello)), 'decided by jev-test')
  assert.equal(client.state().circuit, { state: 'closed', retryInMs: 0, failuresInRow: 0 })
})

test('a server that says when to come again is left alone for as long', async () => {
  const server = await startJevServer(status(429, { 'retry-after': '120' }))
  let clock = 0
  const client = clientOf(server, { monotonicMs: () => clock })
  assert.is(failureOf(await client.classifyTurn(hello)), 'rate_limit')
  server.respond = answerAll()
  clock = 119_999
  assert.is(failureOf(await client.classifyTurn(hello)), 'circuit_open')
  clock = 120_000
  assert.is(failureOf(await client.classifyTurn(hello)), 'decided by jev-test')
  assert.is(server.requests.length, 2)
})

test('a date to come again is read by the wall clock, and a pause of milliseconds before one of seconds', async () => {
  for (const [headers, retryInMs] of [
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after-ms': '9000', 'retry-after': '120' }, 9000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'soon' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2020 00:00:00 GMT' }, 0],
  ] as const) {
    const server = await startJevServer(status(503, headers))
    const client = clientOf(server, { monotonicMs: () => 0, nowMs: () => Date.UTC(2026, 0, 1) })
    await client.classifyTurn(hello)
    assert.is(client.state().circuit.retryInMs, retryInMs, JSON.stringify(headers))
    await server.close()
  }
})

test('what is wrong with a question is no sign that the service is down', async () => {
  const server = await startJevServer(status(422))
  const client = clientOf(server)
  for (let time = 0; time < 5; time += 1) assert.is(failureOf(await client.classifyTurn(hello)), 'bad_request')
  assert.is(client.state().circuit.state, 'closed')
})

test('once the requests of a day are spent none is sent until the next, and what was sent before counts', async () => {
  const server = await startJevServer()
  let now = Date.UTC(2026, 10, 30, 23, 59)
  const sentToday = { day: '2026-11-30', requests: 1 }
  const client = clientOf(server, { requestsPerDay: 3, sentToday, nowMs: () => now })
  const outcomes = []
  for (let time = 0; time < 3; time += 1) outcomes.push(failureOf(await client.classifyTurn(hello)))
  assert.equal(outcomes, ['decided by jev-test', 'decided by jev-test', 'budget_spent'])
  assert.equal([server.requests.length, client.state().sentToday], [2, { day: '2026-11-30', requests: 3 }])
  now += 60_000
  assert.is(failureOf(await client.classifyTurn(hello)), 'decided by jev-test')
  assert.equal(client.state().sentToday, { day: '2026-12-01', requests: 1 })
})

test('row J9: another model than was asked for, or than answered before, is told once', async () => {
  const changesWith = async (model: string, answering: readonly string[]): Promise<ModelChange[]> => {
    const changes: ModelChange[] = []
    const server = await startJevServer()
    const client = clientOf(server, { model, modelChanged: (change) => changes.push(change) })
    for (const answered of answering) {
      server.respond = answerAll({ model: answered })
      const answer = await client.classifyTurn(hello)
      assert.equal([answer.asked, answer.isDecided && answer.answered], [model, answered])
    }
    await server.close()
    return changes
  }
  assert.equal(await changesWith('jev-1.13.0', ['jev-1.13.0', 'jev-1.13.0']), [])
  assert.equal(await changesWith('jev-1.13.0', ['jev-1.14.0', 'jev-1.14.0']), [
    { asked: 'jev-1.13.0', before: 'jev-1.13.0', answered: 'jev-1.14.0' },
  ])
  // An alias may stand for any model; that it changes is told.
  assert.equal(await changesWith('jev-latest', ['jev-1.13.0', 'jev-1.14.0', 'jev-1.13.0', 'jev-1.14.0']), [
    { asked: 'jev-latest', before: 'jev-1.13.0', answered: 'jev-1.14.0' },
  ])
})

test('whoever wants to be told of a model and throws spoils no decision', async () => {
  const server = await startJevServer()
  const modelChanged = () => {
    throw new Error('full')
  }
  const answer = await clientOf(server, { model: 'jev-1.13.0', modelChanged }).classifyTurn(hello)
  assert.is(failureOf(answer), 'decided by jev-test')
})

test('closing calls off what is under way and sends nothing more', async () => {
  const server = await startJevServer(() => {})
  const client = clientOf(server)
  const working = client.classifyTurn(hello)
  while (server.requests.length === 0) await pause(5)
  client.close()
  assert.is(failureOf(await working), 'cancelled')
  assert.is(failureOf(await client.classifyTurn(hello)), 'cancelled')
  assert.is(server.requests.length, 1)
  assert.is(client.state().circuit.failuresInRow, 0)
})

test('vector H12, row J52: with the SDK’s logging at debug nothing of ours is printed, and what others ask through it still is', async () => {
  const server = await startJevServer()
  const printed: string[] = []
  const real = { ...console }
  const names = ['debug', 'info', 'warn', 'error', 'log'] as const
  for (const name of names) console[name] = (...args: unknown[]) => printed.push(inspect(args, { depth: 9 }))
  process.env['TYPESAFE_LOG_LEVEL'] = 'debug'
  try {
    await clientOf(server).classifyTurn(turn('the heron nests at dawn'))
    server.respond = status(500, {}, 'the heron nests at dawn')
    await clientOf(server).classifyTurn(turn('the heron nests at dawn'))
    assert.equal(printed, [])
    server.respond = answerAll()
    const other = new TypeSafeClient({ apiKey: 'another-key', baseURL: server.url })
    await other.systemOne({ state: 'words of somebody else', questions: { one: noul('one?') } })
    assert.ok(printed.some((line) => line.includes('words of somebody else')))
    assert.is(printed.join().includes('heron'), false)
  } finally {
    delete process.env['TYPESAFE_LOG_LEVEL']
    Object.assign(console, real)
  }
  assert.is(server.requests.length, 3)
})

test('variables of the SDK redirect nothing and stop nothing', async () => {
  const server = await startJevServer()
  const elsewhere = await startJevServer()
  const variables = {
    TYPESAFE_BASE_URL: elsewhere.url,
    TYPESAFE_API_KEY: 'another-key',
    TYPESAFE_DEFAULT_MODEL: 'another-model',
    TYPESAFE_LOG_LEVEL: 'no level',
  }
  Object.assign(process.env, variables)
  try {
    assert.is(failureOf(await clientOf(server).classifyTurn(hello)), 'decided by jev-test')
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
  }
  assert.equal([server.requests.length, elsewhere.requests.length], [1, 0])
  assert.equal([server.requests[0]?.headers.authorization, server.requests[0]?.body['model']], [`Bearer ${key}`, 'jev-test'])
})

test('vector H5: nothing that a server says of a failure, and nothing of the key, can be seen in the client or its answers', async () => {
  const server = await startJevServer(status(500, { 'x-typesafe-request-id': 'XYZZY-PRIVATE' }, `XYZZY-PRIVATE ${key}`))
  const client = clientOf(server)
  const answers = [await client.classifyTurn(hello), await client.assessRisk(hello)]
  const seen = inspect([answers, client, client.state()], { depth: 20, showHidden: true, getters: true })
  const told = `${seen}${JSON.stringify([answers, client, client.state()])}${process.title}${process.argv.join(' ')}`
  assert.is(told.includes('XYZZY'), false)
  assert.is(told.includes(key), false)
})

test('a key that cannot be one, or an address that may not be asked, makes no client and is not quoted', async () => {
  for (const apiKey of ['', ' ', 'a b', 'a\nb', 'schlüssel', 'x'.repeat(513)]) {
    assert.is(isJevKey(apiKey), false)
    assert.throws(
      () => clientOf({ url: 'https://127.0.0.1' }, { apiKey }),
      (error: Error) => error instanceof TypeError && (apiKey.trim() === '' || !error.message.includes(apiKey)),
    )
  }
  assert.is(isJevKey(key), true)
  for (const url of ['http://jev.example.com', 'ftp://127.0.0.1', 'https://u:p@jev.example.com', ''])
    assert.throws(
      () => clientOf({ url }),
      (error: Error) => error instanceof TypeError && (url === '' || !error.message.includes(url)),
    )
})

test('an address with a path is asked below that path', async () => {
  const server = await startJevServer()
  await clientOf({ url: `${server.url}/compat/` }).classifyTurn(hello)
  assert.is(server.requests[0]?.path, '/compat/v1/systemone')
})

test('a server whose certificate is nobody’s is connection', async () => {
  const plain = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const { port } = plain.address() as AddressInfo
  assert.is(failureOf(await clientOf({ url: `https://127.0.0.1:${port}` }).classifyTurn(hello)), 'connection')
  plain.close()
})

test('row J53: an answer holds numbers, names of fixed lists and the model, whatever else the server says', async () => {
  const server = await startJevServer(
    answerAll({ note: 'the heron nests', usage: { input_tokens: 1, output_tokens: 2, note: 'heron' } }),
  )
  const answer = await clientOf(server).classifyTurn(sanitizeState({ user_message: 'the heron nests at dawn' }, sanitize))
  assert.is(answer.isDecided, true)
  assert.is(JSON.stringify(answer).includes('heron'), false)
})

test.run()
