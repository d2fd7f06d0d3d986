// Asks the capability gate again: the policy that its decision names, or other grants instead, at the time of the call.
import { capabilityGate } from '../gates/capability/capability-gate.js'
import type { CapabilityInForce, GateModes } from '../gates/gate.js'
import { isOf } from '../projections/projection.js'
import { type AskedAgain, contextOfNothing, type GateReplay, type KnownThen, type NotAgain } from './gate-replay.js'

export const capabilityReplay: GateReplay = {
  gate: capabilityGate,
  contextOf: async ({ judged, decided, instead }, { policies }) => {
    if (!isOf(judged, 'access.proposed')) return 'not_recorded'
    if (judged.words === undefined) return 'forgotten'
    const capability = grantsAgain(decided, instead.capability ?? {}, policies)
    if (typeof capability === 'string') return capability
    const mode = instead.capability?.mode ?? modeOf(decided.facts.mode)
    const context = contextOfNothing(decided)
    return { context: { ...context, time: judged.time, modes: { ...context.modes, capability: mode }, capability } }
  },
}

/** A mode that could not be confirmed then is not confirmed now, but where another is asked for. */
function grantsAgain(
  { facts }: AskedAgain['decided'],
  { mode, allowlist }: NonNullable<AskedAgain['instead']['capability']>,
  policies: KnownThen['policies'],
): CapabilityInForce | NotAgain {
  const isUnresolved = facts.mode === unresolvedMode && mode === undefined
  if (isUnresolved) return { policy: undefined, digest: undefined, unresolved: 'then' }
  const digest = facts.policy ?? (facts.mode === unresolvedMode ? policies.newest : undefined)
  const policy = digest === undefined ? undefined : policies.of(digest)
  if (allowlist !== undefined) {
    // Places that nothing may write stay those that they were.
    const known = policy === undefined || policy === 'forgotten' ? allowlist : { ...allowlist, protected: policy.protected }
    return { policy: known, digest: undefined, unresolved: undefined }
  }
  if (policy === 'forgotten') return 'forgotten'
  if (policy === undefined && digest !== undefined) return 'not_recorded'
  return { policy, digest, unresolved: undefined }
}

const unresolvedMode = 'unresolved'

function modeOf(mode: string): GateModes['capability'] {
  return mode === 'enforce' || mode === 'off' ? mode : 'observe'
}
