// Holds the families to the catalogue of events: each type has one.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventCatalog } from '../../src/events/event-catalog.js'
import { eventFamilies, eventFamily } from '../../src/reports/event-family.js'

const test = suite('event-family')

test('every type of the catalogue has a family of its own, and a type that nobody knows is other', () => {
  for (const type of Object.keys(eventCatalog)) assert.is.not(eventFamily(type), 'other', type)
  for (const type of ['future.thing', 'session', '', '.x', '__proto__.x']) assert.is(eventFamily(type), 'other', type)
})

test('types are put where a reader looks for them', () => {
  assert.equal(
    ['turn.ended', 'message.skipped', 'tool.requested', 'gate.decided', 'gap.recorded', 'payload.erased', 'config.activated'].map(
      eventFamily,
    ),
    ['sessions', 'messages', 'tools', 'decisions', 'coverage', 'forgetting', 'housekeeping'],
  )
})

test('each family has a colour of its own', () => {
  assert.ok(eventFamilies.length <= 8)
  assert.is(new Set(eventFamilies.map(({ label }) => label)).size, eventFamilies.length)
})

test.run()
