// Holds directives to the host's contract: a block without a message is ignored by it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blockDirective, noDirective } from '../../src/hooks/directive.js'

const test = suite('directive')

test('no directive is an empty object', () => {
  assert.equal(noDirective, {})
})

test('a block has the action and its message, and never an empty one', () => {
  assert.equal(blockDirective('because'), { action: 'block', message: 'because' })
  const { action, message } = blockDirective('') as { action: string; message: string }
  assert.is(action, 'block')
  assert.ok(message.trim() !== '')
})

test.run()
