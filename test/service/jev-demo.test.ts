// Holds the demo to its eight rows, with the built program against a model on loopback, and to asking nobody without a key.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { z } from 'zod'
import { jevConfigOf, jevConfigShape } from '../../src/outbound/config.js'
import { makeJevClient } from '../../src/outbound/jev-client.js'
import { jevDemoRows } from '../../src/service/jev-demo.js'
import { closeJevServers, type JevServer, sendJson, startJevServer } from '../support/jev-server.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const test = suite('jev-demo')

test.after(closeJevServers)

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const key = 'tsk-Q7w2E9r4T1y6U3i8O5p0'

/** Beside a server in this process the program must not be waited for in one piece. */
function demo(environment: Readonly<Record<string, string>>): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const { TYPESAFE_API_KEY: _, ...env } = process.env
  const child = spawn(process.execPath, [program, 'jev', 'demo', '--home', temporaryFolder()], {
    env: { ...env, ...environment },
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes: Buffer) => (said.stdout += String(bytes)))
  child.stderr.on('data', (bytes: Buffer) => (said.stderr += String(bytes)))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, ...said }))
  })
}

function demoAt(server: JevServer): ReturnType<typeof demo> {
  return demo({ TYPESAFE_API_KEY: key, STELE_JEV_BASE_URL: server.url, STELE_JEV_TIMEOUT_SECONDS: '10' })
}

test('vector H7: without a key it is one line that names the variable, exit code 0, and no request', async () => {
  const server = await startJevServer()
  const ran = await demo({ STELE_JEV_BASE_URL: server.url })
  assert.equal([ran.status, ran.stdout], [0, 'SKIP: TYPESAFE_API_KEY is missing; nothing was asked.\n'])
  assert.is(server.requests.length, 0)
})

test('vector H7, row J62: with a key it is eight lines, four turns, one call and one ending, nothing is run, and the key is in none', async () => {
  const server = await startJevServer()
  const { status, stdout, stderr } = await demoAt(server)
  assert.equal([status, stderr], [0, ''])
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  assert.equal(
    rows.map((row) => Object.keys(row)[0]),
    [...Array(4).fill('scenario'), 'dry_run_risk_directive', 'synthetic_example', 'synthetic_example', 'telemetry'],
  )
  assert.equal(rows[4], { dry_run_risk_directive: null, executed: false, approval_context: 'unattended' })
  assert.equal(
    rows.map((row) => row['synthetic_example']).filter((name) => name !== undefined),
    ['risk', 'completion'],
  )
  const questions = server.requests.map(({ body }) => Object.keys(body['questions'] as object).length)
  assert.equal(questions, [8, 8, 8, 8, 6, 4])
  assert.is(stdout.includes(key), false)
})

test('a decision that is missing makes exit code 1 and is told by its category', async () => {
  const server = await startJevServer((response) => sendJson(response, 401, { detail: `no such key ${key}` }))
  const { status, stdout, stderr } = await demoAt(server)
  assert.is(status, 1)
  assert.is(`${stdout}${stderr}`.includes(key), false)
  assert.match(stdout, '"decision":null,"failure":"auth"')
})

test('what the demo sends are the same fixed examples each time', async () => {
  const server = await startJevServer()
  const jev = jevConfigOf(z.object(jevConfigShape).parse({}))
  const states: unknown[][] = []
  for (let time = 0; time < 2; time += 1) {
    server.requests.length = 0
    const client = makeJevClient({
      apiKey: key,
      baseUrl: server.url,
      model: 'm',
      timeoutMs: 10_000,
      workersMax: 1,
      requestsPerDay: 0,
    })
    for await (const row of jevDemoRows(client, jev)) assert.ok(row)
    states.push(server.requests.map(({ body }) => body['state']))
  }
  assert.equal(states[0], states[1])
  assert.is(states[0]?.length, 6)
})

test.run()
