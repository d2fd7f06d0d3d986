// Holds the splitting of command lines to what a shell would do, where that can be said.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readCommandLine, withoutAssignments } from '../../../src/gates/jev/command-line.js'

const test = suite('command-line')

const words = (text: string) => readCommandLine(text)?.commands.map((command) => command.words)

test('words are what the shell would hand over', () => {
  assert.equal(words(`a 'b c' "d \\" e" f\\ g h"i"'j'`), [['a', 'b c', 'd " e', 'f g', 'hij']])
  assert.equal(words('a \\\n b\\\nc'), [['a', 'bc']])
  assert.equal(words("a ''"), [['a', '']])
})

test('operators outside of quotes part commands, and are told', () => {
  const line = readCommandLine('a && b || c | d ; e "&& f" &')
  assert.equal(
    line?.commands.map(({ joinedBy, words: [first] }) => [joinedBy, first]),
    [
      ['', 'a'],
      ['&&', 'b'],
      ['||', 'c'],
      ['|', 'd'],
      [';', 'e'],
    ],
  )
  assert.is(line?.endsWith, '&')
  assert.is(readCommandLine('a\n')?.endsWith, '\n')
  assert.is(readCommandLine('a')?.endsWith, '')
})

test('redirections are no words', () => {
  const [command] = readCommandLine('a 2>&1 >"b c" <d &>e')?.commands ?? []
  assert.equal(command?.words, ['a'])
  assert.equal(
    command?.redirections.map(({ sign, target }) => [sign, target]),
    [
      ['2>&', '1'],
      ['>', 'b c'],
      ['<', 'd'],
      ['&>', 'e'],
    ],
  )
})

test('substitutions and groups are seen, also in double quotes, and not in single ones', () => {
  for (const text of ['a $(b)', 'a `b`', 'a "$(b)"', 'a <(b)', 'a >(b)'])
    assert.is(readCommandLine(text)?.substitutes, true, text)
  for (const text of ["a '$(b)'", 'a \\$b', 'a $b', "a '`b`'"]) assert.is(readCommandLine(text)?.substitutes, false, text)
  for (const text of ['(a)', 'if a; then b; fi', '{ a; }', '! a']) assert.is(readCommandLine(text)?.groups, true, text)
})

test('comments are left out, and a sign within a word is none', () => {
  assert.equal(words('a # b; c'), [['a']])
  assert.equal(words('a#b'), [['a#b']])
})

test('what never ends has no reading', () => {
  for (const text of ['"a', "'a", 'a\\', 'a "b\\"']) assert.is(readCommandLine(text), undefined, text)
})

test('assignments in front are told apart', () => {
  assert.equal(withoutAssignments(['A=1', 'B=', 'c', 'D=1']), { assigned: ['A', 'B'], words: ['c', 'D=1'] })
})

test('random text never throws, and ends', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', ' ', '"', "'", '\\', '$', '(', ')', '&', '|', ';', '<', '>', '\n', '`', '#', '='),
        maxLength: 60,
      }),
      (text) => {
        readCommandLine(text)
      },
    ),
    { seed: 6, numRuns: 2000 },
  )
})

test.run()
