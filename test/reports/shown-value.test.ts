// Holds the formatter to examples worked out by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Value, ValueKind } from '../../src/reports/report.js'
import { shownValue } from '../../src/reports/shown-value.js'

const test = suite('shown-value')

const examples: readonly (readonly [kind: ValueKind, value: Value, shown: string])[] = [
  ['count', 0, '0'],
  ['count', 999, '999'],
  ['count', 1000, '1\u202f000'],
  ['count', 12345, '12\u202f345'],
  ['count', 1234567, '1\u202f234\u202f567'],
  ['bytes', 0, '0 B'],
  ['bytes', 1023, '1\u202f023 B'],
  ['bytes', 1024, '1.0 KiB'],
  ['bytes', 1536, '1.5 KiB'],
  // 1024 × 1024 - 1 would round to 1024.0 KiB.
  ['bytes', 1048575, '1.0 MiB'],
  ['bytes', 5 * 1024 ** 3, '5.0 GiB'],
  ['duration', 0, '0 ms'],
  ['duration', 999, '999 ms'],
  ['duration', 999.6, '1.0 s'],
  ['duration', 1500, '1.5 s'],
  ['duration', 59_960, '1 min 00 s'],
  ['duration', 200_000, '3 min 20 s'],
  ['duration', 3_599_600, '1 h 00 min'],
  ['duration', 7_500_000, '2 h 05 min'],
  // Three days and four hours.
  ['duration', 273_600_000, '3 d 04 h'],
  ['time', '2026-03-04T10:11:12.345Z', '2026-03-04T10:11Z'],
  ['time', 'yesterday', 'yesterday'],
  ['share', 0, '0.0 %'],
  ['share', 0.125, '12.5 %'],
  ['share', 0.0001, '<0.1 %'],
  ['share', 0.9999, '>99.9 %'],
  ['share', 1, '100.0 %'],
  ['text', 'plain', 'plain'],
  ['count', null, '–'],
]

for (const [kind, value, shown] of examples) {
  test(`the ${kind} ${value} reads "${shown}"`, () => assert.is(shownValue(kind, value), shown))
}

test.run()
