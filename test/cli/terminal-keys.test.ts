// Holds the keys of a terminal to what terminals send: a letter is a key, and no letter of an arrow is one.
import { PassThrough } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keysIn, openTerminalKeys } from '../../src/cli/terminal-keys.js'

const test = suite('terminal-keys')

test('each character is a key, whole ones of any script', () => {
  assert.equal(keysIn('gr?'), ['g', 'r', '?'])
  assert.equal(keysIn('é🙂周'), ['é', '🙂', '周'])
  assert.equal(keysIn('\u0003'), ['\u0003'])
})

test('an arrow, a function key, a key with Alt and a lone escape are one key each that is no letter', () => {
  // XTerm: cursor up; F1; F5; Control-right; Alt-g; Escape.
  for (const sent of ['\u001b[A', '\u001bOP', '\u001b[15~', '\u001b[1;5C', '\u001bg', '\u001b'])
    assert.equal(keysIn(sent), ['\u001b'], JSON.stringify(sent))
  assert.equal(keysIn('\u001b[Bg\u001b[Ar'), ['\u001b', 'g', '\u001b', 'r'])
})

test('keys come in their order, those from before can be forgotten, and the terminal is given back as it was', async () => {
  const raw: boolean[] = []
  const input = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => raw.push(mode) })
  const keys = openTerminalKeys(input as unknown as NodeJS.ReadStream)
  const first = keys.next()
  input.write('gr')
  assert.is(await first, 'g')
  keys.forget()
  const second = keys.next()
  input.write('l')
  assert.is(await second, 'l')
  input.write('g\u0003r')
  const kept = keys.next()
  assert.is(await kept, 'g')
  keys.forget()
  assert.is(await keys.next(), '\u0003', 'whoever wants out is heard')
  const last = keys.next()
  input.end()
  assert.is(await last, undefined)
  keys.close()
  assert.equal(raw, [true, false])
})

test.run()
