// Holds the lines of a batch to how a stream can be cut, and to what is said of a line that cannot be read.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkLines } from '../../src/cli/check-lines.js'
import { SteleError } from '../../src/foundation/stele-error.js'
import type { CheckedText } from '../../src/gates/provenance/check-text.js'

const test = suite('check-lines')

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

interface Told {
  readonly checked: readonly CheckedText[]
  readonly error: SteleError | undefined
}

async function told(text: string | Uint8Array, size = 1 << 16): Promise<Told> {
  const checked: CheckedText[] = []
  try {
    for await (const some of checkLines(cut(typeof text === 'string' ? Buffer.from(text) : text, size))) checked.push(...some)
  } catch (error) {
    if (!(error instanceof SteleError)) throw error
    return { checked, error }
  }
  return { checked, error: undefined }
}

const verdicts = ({ checked }: Told): string[] => checked.map(({ id, verdict }) => `${id} ${verdict}`)

test('however the stream is cut, inside of characters too, each line has its verdict, and the last needs no end', async () => {
  const text = '{"id":1,"text":"用户决定周五发布。"}\n\r\n{"id":2,"text":"é"}\r\n{"id":"三","text":"User decided to ship."}'
  for (const size of [1, 2, 3, 7, 64, 4096]) {
    const { checked, error } = await told(text, size)
    assert.is(error, undefined)
    assert.equal(verdicts({ checked, error }), ['1 flag', '2 no_claim', '三 flag'], `in pieces of ${size}`)
  }
  assert.equal(await told(''), { checked: [], error: undefined })
})

test('what is null is as good as absent, and members that nobody knows are let be', async () => {
  const line = { id: 1, text: 'x', messages: null, search: null, scope: null, stored: null, other: {} }
  assert.equal(verdicts(await told(JSON.stringify(line))), ['1 no_claim'])
  const message = { text: 'x', session: null, sender: null, at: 7 }
  assert.equal(verdicts(await told(JSON.stringify({ text: 'x', messages: [message] }))), ['undefined no_claim'])
})

test('a line that is no JSON, or no UTF-8, is told by its number, after what came before it', async () => {
  const { checked, error } = await told('{"id":1,"text":"x"}\n\n{"id":2\n{"id":3,"text":"x"}', 5)
  assert.equal([checked.length, error?.code, error?.details['line']], [1, 'JSON_UNREADABLE', 3])
  const bytes = Buffer.concat([Buffer.from('{"id":1,"text":"x"}\n{"text":"'), Buffer.from([0xff]), Buffer.from('"}\n')])
  const broken = await told(bytes, 24)
  assert.equal([broken.checked.length, broken.error?.code, broken.error?.details['line']], [1, 'JSON_UNREADABLE', 2])
})

test('a line of another shape is refused with its number and what is allowed', async () => {
  for (const [line, named] of [
    ['[]', 'object'],
    ['null', 'object'],
    ['{}', '`text`'],
    ['{"text":7}', '`text`'],
    ['{"text":"x","id":{}}', '`id`'],
    ['{"text":"x","search":"all"}', '`search`'],
    ['{"text":"x","scope":"toString"}', '`scope`'],
    ['{"text":"x","stored":["y"]}', '`stored`'],
    ['{"text":"x","messages":{}}', '`messages`'],
    ['{"text":"x","messages":["y"]}', '`messages`'],
    ['{"text":"x","messages":[{"text":"y","session":"that"}]}', '`messages`'],
    ['{"text":"x","messages":[{"text":"y","sender":7}]}', '`messages`'],
  ] as const) {
    const { error } = await told(`{"text":"x"}\n${line}\n`)
    assert.equal([error?.code, error?.details['line'], error?.details['option']], ['OPTION_INVALID', 2, '--batch'], line)
    assert.match(error?.line ?? '', named)
  }
})

test.run()
