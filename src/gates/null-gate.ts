// The gate that stands in until there are others: it lets every call through. What holds meanwhile is that a call which cannot be
// recorded does not run under an enforcing mode.
import type { GateDefinition } from './gate.js'

export const nullGate: GateDefinition = {
  name: 'null',
  version: 1,
  on: {
    'tool.requested': (_, { modes }) => ({
      verdict: 'allow',
      code: 'recorded',
      reason: '',
      mode: modes.capability,
      enforced: modes.capability === 'enforce',
    }),
  },
  failed: ({ modes }) => ({
    verdict: 'deny',
    code: 'gate_error',
    reason: '',
    mode: modes.capability,
    enforced: modes.capability === 'enforce',
  }),
}
