// A gate that lets every call through, for tests of the way to the gates.
import type { GateDefinition } from '../../src/gates/gate.js'

export const passingGate: GateDefinition = {
  name: 'passing',
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
