// Every gate, in the order in which their reasons are told: one line each.
import { capabilityGate } from './capability/capability-gate.js'
import type { GateDefinition } from './gate.js'
import { provenanceGate } from './provenance/provenance-gate.js'

export const gateCatalog: readonly GateDefinition[] = [capabilityGate, provenanceGate]
