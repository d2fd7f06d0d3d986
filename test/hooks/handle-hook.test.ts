// Holds what a host's payloads become to the recorded session, to the format page, and to payloads that are broken on purpose.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inspect, isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry } from '../../src/events/entry.js'
import { definitionOf, type NewEvent } from '../../src/events/event-catalog.js'
import { canonicalJson } from '../../src/foundation/canonical-json.js'
import { SteleError } from '../../src/foundation/stele-error.js'
import { type HookLedger, handleHook, payloadBytesMax } from '../../src/hooks/handle-hook.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { makeRandom, type Random } from '../support/seeded-random.js'

const test = suite('handle-hook')

interface Recorded {
  readonly index: number
  readonly type: string
  readonly session: string
  readonly facts: Record<string, unknown>
  readonly words: Record<string, unknown> | undefined
}

interface FakeLedger extends HookLedger {
  readonly recorded: Recorded[]
  /** What came with each append, duplicates too. */
  readonly appends: { readonly types: readonly string[]; readonly dedupe: string | undefined }[]
}

const secret = Buffer.alloc(32, 7)

/** A ledger in memory that refuses, as the real one would, whatever is not a released event in canonical form. */
function fakeLedger(): FakeLedger {
  const recorded: Recorded[] = []
  const appends: FakeLedger['appends'] = []
  const handles = new Map<string, string>()
  const seen = new Map<string, number>()
  const append: HookLedger['append'] = async (events, { dedupe } = {}) => {
    await new Promise((resolve) => setImmediate(resolve))
    appends.push({ types: events.map(({ type }) => type), dedupe })
    if (dedupe !== undefined) assert.match(dedupe, /^[0-9a-f]{64}$/)
    const first = dedupe === undefined ? undefined : seen.get(dedupe)
    if (first !== undefined) return { index: first, duplicate: true }
    assert.ok(events.length > 0, 'an append holds events')
    // Entry 0 is ledger.created.
    const index = recorded.length + 1
    if (dedupe !== undefined) seen.set(dedupe, index)
    for (const event of events) recorded.push(recordOf(event, recorded.length + 1))
    return { index, duplicate: false }
  }
  return {
    recorded,
    appends,
    append,
    session: async (hostSession) => {
      const handle = handles.get(hostSession) ?? `s${hmac('session', hostSession).slice(0, 16)}`
      handles.set(hostSession, handle)
      return { handle, known: recorded.some(({ type, session }) => type === 'session.started' && session === handle) }
    },
    digest: hmac,
    reader: {
      async *sessionEntries(handle) {
        for (const each of [...recorded]) if (each.session === handle) yield entryOf(each)
      },
    },
  }
}

function recordOf(event: NewEvent, index: number): Recorded {
  const definition = definitionOf(event.type)
  assert.ok(definition !== undefined && definition.status === 'released', `${event.type} is released`)
  const facts = definition.facts.safeParse(event.facts)
  assert.ok(
    facts.success && isDeepStrictEqual(facts.data, event.facts),
    `facts of ${event.type}: ${facts.error?.message ?? 'altered'}`,
  )
  const words = event.words as Record<string, unknown> | undefined
  if (words !== undefined) {
    const found = definition.words?.safeParse(words)
    assert.ok(found?.success === true, `words of ${event.type}: ${found?.error?.message}`)
    canonicalJson(words)
  }
  canonicalJson(event.facts)
  return { index, type: event.type, session: event.session ?? '', facts: event.facts as Record<string, unknown>, words }
}

function entryOf({ index, type, session, facts, words }: Recorded): Entry {
  const time = new Date(Date.UTC(2026, 10, 29, 20, 40, 0, index)).toISOString()
  const hash = '0'.repeat(64)
  const header = { v: 1, ledger: '0'.repeat(32), epoch: 0, index, time, type, version: 1, session, payload: hash, prev: hash }
  return { header, payload: words === undefined ? facts : { ...facts, words: hash }, words }
}

/** By node:crypto, after the words of the format page. */
function hmac(use: string, data: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`stele/digest/v1\n${use}\n`).update(data).digest('hex')
}

interface HostPayload {
  readonly hook_event_name: string
  readonly tool_name: string | null
  readonly tool_input: Record<string, unknown> | null
  readonly session_id: string
  readonly cwd: string
  readonly extra: Record<string, unknown>
}

const hookLines = readFileSync(new URL('../fixtures/hermes-0.19/session.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => Object.hasOwn(JSON.parse(line) as object, 'hook_event_name'))
const payloads = hookLines.map((line) => JSON.parse(line) as HostPayload)

/** As the recording's own page tells them. */
const typed = [
  'I decided we ship on Friday',
  'yes, keep that in your notes please',
  'Never delete the prod database without asking me',
  'can you look at docs/notes.md, tidy it and list the folder',
  '我决定周五发布，以后不要自动提交代码',
  'write a release skill',
]

async function recordSession(): Promise<FakeLedger> {
  const ledger = fakeLedger()
  for (const line of hookLines) assert.equal(await handleHook(ledger, Buffer.from(line)), {})
  return ledger
}

test('the recorded session has 52 hook lines and becomes exactly 33 events', async () => {
  assert.is(hookLines.length, 52)
  const { recorded } = await recordSession()
  assert.equal(countsOf(recorded), {
    'session.started': 1,
    'message.captured': 6,
    'tool.requested': 10,
    'tool.completed': 10,
    'turn.ended': 6,
  })
  assert.is(recorded.length, 33)
  assert.is(recorded[0]?.type, 'session.started')
})

test('row P1: the six messages of the recorded session are kept word for word as they were typed', async () => {
  const messages = ofType(await recordSession(), 'message.captured')
  assert.equal(
    messages.map(({ words }) => words?.['text']),
    typed,
  )
  assert.equal(
    messages.map(({ facts }) => facts['turn']),
    [1, 2, 3, 4, 5, 6],
  )
  assert.equal(
    messages.map(({ facts }) => facts['characters']),
    [27, 35, 48, 58, 18, 21],
  )
  assert.equal(
    messages.map(({ facts }) => facts['digest']),
    typed.map((text) => hmac('text', text)),
  )
  for (const { facts } of messages) assert.is(facts['platform'], 'cli')
})

test('each completed tool of the recorded session names the index of the request that it answers', async () => {
  const ledger = await recordSession()
  const requests = ofType(ledger, 'tool.requested')
  const indexOfCall = new Map(requests.map(({ index, words }) => [words?.['call'], index]))
  assert.is(indexOfCall.size, 10)
  const completed = ofType(ledger, 'tool.completed')
  assert.equal(
    completed.map(({ facts }) => facts['requested']),
    completed.map(({ words }) => indexOfCall.get(words?.['call'])),
  )
  // In the recording every tool is asked for and comes back before the next one.
  assert.equal(
    completed.map(({ index }) => index),
    requests.map(({ index }) => index + 1),
  )
  assert.equal(
    completed.map(({ facts }) => facts['tool']),
    ['memory', 'memory', 'memory', 'read_file', 'search_files', 'patch', 'terminal', 'write_file', 'memory', 'skill_manage'],
  )
})

test('the tools of the recorded session stand in the turns in which they were asked for', async () => {
  const ledger = await recordSession()
  for (const type of ['tool.requested', 'tool.completed']) {
    assert.equal(
      ofType(ledger, type).map(({ facts }) => facts['turn']),
      [1, 2, 3, 4, 4, 4, 4, 4, 5, 6],
      type,
    )
  }
})

test('the turns of the recorded session end as turns 1 to 6, completed and not interrupted', async () => {
  const turns = ofType(await recordSession(), 'turn.ended')
  assert.equal(
    turns.map(({ facts }) => [facts['turn'], facts['completed'], facts['interrupted']]),
    [1, 2, 3, 4, 5, 6].map((turn) => [turn, true, false]),
  )
})

test('arguments are digested from their canonical JSON, before the call and after it', async () => {
  const ledger = await recordSession()
  const before = payloads.filter(({ hook_event_name }) => hook_event_name === 'pre_tool_call')
  for (const [place, { facts }] of ofType(ledger, 'tool.requested').entries()) {
    const canonical = sortedJson(before[place]?.tool_input)
    assert.equal(facts['arguments'], {
      count: Object.keys(before[place]?.tool_input ?? {}).length,
      bytes: Buffer.byteLength(canonical),
      digest: hmac('arguments', canonical),
    })
  }
  const after = payloads.filter(({ hook_event_name }) => hook_event_name === 'post_tool_call')
  for (const [place, { facts }] of ofType(ledger, 'tool.completed').entries()) {
    assert.is(facts['argumentsDigest'], hmac('arguments', sortedJson(after[place]?.tool_input)))
    assert.is(facts['status'], 'ok')
    assert.is(facts['durationMs'], after[place]?.extra['duration_ms'])
    assert.is((facts['result'] as { bytes: number }).bytes, Buffer.byteLength(String(after[place]?.extra['result'])))
  }
})

test('every event of the recorded session belongs to one handle, and nobody vouches for it', async () => {
  const { recorded } = await recordSession()
  assert.is(new Set(recorded.map(({ session }) => session)).size, 1)
  assert.match(String(recorded[0]?.session), /^s[0-9a-f]{16}$/)
  for (const { type, facts } of recorded) assert.is(facts['source'], 'unattested', type)
})

test('the ids of the host stand among the words and never among the facts', async () => {
  const { recorded } = await recordSession()
  const ids = [
    ...new Set(
      payloads.flatMap(({ session_id, extra }) => [
        session_id,
        ...['turn_id', 'task_id', 'tool_call_id', 'api_request_id'].map((name) => extra[name]),
      ]),
    ),
  ]
    .filter((id) => typeof id === 'string' && id !== '')
    .map(String)
  assert.is(ids.length, 1 + 6 + 6 + 10 + 10)
  const facts = canonicalJson(recorded.map((each) => each.facts))
  const words = canonicalJson(recorded.map((each) => each.words ?? null))
  for (const id of ids) {
    assert.not.ok(facts.includes(id), `${id} stands among the facts`)
    assert.ok(words.includes(JSON.stringify(id)), `${id} stands among the words`)
  }
  for (const { session } of recorded) assert.not.ok(ids.some((id) => session.includes(id)))
})

test('no word that was typed, and nothing else that the host or the model wrote, stands among the facts', async () => {
  const { recorded } = await recordSession()
  const values = recorded.flatMap(({ facts }) => textsIn(facts))
  assert.ok(values.length > 100)
  const written = [
    ...typed.flatMap((text) => text.match(/[\p{L}\p{N}]+/gu) ?? []),
    ...typed,
    ...payloads.flatMap(({ tool_input, extra, cwd }) => [
      ...textsIn(tool_input).filter((text) => text.length > 8),
      cwd,
      ...['assistant_response', 'response_text', 'result', 'final_response']
        .map((name) => extra[name])
        .filter((text) => typeof text === 'string'),
    ]),
  ]
  assert.ok(written.length > 80)
  for (const word of new Set(written.map(String))) {
    for (const value of values) {
      const parts: string[] = value.match(/[\p{L}\p{N}_]+/gu) ?? []
      assert.not.ok(value === word || value.includes(` ${word} `) || parts.includes(word), `${word} stands in the fact ${value}`)
    }
  }
})

test('where the first payload of a session is no announcement, the session starts with it, in the same append', async () => {
  const ledger = fakeLedger()
  await handleHook(ledger, bytesOf(llmCall({ user_message: 'hello' })))
  assert.equal(
    ledger.appends.map(({ types }) => types),
    [['session.started', 'message.captured']],
  )
  assert.is(ledger.recorded[0]?.facts['how'], 'first_seen')
  assert.is(ledger.recorded[0]?.words?.['session'], 'host-session')
  assert.is(ledger.recorded[0]?.session, ledger.recorded[1]?.session)
  const announced = fakeLedger()
  await handleHook(announced, bytesOf(sessionStart()))
  assert.equal(
    announced.recorded.map(({ type, facts }) => [type, facts['how']]),
    [['session.started', 'announced']],
  )
})

test('a session is started once, also where it is announced late or again', async () => {
  const ledger = fakeLedger()
  await handleHook(ledger, bytesOf(llmCall({ user_message: 'one' })))
  await handleHook(ledger, bytesOf(sessionStart()))
  await handleHook(ledger, bytesOf(sessionStart()))
  assert.is(ofType(ledger, 'session.started').length, 1)
})

/** Reads what was rejected: its only event. */
async function rejectionOf(bytes: Uint8Array, bytesTotal?: number): Promise<Record<string, unknown>> {
  const ledger = fakeLedger()
  assert.equal(await handleHook(ledger, bytes, bytesTotal), {})
  assert.equal(
    ledger.recorded.map(({ type }) => type),
    ['hook.rejected'],
  )
  assert.is(ledger.recorded[0]?.words, undefined)
  return ledger.recorded[0]?.facts ?? {}
}

const bom = Buffer.from([0xef, 0xbb, 0xbf])

/** What is not even JSON that can be read: no hook is named. */
const unreadable: readonly (readonly [what: string, code: string, bytes: Buffer])[] = [
  ['no byte at all', 'empty', Buffer.alloc(0)],
  ['text that is no JSON', 'syntax', Buffer.from('hello')],
  ['JSON that breaks off', 'syntax', Buffer.from(JSON.stringify(sessionStart()).slice(0, -1))],
  ['two values', 'syntax', Buffer.from('{}{}')],
  [
    'a name that stands twice',
    'name_twice',
    Buffer.from('{"hook_event_name":"on_session_start","session_id":"a","session_id":"b","extra":{}}'),
  ],
  [
    'a number that overflows',
    'number_overflow',
    Buffer.from('{"hook_event_name":"on_session_start","session_id":"a","extra":{"n":1e999}}'),
  ],
  ['nesting without measure', 'too_deep', Buffer.from('['.repeat(10_000))],
  ['bytes that are not UTF-8', 'not_utf8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
]

for (const [what, code, bytes] of unreadable) {
  test(`${what}: rejected as ${code}, with size and keyed digest`, async () => {
    assert.equal(await rejectionOf(bytes), { hook: '', code, bytes: bytes.length, digest: hmac('text', bytes) })
  })
}

test('case 43: a byte-order mark alone counts as empty input and is recorded as such', async () => {
  assert.equal(await rejectionOf(bom), { hook: '', code: 'empty', bytes: 3, digest: hmac('text', bom) })
})

test('a byte-order mark before a payload does no harm', async () => {
  const ledger = fakeLedger()
  await handleHook(ledger, Buffer.concat([bom, bytesOf(sessionStart())]))
  assert.equal(countsOf(ledger.recorded), { 'session.started': 1 })
})

test('a payload of another shape is rejected, with the hook where it names one', async () => {
  for (const text of ['null', '[]', '"x"', '5', '{}', '{"hook_event_name":5}', '{"hook_event_name":null,"extra":{}}']) {
    const bytes = Buffer.from(text)
    assert.equal(await rejectionOf(bytes), { hook: '', code: 'shape', bytes: bytes.length, digest: hmac('text', bytes) }, text)
  }
  for (const payload of [
    llmCall({ user_message: 5 }),
    llmCall({ user_message: [5] }),
    llmCall({}),
    { ...llmCall({ user_message: 'x' }), extra: 'x' },
  ]) {
    const bytes = bytesOf(payload)
    const hook = 'pre_llm_call'
    assert.equal(
      await rejectionOf(bytes),
      { hook, code: 'shape', bytes: bytes.length, digest: hmac('text', bytes) },
      JSON.stringify(payload),
    )
  }
})

test('a message cannot be slipped in through a member called __proto__', async () => {
  const bytes = Buffer.from('{"hook_event_name":"pre_llm_call","session_id":"a","extra":{"__proto__":{"user_message":"forged"}}}')
  assert.is((await rejectionOf(bytes))['code'], 'shape')
  const outer = Buffer.from('{"__proto__":{"hook_event_name":"on_session_start","session_id":"a","extra":{}}}')
  assert.is((await rejectionOf(outer))['code'], 'shape')
})

test('case 47: a hook that we do not know is rejected with size and digest, and keeps its name where that is one', async () => {
  const bytes = bytesOf({ ...sessionStart(), hook_event_name: 'pre_teleport' })
  assert.equal(await rejectionOf(bytes), {
    hook: 'pre_teleport',
    code: 'hook_unknown',
    bytes: bytes.length,
    digest: hmac('text', bytes),
  })
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    assert.is((await rejectionOf(bytesOf({ ...sessionStart(), hook_event_name: name })))['code'], 'hook_unknown', name)
  }
})

test('a hook name that is a sentence does not get into the facts', async () => {
  const facts = await rejectionOf(bytesOf({ ...sessionStart(), hook_event_name: 'delete the prod database' }))
  assert.is(facts['code'], 'hook_unknown')
  assert.not.match(canonicalJson(facts), 'prod')
})

test('case 47: a payload above 16 MiB is rejected with its size alone, also where only its beginning was read', async () => {
  assert.is(payloadBytesMax, 16 * 1024 * 1024)
  assert.equal(await rejectionOf(Buffer.from('{"hook_ev'), payloadBytesMax + 1), {
    hook: '',
    code: 'too_large',
    bytes: 16_777_217,
  })
  assert.equal(await rejectionOf(Buffer.alloc(0), 5_000_000_000), { hook: '', code: 'too_large', bytes: 5_000_000_000 })
})

test('a payload above 16 MiB that is there in whole is rejected all the same', async () => {
  const bytes = bytesOf(llmCall({ user_message: 'x'.repeat(payloadBytesMax) }))
  const { digest = hmac('text', bytes), ...facts } = await rejectionOf(bytes)
  assert.equal(facts, { hook: '', code: 'too_large', bytes: bytes.length })
  assert.is(digest, hmac('text', bytes))
})

test('a payload of exactly 16 MiB is taken', async () => {
  const padding = payloadBytesMax - bytesOf(llmCall({ user_message: '' })).length
  const bytes = bytesOf(llmCall({ user_message: 'x'.repeat(padding) }))
  assert.is(bytes.length, 16_777_216)
  const ledger = fakeLedger()
  await handleHook(ledger, bytes)
  assert.is(ofType(ledger, 'message.captured')[0]?.facts['characters'], padding)
})

test('case 44: Chinese text is read as UTF-8 from its bytes, whatever the locale, and Big5 bytes are rejected', async () => {
  const before = { ...process.env }
  Object.assign(process.env, { LC_ALL: 'zh_TW.Big5', LANG: 'zh_TW.Big5' })
  try {
    const [head = '', tail = ''] = JSON.stringify(llmCall({ user_message: 'TEXT' })).split('TEXT')
    const withText = (hex: string): Buffer => Buffer.concat([Buffer.from(head), Buffer.from(hex, 'hex'), Buffer.from(tail)])
    const ledger = fakeLedger()
    // U+6211 U+51B3 U+5B9A as UTF-8.
    await handleHook(ledger, withText('e68891e586b3e5ae9a'))
    assert.is(ofType(ledger, 'message.captured')[0]?.words?.['text'], '\u6211\u51b3\u5b9a')
    assert.is(ofType(ledger, 'message.captured')[0]?.facts['characters'], 3)
    assert.is((await rejectionOf(withText('a4a4a4e5')))['code'], 'not_utf8')
  } finally {
    for (const name of ['LC_ALL', 'LANG']) {
      const value = before[name]
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
})

test('case 71: of a message in parts the texts are captured in order, and of other parts only that they were there', async () => {
  const ledger = fakeLedger()
  const parts = [
    { type: 'text', text: 'look at this' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,SECRETIMAGE' } },
    { type: 'text', text: 'and say what it is' },
    { type: 'input_audio', input_audio: { data: 'SECRETAUDIO' } },
  ]
  await handleHook(ledger, bytesOf(llmCall({ user_message: parts })))
  const [message] = ofType(ledger, 'message.captured')
  const text = String(message?.words?.['text'])
  assert.match(text, /^look at this\s+and say what it is$/)
  assert.is(message?.facts['otherParts'], 2)
  assert.is(message?.facts['characters'], [...text].length)
  assert.is(message?.facts['digest'], hmac('text', text))
  assert.not.match(canonicalJson(ledger.recorded.map(({ facts, words }) => [facts, words ?? null])), 'SECRET')
})

test('a message in parts that are all text has no other parts to count, and a plain one neither', async () => {
  for (const parts of [[{ type: 'text', text: 'all text' }], ['all text'], 'all text']) {
    const ledger = fakeLedger()
    await handleHook(ledger, bytesOf(llmCall({ user_message: parts })))
    const [message] = ofType(ledger, 'message.captured')
    assert.is(message?.words?.['text'], 'all text')
    assert.ok([undefined, 0].includes(message?.facts['otherParts'] as number | undefined))
  }
})

test('a message of code points beyond the basic plane is counted by code points', async () => {
  const ledger = fakeLedger()
  await handleHook(ledger, bytesOf(llmCall({ user_message: '\u{1F600}e\u0301' })))
  assert.is(ofType(ledger, 'message.captured')[0]?.facts['characters'], 3)
})

test('case 112: what was repaired is counted in the event and left out where there was nothing', async () => {
  const ledger = fakeLedger()
  const payload = JSON.stringify(llmCall({ user_message: 'USER' }))
    .replace('USER', 'a\\ud800b')
    .replace('"extra":{', '"extra":{"n":12345678901234567890,')
  await handleHook(ledger, Buffer.from(payload))
  const [message] = ofType(ledger, 'message.captured')
  assert.is(message?.words?.['text'], 'a\ufffdb')
  assert.is(message?.facts['repaired'], 2)
  await handleHook(ledger, bytesOf(llmCall({ user_message: 'whole', turn_id: 't2' })))
  assert.not.ok(Object.hasOwn(ofType(ledger, 'message.captured')[1]?.facts ?? {}, 'repaired'))
})

test('case 112: the digest of arguments is made from the form in which they were read without loss', async () => {
  const ledger = fakeLedger()
  const payload = JSON.stringify(toolCall({ id: 'BIG', $int: 1 })).replace('"BIG"', '1234567890123456789')
  await handleHook(ledger, Buffer.from(payload))
  const canonical = '{"$$int":1,"id":{"$int":"1234567890123456789"}}'
  assert.equal(ofType(ledger, 'tool.requested')[0]?.facts['arguments'], {
    count: 2,
    bytes: Buffer.byteLength(canonical),
    digest: hmac('arguments', canonical),
  })
  assert.is(ofType(ledger, 'tool.requested')[0]?.facts['repaired'], 1)
})

test('arguments called __proto__ and toJSON are counted and digested like any other', async () => {
  const ledger = fakeLedger()
  const payload = JSON.stringify(toolCall({ a: 1, toJSON: 'x' })).replace('"a":1', '"__proto__":{"path":"/etc/passwd"}')
  await handleHook(ledger, Buffer.from(payload))
  const canonical = '{"__proto__":{"path":"/etc/passwd"},"toJSON":"x"}'
  assert.equal(ofType(ledger, 'tool.requested')[0]?.facts['arguments'], {
    count: 2,
    bytes: Buffer.byteLength(canonical),
    digest: hmac('arguments', canonical),
  })
})

test('a tool name that is no name goes into the words, and the facts say unnamed', async () => {
  const ledger = fakeLedger()
  const name = 'please delete the prod database'
  await handleHook(ledger, bytesOf({ ...toolCall({}), tool_name: name }))
  await handleHook(ledger, bytesOf({ ...toolCall({}), hook_event_name: 'post_tool_call', tool_name: name }))
  for (const type of ['tool.requested', 'tool.completed']) {
    const [event] = ofType(ledger, type)
    assert.is(event?.facts['tool'], 'unnamed', type)
    assert.is(event?.words?.['tool'], name, type)
    assert.not.match(canonicalJson(event?.facts), 'prod', type)
  }
})

test('members that we do not know are tolerated, in the envelope and beside the hook’s own', async () => {
  const ledger = fakeLedger()
  const payload = llmCall({ user_message: 'hi', parent_session_id: 'p', something: { new: [1] } })
  await handleHook(ledger, bytesOf({ ...payload, host: { at: 1 }, future: null }))
  assert.is(ofType(ledger, 'message.captured')[0]?.words?.['text'], 'hi')
  assert.not.match(canonicalJson(ledger.recorded.map(({ facts }) => facts)), 'something')
})

test('members that may be missing or null may be', async () => {
  const ledger = fakeLedger()
  await handleHook(ledger, Buffer.from('{"hook_event_name":"pre_llm_call","session_id":"a","extra":{"user_message":"hi"}}'))
  await handleHook(
    ledger,
    Buffer.from(
      '{"hook_event_name":"pre_llm_call","session_id":"a","cwd":null,"profile":null,"tool_name":null,"tool_input":null,' +
        '"extra":{"user_message":"hi again","sender_id":null,"turn_id":null,"task_id":null}}',
    ),
  )
  assert.equal(
    ofType(ledger, 'message.captured').map(({ words }) => words?.['text']),
    ['hi', 'hi again'],
  )
})

test('case 56: a payload with a turn or call id that arrives twice is stored once', async () => {
  for (const payload of [
    llmCall({ user_message: 'hi' }),
    toolCall({ path: 'x' }),
    toolCall({}, { turn_id: '' }),
    llmCall({ user_message: 'x', task_id: '' }),
  ]) {
    const ledger = fakeLedger()
    await handleHook(ledger, bytesOf(sessionStart()))
    await handleHook(ledger, bytesOf(payload))
    assert.equal(await handleHook(ledger, bytesOf(payload)), {})
    assert.is(ledger.recorded.length, 2, JSON.stringify(payload))
    assert.is(ledger.appends.length, 3, 'the ledger is asked, so that it can count the duplicate')
  }
})

test('a payload with neither a turn nor a call id is never a duplicate', async () => {
  const ledger = fakeLedger()
  await handleHook(ledger, bytesOf(sessionStart()))
  const payload = llmCall({ user_message: 'again' })
  for (const turn_id of ['', null]) {
    const bare = { ...payload, extra: { ...payload.extra, turn_id } }
    await handleHook(ledger, bytesOf(bare))
    await handleHook(ledger, bytesOf(bare))
  }
  assert.is(ofType(ledger, 'message.captured').length, 4)
  for (const { dedupe } of ledger.appends) assert.is(dedupe, undefined)
})

test('payloads that differ in hook, session, turn, call or content are no duplicates', async () => {
  const ledger = fakeLedger()
  const base = toolCall({ path: 'a' })
  const different = [
    base,
    toolCall({ path: 'b' }),
    toolCall({ path: 'a' }, { tool_call_id: 'call-2' }),
    toolCall({ path: 'a' }, { turn_id: 'turn-2' }),
    { ...base, session_id: 'another' },
    { ...base, hook_event_name: 'post_tool_call' },
    { ...base, tool_name: 'read_file' },
  ]
  for (const payload of different) await handleHook(ledger, bytesOf(payload))
  assert.is(ofType(ledger, 'tool.requested').length + ofType(ledger, 'tool.completed').length, different.length)
  assert.is(new Set(ledger.appends.map(({ dedupe }) => dedupe)).size, different.length)
})

test('only those payloads of the recorded session that carry a turn or call id have a dedupe id, each another', async () => {
  const { appends } = await recordSession()
  const ids = appends.map(({ dedupe }) => dedupe)
  assert.equal(
    appends.filter(({ dedupe }) => dedupe === undefined).map(({ types }) => types),
    [['session.started']],
  )
  assert.is(new Set(ids).size, ids.length)
})

test('the recorded session sent twice leaves nothing new but what cannot be told apart', async () => {
  const ledger = await recordSession()
  for (const line of hookLines) await handleHook(ledger, Buffer.from(line))
  assert.is(ledger.recorded.length, 33)
})

test('a payload of a session without a name leaves a record all the same', async () => {
  for (const session_id of ['', null, undefined]) {
    for (const payload of [llmCall({ user_message: 'hi' }), toolCall({ path: 'x' })]) {
      const ledger = fakeLedger()
      assert.equal(await handleHook(ledger, bytesOf({ ...payload, session_id })), {})
      assert.ok(ledger.recorded.length > 0, `${payload.hook_event_name} with ${session_id}`)
    }
  }
})

test('a payload is recorded or rejected at every depth, though its words lie deeper than it did', async () => {
  for (let depth = 1; depth < 260; depth += depth < 180 ? 20 : 1) {
    for (const tool of ['memory', 'read_file', 'made_up']) {
      const ledger = fakeLedger()
      const text = JSON.stringify({ ...toolCall({ content: 'DEEP', path: 'DEEP' }), tool_name: tool })
      const bytes = Buffer.from(text.replaceAll('"DEEP"', '['.repeat(depth) + ']'.repeat(depth)))
      assert.is(await problemOf(ledger, bytes), '', `${tool} at ${depth}`)
      const { 'tool.requested': recorded = 0, 'hook.rejected': rejected = 0 } = countsOf(ledger.recorded)
      assert.is(recorded + rejected, 1, `${tool} at ${depth}`)
      if (depth < 150) assert.is(recorded, 1, `${tool} at ${depth}`)
    }
  }
})

test('what the ledger could not write is not answered', async () => {
  for (const bytes of [bytesOf(llmCall({ user_message: 'hi' })), Buffer.from('no JSON')]) {
    const broken: HookLedger = { ...fakeLedger(), append: () => Promise.reject(new SteleError('STORE_WRITE_FAILED')) }
    await rejectsWithCode(handleHook(broken, bytes), 'STORE_WRITE_FAILED')
  }
})

const observing = ['on_session_end', 'pre_llm_call', 'pre_tool_call', 'post_tool_call']

test('thousands of mutated payloads are all answered, and each leaves events that fit or a rejection', async () => {
  const random = makeRandom(52)
  const counts: Record<string, number> = {}
  const problems = new Map<string, string>()
  for (let round = 0; round < 1500; round += 1) {
    const ledger = fakeLedger()
    const start = random.int(hookLines.length - 3)
    for (const line of hookLines.slice(start, start + 4)) {
      const mutated = random.chance(3)
        ? mutatedBytes(Buffer.from(line), random)
        : Buffer.from(mutatedJson(JSON.parse(line), random))
      const before = ledger.recorded.length
      const problem = await problemOf(ledger, mutated)
      const name = /"hook_event_name": ?"(\w+)"/.exec(mutated.toString())?.[1]
      const leftNothing = problem === '' && ledger.recorded.length === before && observing.includes(String(name))
      const found = leftNothing ? `nothing was recorded of a ${name}` : problem
      if (found !== '') problems.set(found.slice(0, 200), mutated.toString().slice(0, 800))
    }
    for (const { type } of ledger.recorded) counts[type] = (counts[type] ?? 0) + 1
  }
  assert.equal([...problems], [])
  for (const type of ['hook.rejected', 'message.captured', 'tool.requested', 'tool.completed', 'turn.ended']) {
    assert.ok((counts[type] ?? 0) > 50, `${type}: ${JSON.stringify(counts)}`)
  }
})

function mutatedBytes(bytes: Buffer, random: Random): Buffer {
  const at = random.int(bytes.length)
  const inserted = random.chance(2)
    ? random.bytes(random.int(4))
    : Buffer.from(random.pick(['"', '\\', '{', ',', '\\ud800', '9'.repeat(30), 'e999', '\u0000']))
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + random.int(3))])
}

/** Takes out, renames or replaces one to three members anywhere. */
function mutatedJson(value: unknown, random: Random): string {
  const strange: unknown[] = [
    null,
    true,
    '',
    'x',
    'a sentence of words',
    -1,
    1.5,
    1e21,
    [],
    {},
    ['x'],
    [null],
    { text: 5 },
    { __proto__: null },
    '\u0000',
    'x'.repeat(200),
  ]
  for (let change = random.int(3); change >= 0; change -= 1) {
    let place = value as Record<string, unknown>
    for (;;) {
      const name = random.pick([...Object.keys(place), 'extra'])
      const member = place[name]
      if (typeof member === 'object' && member !== null && Object.keys(member).length > 0 && !random.chance(3)) {
        place = member as Record<string, unknown>
        continue
      }
      if (random.chance(3)) delete place[name]
      else place[random.chance(6) ? 'renamed' : name] = structuredClone(random.pick(strange))
      break
    }
  }
  return JSON.stringify(value)
}

/** What went wrong with a payload, in words, since uvu cannot print a coded error; empty where the directive came. */
async function problemOf(ledger: HookLedger, bytes: Uint8Array): Promise<string> {
  try {
    const answer: unknown = await handleHook(ledger, bytes)
    return isDeepStrictEqual(answer, {}) ? '' : `answered with ${inspect(answer)}`
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message.replace(/\s+/g, ' ')}` : inspect(error)
  }
}

function sessionStart(): HostPayload {
  return envelope('on_session_start', { model: 'fake-model', platform: 'cli' })
}

function llmCall(extra: Record<string, unknown>): HostPayload {
  return envelope('pre_llm_call', { turn_id: 'turn-1', task_id: 'task-1', platform: 'cli', sender_id: '', ...extra })
}

function toolCall(tool_input: Record<string, unknown>, extra: Record<string, unknown> = {}): HostPayload {
  const ids = { turn_id: 'turn-1', task_id: 'task-1', tool_call_id: 'call-1', api_request_id: 'request-1' }
  return { ...envelope('pre_tool_call', { ...ids, ...extra }), tool_name: 'terminal', tool_input }
}

function envelope(hook_event_name: string, extra: Record<string, unknown>): HostPayload {
  return { hook_event_name, tool_name: null, tool_input: null, session_id: 'host-session', cwd: '/srv/agent', extra }
}

function bytesOf(payload: unknown): Buffer {
  return Buffer.from(JSON.stringify(payload))
}

function ofType({ recorded }: FakeLedger, type: string): Recorded[] {
  return recorded.filter((each) => each.type === type)
}

function countsOf(recorded: readonly Recorded[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type } of recorded) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

/** Every text inside a value, names of members left out. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** JCS for the plain values of the recording. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const names = Object.keys(value).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${sortedJson((value as Record<string, unknown>)[name])}`).join()}}`
}

test.run()
