// Holds the answers of a review to the entries that they are about, which are read and never believed, and to who may give them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ViewAnswer } from '../../src/service/view-questions.js'
import { AttachedHost } from '../support/attached-host.js'
import { answered, codeOf, quietSettings, type RunningService, runService, toolCall, typed } from '../support/running-service.js'

const test = suite('review answers')

const terminal = { how: 'terminal' }
const token = `ghp_${'a1B2'.repeat(9)}`
let running: RunningService

test.before(async () => {
  running = await runService({ settings: quietSettings })
  answered(await running.hook(typed('tidy up')))
  for (const [tool, args] of [
    ['terminal', { command: 'git push' }],
    ['terminal', { command: 'git pull' }],
    ['read_file', { path: '/srv/notes.md' }],
    ['memory', { action: 'add', target: 'memory', content: 'User decided to ship. User approved the plan.' }],
  ] as const)
    answered(await running.hook(toolCall(tool, args)))
})
test.after(() => running?.service.stop())

const give = (body: object, confirmation: object = terminal) =>
  running.askOwner('/v1/owner/review-answer', { body: { confirmation, ...body } })

const cancel = (answer: number, confirmation: object = terminal) =>
  running.askOwner('/v1/owner/review-cancel', { body: { confirmation, answer } })

async function indicesOf(type: string): Promise<number[]> {
  return (await running.entries(`type=${type}&limit=1000`)).map(({ index }) => index)
}

/** Of the capability gate, in the order of the calls. */
async function denied(): Promise<number[]> {
  const decisions = await running.entries('type=gate.decided&limit=1000')
  return decisions.flatMap(({ index, data }) => (data['gate'] === 'capability' ? [index] : []))
}

test('what an answer says of its entries is read from them', async () => {
  const [push = 0, pull = 0] = await denied()
  const done = answered<{ answer: number; entries: number }>(await give({ label: 'refuse', entries: [pull, push, pull] }))
  const [entry] = (await running.entries('type=review.answered')).slice(-1)
  assert.equal([entry?.index, done.entries], [done.answer, 2])
  assert.equal(entry?.data, {
    ...{ label: 'refuse', gate: 'capability', code: 'policy_unavailable', rule: '', tool: 'terminal' },
    ...{ entries: [push, pull], by: 'terminal' },
  })
  const [claim = 0] = await indicesOf('claim.judged')
  answered(await give({ label: 'false_alarm', entries: [claim] }))
  const { gate, code, rule, tool } = (await running.entries('type=review.answered')).at(-1)?.data ?? {}
  const judged = (await running.entries('type=claim.judged'))[0]?.data
  assert.equal([gate, code, rule, tool], ['provenance', judged?.['reason'], judged?.['rule'], 'memory'])
})

test('entries that were not flagged, or not for one cause, are not answered, and nothing is written', async () => {
  const before = await indicesOf('review.*')
  const [push = 0, , read = 0, remembered = 0] = await denied()
  const [first = 0] = await indicesOf('claim.judged')
  const provenance = (await running.entries('type=gate.decided')).find(({ data }) => data['gate'] === 'provenance')
  for (const [entries, label] of [
    [[0], 'refuse'],
    [await indicesOf('tool.requested'), 'refuse'],
    // The decision over the write: its claims stand for it.
    [[provenance?.index ?? 0], 'refuse'],
    [[push, read], 'refuse'],
    [[push, first], 'refuse'],
    [[read, remembered], 'refuse'],
    // No line of an allowlist would let a claim through, and without an allowlist there is none to add it to.
    [[first], 'grant'],
    [[push], 'grant'],
  ] as const) {
    const refused = await give({ label, entries })
    assert.equal([refused.status, codeOf(refused)], [400, 'REVIEW_UNFIT'], String(entries))
  }
  const unknown = await give({ label: 'refuse', entries: [1_000_000] })
  assert.is(codeOf(unknown), 'ENTRY_UNKNOWN')
  for (const body of [
    { label: 'later', entries: [push] },
    { label: 'refuse', entries: [] },
    { label: 'refuse', entries: [-1] },
    { label: 'refuse', entries: Array(1001).fill(push) },
    { label: 'refuse', entries: [push], note: 'x'.repeat(2001) },
    { label: 'refuse', entries: [push], gate: 'mine' },
  ])
    assert.is(codeOf(await give(body)), 'REQUEST_INVALID')
  assert.equal(await indicesOf('review.*'), before)
})

test('a note is redacted like any other words, and an empty one is none', async () => {
  const [, , read = 0] = await denied()
  answered(await give({ label: 'refuse', entries: [read], note: `the key ${token} was in it` }))
  const noted = (await running.entries('type=review.answered')).at(-1)
  assert.match(String(noted?.words?.['note']), /^the key (?!ghp_).+ was in it$/)
  answered(await give({ label: 'refuse', entries: [read], note: '' }))
  assert.is((await running.entries('type=review.answered')).at(-1)?.words, undefined)
})

test('an answer is taken back by its entry alone', async () => {
  const given = await indicesOf('review.answered')
  assert.equal(answered(await cancel(given[0] ?? 0)), { cancelled: given[0] })
  assert.equal((await running.entries('type=review.cancelled')).at(-1)?.data, { answer: given[0], by: 'terminal' })
  for (const index of [0, ...(await indicesOf('review.cancelled'))]) assert.is(codeOf(await cancel(index)), 'REVIEW_UNFIT')
  assert.is(codeOf(await cancel(1_000_000)), 'ENTRY_UNKNOWN')
  const { parts } = answered<ViewAnswer>(await running.ask('/v1/views/inbox'))
  const [day] = Object.values(parts) as { answers: unknown[]; cancelled: number[] }[]
  assert.equal([day?.answers.length, day?.cancelled], [given.length, [given[0]]])
})

test('it is the owner’s: at no other door, not unconfirmed, and not with --yes while an attached host is alive', async () => {
  const [push = 0] = await denied()
  const body = { confirmation: terminal, label: 'refuse', entries: [push] }
  assert.is(codeOf(await running.ask('/v1/owner/review-answer', { body })), 'ROUTE_UNKNOWN')
  assert.is(
    codeOf(await running.ask('/v1/owner/review-cancel', { body: { confirmation: terminal, answer: 0 } })),
    'ROUTE_UNKNOWN',
  )
  const before = await indicesOf('review.*')
  assert.is(codeOf(await give({ label: 'refuse', entries: [push] }, { how: 'none' })), 'OWNER_UNCONFIRMED')
  const host = new AttachedHost(running.home)
  try {
    await host.attach()
    for (const refused of [await give({ label: 'refuse', entries: [push] }, { how: 'yes' }), await cancel(0, { how: 'yes' })])
      assert.is(codeOf(refused), 'OWNER_UNCONFIRMED')
  } finally {
    host.close()
  }
  assert.equal(await indicesOf('review.*'), before)
})

test.run()
