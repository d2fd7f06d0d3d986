// Holds what is sent to its page: heavy members of `extra` become count, bytes and digest, everything else goes over as it was written.
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fieldBytesDefault, payloadBytesMax, trimPayload } from '../../src/hooks/trim-payload.js'
import { makeRandom, type Random } from '../support/seeded-random.js'

const test = suite('trim-payload')

const fieldBytes = 100

/** As the page says it, over a value that was read. */
function standIn(value: unknown): { count: number; bytes: number; digest: string } {
  const compact = Buffer.from(JSON.stringify(value))
  return {
    count: typeof value === 'object' && value !== null ? Object.keys(value).length : 0,
    bytes: compact.length,
    digest: createHash('sha256').update(compact).digest('hex'),
  }
}

/** Leaves room for what stands for a conversation. */
const requestBytes = 400

function trimmed(payload: unknown, bound = fieldBytes): unknown {
  return JSON.parse(trimPayload(JSON.stringify(payload), bound))
}

const history = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: 'x'.repeat(500) },
]

test('a conversation is replaced by its number of members, its bytes and its digest, however short it is', () => {
  for (const conversation_history of [history, [], [{ role: 'user', content: '我决定' }]]) {
    assert.equal(trimmed({ hook_event_name: 'pre_llm_call', extra: { user_message: 'hi', conversation_history } }), {
      hook_event_name: 'pre_llm_call',
      extra: { user_message: 'hi', conversation_history: standIn(conversation_history) },
    })
  }
})

test('of a request to a provider the messages and the input are replaced, and what is small beside them stays', () => {
  for (const name of ['messages', 'input']) {
    assert.equal(trimmed({ extra: { request: { model: 'm', [name]: history, stream: true } } }, requestBytes), {
      extra: { request: { model: 'm', [name]: standIn(history), stream: true } },
    })
  }
  assert.equal(trimmed({ extra: { request: { messages: history, input: 'x' } } }, requestBytes), {
    extra: { request: { messages: standIn(history), input: standIn('x') } },
  })
})

test('the request as it was before other plugins holds the same conversation again', () => {
  assert.equal(trimmed({ extra: { original_request: { model: 'm', messages: history } } }, requestBytes), {
    extra: { original_request: { model: 'm', messages: standIn(history) } },
  })
})

test('a request that is still too long without its conversation is replaced as a whole', () => {
  const request = { messages: history, tools: ['x'.repeat(requestBytes)] }
  const { extra } = trimmed({ extra: { request } }, requestBytes) as { extra: { request: { count: number } } }
  assert.equal(Object.keys(extra.request).toSorted(), ['bytes', 'count', 'digest'])
  assert.is(extra.request.count, 2)
})

test('any other member is replaced where its compact JSON is longer than the bound, and not where it is as long', () => {
  const atBound = 'x'.repeat(fieldBytes - 2)
  assert.equal(trimmed({ extra: { result: atBound } }), { extra: { result: atBound } })
  assert.equal(trimmed({ extra: { result: `${atBound}x` } }), { extra: { result: standIn(`${atBound}x`) } })
  const list = Array.from({ length: 60 }, (_, at) => at)
  assert.equal(trimmed({ extra: { list, n: 5 } }), { extra: { list: standIn(list), n: 5 } })
})

test('the bound is of bytes: a text of few characters and many bytes is replaced', () => {
  const text = '我'.repeat(40)
  assert.equal(trimmed({ extra: { result: text } }), { extra: { result: standIn(text) } })
})

test('the bound is of compact JSON: blanks and escapes that a host writes do not count', () => {
  const spaced = `{"extra": {"list": [${Array(20).fill('  1').join(' ,\n ')}], "text": "${'\\u6211'.repeat(30)}"}}`
  assert.is(trimPayload(spaced, fieldBytes), spaced)
  const escaped = `{"extra":{"text":"${'\\u6211'.repeat(40)}"}}`
  assert.equal(JSON.parse(trimPayload(escaped, fieldBytes)), { extra: { text: standIn('我'.repeat(40)) } })
})

test('what the user typed is sent whole, and so are the arguments of a call and all that is not in extra', () => {
  const long = 'x'.repeat(1000)
  const payload = {
    tool_input: { content: long, conversation_history: [long] },
    conversation_history: [long],
    cwd: long,
    host: { long },
    extra: { user_message: long },
  }
  assert.equal(trimmed(payload), payload)
  const parts = { extra: { user_message: [{ type: 'text', text: long }] } }
  assert.equal(trimmed(parts), parts)
})

test('a member deeper inside is not looked for', () => {
  const payload = { extra: { some: { conversation_history: [], messages: [] } } }
  assert.equal(trimmed(payload), payload)
})

test('a payload in which nothing is heavy is the same text, with its blanks, its numbers and its names', () => {
  for (const text of [
    '{ "hook_event_name" : "pre_llm_call",\n "extra" : { "n" : 12345678901234567890, "f" : 1.0, "e" : "\\u0041\\/" } }',
    '{"extra":{}}',
    '{}',
    '{"a":1}',
    '{"extra":null}',
    '{"extra":"conversation_history"}',
  ])
    assert.is(trimPayload(text, fieldBytes), text)
})

test('what stands beside a heavy member keeps its own text', () => {
  const [before, behind] = ['"n" : 12345678901234567890 , "e":"\\u0041"', '"f" : 1.0 , "g" : [ 1 ]']
  const text = `{"extra" : { ${before}, "conversation_history" : [ ] , ${behind} } , "x" : 1}`
  const stand = JSON.stringify(standIn([]))
  assert.is(trimPayload(text, fieldBytes), `{"extra" : { ${before}, "conversation_history" : ${stand} , ${behind} } , "x" : 1}`)
})

test('quotes, brackets and backslashes inside texts end nothing', () => {
  for (const text of ['a"b', '}', '{"', '\\', '\\"', '\\\\', ']},{', '\n', '"conversation_history":[1]']) {
    const payload = {
      a: text,
      extra: { user_message: text, [text]: text, conversation_history: [text, { [text]: text }], z: text },
    }
    assert.equal(trimmed(payload), {
      a: text,
      extra: { ...payload.extra, conversation_history: standIn(payload.extra.conversation_history) },
    })
  }
})

test('a text that is no JSON object, or that breaks off, stays as it is', () => {
  const heavy = JSON.stringify({ extra: { conversation_history: history, result: 'x'.repeat(500) } })
  for (const text of ['', 'hello', '[]', '"x"', '5', 'null', '{"extra":{"a"', '{"extra":[{"conversation_history":[]}]}'])
    assert.is(trimPayload(text, fieldBytes), text)
  for (let end = 0; end < heavy.length; end += 7) assert.type(trimPayload(heavy.slice(0, end), fieldBytes), 'string')
})

test('a member that cannot be read is left for the service to refuse', () => {
  const text = `{"extra":{"result":[${'1,'.repeat(100)}nonsense],"conversation_history":[1}}`
  assert.is(trimPayload(text, fieldBytes), text)
})

test('of any payload everything comes through but what is heavy, which is what its page says', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = makeRandom(seed)
    const extra = Object.fromEntries(
      Array.from({ length: random.int(6) }, () => [
        random.pick(['conversation_history', 'user_message', 'result', 'a', 'b "c"']),
        anyValue(random, 3),
      ]),
    )
    const payload = { hook_event_name: 'x', tool_input: anyValue(random, 3), extra }
    const indent = random.pick([undefined, 1, 4])
    const expected = Object.entries(extra).map(([name, value]) => {
      const isHeavy = name !== 'user_message' && Buffer.byteLength(JSON.stringify(value)) > fieldBytes
      return [name, isHeavy || name === 'conversation_history' ? standIn(value) : value]
    })
    assert.equal(
      JSON.parse(trimPayload(JSON.stringify(payload, undefined, indent), fieldBytes)),
      { ...payload, extra: Object.fromEntries(expected) },
      `seed ${seed}`,
    )
  }
})

function anyValue(random: Random, depth: number): unknown {
  const kind = random.int(depth > 0 ? 6 : 4)
  if (kind === 0) return random.pick(['', 'x"y', '\\', '我'.repeat(random.int(60)), 'z'.repeat(random.int(150)), '\u0001', '{'])
  if (kind === 1) return random.int(1000) - 500
  if (kind === 2) return random.pick([null, true, false])
  if (kind === 3) return random.int(1_000_000) / 1000
  const items = Array.from({ length: random.int(5) }, () => anyValue(random, depth - 1))
  return kind === 4 ? items : Object.fromEntries(items.map((item, at) => [`${random.pick(['k', '"', 'é'])}${at}`, item]))
}

test('the bounds are those of the pages: 16 MiB a payload, and 262144 bytes a field where nothing else is set', () => {
  assert.equal([payloadBytesMax, fieldBytesDefault], [16_777_216, 262_144])
})

test.run()
