// Holds the words of an access to what they say: as they were written, and with anything in them that does not fit.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { accessOfWords } from '../../../src/gates/capability/access-words.js'
import { proposed } from '../../support/judged-calls.js'

const test = suite('access-words')

test('paths and commands come back as they were worked out, each operand with its program', () => {
  const { words } = proposed(0, {
    touches: [{ asked: 'a', typed: '/a', resolved: null, problem: 'dangling', access: 'write', tree: true }],
    commands: [['cat', 'x', '$Y'], ['ls']],
  })
  const operands = [...(words?.operands ?? []), { of: 1, text: 'z', typed: '/z', resolved: '/q/z', foldsCase: true as const }]
  assert.equal(accessOfWords({ ...words, operands }), {
    touches: [{ asked: 'a', access: 'write', tree: true, typed: '/a', resolved: null, problem: 'dangling' }],
    commands: [
      { program: { text: 'cat' }, operands: [{ text: 'x' }, { text: '$Y', opaque: 'variable', variable: 'Y' }] },
      {
        program: { text: 'ls' },
        operands: [{ text: 'z', path: { typed: '/z', resolved: '/q/z', foldsCase: true } }],
      },
    ],
  })
})

test('what does not fit is left out, and nothing is thrown', () => {
  for (const words of [
    {},
    { touches: 3, programs: null, operands: 'x' },
    { touches: [null, 1, {}, { asked: 'a', access: 'run' }] },
  ])
    assert.equal(accessOfWords(words), { touches: [], commands: [] })
  assert.equal(accessOfWords({ programs: [{}], operands: [{ of: 0 }, { of: 7, text: 'x' }] }), {
    touches: [],
    commands: [{ program: { text: '' }, operands: [{ text: '' }] }],
  })
  const odd = { asked: 'a', access: 'read', tree: 'yes', typed: 4, problem: 'new', foldsCase: 'no' }
  assert.equal(accessOfWords({ touches: [odd] }).touches, [
    { asked: 'a', access: 'read', tree: false, typed: null, resolved: null },
  ])
})

test.run()
