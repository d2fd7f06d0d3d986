// Holds the hooks around a tool call to their pairing: what came back names the request that it answers, and says how it went.
import { createHmac } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionOf, type NewEvent } from '../../../src/events/event-catalog.js'
import { canonicalJson } from '../../../src/foundation/canonical-json.js'
import { toolCallHooks } from '../../../src/hooks/hermes/tool-call.js'
import type { GatesAnswer, HookContext } from '../../../src/hooks/hook.js'
import { type OpenCall, type SessionContext, sessionContext } from '../../../src/projections/session-context.js'

const test = suite('tool-call')

const handle = 's0123456789abcdef'
const args = { path: 'a.md' }
const open: OpenCall = {
  index: 11,
  tool: 'read_file',
  call: 'call-1',
  argumentsDigest: hmac('arguments', '{"path":"a.md"}'),
  judged: [],
}

test('a request says turn, tool and the size and digest of its arguments; ids, folder and judged values are words', () => {
  const extra = { tool_call_id: 'call-1', turn_id: 'turn-c', task_id: 'task-c', api_request_id: 'request-1' }
  const event = eventOf('pre_tool_call', 'read_file', args, extra, seenWith([]))
  assert.is(event.type, 'tool.requested')
  assert.is(event.session, handle)
  assert.equal(event.facts, {
    turn: 3,
    tool: 'read_file',
    arguments: { count: 1, bytes: 15, digest: hmac('arguments', '{"path":"a.md"}') },
    source: 'unattested',
  })
  const { arguments: kept, ...words } = event.words as Record<string, unknown>
  assert.equal(words, { turn: 'turn-c', task: 'task-c', call: 'call-1', request: 'request-1', cwd: '/srv/agent' })
  assert.equal(kept, [{ name: 'path', bytes: 6, digest: hmac('arguments', '"a.md"'), value: 'a.md' }])
})

test('arguments that are no object are digested as what the host sent', () => {
  for (const [value, canonical] of [
    [{}, '{}'],
    [[1, 'x'], '[1,"x"]'],
    ['text', '"text"'],
  ] as const) {
    const { facts } = eventOf('pre_tool_call', 'read_file', value, {}, seenWith([]))
    const { bytes, digest } = (facts as { arguments: { bytes: number; digest: string } }).arguments
    assert.equal([bytes, digest], [canonical.length, hmac('arguments', canonical)], canonical)
  }
})

test('what came back names the request with the same call id', () => {
  const others: OpenCall[] = [
    { ...open, index: 9, call: 'call-0' },
    { ...open, index: 12, call: 'call-2' },
  ]
  const [first, second] = others
  assert.ok(first !== undefined && second !== undefined)
  assert.is(requestedOf({ tool_call_id: 'call-1' }, seenWith([first, open, second])), 11)
  assert.is(requestedOf({ tool_call_id: 'call-2' }, seenWith([first, open, second])), 12)
})

test('case 55, row P86: the request is found by its call id also where other arguments ran, and that is a mismatch', () => {
  const extra = { tool_call_id: 'call-1', status: 'ok' }
  const [completed, mismatch, ...more] = eventsOf('post_tool_call', 'read_file', { path: 'b.md' }, extra, seenWith([open]))
  const facts = completed?.facts as { requested: number | null; argumentsDigest: string }
  assert.is(facts.requested, 11)
  assert.is(facts.argumentsDigest, hmac('arguments', '{"path":"b.md"}'))
  assert.is.not(facts.argumentsDigest, open.argumentsDigest)
  assert.equal(mismatch, {
    type: 'mismatch.found',
    session: handle,
    facts: { kind: 'arguments', judged: 11, ran: hmac('arguments', '{"path":"b.md"}') },
  })
  assert.equal(more, [])
})

test('arguments that ran as they were judged, or of a call that we never saw, are no mismatch', () => {
  for (const extra of [{ tool_call_id: 'call-1' }, { tool_call_id: 'call-9' }, {}])
    assert.is(eventsOf('post_tool_call', 'read_file', args, extra, seenWith([open])).length, 1)
})

test('what came back for a call that we never saw names none', () => {
  assert.is(requestedOf({ tool_call_id: 'call-9' }, seenWith([open])), null)
  assert.is(requestedOf({ tool_call_id: 'call-1' }, seenWith([])), null)
  assert.is(requestedOf({ tool_call_id: 'call-1' }, sessionContext.initial()), null)
})

test('where the host names no call, tool and arguments tell the request', () => {
  const nameless: OpenCall = { ...open, call: undefined }
  assert.is(requestedOf({}, seenWith([nameless])), 11)
  assert.is(requestedOf({ tool_call_id: '' }, seenWith([nameless])), 11)
  assert.is(requestedOf({}, seenWith([{ ...nameless, tool: 'write_file' }])), null)
  assert.is(requestedOf({}, seenWith([{ ...nameless, argumentsDigest: hmac('arguments', '{}') }])), null)
})

test('a result is known by its bytes and digest and its text is not kept', () => {
  const result = '{"content": "我的秘密"}'
  const event = eventOf('post_tool_call', 'read_file', args, { tool_call_id: 'call-1', result, status: 'ok' }, seenWith([open]))
  const { result: kept } = event.facts as { result: { bytes: number; digest: string } }
  assert.is(kept.bytes, Buffer.byteLength(result))
  assert.is(kept.digest, hmac('text', result))
  assert.not.match(JSON.stringify(event), '秘密')
})

test('how a call went is a fact for every status and error type of the host', () => {
  for (const status of ['ok', 'error', 'blocked', 'cancelled', 'timeout']) {
    for (const error_type of ['tool_error', 'plugin_block', 'guardrail_block', 'tool_timeout', null, undefined]) {
      const { facts } = eventOf(
        'post_tool_call',
        'read_file',
        args,
        { status, error_type, error_message: 'SECRET' },
        seenWith([open]),
      )
      const found = facts as { status: string; errorType?: string }
      assert.is(found.status, status)
      assert.is(found.errorType, error_type ?? undefined)
      assert.not.match(JSON.stringify(facts), 'SECRET')
    }
  }
})

test('status and error type that are sentences are no facts', () => {
  const event = eventOf('post_tool_call', 'read_file', args, { status: 'a sentence', error_type: 'a sentence' }, seenWith([open]))
  assert.not.match(JSON.stringify(event.facts), 'sentence')
})

test('of a result that the client replaced for its size, the size that it had is kept', () => {
  const result = { count: 0, bytes: 5_000_000, digest: 'd1'.repeat(32) }
  const event = eventOf('post_tool_call', 'read_file', args, { tool_call_id: 'call-1', result, status: 'ok' }, seenWith([open]))
  assert.is((event.facts as { result: { bytes: number } }).result.bytes, 5_000_000)
  const own = { ...result, more: 1 }
  const other = eventOf('post_tool_call', 'read_file', args, { tool_call_id: 'call-1', result: own }, seenWith([open]))
  assert.is((other.facts as { result: { bytes: number } }).result.bytes, JSON.stringify(own).length)
})

test('what the plugin told of the host’s process stands beside the request, as far as it told', () => {
  const host = {
    attended: 'unattended',
    write_origin: 'background_review',
    last_in_order: false,
    approvals_off: true,
    terminal_backend: 'docker',
    at: '2026-11-29T20:40:00.123Z',
  } as const
  const requested = (told: HookContext['host']) => {
    const hook = toolCallHooks.pre_tool_call
    const [event] = hook.observe(
      payloadOf('pre_tool_call', 'read_file', args, {}),
      {},
      { ...contextOf(seenWith([])), host: told },
    )
    assert.is(definitionOf('tool.requested')?.facts.safeParse(event?.facts).success, true)
    return { ...event?.facts } as { surroundings?: unknown }
  }
  assert.equal(requested(host).surroundings, {
    attended: 'unattended',
    writeOrigin: 'background_review',
    lastInOrder: false,
    approvalsOff: true,
    terminalBackend: 'docker',
  })
  assert.equal(requested({ attended: 'unknown' }).surroundings, { attended: 'unknown' })
  assert.equal(requested({ write_origin: 'a sentence of words', terminal_backend: '/srv/x' }).surroundings, {
    writeOrigin: 'unnamed',
    terminalBackend: 'unnamed',
  })
  for (const told of [{}, { at: host.at }]) assert.not.ok(Object.hasOwn(requested(told), 'surroundings'))
})

test('case 41: the answer is a block, a request that a person approve, or nothing, and never a grant', () => {
  const { reply } = toolCallHooks.pre_tool_call
  const answers: readonly (readonly [GatesAnswer, unknown])[] = [
    [
      { kind: 'block', message: 'no' },
      { action: 'block', message: 'no' },
    ],
    [
      { kind: 'ask', message: 'may it?' },
      { action: 'approve', message: 'may it?', rule_key: 'stele:k' },
    ],
    [{ kind: 'none', message: '' }, {}],
  ]
  for (const [answer, directive] of answers) assert.equal(reply?.({ ...answer, key: 'stele:k' }), directive)
})

test('a duration is whole milliseconds of zero or more, whatever number the host sends', () => {
  for (const [sent, kept] of [
    [0, 0],
    [4, 4],
    [416.4, 416],
    [9007199254740991, 9007199254740991],
  ] as const) {
    const { facts } = eventOf('post_tool_call', 'read_file', args, { status: 'ok', duration_ms: sent }, seenWith([open]))
    assert.is((facts as { durationMs?: number }).durationMs, kept, String(sent))
  }
  for (const duration_ms of [-1, -0.4, 2 ** 53, 1e21, 1.7e308, 5e-324, -1e300, null, undefined]) {
    // What is not a length of time may be left out or bounded; it must fit the event, or the process stops on it.
    eventOf('post_tool_call', 'read_file', args, { status: 'ok', duration_ms }, seenWith([open]))
  }
})

test('what a plugin makes of a result is no event of its own', () => {
  const hook = toolCallHooks.transform_tool_result
  const extra = { result: 'x', tool_call_id: 'call-1', turn_id: 'turn-c' }
  assert.equal(
    hook.observe(
      payloadOf('transform_tool_result', 'read_file', args, extra),
      hook.extra.parse(extra),
      contextOf(seenWith([open])),
    ),
    [],
  )
})

test('who vouches for a payload and how it came stands in the request and in what came back', () => {
  const provenance = { source: 'attached', attach: 4, seq: 17, late: true, probe: true, repaired: 3 } as const
  for (const name of ['pre_tool_call', 'post_tool_call'] as const) {
    const hook = toolCallHooks[name]
    const context = { ...contextOf(seenWith([open])), provenance }
    const [event] = hook.observe(payloadOf(name, 'read_file', args, {}), hook.extra.parse({}), context)
    const facts: Record<string, unknown> = { ...event?.facts }
    for (const [member, value] of Object.entries(provenance)) assert.is(facts[member], value, `${name} ${member}`)
  }
})

/** The mismatches of an outcome, where every call is put before a gate. */
function mismatchesOf(status: string, openCalls: readonly OpenCall[]) {
  const hook = toolCallHooks.post_tool_call
  const extra = { status, tool_call_id: 'call-1' }
  const context = { ...contextOf(seenWith(openCalls)), judged: true, argumentsText: canonicalJson(args) }
  const events = hook.observe(payloadOf('post_tool_call', 'read_file', args, extra), hook.extra.parse(extra), context)
  return events.flatMap(({ type, facts }) => (type === 'mismatch.found' ? [facts] : []))
}

test('a tool that ran though a gate had refused it is a mismatch that names the decision', () => {
  const denied = { ...open, denied: 14 }
  for (const status of ['ok', 'error', 'timeout'])
    assert.equal(mismatchesOf(status, [denied]), [{ kind: 'denied', judged: 11, decision: 14 }], status)
  for (const status of ['blocked', 'cancelled', '']) assert.equal(mismatchesOf(status, [denied]), [], status)
  assert.equal(mismatchesOf('ok', [open]), [])
})

test('a tool that ran without any gate being asked is a mismatch, unless none is to be asked', () => {
  const [found, ...more] = mismatchesOf('ok', [])
  assert.equal([found, more], [{ kind: 'undecided', judged: null, ran: open.argumentsDigest }, []])
  assert.equal(mismatchesOf('blocked', []), [])
  assert.is(eventsOf('post_tool_call', 'read_file', args, { status: 'ok' }, seenWith([])).length, 1)
})

function requestedOf(extra: Record<string, unknown>, view: SessionContext): unknown {
  return (eventOf('post_tool_call', 'read_file', args, { status: 'ok', ...extra }, view).facts as { requested: unknown })
    .requested
}

/** The only event of a payload; it fits its schema, as the ledger asserts. */
function eventOf(
  name: 'pre_tool_call' | 'post_tool_call',
  tool: string,
  input: unknown,
  extra: Record<string, unknown>,
  view: SessionContext,
): NewEvent {
  const [event, ...more] = eventsOf(name, tool, input, extra, view)
  assert.ok(event !== undefined)
  assert.equal(more, [])
  return event
}

function eventsOf(
  name: 'pre_tool_call' | 'post_tool_call',
  tool: string,
  input: unknown,
  extra: Record<string, unknown>,
  view: SessionContext,
): NewEvent[] {
  const hook = toolCallHooks[name]
  const context = { ...contextOf(view), argumentsText: canonicalJson(input) }
  const events = hook.observe(payloadOf(name, tool, input, extra), hook.extra.parse(extra), context)
  for (const { type, facts } of events) {
    const verdict = definitionOf(type)?.facts.safeParse(facts)
    assert.ok(verdict?.success === true, `${JSON.stringify(facts)}: ${verdict?.error?.message}`)
  }
  return events
}

function payloadOf(hook_event_name: string, tool_name: string, tool_input: unknown, extra: Record<string, unknown>) {
  return { hook_event_name, tool_name, tool_input, session_id: 'h', cwd: '/srv/agent', profile: 'default', extra }
}

function seenWith(openCalls: readonly OpenCall[]): SessionContext {
  return { ...sessionContext.initial(), begun: true, turns: 3, hostTurn: 'turn-c', openCalls }
}

function contextOf(view: SessionContext): HookContext {
  const provenance = { source: 'unattested' } as const
  const argumentsText = '{"path":"a.md"}'
  return {
    session: handle,
    seen: view,
    provenance,
    host: {},
    keep: 'judged',
    judged: false,
    argumentsText,
    parent: null,
    child: null,
    digest: hmac,
  }
}

function hmac(use: string, text: string): string {
  return createHmac('sha256', Buffer.alloc(32, 3)).update(`stele/digest/v1\n${use}\n${text}`).digest('hex')
}

test.run()
