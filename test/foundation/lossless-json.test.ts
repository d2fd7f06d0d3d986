// Holds the reader of host JSON to RFC 8259, to JSON.parse as a second reader, and to the losses that docs/format.md forbids.
import { inspect, isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { canonicalJson, depthMax, type JsonValue } from '../../src/foundation/canonical-json.js'
import {
  type LosslessJson,
  parseLossless,
  parseLosslessBytes,
  type UnreadableReason,
} from '../../src/foundation/lossless-json.js'
import { rejectsWithCode, throwsWithCode } from '../support/rejects-with-code.js'
import { makeRandom } from '../support/seeded-random.js'

const test = suite('lossless-json')

const unreadable = 'JSON_UNREADABLE'

test('case 112: an integer within a double stays a number, and the next one is carried as its digits', () => {
  for (const [text, value] of [
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['0', 0],
    ['-1', -1],
  ] as const) {
    assert.equal(read(text), { value, repaired: 0 }, text)
  }
  for (const digits of [
    '9007199254740992',
    '-9007199254740992',
    '9007199254740993',
    '1234567890123456789',
    '-18446744073709551616',
  ]) {
    assert.equal(read(digits), { value: { $int: digits }, repaired: 1 }, digits)
  }
})

test('case 112: an integer longer than any double is carried as its digits too', () => {
  const digits = '9'.repeat(400)
  assert.equal(read(digits), { value: { $int: digits }, repaired: 1 })
  assert.equal(read(`{"id":-${digits}}`), { value: { id: { $int: `-${digits}` } }, repaired: 1 })
})

test('every integer that is carried as digits is counted', () => {
  assert.equal(read('[9007199254740992,{"a":-9007199254740992},1]'), {
    value: [{ $int: '9007199254740992' }, { a: { $int: '-9007199254740992' } }, 1],
    repaired: 2,
  })
})

test('a number with a point or an exponent is the nearest double, however large it is', () => {
  for (const text of [
    '9007199254740993.0',
    '1e2',
    '1E+2',
    '1.5e300',
    '123456789012345678901234567890e0',
    '0.1',
    '1e-400',
    '-1e-7',
    '0e999',
  ]) {
    assert.equal(read(text), { value: Number(text), repaired: 0 }, text)
  }
})

test('minus zero is no repair and has the canonical form 0', () => {
  for (const text of ['-0', '-0.0', '-0e5']) {
    assert.is(read(text).repaired, 0, text)
    assert.is(canonicalJson(read(text).value), '0', text)
  }
})

test('a number that overflows a double is refused', () => {
  const overflowing = [
    '1e309',
    '-1e309',
    '1E400',
    '1.8e308',
    '0.1e310',
    `1${'0'.repeat(309)}.0`,
    `-9${'9'.repeat(400)}e0`,
    '1e99999999999',
  ]
  for (const text of overflowing) {
    refused(text, 'number_overflow')
    refused(`{"a":[${text}]}`, 'number_overflow')
  }
  assert.is(read('1.7976931348623157e308').value, Number.MAX_VALUE)
})

test('a name of dollar signs and int gets one more dollar sign, so that it cannot pass for a carried integer', () => {
  assert.equal(read('{"$int":"5"}'), { value: { $$int: '5' }, repaired: 0 })
  assert.equal(read('{"$$int":1,"$$$int":2}'), { value: { $$$int: 1, $$$$int: 2 }, repaired: 0 })
  assert.equal(read('{"\\u0024int":1}'), { value: { $$int: 1 }, repaired: 0 })
  assert.equal(read('[{"a":{"$int":9007199254740992}}]'), {
    value: [{ a: { $$int: { $int: '9007199254740992' } } }],
    repaired: 1,
  })
})

test('names that only look like it, and texts, stay as they are', () => {
  const text = '{"int":1,"$":2,"$in":3,"$inta":4,"a$int":5,"$Int":6,"$ int":7,"$int$":8,"text":"$int"}'
  assert.equal(read(text), { value: JSON.parse(text), repaired: 0 })
})

test('the two spellings of such a name in one object stay two members', () => {
  assert.equal(read('{"$int":1,"$$int":2}').value, { $$int: 1, $$$int: 2 })
})

test('a name that stands twice is refused, wherever and however it is spelled', () => {
  const twice = [
    '{"a":1,"a":2}',
    '{"a":1,"a":1}',
    '{"":1,"":2}',
    '{"a":1,"b":2,"c":{"d":[]},"a":3}',
    '{"a":1,"\\u0061":2}',
    '{"\\u0061":1,"a":2}',
    '{"/":1,"\\/":2}',
    '{"\\n":1,"\\u000a":2}',
    '{"\u{1F600}":1,"\\ud83d\\ude00":2}',
    '{"\\u00E9":1,"\u00e9":2}',
    '{"$int":1,"$int":2}',
    '{"$int":1,"\\u0024int":2}',
    '[[{"x":{"y":1,"y":2}}]]',
    '{"a":{"a":1},"b":{"c":1,"c":2}}',
    '{"constructor":1,"constructor":2}',
    '{"toString":1,"toString":2}',
    '{"0":1,"0":2}',
  ]
  for (const text of twice) refused(text, 'name_twice')
})

test('a name that stands twice only after lone surrogates are repaired is refused', () => {
  for (const text of [
    '{"\\ud800":1,"\\udfff":2}',
    '{"\\ud800":1,"\ufffd":2}',
    '{"\ufffd":1,"\\udc00":2}',
    '{"a\\ud83d":1,"a\\ud83e":2}',
  ]) {
    refused(text, 'name_twice')
  }
})

test('a name __proto__ that stands twice is refused', () => {
  refused('{"__proto__":1,"__proto__":2}', 'name_twice')
  refused('{"__proto__":{},"__proto__":{}}', 'name_twice')
  refused('{"__proto__":null,"\\u005f_proto__":null}', 'name_twice')
})

test('equal names in different objects, and composed and decomposed ones in the same, are no names twice', () => {
  for (const text of ['{"a":{"a":{"a":1}},"b":{"a":2}}', '[{"a":1},{"a":1}]', '{"\u00e9":1,"e\u0301":2}', '{"a":1,"A":2}']) {
    assert.equal(read(text), { value: JSON.parse(text), repaired: 0 }, text)
  }
})

test('a member called __proto__ is kept as a member of its own and changes no prototype', () => {
  const { value } = read('{"a":1,"__proto__":{"polluted":true},"b":{"__proto__":null}}')
  const object = value as Record<string, unknown>
  assert.equal(Object.keys(object), ['a', '__proto__', 'b'])
  assert.is(Object.getPrototypeOf(object), Object.prototype)
  assert.is(object['polluted'], undefined)
  assert.is(Object.getOwnPropertyDescriptor(object['b'], '__proto__')?.value, null)
  assert.is(canonicalJson(value), '{"__proto__":{"polluted":true},"a":1,"b":{"__proto__":null}}')
})

test('case 112: a lone surrogate becomes U+FFFD and is counted', () => {
  for (const [text, value, repaired] of [
    ['"\\ud800"', '\ufffd', 1],
    ['"\\uDFFF"', '\ufffd', 1],
    ['"a\\ud800b"', 'a\ufffdb', 1],
    ['"\\ud800\\ud800"', '\ufffd\ufffd', 2],
    ['"\\ude00\\ud83d"', '\ufffd\ufffd', 2],
    ['"\\ud83d\\ud83d\\ude00"', '\ufffd\u{1F600}', 1],
    ['"\\ud83d\\ude00\\ude00"', '\u{1F600}\ufffd', 1],
    ['"\\ud83dx\\ude00"', '\ufffdx\ufffd', 2],
    ['"\\ud83d\\n"', '\ufffd\n', 1],
  ] as const) {
    assert.equal(read(text), { value, repaired }, text)
  }
})

test('lone surrogates in names and values are counted together with integers', () => {
  assert.equal(read('{"\\ud800":["\\udc00",9007199254740992],"x\\udc00":"\\ud83d\\ude00"}'), {
    value: { '\ufffd': ['\ufffd', { $int: '9007199254740992' }], 'x\ufffd': '\u{1F600}' },
    repaired: 4,
  })
})

test('an escaped pair of surrogates is its character, and U+FFFD that was sent is no repair', () => {
  assert.equal(read('"\\ud83d\\ude00\\uD83D\\uDE00\ufffd\\ufffd"'), { value: '\u{1F600}\u{1F600}\ufffd\ufffd', repaired: 0 })
})

test('lone surrogates in text that is decoded already are repaired and counted as well', () => {
  assert.equal(parseLossless('"a\ud800"'), { value: 'a\ufffd', repaired: 1 })
  assert.equal(parseLossless('{"\udc00":1}'), { value: { '\ufffd': 1 }, repaired: 1 })
})

test('whatever was repaired has a canonical form', () => {
  const text = '{"\\ud800":["\\udc00",-9007199254740992,{"$int":"x"}]}'
  assert.is(canonicalJson(read(text).value), '{"\ufffd":["\ufffd",{"$int":"-9007199254740992"},{"$$int":"x"}]}')
})

/** 64 levels less than can be written: what a host sends becomes a part of something larger. */
const readDepthMax = depthMax - 64

test('nesting up to the limit is read and one level more is refused', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const nested = (depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`
    assert.equal(read(nested(readDepthMax)).value, JSON.parse(nested(readDepthMax)))
    refused(nested(readDepthMax + 1), 'too_deep')
    refused(open.repeat(300_000), 'too_deep')
  }
})

test('a byte-order mark before the value is skipped', () => {
  assert.equal(parseLosslessBytes(bytesOf('\ufeff{"a":1}')), { value: { a: 1 }, repaired: 0 })
  assert.equal(parseLosslessBytes(bytesOf('\ufeff [1]')).value, [1])
})

test('case 43: a byte-order mark alone, and no byte at all, are empty input', () => {
  for (const bytes of [Buffer.from([0xef, 0xbb, 0xbf]), Buffer.alloc(0)]) {
    assert.is(throwsWithCode(() => parseLosslessBytes(bytes), unreadable).details['reason'], 'empty')
  }
  assert.is(throwsWithCode(() => parseLossless(''), unreadable).details['reason'], 'empty')
})

test('a byte-order mark anywhere else, or a second one, is refused', () => {
  for (const text of ['\ufeff\ufeff1', '[\ufeff1]', '1\ufeff', '{\ufeff"a":1}']) refused(text, 'syntax')
})

test('blanks alone are no value', () => {
  for (const text of [' ', '\n', '\t\r\n  ', '\ufeff \n']) throwsWithCode(() => parseLosslessBytes(bytesOf(text)), unreadable)
})

test('bytes that are not UTF-8 are refused, also where they stand inside a text', () => {
  const broken = [
    'ff',
    'fe',
    '80',
    'c0af',
    'c1bf',
    'c3',
    'e4b8',
    'e0809f',
    'eda080',
    'edbfbf',
    'f09f98',
    'f0808080',
    'f4908080',
    'f8888080',
  ]
  for (const hex of broken) {
    const middle = Buffer.from(hex, 'hex')
    for (const bytes of [middle, quotedBytes(middle), Buffer.concat([bytesOf('{"a":1}'), middle])]) {
      assert.is(throwsWithCode(() => parseLosslessBytes(bytes), unreadable).details['reason'], 'not_utf8', hex)
    }
  }
})

test('UTF-16 and Big5 are refused instead of being read as something else', () => {
  assert.is(
    throwsWithCode(() => parseLosslessBytes(Buffer.from('fffe7b007d00', 'hex')), unreadable).details['reason'],
    'not_utf8',
  )
  // The two characters for "Chinese" in Big5.
  assert.is(
    throwsWithCode(() => parseLosslessBytes(quotedBytes(Buffer.from('a4a4a4e5', 'hex'))), unreadable).details['reason'],
    'not_utf8',
  )
})

test('case 44: UTF-8 is decoded as UTF-8: Chinese, characters of four bytes and U+FFFF come through', () => {
  // U+6211 U+51B3 U+5B9A, U+1F600, U+10FFFF and U+FFFF by their bytes.
  const bytes = quotedBytes(Buffer.from('e68891e586b3e5ae9af09f9880f48fbfbfefbfbf', 'hex'))
  assert.equal(parseLosslessBytes(bytes), { value: '\u6211\u51b3\u5b9a\u{1F600}\u{10FFFF}\uffff', repaired: 0 })
})

test('text behind the value is refused', () => {
  for (const text of ['1 2', '{} x', '[]]', '{}}', 'nulll', '"a""b"', '1,', '{}{}', '[1]\u0000', 'true false', '""//'])
    refused(text, 'syntax')
})

test('blanks of JSON before, between and behind are passed over', () => {
  const text = ' \t\r\n{ \t\r\n"a" \t\r\n: \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n} \t\r\n'
  assert.equal(read(text), { value: { a: [1, 2] }, repaired: 0 })
})

/** What RFC 8259 does not allow, piece by piece of its grammar. */
const wrongTexts: Readonly<Record<string, readonly string[]>> = {
  'other blanks than the four of JSON': ['\u00a01', '[\u20601]', '\f1', '\v1', '[1\u2028]', '1\u0085', '\u30001', '[\u0000]'],
  'literals of another spelling': [
    'nul',
    'tru',
    'fals',
    'NULL',
    'True',
    'nil',
    'undefined',
    'NaN',
    'Infinity',
    '-Infinity',
    'none',
    'truefalse',
    'n',
    't',
    'f',
  ],
  'numbers of another spelling': [
    '+1',
    '++1',
    '-',
    '--1',
    '- 1',
    '01',
    '-01',
    '00',
    '012',
    '1.',
    '-1.',
    '.1',
    '-.1',
    '1.e1',
    '1.2.3',
    '1e',
    '1E',
    '1e+',
    '1e-',
    '1.0e',
    '1e1.5',
    '1ee1',
    '1eE1',
    '0e+-1',
    '1_000',
    '1 000',
    '1,000',
    '0x1F',
    '0b1',
    '0o7',
    '1n',
    '1f',
    '1a',
    '-foo',
    '\uff11',
    '1+2',
    '1/2',
    '\u0661',
  ],
  'texts that are not closed or not quoted as JSON quotes': [
    '"',
    '"a',
    '"a\\"',
    "'a'",
    'a',
    '`a`',
    '"a\'',
    '\u201ca\u201d',
    '"\\',
    '"\\"',
  ],
  'escapes that JSON does not know': [
    '"\\a"',
    '"\\x41"',
    '"\\v"',
    '"\\0"',
    '"\\101"',
    '"\\\'"',
    '"\\ "',
    '"\\U0041"',
    '"\\\n"',
    '"\\u{41}"',
    '"\\\u{1F600}"',
  ],
  'unicode escapes without four hex digits': [
    '"\\u"',
    '"\\u1"',
    '"\\u12"',
    '"\\u123"',
    '"\\u123g"',
    '"\\uqqqq"',
    '"\\u 123"',
    '"\\u+123"',
    '"\\u-123"',
    '"\\u00e',
    '"\\ud800\\u"',
    '"\\ud834\\uDd"',
    '"\\u0x41"',
    '"\\u1.23"',
    '"\\u1e+1"',
  ],
  'control characters inside a text': [
    '"a\nb"',
    '"\t"',
    '"\r"',
    '"\u0000"',
    '"\u0001"',
    '"\u001f"',
    '"\b"',
    '"\f"',
    '{"a\nb":1}',
  ],
  'arrays with too few or too many signs': [
    '[',
    ']',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '[,]',
    '[1,,2]',
    '[1 2]',
    '["a" "b"]',
    '[1;2]',
    '[1:2]',
    '[}',
    '[1}',
    '[[]',
    '[3[4]]',
    '[""',
    '["",',
    '[{}',
    '[1,\n',
    '[*]',
    '[][]',
    '[...]',
    '(1)',
  ],
  'objects with too few or too many signs': [
    '{',
    '}',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{,"a":1}',
    '{"a":1,,"b":2}',
    '{"a" 1}',
    '{"a"::1}',
    '{"a":}',
    '{"a"}',
    '{:1}',
    '{"a":1 "b":2}',
    '{"a":1;"b":2}',
    '{"a","b"}',
    '{"a"=1}',
    '{]',
    '{"a":1]',
    '{"a":[}',
    '{{}}',
    '{"a":1 2}',
  ],
  'names that are no texts': ['{a:1}', "{'a':1}", '{1:1}', '{null:1}', '{[1]:1}', '{{}:1}', '{true:1}', '{-1:1}'],
  'comments and other additions': [
    '/**/1',
    '1//',
    '1/**/',
    '[1,/*2*/3]',
    '#1',
    '1#',
    '{"a":/*x*/1}',
    '<a/>',
    '<null>',
    '$',
    '@',
    '\\u0031',
    '&amp;',
    '[1]x',
    '*',
    ';',
    ',',
    ':',
  ],
}

for (const [what, texts] of Object.entries(wrongTexts)) {
  test(`not JSON and refused: ${what}`, () => {
    for (const text of texts) {
      assert.throws(() => JSON.parse(text), isSyntaxError, text)
      refused(text, 'syntax')
    }
  })
}

test('every beginning of a text that does not end is refused', () => {
  const whole = '{"a":[1,-2.5e+3,"x\\u00e9\\n",true,false,null,{"b":{}}],"c":"\u{1F600}"}'
  assert.equal(read(whole).value, JSON.parse(whole))
  for (let length = 1; length < whole.length; length += 1) {
    throwsWithCode(() => parseLossless(whole.slice(0, length)), unreadable)
  }
})

test('a refusal tells the reason and the offset of the character', () => {
  assert.equal(throwsWithCode(() => parseLossless('[1,]'), unreadable).details, { reason: 'syntax', at: 3 })
  assert.is(throwsWithCode(() => parseLossless('{"ab": tru }'), unreadable).details['reason'], 'syntax')
})

test('a refusal inside a text tells the place of its first wrong character, and of a wrong escape that of its backslash', () => {
  for (const [text, at] of [
    ['["ab\\n\nc"]', 6],
    ['["\\ud800\\x"]', 8],
    ['["\\u12g4\\x"]', 2],
    ['["\\\\\\"\u0000', 6],
    ['["ab', 4],
    ['["ab\\', 4],
    ['{"a\\":1}', 8],
  ] as const)
    assert.equal(throwsWithCode(() => parseLossless(text), unreadable).details, { reason: 'syntax', at }, text)
})

test('sixteen MiB of escapes are read in a fraction of the time that they took piece by piece', () => {
  const many = 8 * 1024 * 1024
  const bytes = bytesOf(`"${'\\"'.repeat(many)}"`)
  const before = process.cpuUsage()
  const { value, repaired } = parseLosslessBytes(bytes)
  const { user, system } = process.cpuUsage(before)
  assert.ok(value === '"'.repeat(many) && repaired === 0)
  assert.ok(user + system < 1_000_000, `microseconds: ${user + system}`)
})

test('a name with a value that holds secrets never shows in the error of any refusal', () => {
  const secret = 'Xq7-secret-words'
  const texts = [
    `{"${secret}":1,"${secret}":2}`,
    `{"a":"${secret}",}`,
    `{"a":"${secret}" ${secret}`,
    `["${secret}`,
    secret,
    `["${secret}",1e999]`,
    `${'['.repeat(300)}"${secret}"`,
    `{"${secret}":"\\x"}`,
    `"${secret}\u0001"`,
  ]
  const bytes = [...texts.map(bytesOf), Buffer.concat([bytesOf(`"${secret}`), Buffer.from([0xff, 0x22])])]
  for (const each of bytes) {
    const error = throwsWithCode(() => parseLosslessBytes(each), unreadable)
    for (const shown of [error.message, error.line, String(error.stack), inspect(error, { depth: 9, showHidden: true })]) {
      assert.not.match(shown, secret)
      assert.not.match(shown, 'Xq7')
    }
  }
})

test('a refusal also reaches who awaits it', async () => {
  await rejectsWithCode(async () => parseLosslessBytes(bytesOf('{')), unreadable)
})

const plainJson = fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 })
const spacedJson = fc
  .tuple(plainJson, fc.constantFrom('', ' ', '\t', '  \n'), fc.constantFrom('', ' ', '\r\n'))
  .map(([value, indent, edge]) => edge + JSON.stringify(value, null, indent) + edge)
const numberText = fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?$/)
const numbersJson = fc.array(numberText, { maxLength: 4 }).map((numbers) => `[${numbers.join(',')}]`)
const escapesJson = fc
  .array(
    fc.constantFrom(
      '\\n',
      '\\u0041',
      '\\uD83D',
      '\\uDE00',
      '\\ud83d\\ude00',
      '\\"',
      '\\\\',
      '\\/',
      'a',
      '\u00e9',
      '\u{1F600}',
      '\\u0000',
      '$int',
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => `{"${parts.join('')}":"${parts.toReversed().join('')}"}`)
const pieces = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '"a"',
    '"b":',
    '0',
    '1',
    '-',
    '.',
    'e',
    '+',
    'true',
    'null',
    'fals',
    ' ',
    '\n',
    '\t',
    '\u0000',
    '\u00a0',
    '\\u00',
    '9007199254740993',
    '1e999',
    '"__proto__":',
    '"$int":',
    '\ufeff',
  ],
)
const mutatedJson = fc
  .tuple(
    fc.oneof(spacedJson, numbersJson, escapesJson),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), pieces), { minLength: 1, maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes.reduce((changed, [place, removed, piece]) => {
      const at = place % (changed.length + 1)
      return changed.slice(0, at) + piece + changed.slice(at + removed)
    }, text),
  )
const soup = fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join(''))

for (const [what, texts] of [
  ['valid JSON', fc.oneof(spacedJson, numbersJson, escapesJson)],
  ['JSON with a few characters changed', mutatedJson],
  ['pieces of JSON in any order', soup],
] as const) {
  test(`it reads ${what} just as JSON.parse does, but for the losses that it counts or refuses`, () => {
    fc.assert(fc.property(texts, agreesWithJsonParse), { seed: 8259, numRuns: 6000 })
  })
}

test('ten thousand seeded mutations of bytes are read or refused with the code, and what is read has a canonical form', () => {
  const random = makeRandom(20_261_129)
  const texts = [
    '{"hook_event_name":"a_hook","tool_input":{"path":"docs/\u8bf4\u660e.md","n":[1,-2.5e3,9007199254740993]},"extra":{}}',
    '["\\ud83d\\ude00\\ud800\\n\\u00e9",true,false,null,0,-0,1e10,{"$int":"1","__proto__":{"a":[]}}]',
    '\ufeff {"a":{"b":{"c":[[[[]]]]}},"\\u0061b":"\u{1F600}\ufffd"}\n',
  ]
  const outcomes = { read: 0, refused: 0 }
  for (let round = 0; round < 10_000; round += 1) {
    let bytes = bytesOf(random.pick(texts))
    for (let change = random.int(4); change >= 0; change -= 1) {
      const at = random.int(bytes.length + 1)
      const inserted = random.chance(2)
        ? random.bytes(random.int(3))
        : bytesOf(random.pick(['"', '{', '}', '[', ',', ':', '\\', '0', 'e9', '\\ud800']))
      bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + random.int(3))])
    }
    const found = tryToRead(() => parseLosslessBytes(bytes))
    if (found === undefined) {
      outcomes.refused += 1
      continue
    }
    canonicalJson(found.value)
    outcomes.read += 1
  }
  assert.ok(outcomes.read > 500 && outcomes.refused > 500, `both were seen: ${JSON.stringify(outcomes)}`)
})

test('ten thousand runs of bytes without any form never end in anything but a value or the code', () => {
  const random = makeRandom(8259)
  for (let round = 0; round < 10_000; round += 1) tryToRead(() => parseLosslessBytes(random.bytes(random.int(12))))
})

function read(text: string): LosslessJson {
  const found = parseLosslessBytes(bytesOf(text))
  assert.equal(parseLossless(text), found, 'decoded text is read like its bytes')
  return found
}

/** Both doors refuse it, for this reason. */
function refused(text: string, reason: UnreadableReason): void {
  const calls = [() => parseLosslessBytes(bytesOf(text))]
  // A mark at the very beginning is a matter of bytes; decoded text has lost it.
  if (!text.startsWith('\ufeff')) calls.push(() => parseLossless(text))
  for (const call of calls) {
    assert.is(throwsWithCode(call, unreadable).details['reason'], reason, JSON.stringify(text.slice(0, 80)))
  }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}

function quotedBytes(middle: Buffer): Buffer {
  return Buffer.concat([bytesOf('"'), middle, bytesOf('"')])
}

function isSyntaxError(error: unknown): boolean {
  return error instanceof SyntaxError
}

/** The value; undefined where it was refused with the code. Anything else that is thrown goes on. */
function tryToRead(call: () => LosslessJson): LosslessJson | undefined {
  try {
    return call()
  } catch (error) {
    throwsWithCode(() => {
      throw error
    }, unreadable)
    return undefined
  }
}

function agreesWithJsonParse(text: string): void {
  const found = tryToRead(() => parseLossless(text))
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    assert.is(found, undefined, `JSON.parse refuses what ours reads: ${JSON.stringify(text)}`)
    return
  }
  const outside = text.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  const numbers = outside.match(/-?\d[\d.eE+-]*/g) ?? []
  const isInteger = (token: string): boolean => /^-?\d+$/.test(token)
  const overflows = numbers.some((token) => !isInteger(token) && !Number.isFinite(Number(token)))
  // JSON.parse keeps the last of two equal names, so fewer members are left than there are colons.
  const loses = (outside.match(/:/g) ?? []).length !== namesOf(parsed).length
  if (overflows || loses) {
    assert.is(found, undefined, `a loss went unseen: ${JSON.stringify(text)}`)
    return
  }
  const surrogates = /\\u[dD][89a-fA-F]/.test(text) || !text.isWellFormed()
  if (found === undefined && surrogates) {
    // Repair can make two names equal.
    refused(text, 'name_twice')
    return
  }
  assert.ok(found !== undefined, `ours refuses what JSON.parse reads: ${JSON.stringify(text)}`)
  const large = numbers.filter((token) => isInteger(token) && !Number.isSafeInteger(Number(token)))
  if (!surrogates) assert.is(found.repaired, large.length, JSON.stringify(text))
  if (surrogates || large.length > 0 || namesOf(parsed).some((name) => /^\$+int$/.test(name))) return
  assert.ok(isDeepStrictEqual(withoutMinusZero(found.value), withoutMinusZero(parsed)), JSON.stringify(text))
}

/** The names of all members, at every depth. */
function namesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(namesOf)]
}

function withoutMinusZero(value: unknown): JsonValue {
  if (value === 0) return 0
  if (Array.isArray(value)) return value.map(withoutMinusZero)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutMinusZero(member)]))
}

test.run()
