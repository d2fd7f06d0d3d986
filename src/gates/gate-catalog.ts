// Every gate, in the order in which their reasons are told: one line each.
import type { GateDefinition } from './gate.js'
import { nullGate } from './null-gate.js'
import { provenanceGate } from './provenance/provenance-gate.js'

export const gateCatalog: readonly GateDefinition[] = [nullGate, provenanceGate]
