// Holds the catalogue of hooks to the host's own names, and those that are only listened to to giving no event.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HookContext } from '../../src/hooks/hook.js'
import { hookCatalog, hookDefinition } from '../../src/hooks/hook-catalog.js'
import { sessionContext } from '../../src/projections/session-context.js'

const test = suite('hook-catalog')

/** By the host's contract, section 3 and 4; those that are recorded first. */
const recorded = [
  ...['pre_llm_call', 'pre_tool_call', 'post_tool_call', 'on_session_end', 'on_session_finalize'],
  ...['subagent_start', 'subagent_stop', 'pre_approval_request', 'post_approval_response'],
]
const listenedTo = [
  ...['post_llm_call', 'transform_llm_output', 'transform_tool_result', 'pre_verify', 'on_session_start', 'on_session_reset'],
  ...['llm_request', 'tool_request'],
]

const context: HookContext = {
  ...{ session: 's0123456789abcdef', seen: sessionContext.initial(), provenance: { source: 'unattested' }, host: {} },
  ...{ keep: 'judged', judged: true, argumentsText: '{}', parent: null, child: null, digest: () => '0'.repeat(64) },
}

test('the hooks that we know are those of the host, and its two middleware calls', () => {
  assert.equal(Object.keys(hookCatalog).toSorted(), [...recorded, ...listenedTo].toSorted())
})

test('a hook is found under its own name and under no other', () => {
  for (const name of Object.keys(hookCatalog)) assert.is(hookDefinition(name), hookCatalog[name])
  for (const name of ['', 'pre_teleport', 'PRE_TOOL_CALL', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    assert.is(hookDefinition(name), undefined, name)
})

test('every hook takes members that we do not know: the host may add some', () => {
  for (const [name, { extra }] of Object.entries(hookCatalog))
    assert.is(extra.safeParse({ user_message: 'hi', something: { new: [1] } }).success, true, name)
})

test('hooks that are only listened to take anything and give no event of their own', () => {
  for (const name of listenedTo) {
    const extra = { reason: 'x', session_id: 5, status: null, user_message: [], child_goal: 'FOREIGN' }
    const definition = hookDefinition(name)
    assert.is(definition?.extra.safeParse(extra).success, true, name)
    assert.equal(definition?.observe({ hook_event_name: name, session_id: 'h', extra }, extra, context), [], name)
  }
})

test('only a call that is about to run is answered; everything else is only listened to', () => {
  for (const [name, { reply }] of Object.entries(hookCatalog)) assert.is(reply !== undefined, name === 'pre_tool_call', name)
})

test('only the announcement of a session says nothing without a session id', () => {
  for (const [name, { needsSession = false }] of Object.entries(hookCatalog))
    assert.is(needsSession, name === 'on_session_start', name)
})

test.run()
