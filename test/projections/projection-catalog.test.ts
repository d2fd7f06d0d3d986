// Holds every view of the catalogue to the contract of views, and the catalogue to its names.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { KeptProjection } from '../../src/projections/projection.js'
import { isViewName, projectionCatalog, viewNames } from '../../src/projections/projection-catalog.js'
import { projectionContract } from '../contracts/projection-contract.js'

const test = suite('projection catalog')

test('each view goes by the name that it has itself, and no other name is one', () => {
  for (const [name, projection] of Object.entries(projectionCatalog)) assert.is(projection.name, name)
  assert.equal([...viewNames].sort(), [
    'activity',
    'approvals',
    'clock',
    'coverage',
    'decisions',
    'evidence',
    'files',
    'grants',
    'inbox',
    'jev',
    'sessions',
  ])
  for (const name of ['words', 'gate-context', '__proto__', 'toString', '']) assert.is(isViewName(name), false, name)
})

test.run()
for (const projection of Object.values(projectionCatalog)) projectionContract(projection as KeptProjection, [11, 12, 13]).run()
