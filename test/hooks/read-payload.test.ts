// Holds the reading of payloads: a known hook with what it needs, or the reason why it is none; and of the plugin's own member, what fits.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hookDefinition } from '../../src/hooks/hook-catalog.js'
import { isId, payloadBytesMax, type ReadPayload, type RejectedPayload, readPayload } from '../../src/hooks/read-payload.js'
import { bytesOf, llmCall, sessionStart, toolCall } from '../support/hook-house.js'

const test = suite('read-payload')

function read(payload: unknown): ReadPayload {
  const found = readBytes(bytesOf(payload))
  if ('rejected' in found) throw new Error(`rejected as ${found.rejected}`)
  return found
}

function readBytes(bytes: Uint8Array, bytesTotal = bytes.length): ReadPayload | RejectedPayload {
  return readPayload(bytes, bytesTotal)
}

test('a payload is read with its hook, and what it says is what was sent', () => {
  const sent = { ...toolCall({ path: 'a.md', n: 1.5 }), profile: 'default', future: { kept: true } }
  const { payload, definition, host, repaired } = read(sent)
  assert.equal(payload, sent)
  assert.is(definition, hookDefinition('pre_tool_call'))
  assert.equal(host, {})
  assert.is(repaired, 0)
})

test('what was repaired is counted', () => {
  const text = JSON.stringify(llmCall({ user_message: 'USER' })).replace('USER', 'a\\ud800b')
  assert.is(read(text.replace('"extra":{', '"extra":{"n":12345678901234567890,')).repaired, 2)
})

test('what is no JSON, or none that can be read without loss, is rejected with the reason and no name', () => {
  const unreadable: readonly (readonly [code: string, bytes: Buffer])[] = [
    ['empty', Buffer.alloc(0)],
    ['empty', Buffer.from('efbbbf', 'hex')],
    ['syntax', Buffer.from('hello')],
    ['syntax', Buffer.from('{}{}')],
    ['name_twice', Buffer.from('{"hook_event_name":"pre_tool_call","extra":{},"extra":{}}')],
    ['number_overflow', Buffer.from('{"hook_event_name":"pre_tool_call","extra":{"n":1e999}}')],
    ['too_deep', Buffer.from('['.repeat(10_000))],
    ['not_utf8', Buffer.from('7b22ff223a317d', 'hex')],
  ]
  for (const [rejected, bytes] of unreadable) assert.equal(readBytes(bytes), { rejected, hook: '', tool: '' })
})

test('another shape is rejected, with the names of the hook and the tool where it has them', () => {
  const shapes: readonly (readonly [value: unknown, hook: string, tool?: string])[] = [
    ...[null, [], 'x', 5, {}, { hook_event_name: 5, extra: {} }].map((value) => [value, ''] as const),
    [{ hook_event_name: 'pre_tool_call' }, 'pre_tool_call'],
    [{ ...toolCall({}), tool_name: 'terminal', session_id: 5 }, 'pre_tool_call', 'terminal'],
    [{ tool_name: 'terminal' }, '', 'terminal'],
    [{ ...toolCall({}), tool_name: {} }, 'pre_tool_call'],
    [{ ...toolCall({}), tool_name: 'memory', extra: [] }, 'pre_tool_call', 'memory'],
    [llmCall({ user_message: 5 }), 'pre_llm_call'],
    [{ ...sessionStart(), session_id: '' }, 'on_session_start'],
    [{ ...sessionStart(), session_id: null }, 'on_session_start'],
  ]
  for (const [value, hook, tool = ''] of shapes)
    assert.equal(readBytes(bytesOf(JSON.stringify(value))), { rejected: 'shape', hook, tool }, JSON.stringify(value))
})

test('a payload of very many small values is rejected, and one of many is read', () => {
  const withValues = (count: number) => bytesOf({ ...toolCall({}), tool_input: Array(count).fill(1) })
  assert.not.ok('rejected' in readBytes(withValues(100_000)))
  assert.equal(readBytes(withValues(1_000_000)), { rejected: 'too_many', hook: '', tool: '' })
})

test('a hook that we do not know is rejected under its own name', () => {
  assert.equal(readBytes(bytesOf({ ...sessionStart(), hook_event_name: 'pre_teleport' })), {
    rejected: 'hook_unknown',
    hook: 'pre_teleport',
    tool: '',
  })
})

test('16 MiB are taken, and of more the size alone counts, however much of it is there', () => {
  assert.is(payloadBytesMax, 16_777_216)
  const whole = bytesOf(sessionStart())
  assert.not.ok('rejected' in readBytes(whole, payloadBytesMax))
  for (const bytes of [whole, Buffer.alloc(0), Buffer.from('{"hook_ev')])
    assert.equal(readBytes(bytes, payloadBytesMax + 1), { rejected: 'too_large', hook: '', tool: '' })
})

test('what the plugin adds is read: the members of its page', () => {
  const host = {
    at: '2026-11-30T09:00:00.123Z',
    unanswered: [
      { seq: 3, hook: 'pre_tool_call', did: 'blocked' },
      { seq: 4, hook: 'pre_llm_call', did: 'let_go' },
      { seq: 9, hook: 'pre_verify', did: 'lost' },
    ],
    hermes_version: '0.19.0',
    attended: 'attended',
    write_origin: 'assistant_tool',
    last_in_order: true,
    approvals_off: false,
    terminal_backend: 'local',
    platform: 'cli',
    redacted: 0,
  }
  const { at, unanswered, attended, write_origin, last_in_order, approvals_off, terminal_backend } = read({
    ...toolCall({}),
    host,
  }).host
  assert.equal(
    [at, attended, write_origin, last_in_order, approvals_off, terminal_backend],
    ['2026-11-30T09:00:00.123Z', 'attended', 'assistant_tool', true, false, 'local'],
  )
  assert.equal(
    unanswered?.map(({ seq, did }) => [seq, did]),
    [
      [3, 'blocked'],
      [4, 'let_go'],
      [9, 'lost'],
    ],
  )
})

test('a member of the plugin that is not as it should be is as good as none, and spoils neither the others nor the payload', () => {
  const bad: Readonly<Record<string, readonly unknown[]>> = {
    at: ['yesterday', '2026-11-30T09:00:00Z', '2026-11-30T09:00:00.123+01:00', '2026-02-30T09:00:00.123Z', 5],
    unanswered: ['x', [{ seq: 0, did: 'lost' }], [{ seq: 1, did: 'slept' }], [{ did: 'lost' }], {}],
    attended: ['perhaps', true],
    write_origin: [5, {}],
    last_in_order: ['yes', 1],
    approvals_off: [null],
    terminal_backend: [[]],
  }
  for (const [name, values] of Object.entries(bad)) {
    const other = name === 'attended' ? { write_origin: 'assistant_tool' } : { attended: 'attended' }
    for (const value of values) {
      const host: Record<string, unknown> = { ...read({ ...toolCall({}), host: { ...other, [name]: value } }).host }
      assert.is(host[name], undefined, `${name}: ${JSON.stringify(value)}`)
      for (const [kept, expected] of Object.entries(other)) assert.is(host[kept], expected, name)
    }
  }
  for (const host of [null, 5, 'x', [], {}]) assert.equal({ ...read({ ...toolCall({}), host }).host }, {})
})

test('an id is a text that is not empty', () => {
  for (const value of ['x', ' ']) assert.is(isId(value), true)
  for (const value of ['', null, undefined, 5, {}, []]) assert.is(isId(value), false)
})

test.run()
