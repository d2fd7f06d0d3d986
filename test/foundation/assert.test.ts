// Holds the assertion to its one job: our own mistakes stop the process and are never taken for the world's.
import { suite } from 'uvu'
import * as uvu from 'uvu/assert'
import { AssertionFailed, assert } from '../../src/foundation/assert.js'
import { SteleError } from '../../src/foundation/stele-error.js'

const test = suite('assert')

test('a condition that holds lets the program go on', () => {
  for (const condition of [true, 1, 'x', {}, []]) assert(condition, 'never shown')
})

test('a condition that does not hold throws with the message', () => {
  for (const condition of [false, 0, '', null, undefined, Number.NaN]) {
    uvu.is(thrownBy(() => assert(condition, 'the head is behind the tail')).message, 'the head is behind the tail')
  }
})

test('what it throws has a class and a name of its own and no code that a caller could handle', () => {
  const error = thrownBy(() => assert(false, 'x'))
  uvu.instance(error, AssertionFailed)
  uvu.instance(error, Error)
  uvu.not.instance(error, SteleError)
  uvu.is(error.name, 'AssertionFailed')
  uvu.is('code' in error, false)
})

test('behind it the compiler knows that the condition holds', () => {
  const found: string | undefined = ['a'].at(0)
  assert(found !== undefined, 'x')
  const text: string = found
  uvu.is(text, 'a')
})

function thrownBy(call: () => void): Error {
  try {
    call()
  } catch (error) {
    uvu.instance(error, Error)
    return error as Error
  }
  throw new Error('nothing was thrown')
}

test.run()
