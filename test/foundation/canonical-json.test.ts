// Holds the canonical form to published digests, to RFC 8785 and to a second implementation, and every refusal of docs/format.md.
import { createHash } from 'node:crypto'
import { inspect, isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { canonicalJson, depthMax } from '../../src/foundation/canonical-json.js'
import { parseLossless } from '../../src/foundation/lossless-json.js'
import { throwsWithCode } from '../support/rejects-with-code.js'

const test = suite('canonical-json')

const emoji = '\u{1F600}'

interface Row {
  readonly row: number
  readonly says: string
  readonly value: unknown
  /** The canonical text, and SHA-256 of its UTF-8, as the reference table gives them. */
  readonly text: string
  readonly digest: string
}

const rows: readonly Row[] = [
  {
    row: 1,
    says: 'names stand in the order of their UTF-16 units, digits too',
    value: { b: 1, a: 2, A: 3, '10': 4, '9': 5 },
    text: '{"10":4,"9":5,"A":3,"a":2,"b":1}',
    digest: '8c56319558a31926ed23667f7e7ee4e2aa0aa56760127d36becc2e3485ae5e1e',
  },
  {
    row: 4,
    says: 'minus zero is written 0',
    value: { n: -0 },
    text: '{"n":0}',
    digest: 'f3013f933b9fb80ab6d995e7ad9da36f683837ba1d81e950c943d40111eac2f0',
  },
  {
    row: 5,
    says: 'numbers are written the shortest way, with an exponent from 1e21 on and below 1e-6',
    value: { a: 1.0, b: 1e2, c: 1e21, d: 1e-7, e: 0.000001, f: 123456789012345680000 },
    text: '{"a":1,"b":100,"c":1e+21,"d":1e-7,"e":0.000001,"f":123456789012345680000}',
    digest: '5cbeb46ffa23e6e1fb960387d0665ec6ac2992594009d67045e260b96a93a4fb',
  },
  {
    row: 6,
    says: 'the smallest and the largest double keep all their digits',
    value: [5e-324, 1.7976931348623157e308, 2 ** 53, 0.1 + 0.2],
    text: '[5e-324,1.7976931348623157e+308,9007199254740992,0.30000000000000004]',
    digest: '539d728fc6ecfdc471e782a03b4c89517421b5cab8524a34d920f3efe346ca88',
  },
  {
    row: 7,
    says: 'a number is written as ECMAScript writes it, however the source spelled it',
    value: { n: [Number('333333333.33333329'), 1e30, Number('4.50'), 2e-3, 1e-27] },
    text: '{"n":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
    digest: '5677d3e6cd326da8eabe1a3d94da43890cf804bfe27cd88b7d0aa177e135ac4e',
  },
  {
    row: 8,
    says: 'only control characters, the quote and the backslash are escaped, each in its shortest form',
    value: { s: '\u0000\u0007\b\t\n\u000b\f\r\u001f"\\/\u007f\u2028' },
    text: '{"s":"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\/\u007f\u2028"}',
    digest: 'bd49c2659f437a51cf2490d775627a77ae871178eb1c3be86fea6bfd32a30ed6',
  },
  {
    row: 9,
    says: 'a composed letter stays composed',
    value: '\u00e9',
    text: '"\u00e9"',
    digest: 'f2886017e9c7abacf804b54d64787dce2b611c9544ba21f3affdd126a6e50086',
  },
  {
    row: 9,
    says: 'a decomposed letter stays decomposed',
    value: 'e\u0301',
    text: '"e\u0301"',
    digest: '3d68ce21f2899a475713cdbe7562ba9bdb6b1dfde8af1f221bdff4a0935b53b2',
  },
  {
    row: 18,
    says: 'what is left of a name that stood twice is an object like any other',
    value: JSON.parse('{"a":1,"a":2}'),
    text: '{"a":2}',
    digest: '7e8059f495589fcd981232cc11d00b00da3802c01d688fa1cf1f6bed6e5bb33c',
  },
  {
    row: 20,
    says: 'a member called __proto__ is written like any other',
    value: JSON.parse('{"__proto__":1,"a":2}'),
    text: '{"__proto__":1,"a":2}',
    digest: '0c4b7a2b4e04ba308e5674b61f20266799172c87f78917e58b19408cbce2121a',
  },
]

/** RFC 8785 orders by UTF-16 units, where U+1F600 begins with U+D83D; by code points it would come last. */
const astralRows: readonly Row[] = [
  {
    row: 2,
    says: 'a name beyond the basic plane comes before U+FF20',
    value: { '\uff20': 1, [emoji]: 1 },
    text: `{"${emoji}":1,"\uff20":1}`,
    digest: '425159f5c1f0575fbcbf9d05a8f60cde3d040eae5166aa2136657564048651b6',
  },
  {
    row: 3,
    says: 'a name beyond the basic plane comes before U+FB33',
    value: { '\ufb33': 1, [emoji]: 2 },
    text: `{"${emoji}":2,"\ufb33":1}`,
    digest: 'ec4e7d8c2963caa38dccc3d42693719ac9c6ecd783891b583d333565620ac2be',
  },
]

for (const { row, says, value, text, digest } of rows) {
  test(`row ${row} of the reference: ${says}`, () => {
    assert.is(canonicalJson(value), text)
    assert.is(sha256(canonicalJson(value)), digest)
  })
}

for (const { row, says, value, text, digest } of astralRows) {
  test(`case 110: row ${row} of the reference: ${says}`, () => {
    assert.is(canonicalJson(value), text)
    assert.is(sha256(canonicalJson(value)), digest)
  })
}

test('case 110: the names of the payload of vector 4 stand in the order that the vectors give', () => {
  const payload = {
    gate: 'capability',
    verdict: 'deny',
    code: 'tool_not_granted',
    confidence: 0.1 + 0.2,
    tiny: 1e-7,
    big: 1e21,
    zero: -0,
    '\ufb03': 'U+FB03',
    [emoji]: 'astral key sorts before U+FB03 in UTF-16',
    words: 'dc359ddfb8e94fde0d50376a90e469dfa16e025256fca708346f6f24d0c2048a',
  }
  assert.is(
    canonicalJson(payload),
    '{"big":1e+21,"code":"tool_not_granted","confidence":0.30000000000000004,"gate":"capability","tiny":1e-7,"verdict":"deny",' +
      '"words":"dc359ddfb8e94fde0d50376a90e469dfa16e025256fca708346f6f24d0c2048a","zero":0,' +
      `"${emoji}":"astral key sorts before U+FB03 in UTF-16","\ufb03":"U+FB03"}`,
  )
})

/** RFC 8785, appendix B: the bits of a double and its text. */
const doubles: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4340000000000001', '9007199254740994'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

test('doubles are written as the samples of RFC 8785, appendix B, say', () => {
  for (const [bits, text] of doubles) assert.is(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE()), text, bits)
})

test('the example of RFC 8785, section 3.2.3, gives the text of that section', () => {
  const example =
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
    '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}'
  assert.is(
    canonicalJson(JSON.parse(example)),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

test('the names of RFC 8785, section 3.2.3, are sorted as that section says', () => {
  const names = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    [emoji]: 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  assert.equal(Object.values(JSON.parse(canonicalJson(names)) as Record<string, string>), [
    // JSON.parse puts a name that is a whole number first; the text has it second.
    'One',
    'Carriage Return',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ])
  assert.match(canonicalJson(names), /^\{"\\r":"Carriage Return","1":"One",/)
})

class Point {
  x = 1
}

const cycle: Record<string, unknown> = {}
cycle['self'] = { cycle }
const ring: unknown[] = []
ring.push([ring])
const arrayWithMember = Object.assign([1, 2], { name: 'x' })
const inheritedToJson: unknown = Object.create({ toJSON: () => 1 })

/** Each is refused as the whole value, as a member and as an item. */
const refused: readonly (readonly [what: string, value: unknown])[] = [
  ['row 14: undefined', undefined],
  ['row 11: NaN', Number.NaN],
  ['row 11: Infinity', Number.POSITIVE_INFINITY],
  ['minus infinity', Number.NEGATIVE_INFINITY],
  ['row 15: a BigInt', 1n],
  ['a function', () => 1],
  ['a class', Point],
  ['a symbol', Symbol('x')],
  ['row 19: a Map', new Map([['a', 1]])],
  ['an empty Map', new Map()],
  ['row 19: a Set', new Set([1])],
  ['a WeakMap', new WeakMap()],
  ['a Date', new Date(0)],
  ['an invalid Date', new Date(Number.NaN)],
  ['row 19: a Uint8Array', new Uint8Array([1, 2])],
  ['a Buffer', Buffer.from('ab')],
  ['a Float64Array', new Float64Array(1)],
  ['a BigInt64Array', new BigInt64Array(1)],
  ['an ArrayBuffer', new ArrayBuffer(2)],
  ['a DataView', new DataView(new ArrayBuffer(2))],
  ['a boxed number', Object(1)],
  ['a boxed string', Object('x')],
  ['a boxed boolean', Object(true)],
  ['a boxed BigInt', Object(1n)],
  ['a boxed symbol', Object(Symbol('x'))],
  ['an object with toJSON', { a: 1, toJSON: () => 1 }],
  ['an object that inherits toJSON', inheritedToJson],
  ['an object with a hidden toJSON', Object.defineProperty({ a: 1 }, 'toJSON', { value: () => 1, enumerable: false })],
  ['an array with a hidden toJSON', Object.defineProperty([1], 'toJSON', { value: () => 1, enumerable: false })],
  ['an array with a hole and one more member', Object.assign([1], { 2: 3, name: 'x' })],
  ['an array with toJSON', Object.assign([1], { toJSON: () => 1 })],
  ['an array with a hole', Object.assign([1], { 2: 3 })],
  ['an array that is all holes', new Array(3)],
  ['an array with one more member', arrayWithMember],
  ['an array with a symbol as a member', Object.assign([1], { [Symbol('x')]: 1 })],
  ['an object with a symbol as a name', { a: 1, [Symbol('x')]: 1 }],
  ['a cycle of objects', cycle],
  ['a cycle of arrays', ring],
  ['an instance of a class', new Point()],
  ['a regular expression', /x/],
  ['an error', new Error('x')],
  ['a promise', Promise.resolve(1)],
]

for (const [what, value] of refused) {
  test(`${what} is refused alone, as a member and as an item`, () => {
    throwsWithCode(() => canonicalJson(value), 'CANONICAL_JSON_REFUSED')
    throwsWithCode(() => canonicalJson({ ok: 1, member: value }), 'CANONICAL_JSON_REFUSED')
    throwsWithCode(() => canonicalJson([null, value]), 'CANONICAL_JSON_REFUSED')
    throwsWithCode(() => canonicalJson({ deep: [{ er: [value] }] }), 'CANONICAL_JSON_REFUSED')
  })
}

/** Texts of so many levels, in canonical form. */
const nestings: readonly ((depth: number) => string)[] = [
  (depth) => `${'['.repeat(depth)}1${']'.repeat(depth)}`,
  (depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
]

const loneSurrogates: readonly (readonly [what: string, text: string])[] = [
  ['a high one', '\ud800'],
  ['a low one', '\udfff'],
  ['two high ones', '\ud83d\ud83d'],
  ['a pair the wrong way round', '\ude00\ud83d'],
  ['a high one before a pair', '\ud83d\ud83d\ude00'],
  ['a low one behind a pair', '\ud83d\ude00\ude00'],
  ['one in the middle of a text', 'before \udc00 after'],
]

for (const [what, text] of loneSurrogates) {
  test(`case 112: a lone surrogate is refused, in a value and in a name: ${what}`, () => {
    throwsWithCode(() => canonicalJson(text), 'CANONICAL_JSON_REFUSED')
    throwsWithCode(() => canonicalJson({ k: text }), 'CANONICAL_JSON_REFUSED')
    throwsWithCode(() => canonicalJson([text]), 'CANONICAL_JSON_REFUSED')
    throwsWithCode(() => canonicalJson({ [text]: 1 }), 'CANONICAL_JSON_REFUSED')
    throwsWithCode(() => canonicalJson([{ a: { [`x${text}`]: null } }]), 'CANONICAL_JSON_REFUSED')
  })
}

test('a pair of surrogates is a character and is written as it is', () => {
  assert.is(canonicalJson({ [emoji]: `a${emoji}b` }), `{"${emoji}":"a${emoji}b"}`)
})

test('a refusal says why without a word of what it refuses', () => {
  const secret = 'the-owners-secret-sentence'
  const values = [
    { [secret]: undefined },
    { [secret]: `${secret}\ud800` },
    { a: secret, b: Number.NaN },
    Object.assign([], { [secret]: 1 }),
  ]
  for (const value of values) {
    const error = throwsWithCode(() => canonicalJson(value), 'CANONICAL_JSON_REFUSED')
    assert.not.match(inspect(error, { depth: 9, showHidden: true }), secret)
    assert.not.match(error.line, secret)
  }
})

test('a member that is called toJSON but is plain data is written: a host may send it', () => {
  const sent = '{"toJSON":{"toJSON":"x"}}'
  assert.is(canonicalJson(JSON.parse(sent)), sent)
})

test('the same object in two places is no cycle', () => {
  const shared = { x: [1] }
  assert.is(canonicalJson({ a: shared, b: [shared, shared] }), '{"a":{"x":[1]},"b":[{"x":[1]},{"x":[1]}]}')
})

test('the plain values of JSON are written as they are', () => {
  for (const text of ['null', 'true', 'false', '0', '-1', '""', '[]', '{}', '[[],{}]', '{"":{"":[]}}']) {
    assert.is(canonicalJson(JSON.parse(text)), text)
  }
})

test('nesting up to the limit is written and one level more is refused', () => {
  for (const nested of nestings) {
    assert.is(canonicalJson(JSON.parse(nested(depthMax))), nested(depthMax))
    throwsWithCode(() => canonicalJson(JSON.parse(nested(depthMax + 1))), 'CANONICAL_JSON_REFUSED')
  }
})

test('whatever the reader takes can be written, also as a part of something that lies deeper', () => {
  for (const nested of nestings) {
    for (let depth = 0; depth <= depthMax + 2; depth += 1) {
      if (!accepts(() => parseLossless(nested(depth)))) continue
      const { value } = parseLossless(nested(depth))
      assert.is(canonicalJson({ arguments: [{ name: 'a', value }] }), `{"arguments":[{"name":"a","value":${nested(depth)}}]}`)
    }
  }
})

test('nesting without any measure is refused with the code and does not run out of stack', () => {
  let value: unknown = 1
  for (let depth = 0; depth < 200_000; depth += 1) value = [value]
  throwsWithCode(() => canonicalJson(value), 'CANONICAL_JSON_REFUSED')
})

/** Names and texts that trip careless writers, besides any text of whole characters. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '__proto__',
    'toJSON',
    'constructor',
    'length',
    'hasOwnProperty',
    '0',
    '10',
    '9',
    '-1',
    emoji,
    '\ufb03',
    '\uffff',
  ),
)
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.maxSafeInteger())
const { value: jsonValue } = fc.letrec<{ value: unknown; list: unknown[]; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ maxDepth: 6 }, fc.constantFrom(null, true, false), number, text, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 6 }),
  object: fc.array(fc.tuple(text, tie('value')), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
}))

test('what is written reads back as the same value, whatever plain JSON it is', () => {
  fc.assert(
    fc.property(jsonValue, (value) => isDeepStrictEqual(JSON.parse(canonicalJson(value)), withoutMinusZero(value))),
    { seed: 8785, numRuns: 2000 },
  )
})

test('what is written is what a second implementation of RFC 8785 writes', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      assert.is(canonicalJson(value), secondJcs(value))
    }),
    { seed: 8785, numRuns: 2000 },
  )
})

test('the order in which members were put in does not show', () => {
  const members = fc.uniqueArray(fc.tuple(text, jsonValue), { selector: ([name]) => name, maxLength: 12 })
  const orders = members.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
  fc.assert(
    fc.property(orders, ([first, second]) => {
      assert.is(canonicalJson(Object.fromEntries(first)), canonicalJson(Object.fromEntries(second)))
    }),
    { seed: 8785, numRuns: 1000 },
  )
})

function sha256(words: string): string {
  return createHash('sha256').update(words, 'utf8').digest('hex')
}

function accepts(call: () => unknown): boolean {
  try {
    call()
    return true
  } catch {
    return false
  }
}

/** JCS from the words of the RFC alone: escapes by its list, names compared unit by unit. */
function secondJcs(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(secondJcs).join()}]`
  if (typeof value !== 'object' || value === null) return value === 0 ? '0' : String(value)
  const members = Object.entries(value).sort(([a], [b]) => compareUnits(a, b))
  return `{${members.map(([name, member]) => `${quoted(name)}:${secondJcs(member)}`).join()}}`
}

function quoted(words: string): string {
  const short: Record<string, string> = { '\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r', '"': '"', '\\': '\\' }
  let out = '"'
  for (const unit of words.split('')) {
    if (short[unit] !== undefined) out += `\\${short[unit]}`
    else if (unit < ' ') out += `\\u00${unit.charCodeAt(0).toString(16).padStart(2, '0')}`
    else out += unit
  }
  return `${out}"`
}

function compareUnits(a: string, b: string): number {
  for (let place = 0; place < Math.min(a.length, b.length); place += 1) {
    const difference = a.charCodeAt(place) - b.charCodeAt(place)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function withoutMinusZero(value: unknown): unknown {
  if (value === 0) return 0
  if (Array.isArray(value)) return value.map(withoutMinusZero)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutMinusZero(member)]))
}

test.run()
