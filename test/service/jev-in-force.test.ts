// Holds the stage of a running service to its settings: asked only where it is on and has a key, a new client for a new address, and a day's
// requests that outlive both.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeRedactor } from '../../src/redaction/redact.js'
import { sanitizeState } from '../../src/redaction/sanitize.js'
import { readConfig } from '../../src/service/config.js'
import { JevInForce, sentTodayOf } from '../../src/service/jev-in-force.js'
import { closeJevServers, startJevServer } from '../support/jev-server.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { temporaryLedger } from '../support/temporary-ledger.js'

const test = suite('jev-in-force')
test.after(closeJevServers)

const quiet = { write: () => {}, fail: () => {} }
const nothing = { counts: {}, recent: [] }

function inForce(environment: NodeJS.ProcessEnv, sentBefore?: { day: string; requests: number }) {
  const home = temporaryFolder()
  const places = { home, file: `${home}/config.yaml`, hermesHome: undefined, environment }
  const state = { config: readConfig(places).config.jev }
  const redactor = makeRedactor()
  const jev = new JevInForce({ places, config: () => state.config, redactor: () => redactor, sentBefore, log: quiet })
  return { jev, state }
}

const key = { TYPESAFE_API_KEY: 'ts_test-key-0123456789' }

test('nobody is asked while it is off, and nobody without a key that can be one', () => {
  const { jev, state } = inForce(key)
  assert.is(jev.engine(), undefined)
  state.config = { ...state.config, enabled: true }
  assert.ok(jev.engine() !== undefined)
  const { jev: keyless, state: other } = inForce({})
  other.config = { ...other.config, enabled: true }
  assert.is(keyless.engine(), undefined)
  const { enabled, active, api_key_configured, client } = keyless.status(nothing)
  assert.equal([enabled, active, api_key_configured, client], [true, false, false, null])
  const { jev: unfit, state: third } = inForce({ TYPESAFE_API_KEY: 'two words' })
  third.config = { ...third.config, enabled: true }
  assert.is(unfit.engine(), undefined)
})

test('vector H6: its status has the names of the original and ours beside them, and nothing of the key', () => {
  const { jev, state } = inForce(key)
  state.config = { ...state.config, enabled: true, mode: 'enforce' }
  const status = jev.status(nothing)
  const { client, ...told } = status
  assert.equal(told, {
    enabled: true,
    mode: 'enforce',
    active: true,
    api_key_configured: true,
    turn_classifier: true,
    tool_shaping: false,
    risk_gate: true,
    verify: false,
    model: 'jev-1.13.0',
    base_url: 'https://api.typesafe.ai',
    telemetry_scope: 'current process only',
    telemetry: { counts: {}, recent: [] },
  })
  assert.equal(client?.circuit.state, 'closed')
  assert.not.ok(JSON.stringify(status).includes(key.TYPESAFE_API_KEY))
})

test('another address is another client, and what was sent today goes on counting', async () => {
  const [one, other] = [await startJevServer(), await startJevServer()]
  const day = new Date().toISOString().slice(0, 10)
  const { jev, state } = inForce(key, { day, requests: 3 })
  const ask = async (baseUrl: string) => {
    state.config = { ...state.config, enabled: true, baseUrl, requestsPerDay: 5 }
    const { sanitize } = jev.settings()
    const answer = await jev.engine()?.classifyTurn(sanitizeState({ user_message: 'hello' }, sanitize))
    return answer?.isDecided === true ? 'decided' : answer?.failure
  }
  const before = jev.engine()
  assert.equal([await ask(one.url), await ask(other.url), await ask(other.url)], ['decided', 'decided', 'budget_spent'])
  assert.not.equal(jev.engine(), before)
  assert.equal([one.requests.length, other.requests.length], [1, 1])
  jev.close()
})

test('what was sent on a day is counted from the ledger, back to its beginning', async () => {
  const { ledger } = await temporaryLedger()
  const failed = (category: 'timeout' | 'circuit_open') =>
    ({
      type: 'jev.failed',
      facts: {
        stage: 'turn',
        about: 0,
        mode: 'shadow',
        complete: true,
        truncated: false,
        redacted: false,
        asked: 'jev-1.13.0',
        latency: 3,
        category,
      },
    }) as const
  await ledger.append([failed('timeout'), failed('circuit_open'), failed('timeout')])
  let time = ''
  for await (const { header } of ledger.reader.entries({ from: ledger.size - 1 })) time = header.time
  const newest = () => ledger.reader.entries({ newestFirst: true })
  const day = time.slice(0, 10)
  assert.equal(await sentTodayOf(newest(), Date.parse(time)), { day, requests: 2 })
  const tomorrow = Date.parse(time) + 86_400_000
  assert.equal(await sentTodayOf(newest(), tomorrow), { day: new Date(tomorrow).toISOString().slice(0, 10), requests: 0 })
})

test.run()
