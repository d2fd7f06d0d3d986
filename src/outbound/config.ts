// What the stage may be set to: the keys of its own document, under `jev.`, and those that bring in or take back what is ours. Each way in which
// we differ from the original has a key that leads back to it.
import { z } from 'zod'
import { type RiskSettings, riskDefaults } from '../gates/jev/risk.js'
import type { ShapingSettings } from '../gates/jev/tool-shaping.js'
import { type TurnCacheSettings, turnCacheDefaults } from '../gates/jev/turn-cache.js'
import { type VerificationSettings, verificationDefaults } from '../gates/jev/verification.js'
import type { SanitizeOptions } from '../redaction/sanitize.js'
import { isJevAddress, jevAddressDefault } from './jev-address.js'

/** A model that does not move under thresholds that were set for it. */
const modelDefault = 'jev-1.13.0'

const threshold = z.number().min(0.5).max(1)

/** A value as it is written goes in, the setting in force comes out. */
export const jevConfigShape = {
  'jev.enabled': z.boolean().default(false),
  'jev.mode': z.enum(['shadow', 'enforce']).default('shadow'),
  'jev.base_url': z.string().refine(isJevAddress).default(jevAddressDefault),
  'jev.decision_model': z.string().min(1).max(100).default(modelDefault),
  'jev.timeout_seconds': z.number().min(0.01).max(10).default(2),
  'jev.max_workers': z.int().min(1).max(16).default(4),
  'jev.requests_per_day': z.int().min(0).max(1_000_000).default(0),
  'jev.state_max_bytes': z.int().min(512).max(16_000).default(8000),
  'jev.redaction': z.enum(['apart', 'incomplete']).default('apart'),
  'jev.overflow': z.enum(['shrink', 'replace']).default('shrink'),
  'jev.turn_classifier.enabled': z.boolean().default(true),
  'jev.tool_shaping.enabled': z.boolean().default(false),
  'jev.tool_shaping.min_confidence': z.number().min(0.95).max(1).default(0.95),
  'jev.risk_gate.enabled': z.boolean().default(riskDefaults.enabled),
  'jev.risk_gate.block_unbindable': z.boolean().default(riskDefaults.blockUnbindable),
  'jev.risk_gate.approval_threshold': threshold.default(riskDefaults.approvalThreshold),
  'jev.risk_gate.uncertain_below': threshold.default(riskDefaults.uncertainBelow),
  'jev.risk_gate.thresholds.external_side_effect': threshold.optional(),
  'jev.risk_gate.thresholds.destructive': threshold.optional(),
  'jev.risk_gate.thresholds.irreversible': threshold.optional(),
  'jev.risk_gate.thresholds.exposes_secrets': threshold.optional(),
  'jev.risk_gate.thresholds.confirmation_expected': threshold.optional(),
  'jev.risk_gate.read_only_tools': z.array(z.string()).readonly().default(riskDefaults.readOnlyTools),
  'jev.risk_gate.requested_external': z.enum(['ask', 'pass']).default(riskDefaults.requestedExternal),
  'jev.risk_gate.plainly_destructive': z.enum(['always', 'outage', 'off']).default(riskDefaults.plainlyDestructive),
  'jev.risk_gate.changed_arguments': z.enum(['ask_once', 'silent']).default(riskDefaults.changedArguments),
  'jev.verify.enabled': z.boolean().default(verificationDefaults.enabled),
  'jev.verify.continue_threshold': threshold.default(verificationDefaults.continueThreshold),
  'jev.verify.max_nudges': z.int().min(0).max(3).default(verificationDefaults.maxNudges),
  'jev.verify.confidence_over': z.enum(['all', 'deciding']).default(verificationDefaults.confidenceOver),
  'jev.verify.excerpts': z.boolean().default(verificationDefaults.excerpts),
  'jev.verify.other_calls': z.enum(['clear', 'stale']).default(verificationDefaults.otherCalls),
  'jev.cache.max_turns': z.int().min(1).max(4096).default(turnCacheDefaults.turnsMax),
  'jev.cache.ttl_seconds': z
    .number()
    .min(0.01)
    .max(86_400)
    .default(turnCacheDefaults.ttlMs / 1000),
  'jev.telemetry.enabled': z.boolean().default(true),
  'jev.telemetry.max_events': z.int().min(1).max(1024).default(128),
}

export type JevConfigKey = keyof typeof jevConfigShape

const yesOrNo = 'true or false'
const fromHalf = 'a number from 0.5 to 1'

/** What each key takes, for the error that names it. */
export const jevConfigAllowed: Readonly<Record<JevConfigKey, string>> = {
  'jev.enabled': yesOrNo,
  'jev.mode': 'shadow or enforce',
  'jev.base_url': 'an https address of at most 96 characters without user, query and fragment; http only on this machine',
  'jev.decision_model': 'a name of 1 to 100 characters',
  'jev.timeout_seconds': 'a number from 0.01 to 10',
  'jev.max_workers': 'a whole number from 1 to 16',
  'jev.requests_per_day': 'a whole number from 1 to 1000000, or 0 for any number',
  'jev.state_max_bytes': 'a whole number from 512 to 16000',
  'jev.redaction': 'apart or incomplete',
  'jev.overflow': 'shrink or replace',
  'jev.turn_classifier.enabled': yesOrNo,
  'jev.tool_shaping.enabled': yesOrNo,
  'jev.tool_shaping.min_confidence': 'a number from 0.95 to 1',
  'jev.risk_gate.enabled': yesOrNo,
  'jev.risk_gate.block_unbindable': yesOrNo,
  'jev.risk_gate.approval_threshold': fromHalf,
  'jev.risk_gate.uncertain_below': fromHalf,
  'jev.risk_gate.thresholds.external_side_effect': fromHalf,
  'jev.risk_gate.thresholds.destructive': fromHalf,
  'jev.risk_gate.thresholds.irreversible': fromHalf,
  'jev.risk_gate.thresholds.exposes_secrets': fromHalf,
  'jev.risk_gate.thresholds.confirmation_expected': fromHalf,
  'jev.risk_gate.read_only_tools': 'a list of names of tools, which may be empty: []',
  'jev.risk_gate.requested_external': 'ask or pass',
  'jev.risk_gate.plainly_destructive': 'always, outage or off',
  'jev.risk_gate.changed_arguments': 'ask_once or silent',
  'jev.verify.enabled': yesOrNo,
  'jev.verify.continue_threshold': fromHalf,
  'jev.verify.max_nudges': 'a whole number from 0 to 3',
  'jev.verify.confidence_over': 'all or deciding',
  'jev.verify.excerpts': yesOrNo,
  'jev.verify.other_calls': 'clear or stale',
  'jev.cache.max_turns': 'a whole number from 1 to 4096',
  'jev.cache.ttl_seconds': 'a number from 0.01 to 86400',
  'jev.telemetry.enabled': yesOrNo,
  'jev.telemetry.max_events': 'a whole number from 1 to 1024',
}

type Camel<Name extends string> = Name extends `${infer Head}.${infer Tail}`
  ? `${Camel<Head>}${Capitalize<Camel<Tail>>}`
  : Name extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<Camel<Tail>>}`
    : Name

type MemberOf<Key extends JevConfigKey> = Key extends `jev.${infer Name}` ? Camel<Name> : never

/** `jev.risk_gate.approval_threshold` is `riskGateApprovalThreshold`. */
export type JevConfig = {
  readonly [Key in JevConfigKey as MemberOf<Key>]: z.output<(typeof jevConfigShape)[Key]>
}

export type JevConfigMember = keyof JevConfig

export const jevConfigKeys = Object.keys(jevConfigShape) as readonly JevConfigKey[]

export function isJevConfigKey(key: string): key is JevConfigKey {
  return Object.hasOwn(jevConfigShape, key)
}

export function jevConfigMember(key: JevConfigKey): JevConfigMember {
  const name = key.slice('jev.'.length)
  return name.replace(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase()) as JevConfigMember
}

/** From settings by key. */
export function jevConfigOf(settings: { readonly [Key in JevConfigKey]?: z.output<(typeof jevConfigShape)[Key]> }): JevConfig {
  return Object.fromEntries(jevConfigKeys.map((key) => [jevConfigMember(key), settings[key]])) as JevConfig
}

/** What a text may stand for where there is nothing but text: in a variable, and on a command line. */
export function jevReadings(text: string): readonly unknown[] {
  const parts = text === '[]' ? [] : text.split(',').map((part) => part.trim())
  return [
    text,
    ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
    ...(/^(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?$/.test(text) ? [Number(text)] : []),
    ...(parts.includes('') ? [] : [parts]),
  ]
}

export function riskSettingsOf(jev: JevConfig): RiskSettings {
  const own = {
    external_side_effect: jev.riskGateThresholdsExternalSideEffect,
    destructive: jev.riskGateThresholdsDestructive,
    irreversible: jev.riskGateThresholdsIrreversible,
    exposes_secrets: jev.riskGateThresholdsExposesSecrets,
    confirmation_expected: jev.riskGateThresholdsConfirmationExpected,
  }
  return {
    enabled: jev.riskGateEnabled,
    mode: jev.mode,
    approvalThreshold: jev.riskGateApprovalThreshold,
    thresholds: Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
    uncertainBelow: jev.riskGateUncertainBelow,
    readOnlyTools: jev.riskGateReadOnlyTools,
    blockUnbindable: jev.riskGateBlockUnbindable,
    requestedExternal: jev.riskGateRequestedExternal,
    plainlyDestructive: jev.riskGatePlainlyDestructive,
    changedArguments: jev.riskGateChangedArguments,
  }
}

export function shapingSettingsOf(jev: JevConfig): ShapingSettings {
  return { mode: jev.mode, enabled: jev.toolShapingEnabled, minConfidence: jev.toolShapingMinConfidence }
}

export function verificationSettingsOf(jev: JevConfig): VerificationSettings {
  return {
    enabled: jev.verifyEnabled,
    mode: jev.mode,
    continueThreshold: jev.verifyContinueThreshold,
    maxNudges: jev.verifyMaxNudges,
    readOnlyTools: jev.riskGateReadOnlyTools,
    confidenceOver: jev.verifyConfidenceOver,
    excerpts: jev.verifyExcerpts,
    otherCalls: jev.verifyOtherCalls,
  }
}

/** An open turn that nobody touched makes room after ten minutes, or after its whole life where that is shorter. */
export function turnCacheSettingsOf(jev: JevConfig): TurnCacheSettings {
  const ttlMs = jev.cacheTtlSeconds * 1000
  return { turnsMax: jev.cacheMaxTurns, ttlMs, idleMs: Math.min(turnCacheDefaults.idleMs, ttlMs) }
}

export function sanitizeSettingsOf(jev: JevConfig): Omit<SanitizeOptions, 'redactor'> {
  return { bytesMax: jev.stateMaxBytes, redaction: jev.redaction, overflow: jev.overflow }
}
