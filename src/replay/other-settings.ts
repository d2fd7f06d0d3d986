// What is to hold instead of what was in force, for a judgement under other settings. What is left out is as it was.
import type { Policy } from '../gates/capability/allowlist.js'
import type { GateModes, ProvenanceSettings } from '../gates/gate.js'

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
}
