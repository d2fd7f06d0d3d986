// Holds what is recorded of children to what the host says of them: their session, their role, what came of them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { childIdOf } from '../../../src/hooks/hermes/subagent.js'
import { llmCall, testHouse } from '../../support/hook-house.js'

const test = suite('subagent')

const of = (hook_event_name: string, extra: object, session_id = 'own') => ({
  ...llmCall({}, session_id),
  hook_event_name,
  extra: { ...extra },
})
const start = (extra: object = {}) =>
  of('subagent_start', {
    ...{ parent_session_id: 'own', parent_turn_id: 't', parent_subagent_id: null, child_session_id: 'child' },
    ...{ child_subagent_id: 'agent-7', child_role: 'leaf', child_goal: 'read the logs', ...extra },
  })
const stop = (extra: object = {}) =>
  of('subagent_stop', {
    ...{ parent_session_id: 'own', child_session_id: 'child', child_role: 'leaf', child_summary: 'nothing there' },
    ...{ child_status: 'completed', duration_ms: 1234, ...extra },
  })

test('a child that is sent out is told in the session that sends it, with its own session linked', async () => {
  const house = await testHouse()
  await house.send(start())
  await house.send(stop())
  const own = await house.ledger.sessionHandle('own')
  const child = await house.ledger.sessionHandle('child')
  const entries = await house.entries()
  assert.equal(
    entries.map(({ header }) => [header.type, header.session]),
    [
      ['session.started', own],
      ['subagent.started', own],
      ['session.linked', child],
      ['subagent.stopped', own],
    ],
  )
  const [, started, linked, stopped] = entries
  assert.equal([started?.payload['role'], started?.payload['child']], ['leaf', child])
  assert.equal(started?.words, { goal: 'read the logs', session: 'child', agent: 'agent-7' })
  assert.equal([linked?.payload['parent'], linked?.payload['why']], [own, 'subagent'])
  const { role, status, durationMs } = stopped?.payload ?? {}
  assert.equal([role, status, durationMs, stopped?.payload['child']], ['leaf', 'completed', 1234, child])
  assert.equal(stopped?.words, { summary: 'nothing there', session: 'child' })
})

test('a child without a session of its own is told without one', async () => {
  const house = await testHouse()
  await house.send(start({ child_session_id: null, child_role: null, child_goal: 7 }))
  await house.send(stop({ child_session_id: undefined, duration_ms: 'long', child_status: null, child_summary: null }))
  assert.equal(await house.types(), ['session.started', 'subagent.started', 'subagent.stopped'])
  assert.is((await house.entries('subagent.started'))[0]?.payload['child'], null)
  assert.is((await house.entries('subagent.stopped'))[0]?.payload['durationMs'], undefined)
})

test('a session is not its own child', async () => {
  const house = await testHouse()
  await house.send(start({ child_session_id: 'own' }))
  assert.equal(await house.types(), ['session.started', 'subagent.started'])
})

test('a session of somebody unknown links nothing', async () => {
  const house = await testHouse()
  await house.send({ ...start(), session_id: '' })
  assert.equal(await house.types(), ['subagent.started'])
})

test('only what is said of children names a child', () => {
  assert.is(childIdOf({ hook_event_name: 'subagent_start', extra: { child_session_id: 'c' } }), 'c')
  assert.is(childIdOf({ hook_event_name: 'subagent_stop', extra: { child_session_id: 'c' } }), 'c')
  for (const child_session_id of ['', null, 7, undefined])
    assert.is(childIdOf({ hook_event_name: 'subagent_start', extra: { child_session_id } }), undefined)
  assert.is(childIdOf({ hook_event_name: 'pre_tool_call', extra: { child_session_id: 'c' } }), undefined)
})

test.run()
