// Holds the values of options to what the interfaces page allows: whole numbers from zero, and times as ISO 8601 or spans.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { collect, daysOrTime, invalidOption, timeSince, wholeNumber } from '../../src/cli/options.js'
import { throwsWithCode } from '../support/rejects-with-code.js'

const test = suite('options')

const nowMs = Date.UTC(2026, 10, 29, 20, 40, 0, 123)

test('a whole number of zero or more is taken', () => {
  for (const [text, value] of [
    ['0', 0],
    ['1', 1],
    ['42', 42],
    ['9007199254740991', 9007199254740991],
  ] as const) {
    assert.is(wholeNumber('--from')(text), value)
  }
})

test('a number below zero is refused with an error that names the option and what is allowed', () => {
  const error = throwsWithCode(() => wholeNumber('--limit')('-1'), 'OPTION_INVALID')
  assert.is(error.kind, 'input')
  assert.match(error.line, '--limit')
  assert.match(error.line, /whole number/)
})

test('what is no whole number is refused', () => {
  for (const text of [
    '',
    ' ',
    '1.5',
    'abc',
    '1e',
    '0x',
    '--1',
    '+-1',
    'NaN',
    'Infinity',
    '-0.5',
    '1 2',
    '1,000',
    '12abc',
    '五',
    '\u0661',
  ]) {
    throwsWithCode(() => wholeNumber('--from')(text), 'OPTION_INVALID')
  }
})

test('a whole number that a double cannot hold exactly is refused and never rounded', () => {
  for (const text of ['9007199254740992', '9007199254740993', '99999999999999999999', '9'.repeat(400)]) {
    throwsWithCode(() => wholeNumber('--from')(text), 'OPTION_INVALID')
  }
})

test('a span is so much time before now', () => {
  for (const [text, time] of [
    ['30d', '2026-10-30T20:40:00.123Z'],
    ['1d', '2026-11-28T20:40:00.123Z'],
    ['2h', '2026-11-29T18:40:00.123Z'],
    ['0h', '2026-11-29T20:40:00.123Z'],
    ['0d', '2026-11-29T20:40:00.123Z'],
    ['48h', '2026-11-27T20:40:00.123Z'],
    ['365d', '2025-11-29T20:40:00.123Z'],
  ] as const) {
    assert.is(timeSince('--since', nowMs)(text), time, text)
  }
})

test('a time in ISO 8601 is taken and given in UTC', () => {
  for (const [text, time] of [
    ['2026-11-29T20:40:00.123Z', '2026-11-29T20:40:00.123Z'],
    ['2026-11-29T20:40:00Z', '2026-11-29T20:40:00.000Z'],
    ['2026-11-29T22:40:00+02:00', '2026-11-29T20:40:00.000Z'],
    ['2026-11-29T00:10:00.500-01:30', '2026-11-29T01:40:00.500Z'],
    ['2026-11-29', '2026-11-29T00:00:00.000Z'],
  ] as const) {
    assert.is(timeSince('--since', nowMs)(text), time, text)
  }
})

test('without a given now, a span counts from the clock', () => {
  const [before, time, after] = [Date.now(), Date.parse(timeSince('--since')('1h')), Date.now()]
  assert.ok(time >= before - 3_600_000 && time <= after - 3_600_000)
})

test('what is neither a time nor a span is refused with an error that names the option and what is allowed', () => {
  for (const text of [
    '',
    'yesterday',
    '-1d',
    '-30d',
    '1.5d',
    '30',
    '30x',
    'd',
    'h2',
    '30 d d',
    '2026-13-01',
    '2026-11-32',
    '20:40',
    'Nov 29 2026',
    '1e3d',
  ]) {
    const error = throwsWithCode(() => timeSince('--since', nowMs)(text), 'OPTION_INVALID')
    assert.match(error.line, '--since', text)
    assert.match(error.line, /30d/, text)
  }
})

test('a date that the calendar does not have is refused and never moved to another day', () => {
  for (const text of ['2026-02-30', '2026-02-29T00:00:00Z', '2026-04-31T10:00:00.000Z']) {
    throwsWithCode(() => timeSince('--since', nowMs)(text), 'OPTION_INVALID')
  }
})

test('a span beyond the reach of a date is refused and does not crash', () => {
  for (const text of ['99999999999d', `${'9'.repeat(30)}h`, '200000000d'])
    throwsWithCode(() => timeSince('--since', nowMs)(text), 'OPTION_INVALID')
})

test('row P20: where days are usual a bare number is days, and everything else is read as a time', () => {
  const read = daysOrTime('--older-than', nowMs)
  assert.is(read('30'), new Date(nowMs - 30 * 24 * 3_600_000).toISOString())
  for (const text of ['30d', '2h', '2026-11-01', '2026-11-01T10:00:00Z'])
    assert.is(read(text), timeSince('--older-than', nowMs)(text))
  assert.is(read('0'), new Date(nowMs).toISOString())
  for (const text of ['-1', '', '1.5', '3 0', '99999999999', 'all']) {
    const error = throwsWithCode(() => read(text), 'OPTION_INVALID')
    assert.is(error.details['option'], '--older-than')
  }
})

test('an option that may be given again collects its values in order', () => {
  assert.equal(collect('a'), ['a'])
  assert.equal(collect('b', ['a']), ['a', 'b'])
  assert.equal(collect('', collect('b', collect('a'))), ['a', 'b', ''])
})

test('collecting leaves the values that were there as they were', () => {
  const before: readonly string[] = ['a']
  collect('b', before)
  assert.equal(before, ['a'])
})

test('an invalidOption option is an input error that names it and says what is allowed', () => {
  const error = invalidOption('--verdict', 'allow, deny or ask')
  assert.is(error.code, 'OPTION_INVALID')
  assert.is(error.kind, 'input')
  assert.match(error.line, '--verdict')
  assert.match(error.line, 'allow, deny or ask')
})

test.run()
