// Asks the gate that stands in until there are others again: its verdict hangs on the mode alone.
import type { GateModes } from '../gates/gate.js'
import { nullGate } from '../gates/null-gate.js'
import { contextOfNothing, type GateReplay } from './gate-replay.js'

export const nullReplay: GateReplay = {
  gate: nullGate,
  contextOf: async ({ decided, instead }) => {
    const mode = instead.capability?.mode ?? modeOf(decided.facts.mode)
    return { context: { ...contextOfNothing(decided), modes: { provenance: 'off', capability: mode } } }
  },
}

function modeOf(mode: string): GateModes['capability'] {
  return mode === 'enforce' || mode === 'off' ? mode : 'observe'
}
