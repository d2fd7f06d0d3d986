// What is to hold instead of what was in force, for a judgement under other settings. What is left out is as it was.
import type { Policy } from '../gates/capability/allowlist.js'
import type { GateModes, ProvenanceSettings } from '../gates/gate.js'
import type { RiskDimension, RiskSettings } from '../gates/jev/risk.js'
import type { VerificationSettings } from '../gates/jev/verification.js'

export interface OtherSettings {
  readonly provenance?: {
    readonly mode?: GateModes['provenance']
    readonly search?: ProvenanceSettings['search']
    readonly scope?: ProvenanceSettings['scope']
    readonly evidence?: 'any' | 'attached'
  }
  /** Days that what was typed backs anything; 0 for ever. */
  readonly messagesDays?: number
  readonly capability?: {
    readonly mode?: GateModes['capability']
    /** The grants, and the places that nothing may write where it is not known which those were. */
    readonly allowlist?: Policy
  }
  /** Thresholds in whole millionths, as entries have them. */
  readonly jev?: {
    readonly approval?: number
    readonly uncertain?: number
    /** Where one dimension is to have a threshold of its own. */
    readonly dimensions?: Partial<Readonly<Record<RiskDimension, number>>>
    readonly rules?: Partial<Pick<RiskSettings, 'requestedExternal' | 'plainlyDestructive'>>
    readonly continueAt?: number
    readonly confidenceOver?: VerificationSettings['confidenceOver']
  }
}
