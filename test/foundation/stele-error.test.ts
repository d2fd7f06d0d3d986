// Holds the one error class to its contract: codes, kinds, exit codes, and a line that a person can read.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type ErrorKind,
  errorCodes,
  exitCodes,
  hasCode,
  SteleError,
  type SteleErrorCode,
} from '../../src/foundation/stele-error.js'
import { rejectsWithCode, throwsWithCode } from '../support/rejects-with-code.js'

const test = suite('stele-error')

const codes = Object.keys(errorCodes) as SteleErrorCode[]

test('the kinds have the exit codes of the architecture page', () => {
  assert.equal(exitCodes, { input: 2, refused: 3, busy: 4, damaged: 5, unavailable: 6 })
})

test('every code has a kind with an exit code, and its error says code and kind', () => {
  for (const code of codes) {
    const error = new SteleError(code)
    assert.is(error.code, code)
    assert.is(error.kind, errorCodes[code].kind)
    assert.ok(exitCodes[error.kind] >= 2 && exitCodes[error.kind] <= 6, code)
  }
})

/** One of each kind that the interfaces page and the format page speak of. */
const examples: Readonly<Record<ErrorKind, SteleErrorCode>> = {
  input: 'OPTION_INVALID',
  refused: 'OWNER_UNCONFIRMED',
  busy: 'STORE_LOCKED',
  damaged: 'LEDGER_ROLLED_BACK',
  unavailable: 'STORE_WRITE_FAILED',
}

test('a code of each kind is of the kind that its condition asks for', () => {
  for (const [kind, code] of Object.entries(examples)) assert.is(new SteleError(code).kind, kind, code)
})

test('an error without details has empty ones, and one with a cause keeps it', () => {
  assert.equal(new SteleError('STORE_LOCKED').details, {})
  const cause = new Error('EAGAIN')
  assert.is(new SteleError('STORE_LOCKED', {}, { cause }).cause, cause)
  assert.is('cause' in new SteleError('STORE_LOCKED') && new SteleError('STORE_LOCKED').cause !== undefined, false)
})

test('an error is an Error with the name SteleError and a stack', () => {
  const error = new SteleError('HOME_MISSING')
  assert.instance(error, Error)
  assert.is(error.name, 'SteleError')
  assert.ok(error.message !== '')
  assert.match(String(error.stack), 'stele-error.test.ts')
})

test('the line of every code is one line that says what it is and what to do', () => {
  for (const code of codes) {
    const { line } = new SteleError(code)
    assert.not.match(line, /[\r\n]/, code)
    assert.ok(line.includes(errorCodes[code].means), `${code} says what`)
    assert.ok(line.includes(errorCodes[code].todo), `${code} says what to do`)
  }
})

test('the line prints every detail with its name: texts, numbers, truth values and null', () => {
  const { line } = new SteleError('CONFIG_INVALID', { key: 'checkpoint.anchor', line: 12, isSet: false, root: null })
  for (const part of [/key\W+checkpoint\.anchor/, /line\W+12\b/, /isSet\W+false/, /root\W+null/]) assert.match(line, part)
})

test('the line stays one line whatever a detail holds', () => {
  const { line } = new SteleError('FILE_UNREADABLE', { path: 'a\nb\r\nc', other: '\u2028d\u0085' })
  assert.not.match(line, /[\r\n]/)
})

test('hasCode knows a coded error from every other value', () => {
  assert.is(hasCode(new SteleError('STORE_LOCKED'), 'STORE_LOCKED'), true)
  assert.is(hasCode(new SteleError('STORE_LOCKED'), 'STORE_GONE'), false)
  for (const other of [new Error('STORE_LOCKED'), null, undefined, 'STORE_LOCKED', 5, {}, []]) {
    assert.is(hasCode(other, 'STORE_LOCKED'), false)
  }
})

test('the assertions for coded errors hand the error back, and fail where nothing or something else is thrown', async () => {
  const error = new SteleError('STORE_LOCKED', { pid: 1 })
  const fail = (): never => {
    throw error
  }
  assert.is(throwsWithCode(fail, 'STORE_LOCKED'), error)
  assert.is(await rejectsWithCode(Promise.reject(error), 'STORE_LOCKED'), error)
  assert.is(await rejectsWithCode(fail, 'STORE_LOCKED'), error)
  const look = { code: 'STORE_LOCKED' }
  assert.is(
    throwsWithCode(() => {
      throw look
    }, 'STORE_LOCKED'),
    look,
  )
  const wrong: (() => unknown)[] = [
    () => throwsWithCode(fail, 'STORE_GONE'),
    () => throwsWithCode(() => 1, 'STORE_LOCKED'),
    () => throwsWithCode(() => Promise.reject(error).catch(() => 1), 'STORE_LOCKED'),
    () => rejectsWithCode(Promise.resolve(1), 'STORE_LOCKED'),
    () => rejectsWithCode(fail, 'STORE_GONE'),
    () => rejectsWithCode(Promise.reject(null), 'STORE_LOCKED'),
  ]
  for (const call of wrong) {
    const problem: unknown = await Promise.resolve()
      .then(call)
      .then(
        () => undefined,
        (caught: unknown) => caught,
      )
    assert.instance(problem, assert.Assertion)
  }
})

test.run()
