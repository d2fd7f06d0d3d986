// Holds the stand-in gate to its one promise: every call is let through and decided about, in the mode that is in force.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventCatalog } from '../../src/events/event-catalog.js'
import type { GateContext, GateModes } from '../../src/gates/gate.js'
import { nullGate } from '../../src/gates/null-gate.js'
import { noPolicy, someTime } from '../support/no-policy.js'

const test = suite('null-gate')

const requested = {
  index: 7,
  facts: {
    turn: 1,
    tool: 'terminal',
    arguments: { count: 0, bytes: 2, digest: 'd1'.repeat(32) },
    source: 'unattested' as const,
  },
  words: undefined,
}

const knowing: Omit<GateContext, 'asOf' | 'modes'> = {
  provenance: { search: 'session', scope: 'decisions', attestedOnly: false },
  said: { messages: [], unavailable: false, refused: {} },
  capability: noPolicy,
  time: someTime,
}

function verdictUnder(modes: GateModes) {
  return nullGate.on['tool.requested']?.(requested, { ...knowing, asOf: 8, modes })
}

test('a call is allowed with a code, in every mode, and enforced only where calls are', () => {
  for (const provenance of ['off', 'observe', 'block'] as const) {
    for (const [capability, enforced] of [
      ['off', false],
      ['observe', false],
      ['enforce', true],
    ] as const) {
      assert.equal(verdictUnder({ provenance, capability }), {
        verdict: 'allow',
        code: 'recorded',
        reason: '',
        mode: capability,
        enforced,
      })
    }
  }
})

test('the same call gets the same verdict again, also where its words are gone', () => {
  const modes = { provenance: 'observe', capability: 'enforce' } as const
  const again = nullGate.on['tool.requested']?.({ ...requested, words: { cwd: '/srv' } }, { ...knowing, asOf: 99, modes })
  assert.equal(again, verdictUnder(modes))
})

test('it speaks of calls alone', () => {
  assert.equal(Object.keys(nullGate.on), ['tool.requested'])
  assert.ok(Object.hasOwn(eventCatalog, 'tool.requested'))
})

test.run()
