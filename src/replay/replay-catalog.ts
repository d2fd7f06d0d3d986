// Every gate that can be asked again: one line each.
import { capabilityReplay } from './capability-replay.js'
import type { GateReplay } from './gate-replay.js'
import { jevReplayGate } from './jev-replay.js'
import { provenanceReplay } from './provenance-replay.js'

export const replayCatalog: readonly GateReplay[] = [capabilityReplay, provenanceReplay]

export const replayGates: readonly string[] = [...replayCatalog.map(({ gate }) => gate.name), jevReplayGate]
