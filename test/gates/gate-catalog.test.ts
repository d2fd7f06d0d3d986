// Holds every gate of the catalogue to what the record needs of it: a name, a version, events that there are, verdicts that fit.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionOf } from '../../src/events/event-catalog.js'
import { nameSchema } from '../../src/events/event-definition.js'
import type { GateContext } from '../../src/gates/gate.js'
import { gateCatalog } from '../../src/gates/gate-catalog.js'
import { noPolicy, someTime } from '../support/no-policy.js'

const test = suite('gate-catalog')

test('there is a gate, and no two have one name', () => {
  assert.ok(gateCatalog.length > 0)
  assert.is(new Set(gateCatalog.map(({ name }) => name)).size, gateCatalog.length)
})

test('every gate has a name that may stand among facts, a version from 1, and judges events of the catalogue', () => {
  for (const { name, version, on } of gateCatalog) {
    assert.is(nameSchema.safeParse(name).success && name !== '', true, name)
    assert.ok(Number.isInteger(version) && version >= 1, name)
    assert.ok(Object.keys(on).length > 0, name)
    for (const type of Object.keys(on)) assert.is(definitionOf(type)?.status, 'released', `${name} judges ${type}`)
  }
})

test('every verdict about a call fits into a decision, whatever the modes are', () => {
  const facts = {
    turn: 0,
    tool: 'unnamed',
    arguments: { count: 0, bytes: 2, digest: 'd1'.repeat(32) },
    source: 'unattested' as const,
  }
  for (const { name, version, on } of gateCatalog) {
    for (const provenance of ['off', 'observe', 'block'] as const) {
      for (const capability of ['off', 'observe', 'enforce'] as const) {
        const modes = { provenance, capability }
        const context: GateContext = {
          asOf: 2,
          modes,
          provenance: { search: 'session', scope: 'decisions', attestedOnly: false },
          said: { messages: [], unavailable: false, refused: {} },
          capability: noPolicy,
          time: someTime,
        }
        const verdict = on['tool.requested']?.({ index: 1, facts, words: undefined }, context)
        if (verdict === undefined) continue
        const { reason, ...said } = verdict
        const decision = { gate: name, gateVersion: version, judges: 1, asOf: 2, ...said }
        assert.is(definitionOf('gate.decided')?.facts.safeParse(decision).success, true, JSON.stringify(decision))
        assert.type(reason, 'string')
      }
    }
  }
})

test.run()
