// What the semantic stage is handed by whoever runs it, and what it is told of a payload.
import type { NewEvent } from '../../events/event-catalog.js'
import type { JevEngine } from '../../gates/jev/engine.js'
import type { RiskSettings } from '../../gates/jev/risk.js'
import type { TelemetrySettings } from '../../gates/jev/telemetry.js'
import type { ShapingSettings } from '../../gates/jev/tool-shaping.js'
import type { TurnCacheSettings } from '../../gates/jev/turn-cache.js'
import type { VerificationSettings } from '../../gates/jev/verification.js'
import type { SanitizeOptions } from '../../redaction/sanitize.js'
import type { Speaker } from '../attach.js'
import type { HookCall, HookLedger } from '../hook-house.js'
import type { ReadPayload } from '../read-payload.js'

export interface JevStageSettings {
  readonly mode: 'shadow' | 'enforce'
  /** The model that is asked, by the name in the settings. */
  readonly model: string
  readonly classifies: boolean
  readonly risk: RiskSettings
  readonly shaping: ShapingSettings
  readonly verification: VerificationSettings
  readonly cache: TurnCacheSettings
  readonly sanitize: SanitizeOptions
  readonly telemetry: TelemetrySettings
}

export interface JevStageHouse {
  readonly ledger: Pick<HookLedger, 'appendMade' | 'hasForgotten' | 'digest'>
  /** Undefined where the stage is off or has nobody to ask. */
  engine(): JevEngine | undefined
  /** What is in force at this moment, with the redactor of this moment. */
  settings(): JevStageSettings
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** 32 hex characters of chance. */
  chance(): string
}

/** A payload that was heard from who may speak for its session. */
export interface HeardPayload {
  readonly call: HookCall
  readonly speaker: Speaker
  readonly read: ReadPayload
  /** Of its session; empty where it names none. */
  readonly handle: string
}

/** What it became in the writer's turn; nothing that comes a second time. */
export interface BecomeEvents {
  readonly events: readonly Pick<NewEvent, 'type' | 'facts'>[]
  /** Of the first of them. */
  readonly index: number
}
