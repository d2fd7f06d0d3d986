// Holds each row of the Chinese patterns to lines of the rules corpus that are about it, both ways.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chinese } from '../../../src/gates/provenance/chinese.js'
import { patternBreaches } from '../../support/pattern-breaches.js'

const test = suite('chinese')

test('row P43: every Chinese wording has a line that it flags and a near miss that it does not', () => {
  assert.equal(patternBreaches(chinese.claims, 'claims'), [])
})

test('row P43: every Chinese exemption has a line that it exempts and a near one that it does not', () => {
  assert.equal(patternBreaches(chinese.exemptions, 'exemptions'), [])
})

test('every row has a name of its own and says what the specification asks', () => {
  const rows = [...chinese.claims, ...chinese.exemptions]
  assert.is(new Set(rows.map(({ id }) => id)).size, rows.length)
  for (const { id, says } of rows) assert.ok(says.length > 0, id)
})

test('exemptions name only wordings that there are', () => {
  const ids = chinese.claims.map(({ id }) => id)
  for (const { id, rows = [], notRows = [] } of chinese.exemptions) {
    assert.equal(
      [...rows, ...notRows].filter((row) => !ids.includes(row)),
      [],
      id,
    )
  }
})

test.run()
