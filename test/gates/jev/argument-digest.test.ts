// Holds the canonical text of arguments to its reference digests and to its bound.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { argumentDigest, argumentText } from '../../../src/gates/jev/argument-digest.js'
import { sha256Text } from '../../support/jev-desk.js'

const test = suite('argument-digest')

const digest = (args: unknown) => argumentDigest(args, sha256Text)

test('row J25: the reference digests of the specification come out', () => {
  assert.is(digest({}), '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
  assert.is(digest({ a: 'é' }), '1bb044a097f285c5e9b27bd49230a48ea3a2a68a07283b21f6a46009f3765014')
  assert.is(digest({ tool: 'terminal' })?.slice(0, 16), 'cd2eb02a73f308b7')
  assert.is(digest({ command: 'rm -rf build' })?.slice(0, 24), '43ddc5e469614cf4cdbfe114')
})

test('names are sorted, blanks stand behind signs, and all beyond ASCII is escaped', () => {
  assert.is(argumentText({ b: [1, true, null], a: '😀\u007f\n"' }), '{"a": "\\ud83d\\ude00\\u007f\\n\\"", "b": [1, true, null]}')
})

test('vector E25: a list, null and what is no JSON have no digest', () => {
  const cycle: Record<string, unknown> = {}
  cycle['a'] = cycle
  for (const args of [
    [],
    null,
    'x',
    7,
    undefined,
    { a: Number.NaN },
    { a: Number.POSITIVE_INFINITY },
    { a: undefined },
    { a: () => 1 },
    { a: 1n },
    { a: new Date(0) },
    { a: new Map() },
    { [Symbol('s')]: 1 },
    cycle,
    new (class Own {
      a = 1
    })(),
    {
      get a(): never {
        throw new Error('no')
      },
    },
  ])
    assert.is(digest(args), undefined)
})

test('vector E26: the canonical text may have 65,536 characters and no more', () => {
  assert.is(argumentText({ command: 'y'.repeat(65_521) })?.length, 65_536)
  assert.is(digest({ command: 'y'.repeat(65_522) }), undefined)
})

test('vector E47 and compat W16: the original counted escapes, so 10,921 Han characters had no digest; ours counts bytes', () => {
  const args = { command: '字'.repeat(10_921) }
  assert.ok((argumentText(args) ?? '').length > 65_536)
  assert.type(digest(args), 'string')
  const bytesLeft = 65_536 - Buffer.byteLength('{"command": ""}')
  assert.type(digest({ command: '字'.repeat(Math.floor(bytesLeft / 3)) }), 'string')
  assert.is(digest({ command: '字'.repeat(Math.floor(bytesLeft / 3) + 1) }), undefined)
})

test('vector E29: the order of names makes no difference, the order of a list does', () => {
  assert.is(digest({ a: 1, b: { c: 2, d: 3 } }), digest({ b: { d: 3, c: 2 }, a: 1 }))
  assert.is.not(digest({ a: [1, 2] }), digest({ a: [2, 1] }))
})

test('half a character has a digest of its own', () => {
  assert.type(digest({ command: 'a\ud800' }), 'string')
  assert.is.not(digest({ command: 'a\ud800' }), digest({ command: 'a\ufffd' }))
})

test('a member called __proto__ counts', () => {
  assert.is.not(digest(JSON.parse('{"__proto__": {"a": 1}}')), digest({}))
})

test('the work is bounded: huge lists, texts, objects and depths are given up', () => {
  const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`n${at}`, at]))
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level += 1) deep = [deep]
  for (const args of [wide, { a: 'x'.repeat(50_000_000) }, { a: Array.from({ length: 1_000_000 }, () => 0) }, { deep }])
    assert.is(digest(args), undefined)
})

test('two values have the same text only where they are the same JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
      const text = argumentText(args)
      assert.equal(JSON.parse(text ?? ''), JSON.parse(JSON.stringify(args)))
      assert.match(text ?? '', /^[\x20-\x7e]*$/)
    }),
    { seed: 5 },
  )
})

test.run()
