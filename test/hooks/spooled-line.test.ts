// Holds a line of the spool to its page: an attach, a number, a MAC and the payload as a string.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSpooledLine } from '../../src/hooks/spooled-line.js'

const test = suite('spooled-line')

const line = { attach: 'a1'.repeat(16), seq: 7, mac: 'b2'.repeat(32), body: '{"hook_event_name":"pre_llm_call"}' }

test('a line gives the signature as headers would, and the bytes of the payload', () => {
  assert.equal(read(line), {
    signature: { attach: line.attach, seq: '7', mac: line.mac },
    body: Buffer.from(line.body),
  })
})

test('a line of nobody has an empty attach and MAC', () => {
  assert.equal(read({ attach: '', seq: 0, mac: '', body: '{}' })?.signature, { attach: '', seq: '0', mac: '' })
})

test('the bytes of a payload are the UTF-8 of its string, whatever stands in it', () => {
  const body = '{"x":"\u6211\u51b3\u5b9a \u{1F600} \\u6211 \n"}'
  assert.equal(read({ ...line, body })?.body, Buffer.from(body))
  assert.equal(read({ ...line, body: '' })?.body, Buffer.alloc(0))
})

test('a line feed at the end and members that we do not know do no harm', () => {
  assert.equal(readSpooledLine(Buffer.from(`${JSON.stringify({ ...line, more: 1 })}\n`))?.signature.seq, '7')
})

test('what is no such line is none', () => {
  const bad: readonly unknown[] = [
    ...[null, [], 'x', 5, {}],
    ...Object.keys(line).map((name) => ({ ...line, [name]: undefined })),
    ...Object.keys(line).map((name) => ({ ...line, [name]: null })),
    ...[-1, 1.5, '7', 2 ** 53].map((seq) => ({ ...line, seq })),
    { ...line, body: { hook_event_name: 'pre_llm_call' } },
  ]
  for (const value of bad) assert.is(read(value), undefined, JSON.stringify(value))
})

test('an attached host counts from 1, so a line of one under number 0 is none', () => {
  assert.is(read({ ...line, seq: 0 }), undefined)
  assert.ok(read({ ...line, seq: 1 }) !== undefined)
})

test('bytes that are no JSON, that break off or that are no UTF-8 are no line', () => {
  const whole = Buffer.from(JSON.stringify(line))
  for (const bytes of [
    Buffer.alloc(0),
    whole.subarray(0, -1),
    Buffer.concat([whole, whole]),
    Buffer.from('7b22ff223a317d', 'hex'),
  ])
    assert.is(readSpooledLine(bytes), undefined, bytes.toString('latin1'))
})

function read(value: unknown): ReturnType<typeof readSpooledLine> {
  return readSpooledLine(Buffer.from(JSON.stringify(value)))
}

test.run()
