// Holds what is read of the host's members to texts: everything else is as good as none.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { extraText } from '../../../src/hooks/hermes/extra-text.js'

const test = suite('extra-text')

test('a text is taken as it is, and anything else is none', () => {
  assert.is(extraText({ surface: 'cli' }, 'surface'), 'cli')
  for (const surface of [undefined, null, 7, true, ['cli'], { a: 1 }, '']) assert.is(extraText({ surface }, 'surface'), '')
  assert.is(extraText({}, 'toString'), '')
})

test.run()
