// The Jev stage in a running service, with a model on loopback that answers, lies, hangs and is gone: what the host hears, what is on record,
// and that no fault of it lets through what another gate denies, or blocks what nobody asked to block.
// time limit: 120 s
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AttachedHost, type Payload, until } from '../support/attached-host.js'
import { askedCall, typedMessage } from '../support/hermes-payloads.js'
import {
  answersTo,
  closeJevServers,
  type JevServer,
  type Respond,
  replyTo,
  sendJson,
  startJevServer,
} from '../support/jev-server.js'
import { newHome, type RunningService, runService, type ShownEntry } from '../support/running-service.js'

const test = suite('jev service')

const key = 'ts_live_key-of-the-test-0123456789'
const environment = { TYPESAFE_API_KEY: key, HERMES_HOME: '' }

/** Every question about a call with 0.99, so that all of it asks; an ending that is not done. */
const everythingRisky: Respond = (response, request) => {
  const answers: Record<string, Record<string, unknown>> = answersTo(request.body['questions'])
  if ('destructive' in answers) for (const answer of Object.values(answers)) answer['noul'] = 0.99
  const ending = { claims_complete: 0.99, verification_evidence_present: 0.01, inconsistent: 0.99, needs_iteration: 0.99 }
  if ('claims_complete' in answers) for (const [id, noul] of Object.entries(ending)) answers[id] = { type: 'noul', noul }
  sendJson(response, 200, replyTo(request, { answers }))
}

interface Story {
  readonly running: RunningService
  readonly host: AttachedHost
  readonly server: JevServer
}

interface StoryOptions {
  /** Further settings, as YAML. */
  readonly more?: string
  readonly allowlist?: string
  readonly timeoutSeconds?: number
}

async function withStory(
  task: (story: Story) => Promise<void>,
  { more = '', allowlist, timeoutSeconds = 0.4 }: StoryOptions = {},
): Promise<void> {
  const server = await startJevServer(everythingRisky)
  const home = newHome()
  const settings = [
    'checkpoint:',
    '  anchor: none',
    'jev:',
    '  enabled: true',
    '  mode: enforce',
    `  base_url: ${server.url}`,
    `  timeout_seconds: ${timeoutSeconds}`,
    '  tool_shaping: { enabled: true }',
    '  verify: { enabled: true }',
    more,
  ].join('\n')
  mkdirSync(home, { mode: 0o700 })
  // The first one that is there is taken up.
  if (allowlist !== undefined) writeFileSync(join(home, 'allowlist.yaml'), allowlist, { mode: 0o600 })
  const running = await runService({ home, settings: `${settings}\n`, environment })
  const host = new AttachedHost(home)
  try {
    await host.attach()
    await task({ running, host, server })
  } finally {
    host.close()
    await running.service.stop()
    await server.close()
  }
}

const there = { attended: 'attended', last_in_order: true, approvals_off: false }
const withHost = (payload: Payload): Payload => ({ ...payload, host: there })
const middleware = (payload: Payload): Payload => ({ ...payload, hook_event_name: 'tool_request' })
const atTheEnd = (turn = 'turn-1'): Payload => ({
  ...typedMessage('', { turn }),
  hook_event_name: 'pre_verify',
  extra: { turn_id: turn, changed_paths: ['a.ts'], final_response: 'All done.', attempt: 0 },
})

async function told({ host }: Story, payload: Payload): Promise<Record<string, unknown>> {
  const { status, directive } = await host.hook(withHost(payload))
  assert.is(status, 200)
  return directive ?? { nothing: 'that is signed' }
}

async function entriesOf({ running }: Story, types: RegExp): Promise<ShownEntry[]> {
  return (await running.entries()).filter(({ type }) => types.test(type))
}

test('a turn with a risky call and an early end: each question, answer and fate is an entry, in order, and the host hears of them', async () => {
  await withStory(async (story) => {
    const { running, host } = story
    const answer = await host.hook(withHost(typedMessage('publish the weekly report')))
    assert.equal([answer.directive, answer.wants], [{}, ['llm_request', 'tool_request']])
    const call = askedCall('terminal', { command: 'publish-report --to everyone' })
    assert.equal(await told(story, middleware(call)), {})
    const asked = await told(story, call)
    assert.is(asked['action'], 'approve')
    assert.match(String(asked['message']), /external_side_effect.*publish-report --to everyone/s)
    assert.is((await told(story, atTheEnd()))['action'], 'continue')
    const types = (await running.entries()).map(({ type }) => type).filter((type) => /^(message|jev|tool|verif)/.test(type))
    assert.equal(types, [
      'message.captured',
      'jev.classified',
      'jev.proposed',
      'tool.requested',
      'jev.settled',
      'verification.proposed',
    ])
    const [proposed] = await entriesOf(story, /^jev\.proposed$/)
    const { asked: model, answered, tokens } = proposed?.data ?? {}
    assert.equal([model, answered, tokens], ['jev-1.13.0', 'jev-test', { input: 80, output: 10 }])
  })
})

test('what leaves the machine is what the page of privacy names, without a secret, and the key is nowhere but in its header', async () => {
  await withStory(async (story) => {
    const { running, server } = story
    const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
    await told(story, typedMessage(`use ${secret} to publish`))
    const call = askedCall('terminal', { command: `TOKEN=${secret} publish ${key}` })
    await told(story, middleware(call))
    await told(story, call)
    assert.is(server.requests.length, 2)
    for (const { headers, text, path } of server.requests) {
      assert.equal([headers['authorization'], path], [`Bearer ${key}`, '/v1/systemone'])
      assert.not.ok(text.includes(secret) || text.includes(key), text)
      assert.not.match(text, /session-1|turn-1|call-1|\/srv\/agent/)
    }
    assert.equal(Object.keys(server.requests[1]?.body['state'] as object).sort(), [
      'arguments',
      'context_ambiguous',
      'input_metadata',
      'platform',
      'tool_name',
      'turn_intent',
      'user_message',
    ])
    const status = (await running.ask('/v1/status')).text
    const log = readFileSync(join(running.home, 'service.log'), 'utf8')
    const shown = JSON.stringify(await running.entries())
    for (const text of [status, log, shown]) assert.not.ok(text.includes(key) || text.includes(secret))
    assert.not.ok(readdirSync(running.home).some((name) => name.includes(key)))
  })
})

const faults: readonly (readonly [name: string, respond: Respond | 'gone', category: string])[] = [
  ['down', 'gone', 'connection'],
  ['silent', () => {}, 'timeout'],
  [
    'slow',
    (response, request) => {
      setTimeout(() => everythingRisky(response, request), 900)
    },
    'timeout',
  ],
  ['lying', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>All is well</p>'), 'malformed'],
  ['refusing', (response) => sendJson(response, 401, { detail: 'who are you' }), 'auth'],
  ['overloaded', (response) => sendJson(response, 529, {}), 'overloaded'],
]

const enforcingGrants: StoryOptions = {
  more: 'capability:\n  mode: enforce\n',
  allowlist: 'version: 1\nskills:\n  "*":\n    commands: ["wc ..."]\n',
}

for (const [name, respond, category] of faults) {
  test(`with a model that is ${name}, a granted call runs, a denied one does not, and each failure is on record as ${category}`, async () => {
    await withStory(async (story) => {
      if (respond === 'gone') await story.server.close()
      else story.server.respond = respond
      const begunMs = performance.now()
      assert.equal(await told(story, typedMessage('count the rows')), {})
      const granted = askedCall('terminal', { command: 'wc -l data.csv' }, { call: 'call-1' })
      assert.equal(await told(story, middleware(granted)), {})
      assert.ok(performance.now() - begunMs < 5000, 'nobody waits longer than the settings say')
      assert.equal(await told(story, granted), {})
      const denied = askedCall('terminal', { command: 'rm -rf /srv/agent' }, { call: 'call-2' })
      await told(story, middleware(denied))
      const answer = await told(story, denied)
      assert.is(answer['action'], 'block')
      assert.match(String(answer['message']), /^command_not_granted/)
      const failed = await entriesOf(story, /^jev\.failed$/)
      assert.ok(failed.length >= 2, JSON.stringify(failed))
      for (const { data } of failed.slice(0, 2)) assert.is(data['category'], category)
    }, enforcingGrants)
  })
}

test('a model that approves of everything takes back no denial', async () => {
  await withStory(async (story) => {
    story.server.respond = (response, request) => sendJson(response, 200, replyTo(request))
    await told(story, typedMessage('delete it all'))
    const denied = askedCall('terminal', { command: 'rm -r exports' })
    await told(story, middleware(denied))
    assert.is((await told(story, denied))['action'], 'block')
  }, enforcingGrants)
})

test('after three failures in a row nothing is sent for a while, the status says so, and a plainly destructive call asks all the same', async () => {
  await withStory(async (story) => {
    const { running, server } = story
    server.respond = (response) => sendJson(response, 500, {})
    for (const turn of ['1', '2', '3']) await told(story, typedMessage('count the rows', { turn }))
    const sent = server.requests.length
    await told(story, typedMessage('tidy up', { turn: '4' }))
    const call = askedCall('terminal', { command: 'rm -rf ~' }, { turn: '4' })
    await told(story, middleware(call))
    assert.is(server.requests.length, sent)
    const asked = await told(story, call)
    assert.is(asked['action'], 'approve')
    assert.match(String(asked['message']), /plainly_destructive/)
    const { jev } = JSON.parse((await running.ask('/v1/status')).text) as { jev: { client: { circuit: { state: string } } } }
    assert.is(jev.client.circuit.state, 'open')
    const categories = (await entriesOf(story, /^jev\.failed$/)).map(({ data }) => data['category'])
    assert.equal(categories, ['server', 'server', 'server', 'circuit_open', 'circuit_open'])
  })
})

test('after a restart in the middle of a turn nothing is proposed for it, and that is told', async () => {
  await withStory(async (story) => {
    await told(story, typedMessage('publish the weekly report'))
    await story.running.service.stop()
    const again = await runService({ home: story.running.home, environment })
    try {
      await story.host.attach()
      const call = askedCall('terminal', { command: 'publish-report' })
      const later = { ...story, running: again }
      await told(later, middleware(call))
      assert.equal(await told(later, call), {})
      const [silence] = await entriesOf(later, /^jev\.abstained$/)
      assert.equal([silence?.data['why'], silence?.data['about']], ['turn_unknown', undefined])
      const { jev } = JSON.parse((await again.ask('/v1/status')).text) as { jev: { client: { sentToday: { requests: number } } } }
      assert.is(jev.client.sentToday.requests, 1, 'what was sent before counts for the day')
    } finally {
      await again.service.stop()
    }
  })
})

test('a service that is told to stop waits for no model: the hook is answered, and what became of its question is told', async () => {
  await withStory(
    async (story) => {
      story.server.respond = () => {}
      const asked = told(story, typedMessage('count the rows'))
      await until('the question is sent', () => story.server.requests.length === 1)
      const begunMs = performance.now()
      const [answer] = await Promise.all([asked, story.running.service.stop()])
      assert.equal(answer, {})
      assert.ok(performance.now() - begunMs < 5000)
      const again = await runService({ home: story.running.home, environment })
      const failed = await entriesOf({ ...story, running: again }, /^jev\.failed$/)
      await again.service.stop()
      assert.equal(
        failed.map(({ data }) => data['category']),
        ['cancelled'],
      )
    },
    { timeoutSeconds: 9 },
  )
})

test("a key that goes from the host's .env ends it at the next hook, and one that comes begins it", async () => {
  const server = await startJevServer(everythingRisky)
  const home = newHome()
  const settings = `checkpoint:\n  anchor: none\njev:\n  enabled: true\n  base_url: ${server.url}\n`
  const running = await runService({ home, settings, environment: { HERMES_HOME: join(home, '..') } })
  const host = new AttachedHost(home)
  try {
    await host.attach()
    const wants = async (turn: string) => (await host.hook(withHost(typedMessage('hello', { turn })))).wants
    assert.equal(await wants('1'), [])
    writeFileSync(join(home, '..', '.env'), `TYPESAFE_API_KEY=${key}\n`)
    assert.equal(await wants('2'), ['tool_request'])
    await until('the model was asked', () => server.requests.length === 1)
    writeFileSync(join(home, '..', '.env'), 'OTHER=1\n')
    assert.equal(await wants('3'), [])
    assert.is(server.requests.length, 1)
  } finally {
    host.close()
    await running.service.stop()
    await server.close()
  }
})

test.after(closeJevServers)
test.run()
