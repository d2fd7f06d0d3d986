// Given calls that were judged by an allowlist, then the same allowlist says the same of them, and another one says what it would have said.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Policy } from '../../src/gates/capability/allowlist.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { counterfactual } from '../../src/replay/counterfactual.js'
import { type JudgeAgainOptions, type JudgedAgain, judgedAgain } from '../../src/replay/judged-again.js'
import { asRedacted } from '../support/as-redacted.js'
import { policyOf, touching, touchOf } from '../support/capability-calls.js'
import { type TestHouse, toolCall } from '../support/hook-house.js'
import { judgingHouse } from '../support/judged-writes.js'

const test = suite('capability-replay')

const wide = policyOf(`version: 1
skills:
  "*":
    tools: [web_search, read_file]
    paths:
      - "/srv/agent/**"
`)
const narrow = policyOf(`version: 1
skills:
  "*":
    tools: [web_search]
    paths: []
`)

let policies = 0

/** Takes a policy up as the service does: recorded first, then in force. */
async function use(house: TestHouse, policy: Policy): Promise<number> {
  policies += 1
  const digest = policies.toString(16).padStart(64, '0')
  const index = house.ledger.size
  await house.ledger.append([
    asRedacted({
      type: 'policy.activated',
      facts: { policy: 'allowlist', digest, how: 'used' },
      words: { text: 'version: 1', policy: makeRedactor().text(JSON.stringify(policy)).text },
    }),
  ])
  house.capability = { policy, digest, unresolved: undefined }
  return index
}

let calls = 0

/** A call of its own each time. */
async function call(house: TestHouse, tool_name: string, tool_input: Record<string, unknown>): Promise<void> {
  calls += 1
  const { path } = tool_input
  const access = tool_name === 'write_file' ? 'write' : 'read'
  house.proposedAccess = async () => (typeof path === 'string' ? touching(touchOf(path, access)) : touching())
  await house.send({ ...toolCall(tool_input, { tool_call_id: `call-${calls}` }), tool_name })
}

async function callingHouse(mode: 'observe' | 'enforce' = 'observe'): Promise<TestHouse> {
  const house = await judgingHouse({ provenance: 'off', capability: mode })
  await use(house, wide)
  await call(house, 'web_search', { query: 'weather' })
  await call(house, 'read_file', { path: '/srv/agent/notes.md' })
  await call(house, 'read_file', { path: '/etc/passwd' })
  return house
}

async function again(house: TestHouse, options: JudgeAgainOptions = {}): Promise<JudgedAgain[]> {
  const judged: JudgedAgain[] = []
  for await (const one of judgedAgain(house.ledger.reader, { gate: 'capability', ...options })) judged.push(one)
  return judged
}

const told = (judged: readonly JudgedAgain[]): string[] =>
  judged.map(({ result }) =>
    result.kind === 'same' ? 'same' : result.kind === 'different' ? result.parts.join(' ') : result.why,
  )

test('by the allowlist that was in force every call gets the same answer, also when another one has taken its place since', async () => {
  for (const mode of ['observe', 'enforce'] as const) {
    const house = await callingHouse(mode)
    await use(house, narrow)
    await call(house, 'read_file', { path: '/srv/agent/notes.md' })
    const judged = await again(house)
    assert.equal(
      judged.map(({ before }) => before.code),
      ['granted', 'granted', 'path_not_granted', 'tool_not_granted'],
    )
    assert.equal(told(judged), ['same', 'same', 'same', 'same'])
  }
})

test('row C14: with one grant less, exactly the call that it covered is stopped', async () => {
  const house = await callingHouse('enforce')
  const instead = { capability: { allowlist: narrow } }
  const { counts, clusters } = await counterfactual(house.ledger.reader, { instead, listed: 5 })
  assert.equal([counts.decisions, counts.same, counts.different], [3, 1, 2])
  assert.equal(
    clusters.map(({ tool, before, after }) => [tool, before.code, before.told, after.code, after.told]),
    [
      ['read_file', 'path_not_granted', 'block', 'tool_not_granted', 'block'],
      ['read_file', 'granted', 'nothing', 'tool_not_granted', 'block'],
    ],
  )
})

test('row C15: what was observed and would be enforced differs in what the host is told', async () => {
  const house = await callingHouse()
  assert.equal(told(await again(house, { instead: { capability: { mode: 'enforce' } } })), ['same', 'same', 'told'])
})

test('the places that nothing may write are those that they were, whatever grants are tried', async () => {
  const house = await judgingHouse({ provenance: 'off', capability: 'enforce' })
  const place = { what: 'home', path: '/srv/agent' } as const
  const writing = policyOf('version: 1\nskills:\n  "*":\n    tools: [write_file]\n    paths:\n      - "/srv/**"\n')
  await use(house, { ...writing, protected: [place] })
  await call(house, 'write_file', { path: '/srv/agent/x', content: 'y' })
  const before = await again(house)
  const tried = await again(house, { instead: { capability: { allowlist: writing } } })
  assert.equal([told(before), told(tried)], [['same'], ['same']])
})

test('where the text of the policy or the words of the call are forgotten, nothing is said', async () => {
  const house = await judgingHouse({ provenance: 'off', capability: 'observe' })
  const policy = await use(house, wide)
  await call(house, 'web_search', { query: 'weather' })
  await call(house, 'read_file', { path: '/srv/agent/notes.md' })
  const [first] = await house.entries('access.proposed')
  const index = first?.header.index ?? -1
  await house.ledger.forget([[index, index]], { by: 'owner', reason: 'asked' })
  assert.equal(told(await again(house)), ['forgotten', 'same'])
  await house.ledger.forget([[policy, policy]], { by: 'owner', reason: 'asked' })
  assert.equal(told(await again(house)), ['forgotten', 'forgotten'])
  // Grants of a file need no text that is gone.
  assert.equal(told(await again(house, { instead: { capability: { allowlist: wide } } })), ['forgotten', 'same'])
})

test('without an allowlist nothing is granted, then and now; one that was never recorded cannot be judged by', async () => {
  const house = await judgingHouse({ provenance: 'off', capability: 'observe' })
  await call(house, 'web_search', { query: 'weather' })
  house.capability = { policy: wide, digest: 'ee'.repeat(32), unresolved: undefined }
  await call(house, 'web_search', { query: 'weather' })
  assert.equal(told(await again(house)), ['same', 'not_recorded'])
})

test('a mode that could not be confirmed is not confirmed now, but where another is asked for', async () => {
  const house = await callingHouse()
  house.capability = { ...house.capability, unresolved: 'unreadable' }
  await call(house, 'web_search', { query: 'weather' })
  assert.is(told(await again(house)).at(-1), 'same')
  assert.is(told(await again(house, { instead: { capability: { mode: 'enforce' } } })).at(-1), 'verdict code told')
})

test('a secret that was taken out of a command, and of the policy in the ledger too, changes no answer', async () => {
  const secret = 'hunter2horse'
  const literal = policyOf(`version: 1
skills: { "*": { commands: ["deploy --password=${secret}", "mysql *", "echo *"] } }
deny: { commands: ["mysql --password=${secret}"] }
`)
  const house = await judgingHouse({ provenance: 'off', capability: 'enforce' })
  await use(house, literal)
  const words = (name: string, operand: string) => ({ program: { text: name }, operands: [{ text: operand }] })
  for (const [name, operand] of [
    ['mysql', `--password=${secret}`],
    ['mysql', '--password=another9horse'],
    ['mysql', '--user=ann'],
    ['deploy', `--password=${secret}`],
    ['deploy', '--password=another9horse'],
    ['echo', `--password=${secret}`],
  ] as const) {
    calls += 1
    house.proposedAccess = async () => ({ touches: [], commands: [words(name, operand)] })
    await house.send(toolCall({ command: 'whatever' }, { tool_call_id: `call-${calls}` }))
  }
  const recorded = JSON.stringify(await house.entries())
  assert.not.match(recorded, new RegExp(`${secret}|another9horse`))
  const judged = await again(house)
  assert.equal(
    judged.map(({ before }) => before.code),
    ['denied_explicitly', 'denied_explicitly', 'granted', 'command_not_granted', 'command_not_granted', 'granted'],
  )
  assert.equal(told(judged), ['same', 'same', 'same', 'same', 'same', 'same'])
})

test('a grant that ran out since still counts for what was asked before', async () => {
  const house = await judgingHouse({ provenance: 'off', capability: 'observe' })
  const expiring = structuredClone(wide)
  for (const { skills } of expiring.allowlists)
    for (const { grants } of skills) for (const grant of grants) Object.assign(grant, { expires: '2026-11-30T00:00:00.000Z' })
  await use(house, expiring)
  await call(house, 'web_search', { query: 'weather' })
  house.home.world.advance(48 * 60 * 60 * 1000)
  await call(house, 'web_search', { query: 'weather' })
  const judged = await again(house)
  assert.equal(
    judged.map(({ before }) => before.code),
    ['granted', 'grant_expired'],
  )
  assert.equal(told(judged), ['same', 'same'])
})

test.run()
