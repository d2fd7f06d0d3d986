// Holds the description of the routes to the routes that there are, and to OpenAPI 3.1.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { answered, codeOf, type RunningService, runService } from '../support/running-service.js'

const test = suite('open api')

interface Operation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: object
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<Record<string, { readonly description?: string }>>
}

interface Description {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly type: string; readonly scheme: string }>> }
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

/** The interfaces page, "HTTP, on the socket and on loopback", and the owner’s verbs. */
const routes = [
  'post /v1/attach',
  'post /v1/hooks',
  'post /v1/snapshots',
  'get /v1/status',
  'get /v1/openapi.json',
  'get /v1/entries',
  'get /v1/entries/{index}',
  'get /v1/entries/{index}/proof',
  'get /v1/checkpoint',
  'get /v1/consistency',
  'get /v1/live',
  'get /v1/views',
  'get /v1/views/{name}',
  'post /v1/views/rebuild',
  'get /v1/search',
  'post /v1/owner/config-accept',
  'post /v1/owner/config-set',
  'post /v1/owner/policy-use',
  'post /v1/owner/reanchor',
  'post /v1/owner/erase-preview',
  'post /v1/owner/erase',
  'post /v1/owner/erase-cancel',
  'post /v1/owner/review-answer',
  'post /v1/owner/review-cancel',
]

let running: RunningService
let description: Description

test.before(async () => {
  running = await runService({ listen: { host: '127.0.0.1', port: 0 } })
  description = answered<Description>(await running.ask('/v1/openapi.json'))
})
test.after(() => running?.service.stop())

const operations = (): (readonly [name: string, operation: Operation])[] =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  )

test('the description is OpenAPI 3.1, of this version, and the same over loopback', async () => {
  assert.match(description.openapi, /^3\.1\.\d+$/)
  assert.equal([description.info.title, description.info.version], ['Stele', '0.0.0-test'])
  const answer = await running.askLoopback('/v1/openapi.json')
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
  assert.equal(answered(answer), description)
})

test('it names every route, and none that is not there', () => {
  assert.equal(
    operations()
      .map(([name]) => name)
      .sort(),
    [...routes].sort(),
  )
})

test('each route says in a sentence what it does, and to which group it belongs', () => {
  for (const [name, { summary, tags }] of operations()) {
    assert.match(summary ?? '', /^[A-Z].{5,80}$/, name)
    assert.is(tags?.length, 1, name)
  }
})

test('every route that it names answers, by its method and at its door', async () => {
  for (const [name] of operations()) {
    const [method = '', path = ''] = name.split(' ')
    if (path === '/v1/live') continue
    const filled = path.replace('{index}', '0')
    const options = method === 'post' ? { body: {} } : {}
    const answer = path.startsWith('/v1/owner/') ? await running.askOwner(filled, options) : await running.ask(filled, options)
    if (answer.status !== 200) assert.not.equal(codeOf(answer), 'ROUTE_UNKNOWN', name)
  }
})

test('each part of a path is a parameter that is needed, and every parameter and body has a schema that can be used', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const [name, { parameters = [], requestBody, responses }] of operations()) {
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    assert.equal(
      parameters.filter((parameter) => parameter.in === 'path').map((parameter) => [parameter.name, parameter.required]),
      inPath.map((part) => [part, true]),
      name,
    )
    for (const { schema } of parameters) assert.type(ajv.compile(schema), 'function', name)
    for (const { schema } of Object.values(requestBody?.content ?? {})) assert.type(ajv.compile(schema), 'function', name)
    assert.ok(Object.keys(responses).length > 0, name)
    for (const { description: says } of Object.values(responses)) assert.type(says, 'string', name)
  }
})

test('the parameters of entries are those of the interfaces page, each with what it takes', () => {
  const { parameters = [] } = description.paths['/v1/entries']?.['get'] ?? {}
  assert.equal(parameters.map(({ name }) => name).sort(), ['from', 'limit', 'order', 'session', 'since', 'type'])
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const takes = (name: string, value: unknown) =>
    ajv.validate(parameters.find((one) => one.name === name)?.schema ?? false, value)
  assert.equal(
    [
      takes('limit', 1000),
      takes('limit', 1001),
      takes('limit', 0),
      takes('order', 'desc'),
      takes('order', 'up'),
      takes('from', -1),
    ],
    [true, false, false, true, false, false],
  )
})

test('the parameters of a view and of a search are those of their pages', () => {
  const names = (path: string): string[] => (description.paths[path]?.['get']?.parameters ?? []).map(({ name }) => name).sort()
  assert.equal(names('/v1/views/{name}'), ['asOf', 'listed', 'name', 'session', 'since'])
  assert.equal(names('/v1/search'), ['below', 'fields', 'limit', 'since', 'words'])
})

test('the owner’s verbs say in their bodies how they are confirmed', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const body = (path: string) => Object.values(description.paths[path]?.['post']?.requestBody?.content ?? {})[0]?.schema ?? false
  const reanchor = ajv.compile(body('/v1/owner/reanchor'))
  assert.ok(reanchor({ reason: 'a loss', confirmation: { how: 'yes', passphrase: 'x' } }))
  assert.not.ok(reanchor({ reason: '', confirmation: { how: 'yes' } }))
  assert.not.ok(reanchor({ reason: 'a loss' }))
  assert.not.ok(reanchor({ reason: 'a loss', confirmation: { how: 'somehow' } }))
  const accept = ajv.compile(body('/v1/owner/config-accept'))
  assert.equal([accept({ confirmation: { how: 'terminal' } }), accept({})], [true, false])
})

test('it says that loopback asks for a bearer token', () => {
  const [[name, scheme] = []] = Object.entries(description.components.securitySchemes)
  assert.equal([scheme?.type, scheme?.scheme], ['http', 'bearer'])
  assert.equal(description.security, [{ [String(name)]: [] }])
})

test.run()
