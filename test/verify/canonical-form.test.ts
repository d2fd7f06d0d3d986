// Holds the verifier's reading of RFC 8785 to published values and to every way of writing the same JSON in other bytes.
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readCanonicalForm } from '../../src/verify/canonical-form.js'

// Ledger facts, 5.7: canonical texts and the SHA-256 of their bytes, checked there against another library.
const published: readonly (readonly [text: string, digest: string, value: unknown])[] = [
  [
    '{"10":4,"9":5,"A":3,"a":2,"b":1}',
    '8c56319558a31926ed23667f7e7ee4e2aa0aa56760127d36becc2e3485ae5e1e',
    { b: 1, a: 2, A: 3, '10': 4, '9': 5 },
  ],
  [
    '{"\u{1F600}":1,"\uFF20":1}',
    '425159f5c1f0575fbcbf9d05a8f60cde3d040eae5166aa2136657564048651b6',
    { '\uFF20': 1, '\u{1F600}': 1 },
  ],
  [
    '{"\u{1F600}":2,"\uFB33":1}',
    'ec4e7d8c2963caa38dccc3d42693719ac9c6ecd783891b583d333565620ac2be',
    { '\uFB33': 1, '\u{1F600}': 2 },
  ],
  ['{"n":0}', 'f3013f933b9fb80ab6d995e7ad9da36f683837ba1d81e950c943d40111eac2f0', { n: 0 }],
  [
    '{"a":1,"b":100,"c":1e+21,"d":1e-7,"e":0.000001,"f":123456789012345680000}',
    '5cbeb46ffa23e6e1fb960387d0665ec6ac2992594009d67045e260b96a93a4fb',
    { a: 1, b: 100, c: 1e21, d: 1e-7, e: 0.000001, f: 123456789012345680000 },
  ],
  [
    '[5e-324,1.7976931348623157e+308,9007199254740992,0.30000000000000004]',
    '539d728fc6ecfdc471e782a03b4c89517421b5cab8524a34d920f3efe346ca88',
    [5e-324, Number.MAX_VALUE, 2 ** 53, 0.1 + 0.2],
  ],
  [
    '{"n":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
    '5677d3e6cd326da8eabe1a3d94da43890cf804bfe27cd88b7d0aa177e135ac4e',
    { n: [333333333.3333333, 1e30, 4.5, 0.002, 1e-27] },
  ],
]

const read = (text: string): { readonly value: unknown } | undefined => readCanonicalForm(Buffer.from(text))

test('published canonical texts are read, and are the bytes of the published digests', () => {
  for (const [text, digest, value] of published) {
    assert.is(createHash('sha256').update(text).digest('hex'), digest, text)
    assert.equal(read(text)?.value, value, text)
  }
})

test('the escapes of RFC 8785 are read, and every other way to write the same characters is refused', () => {
  const text = '{"s":"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\/\u007f\u2028"}'
  assert.equal(read(text)?.value, { s: '\0\u0007\b\t\n\v\f\r\u001f"\\/\u007f\u2028' })
  for (const [from, to] of [
    ['\\u0000', '\\u0000 '],
    ['\\u000b', '\\u000B'],
    ['\\u001f', '\\u001F'],
    ['\\b', '\\u0008'],
    ['\\n', '\\u000a'],
    ['\\"', '\\u0022'],
    ['\\\\', '\\u005c'],
    ['/', '\\/'],
    ['\u007f', '\\u007f'],
    ['\u2028', '\\u2028'],
    ['"s"', '"\\u0073"'],
    ['\\t', '\t'],
  ] as const) {
    const other = text.replace(from, () => to)
    assert.is.not(other, text)
    if (to === '\\u0000 ') continue
    assert.is(read(other), undefined, to)
  }
})

test('composed and decomposed letters stay different and are both canonical', () => {
  assert.equal(read('"\u00e9"')?.value, '\u00e9')
  assert.equal(read('"e\u0301"')?.value, 'e\u0301')
})

test('plain values of every kind are canonical', () => {
  for (const text of ['null', 'true', 'false', '0', '-1', '1.5', '""', '[]', '{}', '[[],{}]', '{"a":{"b":[null]}}']) {
    assert.equal(read(text), { value: JSON.parse(text) as unknown }, text)
  }
  assert.ok(read('{"__proto__":1,"a":2}'), 'a name like any other')
})

test('the same value in other bytes is refused', () => {
  const others = {
    'a blank': '{"a": 1}',
    'a blank in front': ' {"a":1}',
    'a line feed behind': '{"a":1}\n',
    'a byte-order mark': '\ufeff{"a":1}',
    'names in another order': '{"b":1,"a":2}',
    'names by code point': '{"\uFB33":1,"\u{1F600}":2}',
    'numbers as names, by value': '{"9":5,"10":4}',
    'a name twice': '{"a":1,"a":1}',
    'a negative zero': '[-0]',
    'a decimal point': '[1.0]',
    'an exponent': '[1e2]',
    'a capital E': '[1E+30]',
    'an exponent without sign': '[1e30]',
    'more digits than a double holds': '[9007199254740993]',
    'a number beyond a double': '[1e400]',
    'a zero in front': '[01]',
    'a plus sign': '[+1]',
    'nested disorder': '{"a":[{"c":1,"b":2}]}',
    'a comma too many': '[1,]',
    'two values': '{}{}',
    'a comment': '{}/* */',
    nothing: '',
    'a word': 'undefined',
    NaN: '[NaN]',
    'single quotes': "{'a':1}",
  }
  for (const [name, text] of Object.entries(others)) assert.is(read(text), undefined, name)
})

test('lone surrogates have no canonical form, as value or as name', () => {
  for (const text of ['"\\ud800"', '"\\udc00x"', '{"\\ud800":1}', '["\\ude00\\ud83d"]']) assert.is(read(text), undefined, text)
  assert.is(read('"\\ud83d\\ude00"'), undefined, 'an escaped pair is not the canonical way')
  assert.equal(read('"\u{1F600}"')?.value, '\u{1F600}')
})

test('bytes that are not UTF-8 are refused', () => {
  for (const hex of ['22ff22', '22c322', '22eda08022', '22f480808022f5', '22c0af22']) {
    assert.is(readCanonicalForm(Buffer.from(hex, 'hex')), undefined, hex)
  }
  // U+FFFD itself is a character like any other.
  assert.equal(readCanonicalForm(Buffer.from('22efbfbd22', 'hex'))?.value, '\ufffd')
})

test('nesting that no stack can hold is refused and does no harm', () => {
  const depth = 200_000
  assert.is(read('['.repeat(depth) + ']'.repeat(depth)), undefined)
  assert.is(read('{"a":'.repeat(depth)), undefined)
  assert.ok(read('['.repeat(200) + ']'.repeat(200)))
})

test.run()
