// Holds the table of gates to a count by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { gateTable } from '../../src/reports/gate-table.js'

const test = suite('gate-table')

test('gates stand by name, with their decisions and the share of them that the host was held to', () => {
  const table = gateTable(
    new Map([
      ['provenance', { allow: 5, deny: 3, ask: 1, enforced: 1 }],
      ['capability', { allow: 2, deny: 0, ask: 0, enforced: 0 }],
    ]),
  )
  assert.equal(
    table.rows.map(({ cells }) => cells),
    [
      ['capability', 2, 2, 0, 0, 0, null],
      // One of four.
      ['provenance', 9, 5, 3, 1, 1, 0.25],
    ],
  )
  assert.equal(
    table.columns.map(({ key }) => key),
    ['gate', 'decisions', 'allowed', 'denied', 'asked', 'enforced', 'enforcedShare'],
  )
})

test.run()
