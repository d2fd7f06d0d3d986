// Holds the privacy page to the code: it lists exactly the fields that can leave the machine, as the rooms that make them make them.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readProjectFile } from '../../scripts/project-tree.js'
import { completionState, stateFields, turnState } from '../../src/gates/jev/states.js'
import { makeTurnCache } from '../../src/gates/jev/turn-cache.js'
import { observeCall, planVerification, verificationDefaults } from '../../src/gates/jev/verification.js'
import { makeJevClient } from '../../src/outbound/jev-client.js'
import { makeRedactor } from '../../src/redaction/redact.js'

const page = readProjectFile('docs/privacy.md')
const sanitize = { redactor: makeRedactor() }

/** The words in backticks of the one sentence that begins so. */
function namedIn(opening: string): string[] {
  const from = page.indexOf(opening)
  assert.ok(from >= 0, `the page says: ${opening}`)
  const sentence = page.slice(from + opening.length, page.indexOf('.\n', from)).split(/\. /)[0] ?? ''
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

function openTurn() {
  const reservation = makeTurnCache({ turnsMax: 1, ttlMs: 1, idleMs: 1 }).reserve('s', 't', true, 0)
  if (reservation?.kind !== 'owner') throw new Error('a new turn')
  const { entry } = reservation
  const input = { userMessage: 'port the parser', platform: 'cli', model: 'm', hostFirstTurn: true }
  entry.state = turnState(input, entry.conversation, sanitize)
  return entry
}

test('row J51: the page lists the fields of each request, all of them and no other', () => {
  const rows = [...page.matchAll(/^\| (turn|risk|ending) +\| `(\w+)` +\|/gm)].map(([, request = '', field = '']) => [
    request,
    field,
  ])
  for (const [request, fields] of [
    ['turn', stateFields.turn],
    ['risk', stateFields.risk],
    ['ending', stateFields.completion],
  ] as const)
    assert.equal(
      rows.filter(([of]) => of === request).map(([, field]) => field),
      [...fields],
    )
  assert.is(rows.length, stateFields.turn.length + stateFields.risk.length + stateFields.completion.length)
})

test('row J51: what a field holds is listed as it is made', () => {
  const entry = openTurn()
  const conversation = /`conversation` +\| yes or no: (.*?) *\|/.exec(page)?.[1] ?? ''
  assert.equal(
    [...conversation.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    Object.keys(entry.conversation),
  )
  assert.equal(namedIn('`input_metadata` holds'), Object.keys(entry.state?.metadata ?? {}))
  for (const excerpts of [false, true]) {
    const settings = { ...verificationDefaults, enabled: true, excerpts }
    const ran = { tool: 'terminal', args: { command: 'npx vitest run' }, result: { output: 'Tests  3 passed (3)', exit_code: 0 } }
    observeCall(entry, { ...ran, status: undefined }, settings, sanitize)
    const plan = planVerification(
      { changedPaths: ['a.ts'], finalResponse: 'Done.', attempt: excerpts ? 1 : 0 },
      entry,
      settings,
      sanitize,
    )
    if (plan.kind === 'abstain') throw new Error(plan.why)
    const evidence = plan.state.state['verification_evidence'] as readonly Readonly<Record<string, unknown>>[]
    const [listed, told] = [namedIn('A check in `verification_evidence` holds'), Object.keys(evidence.at(-1) ?? {})]
    const always = listed.filter((name) => name !== 'counts' && !name.startsWith('jev.'))
    assert.equal([...told].sort(), [...always, ...(excerpts ? ['counts'] : [])].sort())
  }
})

test('row J51: a request has the members, the headers and the path that the page tells', async () => {
  let seen: { readonly url: string; readonly init: RequestInit | undefined } | undefined
  const client = makeJevClient({
    apiKey: 'a-key-of-nobody',
    baseUrl: 'https://jev.example.com',
    model: 'jev-test',
    timeoutMs: 5000,
    workersMax: 1,
    requestsPerDay: 0,
    fetch: (url, init) => {
      seen = { url, init }
      return Promise.reject(new Error('nobody is asked'))
    },
  })
  const input = { changedPaths: ['a.ts'], finalResponse: 'Done.', evidence: [], isEvidenceCut: false }
  await client.assessCompletion(completionState(openTurn(), input, sanitize))
  assert.is(seen?.url, 'https://jev.example.com/v1/systemone')
  assert.ok(page.includes('`POST {jev.base_url}/v1/systemone`'))
  const members = Object.keys(JSON.parse(String(seen?.init?.body)))
  assert.equal([...members].sort(), [...namedIn('/v1/systemone`, with three members:')].sort())
  const headers = [...new Headers(seen?.init?.headers).keys()]
  const known = ['accept', 'authorization', 'content-type', 'user-agent', 'x-typesafe-runtime', 'x-typesafe-sdk']
  assert.equal(headers.sort(), known)
})

test.run()
