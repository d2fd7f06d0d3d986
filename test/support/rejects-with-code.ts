// Asserts that a call fails with a coded error and hands that error back: uvu's own `throws` sees no rejection and no code.
import { inspect } from 'node:util'
import { Assertion } from 'uvu/assert'
import type { SteleError, SteleErrorCode } from '../../src/foundation/stele-error.js'

/** Awaits a promise, or what a function returns, and wants it to fail with this code, whatever the class of the error. */
export async function rejectsWithCode(call: PromiseLike<unknown> | (() => unknown), code: SteleErrorCode): Promise<SteleError> {
  let value: unknown
  try {
    value = await (typeof call === 'function' ? call() : call)
  } catch (error) {
    return withCode(error, code)
  }
  throw failure(`fails with ${code}`, `gives ${inspect(value)}`)
}

/** The same for a function that fails before it returns. One that returns a promise needs `rejectsWithCode`. */
export function throwsWithCode(call: () => unknown, code: SteleErrorCode): SteleError {
  let value: unknown
  try {
    value = call()
  } catch (error) {
    return withCode(error, code)
  }
  const isPromise = typeof value === 'object' && value !== null && 'then' in value
  throw failure(`throws ${code}`, isPromise ? 'returns a promise: use rejectsWithCode' : `gives ${inspect(value)}`)
}

function withCode(error: unknown, code: SteleErrorCode): SteleError {
  const found = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (found === code) return error as SteleError
  throw failure(`fails with ${code}`, `fails with ${inspect(error)}`)
}

function failure(expected: string, actual: string): Assertion {
  return new Assertion({
    message: `Expected a call that ${expected}; it ${actual}`,
    details: '',
    generated: false,
    operator: 'code',
    expects: expected,
    actual,
  })
}
