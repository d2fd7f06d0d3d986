// Holds the origin of a call to what sessions say of where they run, and of who sent them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lineageOf } from '../../src/hooks/lineage.js'
import { sessionContext } from '../../src/projections/session-context.js'
import { llmCall, type TestHouse, testHouse, toolCall } from '../support/hook-house.js'

const test = suite('lineage')

const inSession = (session_id: string, payload: object) => ({ ...payload, session_id })
const typed = (session: string, extra: object) => llmCall({ user_message: 'hello', ...extra }, session)
const childStarts = (parent: string, child: string | null) => ({
  ...llmCall({}, parent),
  hook_event_name: 'subagent_start',
  extra: { child_session_id: child, child_role: 'leaf', child_goal: 'look around' },
})

async function lineage(house: TestHouse, session: string, platform = '') {
  const { ledger } = house
  const handle = await ledger.sessionHandle(session)
  const held = { context: { ...sessionContext.initial(), linked: true }, origin: undefined }
  return lineageOf(ledger, handle, held, { platform, session })
}

test('a session that nobody sent has one origin, the surface that it began on', async () => {
  const house = await testHouse()
  await house.send(typed('own', { platform: 'telegram' }))
  assert.equal(await lineage(house, 'own'), [{ platform: 'telegram', subagent: false }])
  assert.equal(await lineage(house, 'unheard'), [{ platform: '', subagent: false }])
})

test('what the host says of the very call goes before what the session began with', async () => {
  const house = await testHouse()
  await house.send(typed('own', { platform: 'cli' }))
  assert.equal(await lineage(house, 'own', 'tui'), [{ platform: 'tui', subagent: false }])
})

test('case 62: a scheduled run is known by its job, which stands in the name of its session', async () => {
  const house = await testHouse()
  for (const [session, job] of [
    ['cron_a1b2c3d4e5f6_20260927_030000', 'a1b2c3d4e5f6'],
    ['cron_12_34_20260927_030000', '12_34'],
  ] as const) {
    await house.send(typed(session, { platform: 'cron' }))
    assert.equal(await lineage(house, session), [{ platform: 'cron', job, subagent: false }])
  }
  for (const session of ['cron_x', 'cron_<b>_20260927_030000', 'cron__20260927_030000']) {
    await house.send(typed(session, { platform: 'cron' }))
    assert.equal(await lineage(house, session), [{ platform: 'cron', subagent: false }], session)
  }
  await house.send(typed('cron_a1_20260927_030000x', { platform: 'cli' }))
  assert.equal(await lineage(house, 'cron_a1_20260927_030000x'), [{ platform: 'cli', subagent: false }])
})

test('row C34: a child has the origin of who sent it behind its own, and of who sent that one', async () => {
  const house = await testHouse()
  await house.send(typed('cron_a1_20260927_030000', { platform: 'cron' }))
  await house.send(childStarts('cron_a1_20260927_030000', 'child'))
  await house.send(typed('child', { platform: 'subagent' }))
  await house.send(childStarts('child', 'grandchild'))
  await house.send(typed('grandchild', { platform: 'subagent' }))
  assert.equal(await lineage(house, 'grandchild'), [
    { platform: 'subagent', subagent: true },
    { platform: 'subagent', subagent: true },
    { platform: 'cron', job: 'a1', subagent: false },
  ])
})

test('a child that is linked by its own first message has the same lineage', async () => {
  const house = await testHouse()
  await house.send(typed('own', { platform: 'cli' }))
  await house.send(typed('child', { platform: 'subagent', parent_session_id: 'own' }))
  assert.equal(await lineage(house, 'child'), [
    { platform: 'subagent', subagent: true },
    { platform: 'cli', subagent: false },
  ])
})

test('a child of somebody unknown has an origin behind it that no grant can name', async () => {
  const house = await testHouse()
  await house.send(typed('child', { platform: 'subagent' }))
  await house.send(typed('other', { platform: 'subagent', parent_session_id: 'nobody' }))
  for (const session of ['child', 'other']) {
    const known = [
      { platform: 'subagent', subagent: true },
      { platform: '', subagent: false },
    ]
    assert.equal(await lineage(house, session), known)
  }
})

test('a child goes on as a child after its conversation was compressed', async () => {
  const house = await testHouse()
  await house.send(typed('own', { platform: 'cli' }))
  await house.send(childStarts('own', 'child'))
  await house.send(typed('child', { platform: 'subagent' }))
  await house.send(typed('child-2', { platform: 'cli', parent_session_id: 'child' }))
  assert.equal(await lineage(house, 'child-2'), [
    { platform: 'cli', subagent: true },
    { platform: 'cli', subagent: false },
  ])
})

test('a session that has spoken is made nobody’s child, and one that is linked stays where it is', async () => {
  const house = await testHouse()
  await house.send(typed('own', { platform: 'cli' }))
  await house.send(typed('other', { platform: 'cli' }))
  await house.send(childStarts('own', 'other'))
  await house.send(childStarts('own', 'child'))
  await house.send(childStarts('other', 'child'))
  assert.equal(await lineage(house, 'other'), [{ platform: 'cli', subagent: false }])
  const links = await house.entries('session.linked')
  assert.is(links.length, 1)
  const started = (await house.entries('subagent.started')).map(({ payload }) => payload['child'])
  assert.is(started.length, 3)
  assert.is(started[1], started[2])
})

test('sessions that name each other as senders end', async () => {
  const house = await testHouse()
  await house.send(typed('one', { platform: 'subagent' }))
  await house.send(typed('two', { platform: 'subagent', parent_session_id: 'one' }))
  await house.send(typed('one', { platform: 'subagent', parent_session_id: 'two' }))
  const told = await lineage(house, 'one')
  assert.is(told.at(-1)?.platform, '')
  assert.ok(told.length <= 3, String(told.length))
})

test('a child’s first call tells its start, though it was linked before it spoke', async () => {
  const house = await testHouse()
  await house.send(typed('own', { platform: 'cli' }))
  await house.send(childStarts('own', 'child'))
  await house.send(inSession('child', toolCall({ command: 'ls' })))
  const started = await house.entries('session.started')
  assert.equal(
    started.map(({ words }) => words?.['session']),
    ['own', 'child'],
  )
  await house.restart()
  await house.send(typed('child', { platform: 'subagent' }))
  assert.is((await house.entries('session.linked')).length, 1)
})

test.run()
