// What one state of the settings protects less than another, and what of a change may be in force before the owner accepts it.
import { type RiskDimension, riskDimensions } from '../gates/jev/risk.js'
import { type JevConfig, type JevConfigKey, type JevConfigMember, jevConfigMember } from '../outbound/config.js'
import { patternTexts } from '../redaction/own-pattern.js'
import { type Config, settingOf } from './config.js'

export interface Loosening {
  readonly key: string
  readonly from: string
  readonly to: string
}

interface Guard {
  readonly key: string
  readonly isLooser: (from: Config, to: Config) => boolean
  /** `to` with this key as it is in `from`. */
  readonly takeBack: (from: Config, to: Config) => Config
  /** How a value is told; as it is written, where this is left out. */
  readonly told?: (config: Config) => string
}

type Section = Exclude<keyof Config, 'reload'>

const guards: readonly Guard[] = [
  guard('provenance', 'mode', lower(['off', 'observe', 'block'])),
  guard('provenance', 'search', lower(['profile', 'session'])),
  guard('provenance', 'scope', lower(['decisions', 'decisions+preferences'])),
  guard('provenance', 'evidence', (from, to) => (from === 'attached' ? to !== 'attached' : from === undefined && to === 'any')),
  guard('capability', 'mode', lower(['off', 'observe', 'enforce'])),
  guard('capture', 'arguments', (from, to) => from !== 'none' && to === 'none'),
  guard('retention', 'days', isShorter),
  guard('retention', 'messagesDays', isShorter),
  guard('retention', 'toolsDays', isShorter),
  guard('retention', 'sessionsDays', isShorter),
  guard('retention', 'judgementsDays', isShorter),
  guard('highWater', 'mirror', isLostOrMoved),
  guard('checkpoint', 'anchor', (from, to) => from === 'syslog' && to === 'none'),
  guard('checkpoint', 'mirror', isLostOrMoved),
  // What is beyond a bound is counted and not recorded.
  guard('limits', 'hooksPerMinute', (from, to) => to < from),
  guard('limits', 'bytesPerMinute', (from, to) => to < from),
  {
    ...guard('redaction', 'patterns', (from, to) => patternTexts(from).some((pattern) => !patternTexts(to).includes(pattern))),
    // What the owner hides is not told on.
    told: ({ redaction }) => `${patternTexts(redaction.patterns).length}-of-them`,
  },
  // Off protects less, and on sends words out of the machine: both are the owner's to say. So is where they go, and who answers.
  jevGuard('jev.enabled', 'enabled', isOther),
  jevGuard('jev.base_url', 'baseUrl', isOther),
  jevGuard('jev.decision_model', 'decisionModel', isOther),
  jevGuard('jev.mode', 'mode', lower(['shadow', 'enforce'])),
  jevGuard('jev.timeout_seconds', 'timeoutSeconds', isLess),
  jevGuard('jev.max_workers', 'maxWorkers', isLess),
  jevGuard('jev.requests_per_day', 'requestsPerDay', isShorter),
  jevGuard('jev.redaction', 'redaction', lower(['apart', 'incomplete'])),
  jevGuard('jev.risk_gate.enabled', 'riskGateEnabled', isSwitchedOff),
  jevGuard('jev.risk_gate.block_unbindable', 'riskGateBlockUnbindable', isSwitchedOff),
  jevGuard('jev.risk_gate.approval_threshold', 'riskGateApprovalThreshold', isMore),
  jevGuard('jev.risk_gate.uncertain_below', 'riskGateUncertainBelow', isLess),
  ...riskDimensions.map((name) => thresholdGuard(name)),
  {
    ...jevGuard('jev.risk_gate.read_only_tools', 'riskGateReadOnlyTools', (from, to) => to.some((tool) => !from.includes(tool))),
    told: ({ jev }) => `${jev.riskGateReadOnlyTools.length}-of-them`,
  },
  jevGuard('jev.risk_gate.requested_external', 'riskGateRequestedExternal', lower(['pass', 'ask'])),
  jevGuard('jev.risk_gate.plainly_destructive', 'riskGatePlainlyDestructive', lower(['off', 'outage', 'always'])),
  jevGuard('jev.risk_gate.changed_arguments', 'riskGateChangedArguments', lower(['silent', 'ask_once'])),
  jevGuard('jev.verify.enabled', 'verifyEnabled', isSwitchedOff),
  jevGuard('jev.verify.continue_threshold', 'verifyContinueThreshold', isMore),
  jevGuard('jev.verify.max_nudges', 'verifyMaxNudges', isLess),
  jevGuard('jev.cache.max_turns', 'cacheMaxTurns', isLess),
  jevGuard('jev.cache.ttl_seconds', 'cacheTtlSeconds', isLess),
  {
    key: 'reload',
    isLooser: (from, to) => from.reload === 'owner' && to.reload === 'auto',
    takeBack: (from, to) => ({ ...to, reload: from.reload }),
  },
]

/** Keys that `to` protects less than `from`. */
export function loosened(from: Config, to: Config): readonly Loosening[] {
  return looserGuards(from, to).map(({ key, told = (config) => String(settingOf(config, key) ?? 'none') }) => ({
    key,
    from: told(from),
    to: told(to),
  }))
}

/** `to` with every looser key taken back to `from`, but for those that the owner has `accepted`: what is in force meanwhile. */
export function tightenedOnly(from: Config, to: Config, accepted: readonly string[] = []): Config {
  const guarded = looserGuards(from, to).filter(({ key }) => !accepted.includes(key))
  return guarded.reduce((config, { takeBack }) => takeBack(from, config), to)
}

function looserGuards(from: Config, to: Config): readonly Guard[] {
  return guards.filter(({ isLooser }) => isLooser(from, to))
}

function guard<S extends Section, M extends keyof Config[S] & string>(
  section: S,
  member: M,
  isLooser: (from: Config[S][M], to: Config[S][M]) => boolean,
): Guard {
  return {
    key: `${section}.${member}`,
    isLooser: (from, to) => isLooser(from[section][member], to[section][member]),
    takeBack: (from, to) => ({ ...to, [section]: { ...to[section], [member]: from[section][member] } }),
  }
}

function jevGuard<M extends JevConfigMember>(
  key: JevConfigKey,
  member: M,
  isLooser: (from: JevConfig[M], to: JevConfig[M]) => boolean,
): Guard {
  return { ...guard('jev', member, isLooser), key }
}

/** A threshold of one dimension, which is the one for all where it is not set. */
function thresholdGuard(dimension: RiskDimension): Guard {
  const key = `jev.risk_gate.thresholds.${dimension}` as const
  const member = jevConfigMember(key)
  const inForce = ({ jev }: Config): number => {
    const own = jev[member]
    return typeof own === 'number' ? own : jev.riskGateApprovalThreshold
  }
  return {
    key,
    isLooser: (from, to) => from.jev[member] !== to.jev[member] && inForce(to) > inForce(from),
    takeBack: (from, to) => ({ ...to, jev: { ...to.jev, [member]: from.jev[member] } }),
  }
}

/** The modes from the weakest to the strictest. */
function lower<Mode>(modes: readonly Mode[]): (from: Mode, to: Mode) => boolean {
  return (from, to) => modes.indexOf(to) < modes.indexOf(from)
}

function isLostOrMoved(from: string | undefined, to: string | undefined): boolean {
  return from !== undefined && to !== from
}

/** 0 is without an end: words that are evidence are kept for ever, requests are never too many. */
function isShorter(from: number, to: number): boolean {
  return to !== 0 && (from === 0 || to < from)
}

function isOther<Value>(from: Value, to: Value): boolean {
  return from !== to
}

function isLess(from: number, to: number): boolean {
  return to < from
}

function isMore(from: number, to: number): boolean {
  return to > from
}

function isSwitchedOff(from: boolean, to: boolean): boolean {
  return from && !to
}
