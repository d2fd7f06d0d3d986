// Holds what is recorded of an approval to what the host says before and after it: which call, what was shown, who answered.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { llmCall, type TestHouse, testHouse, toolCall } from '../../support/hook-house.js'

const test = suite('approval')

const shown = { command: 'rm -rf build', description: 'deletes a folder', surface: 'cli', pattern_key: 'rm_recursive' }
const approval = (hook_event_name: string, extra: object, session_id = 'host-session') => ({
  ...llmCall({}, session_id),
  hook_event_name,
  extra: { turn_id: 'turn-1', ...extra },
})
const asked = (extra: object = {}, session?: string) =>
  approval('pre_approval_request', { ...shown, tool_call_id: 'call-1', ...extra }, session)
const answered = (choice: string, extra: object = {}, session?: string) =>
  approval('post_approval_response', { ...shown, tool_call_id: 'call-1', choice, ...extra }, session)

async function callInSession(): Promise<TestHouse> {
  const house = await testHouse()
  await house.send(toolCall({ command: 'rm -rf build' }))
  return house
}

const indexOf = async (house: TestHouse, type: string) => (await house.entries(type)).map(({ header }) => header.index)

test('a request names the call that it is about, where it was shown, and who wanted it', async () => {
  const house = await callInSession()
  await house.send(asked())
  await house.send(asked({ pattern_key: 'plugin_rule:abc', pattern_keys: ['plugin_rule:abc'], surface: 'gateway' }))
  const [host, rule] = await house.entries('approval.requested')
  const [call] = await indexOf(house, 'tool.requested')
  assert.equal([host?.payload['call'], host?.payload['surface'], host?.payload['asked']], [call, 'cli', 'host'])
  assert.equal([rule?.payload['call'], rule?.payload['surface'], rule?.payload['asked']], [call, 'gateway', 'rule'])
  assert.equal(host?.words, {
    ...{ turn: 'turn-1', call: 'call-1', command: 'rm -rf build', description: 'deletes a folder', keys: ['rm_recursive'] },
  })
})

test('case 58: digest and length of what the person saw are kept, so that a shortened command tells itself', async () => {
  const house = await callInSession()
  await house.send(asked())
  await house.send(asked({ command: 'rm -rf bu…' }))
  const [whole, short] = await house.entries('approval.requested')
  assert.is(whole?.payload['shown'], house.ledger.digest('text', 'rm -rf build\ndeletes a folder'))
  assert.is(whole?.payload['shownBytes'], 'rm -rf build\ndeletes a folder'.length)
  assert.is.not(short?.payload['shown'], whole?.payload['shown'])
})

test('case 64: who answered is told: a person, a model in their place, or nobody', async () => {
  const house = await callInSession()
  const answers: readonly (readonly [string, object, string])[] = [
    ['once', {}, 'person'],
    ['session', {}, 'person'],
    ['always', {}, 'person'],
    ['deny', {}, 'person'],
    ['timeout', {}, 'nobody'],
    ['cancelled', {}, 'nobody'],
    ['notify_failed', {}, 'nobody'],
    ['smart_approve', { surface: 'smart' }, 'model'],
    ['deny', { surface: 'smart', decided_by: 'aux_llm' }, 'model'],
    ['somehow', {}, 'unknown'],
    ['', {}, 'unknown'],
  ]
  for (const [at, [choice, extra]] of answers.entries()) {
    await house.send(asked({ pattern_key: `key-${at}` }))
    await house.send(answered(choice, { ...extra, pattern_key: `key-${at}` }))
  }
  const told = (await house.entries('approval.answered')).map(({ payload }) => [payload['answer'], payload['by']])
  assert.equal(
    told,
    answers.map(([choice, , by]) => [choice, by]),
  )
})

test('case 59: an answer belongs to the open request of its call and key; one to a request that is over belongs to none', async () => {
  const house = await callInSession()
  await house.send(asked())
  await house.send(asked({ pattern_key: 'other' }))
  await house.send(answered('once'))
  await house.send(answered('deny'))
  await house.send(answered('deny', { tool_call_id: 'another', pattern_key: 'other' }))
  await house.send(answered('deny', { pattern_key: 'other' }))
  const [first, second] = await indexOf(house, 'approval.requested')
  const requests = (await house.entries('approval.answered')).map(({ payload }) => payload['request'])
  assert.equal(requests, [first, null, null, second])
})

test('an answer is matched after a restart of the service', async () => {
  const house = await callInSession()
  await house.send(asked())
  await house.restart()
  await house.send(answered('once'))
  const [request] = await indexOf(house, 'approval.requested')
  assert.is((await house.entries('approval.answered'))[0]?.payload['request'], request)
})

test('what a host says without a session, a call or in another shape is recorded all the same', async () => {
  const house = await testHouse()
  await house.send(asked({ tool_call_id: null }, ''))
  await house.send(asked({ command: 5, description: null, surface: {}, pattern_keys: 'x', tool_call_id: 7 }))
  await house.send(answered('once', { tool_call_id: undefined }, ''))
  const requests = await house.entries('approval.requested')
  assert.equal(
    requests.map(({ payload }) => [payload['call'], payload['surface'], payload['shownBytes']]),
    [
      [null, 'cli', 29],
      [null, '', 1],
    ],
  )
  assert.is((await house.entries('approval.answered')).length, 1)
  assert.is((await house.entries('hook.rejected')).length, 0)
})

test('the same request or answer that comes twice is one entry', async () => {
  const house = await callInSession()
  for (const payload of [asked(), asked(), answered('once'), answered('once')]) await house.send(payload)
  assert.equal((await house.types()).slice(-2), ['approval.requested', 'approval.answered'])
})

test('secrets in what was shown are taken out', async () => {
  const house = await callInSession()
  await house.send(asked({ command: 'curl -H "Authorization: Bearer abcdefghijklmnop1234" https://example.org' }))
  const [entry] = await house.entries('approval.requested')
  assert.not.match(String(entry?.words?.['command']), /abcdefghijklmnop1234/)
  assert.is(entry?.payload['redacted'], 1)
})

test.run()
