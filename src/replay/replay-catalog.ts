// Every gate that can be asked again: one line each.
import type { GateReplay } from './gate-replay.js'
import { nullReplay } from './null-replay.js'
import { provenanceReplay } from './provenance-replay.js'

export const replayCatalog: readonly GateReplay[] = [nullReplay, provenanceReplay]

export const replayGates: readonly string[] = replayCatalog.map(({ gate }) => gate.name)
