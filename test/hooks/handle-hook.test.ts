// Holds the whole path of a payload to its page: what it becomes, who vouches for it, what is answered, and what is said of the rest.
// Ledgers are real ones; digests and MACs are made here by node:crypto, after docs/format.md and docs/service.md.
import { createHmac } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { inspect, isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionOf } from '../../src/events/event-catalog.js'
import { canonicalJson } from '../../src/foundation/canonical-json.js'
import type { GateDefinition, Verdict } from '../../src/gates/gate.js'
import { gateCatalog } from '../../src/gates/gate-catalog.js'
import type { Directive } from '../../src/hooks/directive.js'
import { payloadBytesMax } from '../../src/hooks/read-payload.js'
import {
  attachedHost,
  bytesOf,
  enforcing,
  type HostPayload,
  llmCall,
  observing,
  sessionStart,
  TestHost,
  type TestHouse,
  testHouse,
  toolCall,
  toolResult,
} from '../support/hook-house.js'
import { recordedHooks } from '../support/recorded-session.js'
import { rejectsWithCode } from '../support/rejects-with-code.js'
import { makeRandom, type Random } from '../support/seeded-random.js'
import { storedRows, verifyCopy } from '../support/temporary-ledger.js'

const test = suite('handle-hook')

interface Recorded {
  readonly index: number
  readonly type: string
  readonly session: string
  /** Without the commitment to the words. */
  readonly facts: Record<string, unknown>
  readonly words: Readonly<Record<string, unknown>> | undefined
}

/** All that was recorded in a house, of one type where it is named; each fits its released schema. */
async function recordedIn(house: TestHouse, type?: string): Promise<Recorded[]> {
  return (await house.entries(type)).map(({ header, payload, words }) => {
    const { words: _, ...facts } = payload
    const definition = definitionOf(header.type)
    assert.is(definition?.status, 'released', `${header.type} is released`)
    assert.is(header.version, definition?.version)
    assert.is(definition?.facts.safeParse(facts).success, true, `facts of ${header.type}`)
    if (words !== undefined) assert.is(definition?.words?.safeParse(words).success, true, `words of ${header.type}`)
    return { index: header.index, type: header.type, session: header.session, facts, words }
  })
}

async function only(house: TestHouse, type: string): Promise<Recorded> {
  const [found, ...more] = await recordedIn(house, type)
  assert.ok(found !== undefined, `there is a ${type}`)
  assert.is(more.length, 0, `there is one ${type}`)
  return found
}

/** By node:crypto, after the words of the format page. */
function hmac(house: TestHouse, use: string, data: string | Uint8Array): string {
  const secret = readFileSync(house.home.files.digestKey)
  return createHmac('sha256', secret).update(`stele/digest/v1\n${use}\n`).update(data).digest('hex')
}

const payloads = recordedHooks.map((line) => JSON.parse(line) as HostPayload)

/** As the recording's own page tells them. */
const typed = [
  'I decided we ship on Friday',
  'yes, keep that in your notes please',
  'Never delete the prod database without asking me',
  'can you look at docs/notes.md, tidy it and list the folder',
  '我决定周五发布，以后不要自动提交代码',
  'write a release skill',
]

async function recordSession(): Promise<TestHouse> {
  const house = await testHouse({ gates: gateCatalog, modes: observing })
  for (const line of recordedHooks) assert.equal(await house.send(line), {})
  return house
}

test('the recorded session has 52 hook lines and becomes exactly 33 events, what each call would reach, five writes, six claims, and a decision about each call and write', async () => {
  assert.is(recordedHooks.length, 52)
  const house = await recordSession()
  const recorded = await recordedIn(house)
  assert.equal(countsOf(recorded), {
    'session.started': 1,
    'message.captured': 6,
    'tool.requested': 10,
    'access.proposed': 10,
    'write.proposed': 5,
    'claim.judged': 6,
    'gate.decided': 15,
    'tool.completed': 10,
    'turn.ended': 6,
  })
  assert.is(recorded[0]?.type, 'session.started')
  await house.home.close()
  const { findings, notes } = await verifyCopy(house.home.files)
  assert.equal([findings, notes], [[], []])
})

test('row P1: the six messages of the recorded session are kept word for word as they were typed', async () => {
  const house = await recordSession()
  const messages = await recordedIn(house, 'message.captured')
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
    typed.map((text) => hmac(house, 'text', text)),
  )
  for (const { facts } of messages) assert.is(facts['platform'], 'cli')
})

test('each completed tool of the recorded session names the index of the request that it answers', async () => {
  const house = await recordSession()
  const requests = await recordedIn(house, 'tool.requested')
  const indexOfCall = new Map(requests.map(({ index, words }) => [words?.['call'], index]))
  assert.is(indexOfCall.size, 10)
  const completed = await recordedIn(house, 'tool.completed')
  assert.equal(
    completed.map(({ facts }) => facts['requested']),
    completed.map(({ words }) => indexOfCall.get(words?.['call'])),
  )
  // In the recording every tool is asked for, worked out, decided about, and comes back before the next one. A write stands behind its call with its
  // own decision, and with its claims: one each, but for the batch, which has two.
  const claims = [1, 1, 1, 0, 0, 0, 0, 0, 2, 1]
  assert.equal(
    completed.map(({ index }) => index),
    requests.map(({ index }, at) => index + 3 + (claims[at] === 0 ? 0 : 2 + Number(claims[at]))),
  )
  assert.equal(
    completed.map(({ facts }) => facts['tool']),
    ['memory', 'memory', 'memory', 'read_file', 'search_files', 'patch', 'terminal', 'write_file', 'memory', 'skill_manage'],
  )
})

test('each call of the recorded session, and each write, is decided about behind it, by the gates that stand today', async () => {
  const house = await recordSession()
  const requests = await recordedIn(house, 'tool.requested')
  const accesses = await recordedIn(house, 'access.proposed')
  const decisions = await recordedIn(house, 'gate.decided')
  assert.equal(
    decisions.filter(({ facts }) => facts['gate'] === 'capability').map(({ facts }) => facts['judges']),
    accesses.map(({ index }) => index),
  )
  assert.equal(
    accesses.map(({ facts }) => facts['call']),
    requests.map(({ index }) => index),
  )
  const writes = await recordedIn(house, 'write.proposed')
  const claims = await recordedIn(house, 'claim.judged')
  const ofWrites = decisions.filter(({ facts }) => facts['gate'] === 'provenance')
  assert.equal(
    ofWrites.map(({ facts }) => facts['judges']),
    writes.map(({ index }) => index),
  )
  assert.equal(
    writes.map(({ facts }) => facts['call']),
    requests.filter(({ facts }) => ['memory', 'skill_manage'].includes(String(facts['tool']))).map(({ index }) => index),
  )
  for (const { index, session, facts } of decisions) {
    // What was known: every entry below the claims that the verdict tells of, or below itself.
    const own = claims.filter((claim) => claim.facts['write'] === facts['judges'])
    assert.is(facts['asOf'], index - own.length)
    assert.is(session, requests[0]?.session)
  }
  for (const { facts } of claims)
    assert.ok(writes.some(({ index, facts: { call } }) => index === facts['write'] && call === facts['call']))
})

test('the tools of the recorded session stand in the turns in which they were asked for', async () => {
  const house = await recordSession()
  for (const type of ['tool.requested', 'tool.completed']) {
    assert.equal(
      (await recordedIn(house, type)).map(({ facts }) => facts['turn']),
      [1, 2, 3, 4, 4, 4, 4, 4, 5, 6],
      type,
    )
  }
})

test('the turns of the recorded session end as turns 1 to 6, completed and not interrupted', async () => {
  const turns = await recordedIn(await recordSession(), 'turn.ended')
  assert.equal(
    turns.map(({ facts }) => [facts['turn'], facts['completed'], facts['interrupted']]),
    [1, 2, 3, 4, 5, 6].map((turn) => [turn, true, false]),
  )
})

test('arguments are digested from their canonical JSON, before the call and after it', async () => {
  const house = await recordSession()
  const before = payloads.filter(({ hook_event_name }) => hook_event_name === 'pre_tool_call')
  for (const [place, { facts }] of (await recordedIn(house, 'tool.requested')).entries()) {
    const canonical = sortedJson(before[place]?.tool_input)
    assert.equal(facts['arguments'], {
      count: Object.keys(before[place]?.tool_input ?? {}).length,
      bytes: Buffer.byteLength(canonical),
      digest: hmac(house, 'arguments', canonical),
    })
  }
  const after = payloads.filter(({ hook_event_name }) => hook_event_name === 'post_tool_call')
  for (const [place, { facts }] of (await recordedIn(house, 'tool.completed')).entries()) {
    assert.is(facts['argumentsDigest'], hmac(house, 'arguments', sortedJson(after[place]?.tool_input)))
    assert.is(facts['status'], 'ok')
    assert.is(facts['durationMs'], after[place]?.extra['duration_ms'])
    assert.is((facts['result'] as { bytes: number }).bytes, Buffer.byteLength(String(after[place]?.extra['result'])))
  }
})

test('every event of the recorded session belongs to one handle, and nobody vouches for what a shell hook brings', async () => {
  const recorded = await recordedIn(await recordSession())
  assert.is(new Set(recorded.map(({ session }) => session)).size, 1)
  assert.match(String(recorded[0]?.session), /^s[0-9a-f]{16}$/)
  for (const { type, facts } of recorded) {
    // What we make of it ourselves, nobody brought.
    if (['gate.decided', 'access.proposed', 'write.proposed', 'claim.judged'].includes(type)) continue
    assert.is(facts['source'], 'unattested', type)
    for (const name of ['attach', 'seq', 'late', 'at', 'probe']) assert.not.ok(Object.hasOwn(facts, name), `${type} ${name}`)
  }
})

test('the ids of the host stand among the words and never among the facts', async () => {
  const recorded = await recordedIn(await recordSession())
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
  const recorded = await recordedIn(await recordSession())
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
  // Names of our own that the user happens to use: the kind of what a call writes to, and of a wording that claims are told by.
  const ours = ['skill', 'decided', 'approved']
  for (const word of new Set(written.map(String).filter((text) => !ours.includes(text)))) {
    for (const value of values) {
      const parts: string[] = value.match(/[\p{L}\p{N}_]+/gu) ?? []
      assert.not.ok(value === word || value.includes(` ${word} `) || parts.includes(word), `${word} stands in the fact ${value}`)
    }
  }
})

test('where the first payload of a session is no announcement, the session starts with it, right before it', async () => {
  const house = await testHouse()
  await house.send(llmCall({ user_message: 'hello' }))
  const [started, message, ...more] = await recordedIn(house)
  assert.equal([started?.type, message?.type, more], ['session.started', 'message.captured', []])
  assert.is(started?.facts['how'], 'first_seen')
  assert.is(started?.words?.['session'], 'host-session')
  assert.is(started?.session, message?.session)
  const announced = await testHouse()
  await announced.send(sessionStart())
  assert.is((await only(announced, 'session.started')).facts['how'], 'announced')
  assert.equal(await announced.types(), ['session.started'])
})

test('a session is started once, also where it is announced late or again, and after a restart', async () => {
  const house = await testHouse()
  await house.send(llmCall({ user_message: 'one' }))
  await house.send(sessionStart())
  await house.restart()
  await house.send(sessionStart())
  await house.send(llmCall({ user_message: 'two', turn_id: 'turn-2' }))
  await only(house, 'session.started')
  assert.equal(
    (await recordedIn(house, 'message.captured')).map(({ facts }) => facts['turn']),
    [1, 2],
  )
})

test('64 payloads of one session at once keep one start, in front, and lose none', async () => {
  const house = await testHouse()
  const sent = Array.from({ length: 32 }, (_, at) => toolCall({ command: `ls ${at}` }, { tool_call_id: `call-${at}` }))
  await Promise.all(sent.map((payload) => house.send(payload)))
  await Promise.all([
    ...sent.map(({ tool_input, extra }) => house.send(toolResult(tool_input ?? {}, { tool_call_id: extra['tool_call_id'] }))),
    ...Array.from({ length: 32 }, (_, at) => house.send(llmCall({ user_message: `${at}`, turn_id: `turn-${at}` }))),
  ])
  const recorded = await recordedIn(house)
  assert.equal(countsOf(recorded), {
    'session.started': 1,
    'tool.requested': 32,
    'gate.decided': 32,
    'tool.completed': 32,
    'message.captured': 32,
  })
  assert.is(recorded[0]?.type, 'session.started')
  assert.is(new Set(recorded.map(({ session }) => session)).size, 1)
  const requests = new Map(recorded.map(({ index, words }) => [index, words?.['call']]))
  for (const { facts, words } of recorded.filter(({ type }) => type === 'tool.completed'))
    assert.is(requests.get(Number(facts['requested'])), words?.['call'])
  // In the writer's turn each message is the next turn, whoever else is on the way.
  assert.equal(
    recorded.filter(({ type }) => type === 'message.captured').map(({ facts }) => facts['turn']),
    Array.from({ length: 32 }, (_, at) => at + 1),
  )
  assert.equal(
    recorded.map(({ index }) => index),
    recorded.map((_, at) => at + 1),
  )
})

/** Reads what was rejected: its only event. */
async function rejectionOf(payload: unknown, bytesTotal?: number): Promise<{ house: TestHouse; facts: Record<string, unknown> }> {
  const house = await testHouse()
  assert.equal(await house.send(payload, bytesTotal === undefined ? {} : { bytesTotal }), {})
  assert.equal(await house.types(), ['hook.rejected'])
  const { facts, words } = await only(house, 'hook.rejected')
  assert.is(words, undefined)
  return { house, facts }
}

async function assertRejected(payload: unknown, hook: string, code: string): Promise<void> {
  const bytes = bytesOf(payload)
  const { house, facts } = await rejectionOf(bytes)
  const expected = { hook, code, bytes: bytes.length, digest: hmac(house, 'text', bytes), source: 'unattested' }
  assert.equal(facts, expected, bytes.toString('latin1').slice(0, 200))
}

const bom = Buffer.from([0xef, 0xbb, 0xbf])

/** What is not even JSON that can be read: no hook is named. */
const unreadable: readonly (readonly [what: string, code: string, bytes: Buffer])[] = [
  ['no byte at all', 'empty', Buffer.alloc(0)],
  ['text that is no JSON', 'syntax', Buffer.from('hello')],
  ['JSON that breaks off', 'syntax', Buffer.from(JSON.stringify(toolCall({})).slice(0, -1))],
  ['two values', 'syntax', Buffer.from('{}{}')],
  [
    'a name that stands twice',
    'name_twice',
    Buffer.from('{"hook_event_name":"pre_tool_call","session_id":"a","session_id":"b","extra":{}}'),
  ],
  [
    'a number that overflows',
    'number_overflow',
    Buffer.from('{"hook_event_name":"pre_tool_call","session_id":"a","extra":{"n":1e999}}'),
  ],
  ['nesting without measure', 'too_deep', Buffer.from(`{"hook_event_name":"pre_tool_call","tool_input":${'['.repeat(10_000)}`)],
  [
    'values without number',
    'too_many',
    Buffer.from(`{"hook_event_name":"pre_tool_call","tool_input":[${'1,'.repeat(1_000_000)}1]}`),
  ],
  ['bytes that are not UTF-8', 'not_utf8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
]

for (const [what, code, bytes] of unreadable) {
  test(`${what}: rejected as ${code}, with size and keyed digest`, async () => {
    await assertRejected(bytes, '', code)
  })
}

test('case 43: a byte-order mark alone counts as empty input and is recorded as such', async () => {
  await assertRejected(bom, '', 'empty')
})

test('a byte-order mark before a payload does no harm', async () => {
  const house = await testHouse()
  await house.send(Buffer.concat([bom, bytesOf(sessionStart())]))
  assert.equal(await house.types(), ['session.started'])
})

test('a payload of another shape is rejected, with the hook where it names one', async () => {
  for (const text of ['null', '[]', '"x"', '5', '{}', '{"hook_event_name":5}', '{"hook_event_name":null,"extra":{}}'])
    await assertRejected(text, '', 'shape')
  for (const payload of [
    llmCall({ user_message: 5 }),
    llmCall({ user_message: [5] }),
    llmCall({}),
    { ...llmCall({ user_message: 'x' }), extra: 'x' },
  ])
    await assertRejected(payload, 'pre_llm_call', 'shape')
})

test('a message cannot be slipped in through a member called __proto__', async () => {
  await assertRejected(
    '{"hook_event_name":"pre_llm_call","session_id":"a","extra":{"__proto__":{"user_message":"forged"}}}',
    'pre_llm_call',
    'shape',
  )
  await assertRejected('{"__proto__":{"hook_event_name":"on_session_start","session_id":"a","extra":{}}}', '', 'shape')
})

test('case 47: a hook that we do not know is rejected with size and digest, and keeps its name where that is one', async () => {
  await assertRejected({ ...sessionStart(), hook_event_name: 'pre_teleport' }, 'pre_teleport', 'hook_unknown')
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const { facts } = await rejectionOf({ ...sessionStart(), hook_event_name: name })
    assert.is(facts['code'], 'hook_unknown', name)
  }
})

test('a hook name that is a sentence does not get into the facts', async () => {
  const { facts } = await rejectionOf({ ...sessionStart(), hook_event_name: 'delete the prod database' })
  assert.is(facts['code'], 'hook_unknown')
  assert.not.match(canonicalJson(facts), 'prod')
})

test('case 47: a payload above 16 MiB is rejected with its size alone, where only its beginning was read', async () => {
  const source = 'unattested'
  const { facts } = await rejectionOf('{"hook_ev', payloadBytesMax + 1)
  assert.equal(facts, { hook: '', code: 'too_large', bytes: 16_777_217, source })
  const huge = await rejectionOf(Buffer.alloc(0), 5_000_000_000)
  assert.equal(huge.facts, { hook: '', code: 'too_large', bytes: 5_000_000_000, source })
})

test('a payload above 16 MiB that is there in whole is rejected all the same', async () => {
  const bytes = bytesOf(llmCall({ user_message: 'x'.repeat(payloadBytesMax) }))
  await assertRejected(bytes, '', 'too_large')
})

test('a payload of exactly 16 MiB is taken', async () => {
  const padding = payloadBytesMax - bytesOf(llmCall({ user_message: '' })).length
  const bytes = bytesOf(llmCall({ user_message: 'x'.repeat(padding) }))
  assert.is(bytes.length, 16_777_216)
  const house = await testHouse()
  await house.send(bytes)
  // Read whole, though nobody types as much.
  const { facts } = await only(house, 'message.skipped')
  assert.equal([facts['why'], facts['characters']], ['too_long', padding])
})

test('case 44: Chinese text is read as UTF-8 from its bytes, whatever the locale, and Big5 bytes are rejected', async () => {
  const before = { ...process.env }
  Object.assign(process.env, { LC_ALL: 'zh_TW.Big5', LANG: 'zh_TW.Big5' })
  try {
    const [head = '', tail = ''] = JSON.stringify(llmCall({ user_message: 'TEXT' })).split('TEXT')
    const withText = (hex: string): Buffer => Buffer.concat([Buffer.from(head), Buffer.from(hex, 'hex'), Buffer.from(tail)])
    const house = await testHouse()
    // U+6211 U+51B3 U+5B9A as UTF-8.
    await house.send(withText('e68891e586b3e5ae9a'))
    const { facts, words } = await only(house, 'message.captured')
    assert.is(words?.['text'], '\u6211\u51b3\u5b9a')
    assert.is(facts['characters'], 3)
    assert.is((await rejectionOf(withText('a4a4a4e5'))).facts['code'], 'not_utf8')
  } finally {
    for (const name of ['LC_ALL', 'LANG']) {
      const value = before[name]
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
})

test('case 71: of a message in parts the texts are captured in order, and of other parts only that they were there', async () => {
  const house = await testHouse()
  const parts = [
    { type: 'text', text: 'look at this' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,SECRETIMAGE' } },
    { type: 'text', text: 'and say what it is' },
    { type: 'input_audio', input_audio: { data: 'SECRETAUDIO' } },
  ]
  await house.send(llmCall({ user_message: parts }))
  const { facts, words } = await only(house, 'message.captured')
  const text = String(words?.['text'])
  assert.match(text, /^look at this\s+and say what it is$/)
  assert.is(facts['otherParts'], 2)
  assert.is(facts['characters'], [...text].length)
  assert.is(facts['digest'], hmac(house, 'text', text))
  assert.not.match(JSON.stringify(await house.entries()), 'SECRET')
})

test('a message in parts that are all text has no other parts to count, and a plain one neither', async () => {
  for (const parts of [[{ type: 'text', text: 'all text' }], ['all text'], 'all text']) {
    const house = await testHouse()
    await house.send(llmCall({ user_message: parts }))
    const { facts, words } = await only(house, 'message.captured')
    assert.is(words?.['text'], 'all text')
    assert.ok([undefined, 0].includes(facts['otherParts'] as number | undefined))
  }
})

test('a message of code points beyond the basic plane is counted by code points', async () => {
  const house = await testHouse()
  await house.send(llmCall({ user_message: '\u{1F600}e\u0301' }))
  assert.is((await only(house, 'message.captured')).facts['characters'], 3)
})

test('case 112: what was repaired is counted in the event and left out where there was nothing', async () => {
  const house = await testHouse()
  const payload = JSON.stringify(llmCall({ user_message: 'USER' }))
    .replace('USER', 'a\\ud800b')
    .replace('"extra":{', '"extra":{"n":12345678901234567890,')
  await house.send(payload)
  await house.send(llmCall({ user_message: 'whole', turn_id: 't2' }))
  const [repaired, whole] = await recordedIn(house, 'message.captured')
  assert.is(repaired?.words?.['text'], 'a\ufffdb')
  assert.is(repaired?.facts['repaired'], 2)
  assert.not.ok(Object.hasOwn(whole?.facts ?? {}, 'repaired'))
})

test('case 112: the digest of arguments is made from the form in which they were read without loss', async () => {
  const house = await testHouse()
  await house.send(JSON.stringify(toolCall({ id: 'BIG', $int: 1 })).replace('"BIG"', '1234567890123456789'))
  const canonical = '{"$$int":1,"id":{"$int":"1234567890123456789"}}'
  const { facts } = await only(house, 'tool.requested')
  assert.equal(facts['arguments'], {
    count: 2,
    bytes: Buffer.byteLength(canonical),
    digest: hmac(house, 'arguments', canonical),
  })
  assert.is(facts['repaired'], 1)
})

test('arguments called __proto__ and toJSON are counted and digested like any other', async () => {
  const house = await testHouse()
  await house.send(JSON.stringify(toolCall({ a: 1, toJSON: 'x' })).replace('"a":1', '"__proto__":{"path":"/etc/passwd"}'))
  const canonical = '{"__proto__":{"path":"/etc/passwd"},"toJSON":"x"}'
  assert.equal((await only(house, 'tool.requested')).facts['arguments'], {
    count: 2,
    bytes: Buffer.byteLength(canonical),
    digest: hmac(house, 'arguments', canonical),
  })
})

test('a tool name that is no name goes into the words, and the facts say unnamed', async () => {
  const house = await testHouse()
  const tool_name = 'please delete the prod database'
  await house.send({ ...toolCall({}), tool_name })
  await house.send({ ...toolResult({}), tool_name })
  for (const type of ['tool.requested', 'tool.completed']) {
    const { facts, words } = await only(house, type)
    assert.is(facts['tool'], 'unnamed', type)
    assert.is(words?.['tool'], tool_name, type)
    assert.not.match(canonicalJson(facts), 'prod', type)
  }
})

test('members that we do not know are tolerated and kept out of the ledger, in the envelope and beside the hook’s own', async () => {
  const house = await testHouse()
  const payload = llmCall({ user_message: 'hi', something: { new: ['FOREIGN'] } })
  await house.send({ ...payload, host: { at: 1, platform: 'FOREIGN', more: ['FOREIGN'] }, future: 'FOREIGN' })
  assert.is((await only(house, 'message.captured')).words?.['text'], 'hi')
  assert.not.match(JSON.stringify(await house.entries()), 'FOREIGN')
})

test('members that may be missing or null may be', async () => {
  const house = await testHouse()
  await house.send('{"hook_event_name":"pre_llm_call","session_id":"a","extra":{"user_message":"hi"}}')
  await house.send(
    '{"hook_event_name":"pre_llm_call","session_id":"a","cwd":null,"profile":null,"tool_name":null,"tool_input":null,' +
      '"extra":{"user_message":"hi again","sender_id":null,"turn_id":null,"task_id":null}}',
  )
  assert.equal(
    (await recordedIn(house, 'message.captured')).map(({ words }) => words?.['text']),
    ['hi', 'hi again'],
  )
})

test('a payload of a session without a name leaves a record all the same', async () => {
  for (const session_id of ['', null, undefined]) {
    for (const payload of [llmCall({ user_message: 'hi' }), toolCall({ path: 'x' })]) {
      const house = await testHouse()
      assert.equal(await house.send({ ...payload, session_id }), {})
      const [first] = await recordedIn(house)
      assert.ok(first !== undefined, `${payload.hook_event_name} with ${session_id}`)
      assert.is(first.session, '')
    }
  }
})

test('a payload is recorded or rejected at every depth, though its words lie deeper than it did', async () => {
  const house = await testHouse()
  for (let depth = 1; depth < 260; depth += depth < 180 ? 20 : 1) {
    for (const tool of ['memory', 'read_file', 'made_up']) {
      const before = (await house.types()).length
      const call = { ...toolCall({ content: 'DEEP', path: 'DEEP' }), tool_name: tool, session_id: `${tool} ${depth}` }
      const text = JSON.stringify(call).replaceAll('"DEEP"', '['.repeat(depth) + ']'.repeat(depth))
      assert.is(await problemOf(() => house.send(text)), '', `${tool} at ${depth}`)
      const left = (await house.types()).slice(before)
      const written = tool === 'memory' ? ['write.proposed'] : []
      const recorded = ['session.started', 'tool.requested', ...written, 'gate.decided']
      if (depth < 150) assert.equal(left, recorded, `${tool} at ${depth}`)
      else assert.ok(left.join() === recorded.join() || left.join() === 'hook.rejected', `${tool} at ${depth}: ${left.join()}`)
    }
  }
  assert.ok((await recordedIn(house, 'hook.rejected')).length > 100)
})

for (const [mode, modes] of [
  ['capability enforces', { provenance: 'off', capability: 'enforce' }],
  ['provenance blocks', { provenance: 'block', capability: 'off' }],
] as const) {
  test(`where ${mode}, a call that cannot be read is blocked, with a message, and leaves its mark`, async () => {
    const house = await testHouse({ modes })
    const shapeless = [
      { ...toolCall({}), tool_name: 'memory', extra: 5 },
      { ...toolCall({}), tool_name: null, session_id: 5 },
    ]
    const sent: readonly unknown[] = [...unreadable.map(([, , bytes]) => bytes), ...shapeless, '{"hook_event_name":5}']
    for (const payload of sent) assertBlocked(await house.send(payload), bytesOf(payload).toString('latin1').slice(0, 80))
    assertBlocked(await house.send('{"hook_event_name":"pre_tool_call"', { bytesTotal: payloadBytesMax + 1 }))
    assert.equal(await house.types(), Array(sent.length + 1).fill('hook.rejected'))
  })
}

test('where nothing enforces, and for hooks that no call waits on, what cannot be read is let go', async () => {
  const observed = await testHouse({ modes: observing })
  for (const [, , bytes] of unreadable) assert.equal(await observed.send(bytes), {})
  const house = await testHouse({ modes: enforcing })
  for (const payload of [
    llmCall({ user_message: 5 }),
    { ...sessionStart(), session_id: '' },
    { ...sessionStart(), hook_event_name: 'pre_teleport' },
  ])
    assert.equal(await house.send(payload), {})
  // Of what no gate that blocks would judge only the shape is told.
  const judgesWords = await testHouse({ modes: { provenance: 'block', capability: 'off' } })
  assert.equal(await judgesWords.send({ ...toolCall({}), tool_name: 'terminal', extra: 5 }), {})
})

test('what the ledger could not write is not answered, and nothing is taken until it is opened again', async () => {
  for (const payload of [llmCall({ user_message: 'hi' }), 'no JSON', toolCall({})]) {
    const house = await testHouse()
    await house.send(sessionStart())
    rmSync(house.home.files.home, { recursive: true })
    await rejectsWithCode(house.send(payload), 'STORE_GONE')
    await rejectsWithCode(house.send(payload), 'STORE_GONE')
    assert.is(house.ledger.failure?.code, 'STORE_GONE')
    await house.home.close().catch(() => {})
  }
})

test('a closed ledger answers nothing', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await house.home.close()
  await rejectsWithCode(host.send('no JSON'), 'LEDGER_CLOSED')
})

test('case 56: a payload with a turn or call id that arrives twice is stored once, and counted', async () => {
  for (const payload of [
    llmCall({ user_message: 'hi' }),
    toolCall({ path: 'x' }),
    toolCall({}, { turn_id: '' }),
    llmCall({ user_message: 'x', task_id: '' }),
  ]) {
    const house = await testHouse()
    await house.send(sessionStart())
    await house.send(payload)
    const before = await house.types()
    assert.equal(await house.send(payload), {})
    assert.equal(await house.types(), before, JSON.stringify(payload))
    await house.home.close()
    assert.equal(await timesAgain(house), [1])
  }
})

test('a payload with neither a turn nor a call id is never a duplicate where nobody vouches for it', async () => {
  const house = await testHouse()
  const payload = llmCall({ user_message: 'again' })
  for (const turn_id of ['', null]) {
    const bare = { ...payload, extra: { ...payload.extra, turn_id } }
    await house.send(bare)
    await house.send(bare)
  }
  assert.is((await recordedIn(house, 'message.captured')).length, 4)
})

test('payloads that differ in hook, session, turn, call, tool or arguments are no duplicates', async () => {
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
  const unattested = await testHouse()
  for (const payload of different) await unattested.send(payload)
  const attached = await testHouse()
  const host = await attachedHost(attached)
  for (const payload of different) await host.send(payload)
  for (const house of [unattested, attached]) {
    const { 'tool.requested': requested = 0, 'tool.completed': completed = 0 } = countsOf(await recordedIn(house))
    assert.is(requested + completed, different.length)
  }
})

test('the recorded session sent twice leaves nothing new but what cannot be told apart', async () => {
  const house = await recordSession()
  const before = await house.types()
  for (const line of recordedHooks) await house.send(line)
  assert.equal(await house.types(), before)
})

/** A gate that denies, then asks, then lets go, and so on: no verdict twice in a row. */
function fickleGate(): GateDefinition {
  let asked = 0
  const verdicts: readonly Verdict[] = [
    { verdict: 'deny', code: 'not_granted', reason: 'first no', mode: 'enforce', enforced: true },
    { verdict: 'ask', code: 'unsure', reason: 'then a question', mode: 'enforce', enforced: true },
    { verdict: 'allow', code: 'granted', reason: '', mode: 'enforce', enforced: true },
  ]
  return { name: 'fickle', version: 1, on: { 'tool.requested': () => verdicts[asked++ % verdicts.length] }, failed: gateFailed }
}

function gateFailed(): Verdict {
  return { verdict: 'deny', code: 'internal_error', reason: 'it failed', mode: 'enforce', enforced: true }
}

const answers = [{ action: 'block', message: 'first no' }, { action: 'approve', message: 'then a question' }, {}] as const

/** A request for approval carries the key of its call, which is another test's. */
function keyless(directive: Directive): object {
  const { rule_key: key, ...told } = directive as { rule_key?: string }
  assert.is(key !== undefined, 'action' in directive && directive.action === 'approve')
  return told
}

function numberedCall(number: number): HostPayload {
  return toolCall({ command: `ls ${number}` }, { tool_call_id: `call-${number}` })
}

test('a verdict that is enforced is the answer in the host’s words: a block, a request for approval, or nothing', async () => {
  const house = await testHouse({ gates: [fickleGate()], modes: enforcing })
  for (const [number, answer] of answers.entries()) assert.equal(keyless(await house.send(numberedCall(number))), answer)
  assert.equal(
    (await recordedIn(house, 'gate.decided')).map(({ facts }) => facts['verdict']),
    ['deny', 'ask', 'allow'],
  )
})

test('a number that comes again gets the first answer, from what was decided then, and is not judged again', async () => {
  const house = await testHouse({ gates: [fickleGate()], modes: enforcing })
  const host = await attachedHost(house)
  await host.send(sessionStart())
  for (const number of answers.keys()) await host.send(numberedCall(number))
  const before = await house.types()
  for (let times = 0; times < 2; times += 1) {
    for (const [number, answer] of answers.entries())
      assert.equal(keyless(await host.send(numberedCall(number), { seq: number + 2 })), answer)
    assert.equal(await house.types(), before)
    await house.restart()
    await host.attach()
    before.push('host.attached')
  }
})

test('a call that comes again under another number, or from a shell hook, is the same and gets the first answer', async () => {
  const house = await testHouse({ gates: [fickleGate()], modes: enforcing })
  const host = await attachedHost(house)
  for (const number of answers.keys()) await host.send(numberedCall(number))
  const before = await house.types()
  for (const [number, answer] of answers.entries()) {
    assert.equal(keyless(await host.send(numberedCall(number))), answer)
    assert.equal(keyless(await house.send(numberedCall(number))), answer)
  }
  assert.equal(await house.types(), before)
})

test('a call that comes again while the first is on its way waits for it and gets the same answer', async () => {
  const house = await testHouse({ gates: [fickleGate()], modes: enforcing })
  const host = await attachedHost(house)
  const call = numberedCall(0)
  const [first, ...again] = await Promise.all([host.send(call), host.send(call), house.send(call), house.send(call)])
  assert.equal(first, answers[0])
  for (const answer of again) assert.equal(answer, answers[0])
  assert.is((await recordedIn(house, 'tool.requested')).length, 1)
})

test('the first answer is of the call itself, whatever was decided about others behind it', async () => {
  const quiet: GateDefinition = {
    name: 'quiet',
    version: 1,
    on: {
      'tool.requested': ({ facts }) =>
        facts.tool === 'memory'
          ? { verdict: 'deny', code: 'not_granted', reason: 'no memory', mode: 'enforce', enforced: true }
          : undefined,
    },
    failed: gateFailed,
  }
  const house = await testHouse({ gates: [quiet], modes: enforcing })
  const host = await attachedHost(house)
  assert.equal(await host.send(numberedCall(1)), {})
  assert.equal(await host.send({ ...numberedCall(2), tool_name: 'memory' }), { action: 'block', message: 'no memory' })
  assert.equal(await host.send(numberedCall(1), { seq: 1 }), {})
  assert.equal(await host.send({ ...numberedCall(2), tool_name: 'memory' }, { seq: 2 }), {
    action: 'block',
    message: 'no memory',
  })
})

test('a call that could not be read gets the same answer under the same number, and one mark', async () => {
  const house = await testHouse({ modes: enforcing })
  const host = await attachedHost(house)
  for (let times = 0; times < 3; times += 1) assertBlocked(await host.send('{"hook_event_name":', { seq: 1 }))
  assert.equal((await house.types()).slice(1), ['hook.rejected'])
})

test('what an attached host sends is attached, under its name and number, and so is what could not be read', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(llmCall({ user_message: 'hi' }))
  await host.send(toolCall({}))
  await host.send(toolResult({}))
  await host.send('no JSON')
  const recorded = (await recordedIn(house)).slice(1)
  assert.equal(
    recorded.map(({ type, facts }) => [type, facts['source'], facts['attach'], facts['seq']]),
    [
      ['session.started', 'attached', 1, 1],
      ['message.captured', 'attached', 1, 1],
      ['tool.requested', 'attached', 1, 2],
      ['gate.decided', undefined, undefined, undefined],
      ['tool.completed', 'attached', 1, 3],
      ['hook.rejected', 'attached', 1, 4],
    ],
  )
})

test('after a restart the host is unknown until it attaches again, and goes on under its first name', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(llmCall({ user_message: 'one' }))
  await house.restart()
  await rejectsWithCode(host.send(llmCall({ user_message: 'two', turn_id: 'turn-2' })), 'ATTACH_UNKNOWN')
  assert.is((await recordedIn(house, 'message.captured')).length, 1, 'nothing is taken from somebody unknown')
  await host.attach({ next: 2 })
  await host.send(llmCall({ user_message: 'two', turn_id: 'turn-2' }), { seq: 2 })
  assert.equal(
    (await recordedIn(house, 'message.captured')).map(({ facts }) => [facts['attach'], facts['seq'], facts['turn']]),
    [
      [1, 1, 1],
      [1, 2, 2],
    ],
  )
})

test('a number that is none is refused and leaves nothing', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await rejectsWithCode(host.send(sessionStart(), { seq: 0 }), 'ATTACH_NUMBER_INVALID')
  assert.equal(await house.types(), ['host.attached'])
})

test('in the name of an attached host without its secret: foreign, with hook, size and digest, and no word of it', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(llmCall({ user_message: 'hi' }))
  const forged = llmCall({ user_message: 'FORGED', turn_id: 'turn-2' })
  assert.equal(await host.send(forged, { mac: '0'.repeat(64) }), {})
  const { session, facts, words } = await only(house, 'hook.foreign')
  assert.equal(facts, {
    hook: 'pre_llm_call',
    attach: host.index,
    why: 'bad_mac',
    bytes: bytesOf(forged).length,
    digest: hmac(house, 'text', bytesOf(forged)),
  })
  assert.is(words, undefined)
  assert.is(session, (await only(house, 'session.started')).session)
  assert.not.match(JSON.stringify(await house.entries()), 'FORGED')
})

test('a forged payload cannot begin a session, cannot use up a number, and cannot take the place of the real one', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  const payload = llmCall({ user_message: 'hi' }, 'fresh')
  await host.send(payload, { mac: '' })
  assert.is((await only(house, 'hook.foreign')).session, '')
  assert.equal(await house.types(), ['host.attached', 'hook.foreign'])
  await host.send(payload, { seq: 1 })
  assert.is((await only(house, 'message.captured')).facts['source'], 'attached')
})

test('nobody’s payload that agrees with one of the attached host is counted as its duplicate', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  const copies = [sessionStart(), llmCall({ user_message: 'hi' }), toolCall({ path: 'x' }), toolResult({ path: 'x' })]
  for (const payload of copies) {
    await host.send(payload)
    const before = await house.types()
    assert.equal(await house.send(payload), {})
    assert.equal(await house.types(), before, payload.hook_event_name)
  }
  await house.home.close()
  assert.equal(await timesAgain(house), Array(copies.length).fill(1))
})

test('nobody’s payload for the session of an attached host, without a twin, is foreign and no evidence', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(llmCall({ user_message: 'hi' }))
  const payload = llmCall({ user_message: 'FOREIGN', turn_id: 'turn-2' })
  assert.equal(await house.send(payload), {})
  const { facts, session } = await only(house, 'hook.foreign')
  assert.equal(facts, {
    hook: 'pre_llm_call',
    attach: host.index,
    why: 'no_attach',
    bytes: bytesOf(payload).length,
    digest: hmac(house, 'text', bytesOf(payload)),
  })
  assert.is(session, (await only(house, 'message.captured')).session)
  assert.not.match(JSON.stringify(await house.entries()), 'FOREIGN')
  await host.send(llmCall({ user_message: 'two', turn_id: 'turn-2' }))
  assert.is((await recordedIn(house, 'message.captured'))[1]?.facts['turn'], 2, 'a foreign message begins no turn')
})

test('a session belongs to its host after a restart too', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(llmCall({ user_message: 'hi' }))
  await house.restart()
  await house.send(toolCall({}))
  assert.is((await only(house, 'hook.foreign')).facts['why'], 'no_attach')
})

test('a flood of foreign payloads takes a session from nobody, and turns no number back, also after a restart', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  for (const turn_id of ['turn-1', 'turn-2']) await host.send(llmCall({ user_message: 'mine', turn_id }))
  await Promise.all(Array.from({ length: 600 }, (_, at) => house.send(llmCall({ user_message: 'FOREIGN', turn_id: `x-${at}` }))))
  await house.restart()
  await house.send(llmCall({ user_message: 'FOREIGN', turn_id: 'y' }))
  await (await attachedHost(house, 2)).send(llmCall({ user_message: 'FOREIGN', turn_id: 'z' }))
  assert.is((await recordedIn(house, 'hook.foreign')).length, 602)
  await host.attach({ next: 3 })
  await host.send(llmCall({ user_message: 'mine', turn_id: 'turn-3' }))
  assert.equal(
    (await recordedIn(house, 'message.captured')).map(({ facts }) => [facts['turn'], facts['source']]),
    [1, 2, 3].map((turn) => [turn, 'attached']),
  )
  await only(house, 'session.started')
})

test('late lines that nobody vouches for take a session from nobody either', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(llmCall({ user_message: 'mine' }))
  await house.restart()
  const late = (at: number) => host.send(llmCall({ user_message: 'late', turn_id: `late-${at}` }), { late: true })
  await Promise.all(Array.from({ length: 520 }, (_, at) => late(at)))
  await house.restart()
  await house.send(toolCall({}))
  assert.is((await only(house, 'hook.foreign')).facts['attach'], host.index)
})

test('nobody’s copy that comes first into the session of a host is foreign, and the host’s own is then the event', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(sessionStart())
  const payload = toolCall({ path: 'x' })
  await house.send(payload)
  await host.send(payload)
  await only(house, 'hook.foreign')
  assert.is((await only(house, 'tool.requested')).facts['source'], 'attached')
})

test('nobody’s copy that comes before the session has a host is an entry, and the host’s own is another', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  const payload = llmCall({ user_message: 'hi' })
  await house.send(payload)
  await host.send(payload)
  assert.equal(
    (await recordedIn(house, 'message.captured')).map(({ facts }) => [facts['source'], facts['attach']]),
    [
      ['unattested', undefined],
      ['attached', host.index],
    ],
  )
  await only(house, 'session.started')
  assert.equal(await recordedIn(house, 'hook.foreign'), [])
  await house.send(payload)
  assert.is((await recordedIn(house)).length, 4, 'and later copies are duplicates')
})

test('another attached host that lives is a stranger to a session, and named', async () => {
  const house = await testHouse()
  const [owner, other] = [await attachedHost(house, 1), await attachedHost(house, 2)]
  await owner.send(llmCall({ user_message: 'hi' }))
  await other.send(llmCall({ user_message: 'FOREIGN', turn_id: 'turn-2' }))
  const { facts } = await only(house, 'hook.foreign')
  assert.equal([facts['why'], facts['attach'], facts['speaker']], ['other_attach', owner.index, other.index])
  assert.not.match(JSON.stringify(await house.entries()), 'FOREIGN')
})

test('a stranger that sends a copy first cannot suppress the host’s own', async () => {
  for (const named of [true, false]) {
    const house = await testHouse({ modes: enforcing, gates: [fickleGate()] })
    const [owner, other] = [await attachedHost(house, 1), await attachedHost(house, 2)]
    await owner.send(sessionStart())
    const payload = named ? toolCall({ path: 'x' }) : toolCall({ path: 'x' }, { turn_id: '', tool_call_id: '' })
    assertBlocked(await other.send(payload))
    assert.equal(await owner.send(payload), answers[0])
    await only(house, 'hook.foreign')
    assert.is((await only(house, 'tool.requested')).facts['attach'], owner.index)
  }
})

test('a session whose process has gone is taken over by the next attached host, for good; until then nobody vouches for it', async () => {
  const house = await testHouse()
  const [owner, heir, third] = [await attachedHost(house, 1), await attachedHost(house, 2), await attachedHost(house, 3)]
  await owner.send(llmCall({ user_message: 'one' }))
  house.processes.end(owner.pid)
  await house.send(llmCall({ user_message: 'between', turn_id: 'turn-x' }))
  await heir.send(llmCall({ user_message: 'two', turn_id: 'turn-2' }))
  await house.send(llmCall({ user_message: 'FOREIGN', turn_id: 'turn-y' }))
  await third.send(llmCall({ user_message: 'three', turn_id: 'turn-3' }))
  assert.equal(
    (await recordedIn(house, 'message.captured')).map(({ facts }) => [facts['source'], facts['attach']]),
    [
      ['attached', owner.index],
      ['unattested', undefined],
      ['attached', heir.index],
    ],
  )
  assert.equal(
    (await recordedIn(house, 'hook.foreign')).map(({ facts }) => [facts['why'], facts['attach'], facts['speaker']]),
    [
      ['no_attach', heir.index, undefined],
      ['other_attach', heir.index, third.index],
    ],
  )
})

test('a session is taken over where the number of its process was given to a later one, also after a restart', async () => {
  const house = await testHouse()
  const owner = await attachedHost(house, 1, 4712)
  await owner.send(llmCall({ user_message: 'one' }))
  await house.restart()
  house.processes.start(4712, 999_999)
  const heir = await attachedHost(house, 2, 4712)
  await heir.send(llmCall({ user_message: 'two', turn_id: 'turn-2' }))
  assert.is((await recordedIn(house, 'message.captured'))[1]?.facts['attach'], heir.index)
})

test('a process that attached twice is no stranger to itself', async () => {
  const house = await testHouse()
  const [one, same] = [new TestHost(house, 1, 4712), new TestHost(house, 2, 4712)]
  for (const host of [one, same]) await host.attachProved()
  await one.send(llmCall({ user_message: 'one' }))
  await same.send(llmCall({ user_message: 'two', turn_id: 'turn-2' }))
  await one.send(llmCall({ user_message: 'three', turn_id: 'turn-3' }))
  assert.equal(
    (await recordedIn(house, 'message.captured')).map(({ facts }) => facts['attach']),
    [one.index, same.index, one.index],
  )
  await same.send(llmCall({ user_message: 'three', turn_id: 'turn-3' }))
  assert.is((await recordedIn(house, 'message.captured')).length, 3, 'what both bring is one')
})

test('a process that attached twice is no stranger to itself where both speak first', async () => {
  const house = await testHouse()
  const [one, same] = [new TestHost(house, 1, 4712), new TestHost(house, 2, 4712)]
  for (const host of [one, same]) await host.attachProved()
  await Promise.all([one.send(sessionStart()), same.send(sessionStart())])
  assert.equal((await house.types()).slice(2), ['session.started'])
})

test('whoever only claims to be a process gives a session up to one that is proved, and takes none from it', async () => {
  const house = await testHouse()
  const [claims, proved] = [new TestHost(house, 1, 1), new TestHost(house, 2, 4712)]
  await claims.attach()
  await proved.attachProved()
  await claims.send(llmCall({ user_message: 'claimed' }))
  await proved.send(llmCall({ user_message: 'proved', turn_id: 'turn-2' }))
  await claims.send(llmCall({ user_message: 'FOREIGN', turn_id: 'turn-3' }))
  assert.equal(
    (await recordedIn(house, 'message.captured')).map(({ facts }) => facts['attach']),
    [claims.index, proved.index],
  )
  assert.is((await only(house, 'hook.foreign')).facts['attach'], proved.index)
})

test('of two hosts that speak first at once the session belongs to one, and the other is foreign', async () => {
  const house = await testHouse()
  const hosts = [await attachedHost(house, 1), await attachedHost(house, 2)]
  await Promise.all(hosts.map((host, at) => host.send(toolCall({ path: `${at}` }))))
  const { facts } = await only(house, 'hook.foreign')
  assert.is(facts['attach'], (await only(house, 'tool.requested')).facts['attach'])
  assert.is(
    facts['speaker'],
    hosts.map(({ index }) => index).find((index) => index !== facts['attach']),
  )
})

for (const [why, send] of [
  ['without the secret', (owner: TestHost, payload: HostPayload) => owner.send(payload, { mac: '0'.repeat(64) })],
  ['from nobody', (_: TestHost, payload: HostPayload, house: TestHouse) => house.send(payload)],
  [
    'from another host',
    async (_: TestHost, payload: HostPayload, house: TestHouse) => (await attachedHost(house, 9)).send(payload),
  ],
] as const) {
  test(`a foreign call ${why} is answered as a gate that cannot tell would, again and again`, async () => {
    for (const [modes, blocked] of [
      [observing, []],
      [enforcing, ['terminal', 'memory', 'skill_manage']],
      [{ provenance: 'observe', capability: 'enforce' }, ['terminal', 'memory', 'skill_manage']],
      [{ provenance: 'block', capability: 'off' }, ['memory', 'skill_manage']],
    ] as const) {
      const house = await testHouse({ modes })
      const owner = await attachedHost(house)
      await owner.send(sessionStart())
      for (const tool_name of ['terminal', 'memory', 'skill_manage']) {
        const call = { ...toolCall({}), tool_name }
        for (let times = 0; times < 2; times += 1) {
          const answer = await send(owner, call, house)
          if ((blocked as readonly string[]).includes(tool_name)) assertBlocked(answer)
          else assert.equal(answer, {}, `${tool_name} under ${JSON.stringify(modes)}`)
          // A call of the host's own between them is decided about, and is none of the stranger's business.
          await owner.send({ ...toolCall({ times }), tool_name }, {})
        }
      }
      assert.equal(await send(owner, llmCall({ user_message: 'x', turn_id: 'turn-9' }), house), {})
    }
  })
}

const at = '2026-11-30T09:00:00.123Z'

test('a payload out of the spool says that it is late and when it was, and is vouched for as if it had come in time', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(llmCall({ user_message: 'hi' }), { late: true, host: { at } })
  for (const type of ['session.started', 'message.captured']) {
    const { source, attach, seq, late, at: when } = (await only(house, type)).facts
    assert.equal([source, attach, seq, late, when], ['attached', host.index, 1, true, at], type)
  }
  await host.send(llmCall({ user_message: 'in time', turn_id: 'turn-2' }), { host: { at } })
  const { facts } = (await recordedIn(house, 'message.captured'))[1] ?? { facts: {} }
  for (const name of ['late', 'at']) assert.not.ok(Object.hasOwn(facts, name), name)
})

test('a late call is judged, and its verdict binds nobody', async () => {
  const house = await testHouse({ gates: [fickleGate()], modes: enforcing })
  const host = await attachedHost(house)
  assert.equal(await host.send(toolCall({}), { late: true }), {})
  const { facts } = await only(house, 'gate.decided')
  assert.equal([facts['verdict'], facts['mode'], facts['enforced']], ['deny', 'enforce', false])
})

test('a late payload that cannot be read is rejected as late', async () => {
  const house = await testHouse()
  await house.send('no JSON', { late: true })
  const { facts } = await only(house, 'hook.rejected')
  assert.equal([facts['late'], facts['source']], [true, 'unattested'])
})

test('a payload that came over the socket and lies in the spool as well is one', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  const bare = toolCall({}, { turn_id: '', tool_call_id: '' })
  for (const [place, payload] of [sessionStart(), toolCall({}), bare].entries()) {
    await host.send(payload)
    const before = await house.types()
    await host.send(payload, { seq: place + 1, late: true })
    assert.equal(await house.types(), before)
  }
})

test('a file of the spool that was taken before a crash is known to be the same, whoever wrote it', async () => {
  const house = await testHouse()
  const owner = new TestHost(house, 1)
  const bare = toolCall({}, { turn_id: '', tool_call_id: '' })
  for (const send of [() => house.send(bare, { late: true }), () => owner.send(bare, { seq: 1, late: true })]) {
    await send()
    const before = await house.types()
    await house.restart()
    await send()
    assert.equal(await house.types(), before)
  }
  assert.is((await recordedIn(house, 'tool.requested')).length, 2)
})

test('a file that could not be read, or was forged, leaves one mark though it is taken twice', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  for (let times = 0; times < 2; times += 1) {
    await house.send('no JSON', { late: true })
    await host.send(toolCall({}), { seq: 1, mac: '0'.repeat(64), late: true })
    await host.send('no JSON either', { seq: 2, late: true })
  }
  assert.equal((await house.types()).slice(1), ['hook.rejected', 'hook.foreign', 'hook.rejected'])
})

test('late lines of an attach that is not known are unattested in a session of its own, and foreign in another’s', async () => {
  const house = await testHouse()
  const [owner, other] = [await attachedHost(house, 1), await attachedHost(house, 2)]
  await owner.send(sessionStart())
  await house.restart()
  assert.equal(await owner.send(llmCall({ user_message: 'my last words' }), { late: true }), {})
  const { facts } = await only(house, 'message.captured')
  assert.equal([facts['source'], facts['late'], facts['attach'], facts['seq']], ['unattested', true, undefined, undefined])
  await other.send(llmCall({ user_message: 'FOREIGN', turn_id: 'turn-2' }), { late: true })
  const foreign = await only(house, 'hook.foreign')
  assert.equal([foreign.facts['why'], foreign.facts['attach']], ['no_attach', owner.index])
  await owner.attach({ next: 3 })
  await owner.send(llmCall({ user_message: 'and on', turn_id: 'turn-3' }))
  assert.equal(await recordedIn(house, 'hook.foreign'), [foreign], 'the session is still its own')
})

test('a late line of nobody for the session of a host is foreign', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(sessionStart())
  await house.send(toolCall({}), { late: true })
  assert.is((await only(house, 'hook.foreign')).facts['why'], 'no_attach')
})

test('what waited in the spool is not held back by the bound of a minute', async () => {
  const house = await testHouse()
  house.hooksPerMinute = 2
  const host = await attachedHost(house)
  for (let number = 1; number <= 8; number += 1) await host.send(numberedCall(number), { late: true })
  assert.is((await recordedIn(house, 'tool.requested')).length, 8)
})

test('a payload that the host says was not answered is a mismatch, told once, with the entry that it became', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(sessionStart())
  await host.send(toolCall({}))
  const host1 = { unanswered: [{ seq: 2, hook: 'pre_tool_call', did: 'blocked' }] }
  await host.send(toolResult({}), { host: host1 })
  const { facts, session } = await only(house, 'mismatch.found')
  assert.equal(facts, {
    kind: 'unanswered',
    judged: (await only(house, 'tool.requested')).index,
    seq: 2,
    did: 'blocked',
    attach: host.index,
  })
  assert.is(session, '')
  await host.send(llmCall({ user_message: 'hi' }), { host: host1 })
  await host.send('{"hook_event_name":"on_session_end","session_id":"host-session","extra":{}}', {})
  await only(house, 'mismatch.found')
})

test('what was not answered is taken out of the spool first, and then the mismatch names its entry', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(sessionStart())
  host.seq = 2
  house.spooled = [() => host.send(toolCall({}), { seq: 2, late: true, host: { at } })]
  await host.send(llmCall({ user_message: 'hi', turn_id: 'turn-2' }), { host: { unanswered: [{ seq: 2, did: 'let_go' }] } })
  const requested = await only(house, 'tool.requested')
  assert.is(requested.facts['late'], true)
  assert.is((await only(house, 'mismatch.found')).facts['judged'], requested.index)
  assert.equal((await house.types()).slice(2), ['tool.requested', 'gate.decided', 'mismatch.found', 'message.captured'])
})

test('what never reached us is a mismatch of no entry', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  host.seq = 5
  const unanswered = (['blocked', 'let_go', 'lost'] as const).map((did, place) => ({ seq: place + 1, did }))
  await host.send(sessionStart(), { host: { unanswered } })
  assert.equal(
    (await recordedIn(house, 'mismatch.found')).map(({ facts }) => [facts['seq'], facts['did'], facts['judged']]),
    [
      [1, 'blocked', null],
      [2, 'let_go', null],
      [3, 'lost', null],
    ],
  )
})

test('a spool that cannot be read keeps no payload from being recorded, nor what it tells', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  host.seq = 1
  house.spooled = [() => Promise.reject(new Error('the spool'))]
  await host.send(sessionStart(), { host: { unanswered: [{ seq: 1, did: 'let_go' }] } })
  assert.equal((await house.types()).slice(1), ['mismatch.found', 'session.started'])
})

test('what a duplicate tells of unanswered numbers is not lost, and neither is what a stranger to the session tells', async () => {
  const house = await testHouse()
  const [one, same, other] = [
    await attachedHost(house, 1, 4712),
    await attachedHost(house, 2, 4712),
    await attachedHost(house, 3, 4713),
  ]
  await one.send(toolCall({}))
  for (const host of [same, other]) {
    host.seq = 1
    const unanswered = [{ seq: 1, did: 'let_go' }]
    for (let times = 0; times < 2; times += 1) await host.send(toolCall({}), { seq: 2, host: { unanswered } })
    host.seq = 3
    await host.send(llmCall({ user_message: 'x', turn_id: `turn-${host.index}` }), {
      host: { unanswered: [{ seq: 3, did: 'lost' }] },
    })
  }
  assert.equal(
    (await recordedIn(house, 'mismatch.found')).map(({ facts }) => [facts['attach'], facts['seq']]),
    [
      [same.index, 1],
      [same.index, 3],
      [other.index, 1],
      [other.index, 3],
    ],
  )
  await only(house, 'tool.requested')
})

test('what could not be written down is told again with the next payload', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  host.seq = 1
  const told = { host: { unanswered: [{ seq: 1, did: 'let_go' as const }] } }
  const { ledger } = house
  const { appendMade } = ledger
  ledger.appendMade = () => Promise.reject(new Error('not now'))
  assert.is(await problemOf(() => host.send(sessionStart(), told)), 'Error: not now')
  ledger.appendMade = appendMade
  await host.send(sessionStart(), told)
  assert.is((await only(house, 'mismatch.found')).facts['seq'], 1)
})

test('nobody, and nobody without the secret, can say what a host was not answered', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  const told = { ...sessionStart(), host: { unanswered: [{ seq: 1, did: 'lost' }] } }
  await house.send(told)
  await host.send(told, { mac: '' })
  assert.equal(await recordedIn(house, 'mismatch.found'), [])
})

test('a payload beyond the bound of a minute is turned away, and others are served', async () => {
  const house = await testHouse()
  house.hooksPerMinute = 3
  const [loud, quiet] = [await attachedHost(house, 1), await attachedHost(house, 2)]
  for (let number = 1; number <= 3; number += 1) await loud.send(numberedCall(number))
  for (let number = 4; number <= 6; number += 1) await rejectsWithCode(loud.send(numberedCall(number)), 'HOOKS_TOO_MANY')
  await quiet.send(sessionStart('another'))
  await house.send(sessionStart('a third'))
  assert.is((await recordedIn(house, 'tool.requested')).length, 3)
  assert.is((await recordedIn(house, 'session.started')).length, 3)
  house.nowMs += 60_000
  await loud.send(numberedCall(7))
  assert.is((await recordedIn(house, 'tool.requested')).length, 4)
})

test('who is not attached shares one bound, and a forger uses up that one and not the host’s', async () => {
  const house = await testHouse()
  house.hooksPerMinute = 3
  const host = await attachedHost(house)
  await house.send(sessionStart('shell'))
  for (let times = 0; times < 2; times += 1) await host.send(toolCall({}), { seq: 1, mac: '' })
  await rejectsWithCode(host.send(toolCall({}), { seq: 1, mac: '' }), 'HOOKS_TOO_MANY')
  await rejectsWithCode(house.send(sessionStart('shell again')), 'HOOKS_TOO_MANY')
  await host.send(toolCall({}), { seq: 1 })
  assert.is((await recordedIn(house, 'hook.foreign')).length, 2)
})

test('bytes are bounded too, by what was sent and not by what was read of it', async () => {
  const house = await testHouse()
  house.bytesPerMinute = 100_000_000
  await house.send('{"hook_ev', { bytesTotal: 90_000_000 })
  await rejectsWithCode(house.send('{"hook_ev', { bytesTotal: 20_000_000 }), 'HOOKS_TOO_MANY')
  await house.send(sessionStart())
  await only(house, 'hook.rejected')
})

test('a session of the doctor says so in every entry, and only such a session can', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  const probe = { host: { probe: true } }
  await host.send({ ...toolCall({}), session_id: 'stele-doctor-1' }, probe)
  await host.send({ ...toolCall({}), session_id: 'host-session' }, probe)
  await host.send({ ...toolCall({}), session_id: 'my-stele-doctor-1' }, probe)
  await host.send({ ...toolCall({}), session_id: 'stele-doctor-2' })
  const recorded = (await recordedIn(house)).slice(1)
  const handles = [...new Set(recorded.map(({ session }) => session))]
  assert.is(handles.length, 4)
  assert.equal(
    recorded.map(({ type, session, facts }) => [type, handles.indexOf(session), facts['probe']]),
    handles.flatMap((_, place) =>
      ['session.started', 'tool.requested', 'gate.decided'].map((type) => [type, place, place === 0 ? true : undefined]),
    ),
  )
})

test('row P82: what cron, children, the curator and webhooks say is not the user’s: skipped by name, with no word of it', async () => {
  for (const platform of ['cron', 'subagent', 'curator', 'webhook', 'msgraph_webhook']) {
    const house = await testHouse()
    await house.send(llmCall({ user_message: 'SECRET words', platform }))
    const { facts, words } = await only(house, 'message.skipped')
    assert.equal(facts, { turn: 1, platform, characters: 12, why: platform, source: 'unattested' })
    assert.is(words, undefined)
    assert.equal(await house.types(), ['session.started', 'message.skipped'])
    await house.home.close()
    for (const { key, value } of await storedRows(house.home.files))
      assert.not.ok(value.includes('SECRET'), key.toString('latin1'))
  }
})

test('the host’s own review is not the user, though it speaks in the user’s session, and it begins no turn', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  const review = { host: { write_origin: 'background_review' } }
  await host.send(llmCall({ user_message: 'one' }))
  await host.send(
    llmCall({ user_message: 'what the host says to itself', turn_id: 'review', parent_session_id: 'host-session' }),
    review,
  )
  await host.send(toolCall({}, { turn_id: 'review' }), review)
  await host.send(llmCall({ user_message: 'two', turn_id: 'turn-2' }), { host: { write_origin: 'assistant_tool' } })
  const { facts } = await only(house, 'message.skipped')
  assert.equal([facts['turn'], facts['why']], [0, 'self_review'])
  assert.equal(
    (await recordedIn(house, 'message.captured')).map((message) => [message.facts['turn'], message.words?.['text']]),
    [
      [1, 'one'],
      [2, 'two'],
    ],
  )
  const requested = await only(house, 'tool.requested')
  assert.is(requested.facts['turn'], 0)
  assert.equal(requested.facts['surroundings'], { writeOrigin: 'background_review' })
  assert.equal(await recordedIn(house, 'session.linked'), [], 'the session that it names is its own')
})

test('row P86: arguments that were changed between the judgement and the run are a mismatch that names the request', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  await host.send(toolCall({ path: 'docs/a.md' }))
  await host.send(toolResult({ path: '/etc/passwd' }))
  const requested = await only(house, 'tool.requested')
  const completed = await only(house, 'tool.completed')
  const { facts, session } = await only(house, 'mismatch.found')
  const ran = hmac(house, 'arguments', '{"path":"/etc/passwd"}')
  assert.equal(facts, { kind: 'arguments', judged: requested.index, ran })
  assert.equal([completed.facts['requested'], completed.facts['argumentsDigest']], [requested.index, ran])
  assert.is(session, requested.session)
})

test('arguments that ran as they were judged are no mismatch, in whatever order they are written', async () => {
  const house = await testHouse()
  await house.send(toolCall({ a: 1, b: 2 }))
  await house.send(toolResult({ b: 2, a: 1 }))
  assert.equal(await recordedIn(house, 'mismatch.found'), [])
})

test('row P81: a session that goes on from another after a compression is linked to it, once', async () => {
  const house = await testHouse()
  await house.send(llmCall({ user_message: 'before' }, 'old'))
  for (const turn_id of ['turn-1', 'turn-2', 'turn-3'])
    await house.send(llmCall({ user_message: 'after', turn_id, parent_session_id: 'old' }, 'new'))
  await house.restart()
  await house.send(llmCall({ user_message: 'after', turn_id: 'turn-4', parent_session_id: 'old' }, 'new'))
  const [old] = await recordedIn(house, 'session.started')
  const { facts, words, session } = await only(house, 'session.linked')
  assert.equal(facts, { parent: old?.session, why: 'compression', source: 'unattested' })
  assert.equal(words, { parent: 'old' })
  assert.is.not(session, old?.session)
})

test('a session is linked once however long it has become, also after a restart', async () => {
  const house = await testHouse()
  const host = await attachedHost(house)
  const linked = (at: number) => host.send(llmCall({ user_message: 'x', turn_id: `turn-${at}`, parent_session_id: 'old' }, 'new'))
  await Promise.all(Array.from({ length: 600 }, (_, at) => linked(at)))
  await house.restart()
  await host.attach({ next: 601 })
  await linked(600)
  await only(house, 'session.linked')
  assert.is((await recordedIn(house, 'message.captured')).at(-1)?.facts['turn'], 601)
})

test('a session of a child is linked as one, and a parent that was never heard of is null', async () => {
  const house = await testHouse()
  await house.send(llmCall({ user_message: 'x', platform: 'subagent', parent_session_id: 'nobody' }, 'child'))
  const { facts } = await only(house, 'session.linked')
  assert.equal([facts['parent'], facts['why']], [null, 'subagent'])
  await house.send(llmCall({ user_message: 'x', parent_session_id: 'own' }, 'own'))
  await only(house, 'session.linked')
})

test('a payload that is on its way while its session is forgotten is found by whoever names the session afterwards', async () => {
  // How many of them come behind it depends on the disk; the last one always does.
  for (const ticks of [...Array.from({ length: 40 }, (_, at) => at), Number.POSITIVE_INFINITY]) {
    const house = await testHouse()
    await house.send(llmCall({ user_message: 'before' }, 'going'))
    const { ledger } = house.home
    const old = await ledger.knownSession('going')
    const last = ledger.size - 1
    const forgotten = ledger.forget([[1, last]], { by: 'owner', reason: 'all that was said', since: last + 1 })
    if (ticks === Number.POSITIVE_INFINITY) await forgotten
    else for (let tick = 0; tick < ticks; tick += 1) await new Promise((resolve) => setImmediate(resolve))
    await house.send(llmCall({ user_message: 'meanwhile', turn_id: 'turn-2' }, 'going'))
    await forgotten
    const messages = await recordedIn(house, 'message.captured')
    assert.equal(
      messages.map(({ words }) => words?.['text']),
      [undefined, 'meanwhile'],
    )
    assert.is(messages.at(-1)?.session, await ledger.knownSession('going'), `after ${ticks} ticks`)
    if (ticks === Number.POSITIVE_INFINITY) assert.is.not(messages.at(-1)?.session, old)
  }
})

const observed = ['on_session_end', 'pre_llm_call', 'pre_tool_call', 'post_tool_call']

test('thousands of mutated payloads are all answered, and each leaves events that fit or a rejection', async () => {
  const random = makeRandom(52)
  const problems = new Map<string, string>()
  const house = await testHouse()
  const host = await attachedHost(house)
  house.hooksPerMinute = 1_000_000
  let size = (await house.types()).length
  for (let round = 0; round < 600; round += 1) {
    const start = random.int(recordedHooks.length - 3)
    for (const line of recordedHooks.slice(start, start + 4)) {
      const payload = ofRound(line, round, random.chance(2))
      const mutated = random.chance(3) ? mutatedBytes(bytesOf(payload), random) : bytesOf(mutatedJson(payload, random))
      const problem = await problemOf(() => (round % 2 === 0 ? house.send(mutated) : host.send(mutated)))
      const name = /"hook_event_name": ?"(\w+)"/.exec(mutated.toString())?.[1]
      const leftNothing = house.ledger.size - 1 === size && observed.includes(String(name))
      const found = problem === '' && leftNothing ? `nothing was recorded of a ${name}` : problem
      if (found !== '') problems.set(found.slice(0, 200), mutated.toString().slice(0, 800))
      size = house.ledger.size - 1
    }
  }
  assert.equal([...problems], [])
  const counts = countsOf(await recordedIn(house))
  for (const type of ['hook.rejected', 'message.captured', 'tool.requested', 'tool.completed', 'turn.ended'])
    assert.ok((counts[type] ?? 0) > 50, `${type}: ${JSON.stringify(counts)}`)
})

/** A recorded payload in a session, a turn and a call of its own. */
function ofRound(line: string, round: number, fromPlugin: boolean): unknown {
  const { extra, ...payload } = JSON.parse(line) as HostPayload
  const ids = Object.fromEntries(
    ['turn_id', 'tool_call_id'].filter((name) => name in extra).map((name) => [name, `${extra[name]} ${round}`]),
  )
  const unanswered = [{ seq: 1000 + round, hook: 'pre_tool_call', did: 'blocked' }]
  const host = fromPlugin ? { host: { ...pluginMember, unanswered } } : {}
  return { ...payload, session_id: `session ${round}`, extra: { ...extra, ...ids }, ...host }
}

const pluginMember = {
  at,
  attended: 'attended',
  write_origin: 'assistant_tool',
  last_in_order: true,
  approvals_off: false,
  terminal_backend: 'local',
}

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

/** What went wrong, in words, since uvu cannot print a coded error; empty where the directive came, and it is none. */
async function problemOf(call: () => Promise<unknown>): Promise<string> {
  try {
    const answer = await call()
    return isDeepStrictEqual(answer, {}) ? '' : `answered with ${inspect(answer)}`
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message.replace(/\s+/g, ' ')}` : inspect(error)
  }
}

function assertBlocked(answer: unknown, what = ''): void {
  const { action, message } = answer as { action?: unknown; message?: unknown }
  assert.is(action, 'block', `${what}: ${inspect(answer)}`)
  assert.ok(typeof message === 'string' && message.trim() !== '', 'the host ignores a block without a message')
}

/** How often each payload that came again did so, from the rows of a ledger that is closed (docs/format.md, row `d`). */
async function timesAgain(house: TestHouse): Promise<number[]> {
  const rows = (await storedRows(house.home.files)).filter(({ key }) => key.toString('latin1', 0, 1) === 'd')
  return rows.map(({ value }) => Number(value.readBigUInt64BE(16))).filter((again) => again > 0)
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
