// The risk gate: what of a call is asked about, which signals make it a proposal, and what the host hears when the call is about to run. It can
// ask a person or, where the owner chose so, refuse what cannot be bound; it has no way to allow, and no answer makes it looser than none.
//
// How the pieces fit: `planRisk` before the request (after the store's `discard`), `settleRisk` with the answer or without, then the caller puts
// the proposal into the store; `claimProposal` when the call is about to run, which looks at one place and waits for nothing.
import type { JsonValue } from '../../foundation/canonical-json.js'
import { type CleanValue, type Sanitized, type SanitizeOptions, sanitizeValue } from '../../redaction/sanitize.js'
import { approveDirective, blockDirective, type JevDirective } from './approve-directive.js'
import { arguesForItself } from './argues-for-itself.js'
import { argumentDigest, type DigestText } from './argument-digest.js'
import { asThreshold, checkedRiskDecision, type RiskDecision, riskConfidence } from './decisions.js'
import { isFollowUp } from './follow-up.js'
import { isPlainlyDestructive } from './plainly-destructive.js'
import { type CallKey, callKey, type JevProposal, noDigest, type ProposalStore, type SettledProposal } from './proposal-store.js'
import { riskState, said } from './states.js'
import type { TurnEntry } from './turn-cache.js'

/** Answers that ask for approval by themselves, in the order of their labels. */
export const riskDimensions = [
  'external_side_effect',
  'destructive',
  'irreversible',
  'exposes_secrets',
  'confirmation_expected',
] as const
export type RiskDimension = (typeof riskDimensions)[number]

/** The first nine as the original has them, in its order; the others are ours and stand behind. */
export const riskTriggers = [
  ...riskDimensions,
  'incomplete_input',
  'ambiguous_context',
  'uncertain',
  'action_not_requested',
  /** Its arguments argue for its approval. */
  'argues_for_itself',
  /** By our own short list, whatever the model says. */
  'plainly_destructive',
  /** It is about to run with other arguments than were assessed. */
  'arguments_changed',
] as const
export type RiskTrigger = (typeof riskTriggers)[number]

/** Tools that only read; they are not assessed, unless their arguments carry a secret. */
export const readOnlyTools: readonly string[] = [
  'read_file',
  'search_files',
  'web_search',
  'web_extract',
  'web_search_plus',
  'web_extract_plus',
  'session_search',
  'skills_list',
  'skill_view',
  'tool_search',
  'tool_describe',
]

export interface RiskSettings {
  readonly enabled: boolean
  readonly mode: 'shadow' | 'enforce'
  readonly approvalThreshold: number
  /** Where one dimension shall have a threshold of its own. */
  readonly thresholds?: Partial<Readonly<Record<RiskDimension, number>>>
  /** Answers less sure than this ask. */
  readonly uncertainBelow: number
  readonly readOnlyTools: readonly string[]
  readonly blockUnbindable: boolean
  /** `pass`: an effect outside, and nothing else, does not ask where the user plainly asked for it. */
  readonly requestedExternal: 'ask' | 'pass'
  /** `always`: also where the model calls it harmless. `outage`: only without an answer. */
  readonly plainlyDestructive: 'always' | 'outage' | 'off'
  /** A call that runs with other arguments than were assessed. `silent` is the original's way. */
  readonly changedArguments: 'ask_once' | 'silent'
}

export const riskDefaults: RiskSettings = {
  enabled: true,
  mode: 'shadow',
  approvalThreshold: 0.8,
  uncertainBelow: 0.65,
  readOnlyTools,
  blockUnbindable: false,
  requestedExternal: 'ask',
  plainlyDestructive: 'always',
  changedArguments: 'ask_once',
}

export interface RiskSignals {
  readonly isIncomplete: boolean
  readonly isAmbiguous: boolean
  readonly arguesForItself: boolean
  readonly isPlainlyDestructive: boolean
}

/** Labels in their fixed order; none means that the gate has nothing to say. Also for judging again from what was recorded. */
export function combineSignals(decision: RiskDecision | undefined, signals: RiskSignals, settings: RiskSettings): RiskTrigger[] {
  const { thresholds = {}, plainlyDestructive } = settings
  const approvalThreshold = asThreshold(settings.approvalThreshold)
  const triggers: RiskTrigger[] = []
  if (decision !== undefined) {
    const high = riskDimensions.filter((name) => decision[name] >= asThreshold(thresholds[name] ?? approvalThreshold))
    const isOnlyExternal = high.length === 1 && high[0] === 'external_side_effect'
    const mayPass = settings.requestedExternal === 'pass' && decision.action_requested >= approvalThreshold
    if (!(isOnlyExternal && mayPass)) triggers.push(...high)
  }
  if (signals.isIncomplete) triggers.push('incomplete_input')
  if (signals.isAmbiguous) triggers.push('ambiguous_context')
  if (decision !== undefined && riskConfidence(decision) < asThreshold(settings.uncertainBelow)) triggers.push('uncertain')
  if (decision !== undefined && isUnrequested(decision.action_requested, approvalThreshold)) triggers.push('action_not_requested')
  if (signals.arguesForItself) triggers.push('argues_for_itself')
  const countsLocal = plainlyDestructive === 'always' || (plainlyDestructive === 'outage' && decision === undefined)
  if (signals.isPlainlyDestructive && countsLocal) triggers.push('plainly_destructive')
  return triggers
}

/** Plain subtraction: for 0.8 an answer of 0.2 asks for nothing. */
export function isUnrequested(actionRequested: number, approvalThreshold: number): boolean {
  return actionRequested < 1 - approvalThreshold
}

export interface RiskCall {
  readonly session: unknown
  readonly turn: unknown
  readonly call: unknown
  readonly tool: unknown
  readonly args: unknown
}

export interface RiskSurroundings {
  readonly settings: RiskSettings
  readonly sanitize: SanitizeOptions
  readonly digestOf: DigestText
  /** Whether a person can see and answer a prompt right now; anything but true, and an error too, is a no. */
  readonly attended: () => unknown
}

/** Why the gate says nothing. */
export const riskAbstentions = [
  'gate_off',
  'ids_missing',
  'turn_unknown',
  'read_only',
  'unattended',
  'unbound_input',
  'low',
  'no_decision',
  'turn_over',
  'no_middleware',
] as const
export type RiskAbstention = (typeof riskAbstentions)[number]

/** `block` is to be put into the store with the moment, where it is there. */
export type RiskPlan =
  | { readonly kind: 'abstain'; readonly why: RiskAbstention; readonly block: UnboundBlock | undefined }
  | RiskQuestion

export interface UnboundBlock {
  readonly key: CallKey
  readonly digest: typeof noDigest
  readonly directive: JevDirective
  readonly triggers: readonly []
}

export interface RiskQuestion extends RiskSignals {
  readonly kind: 'ask'
  readonly key: CallKey
  readonly entry: TurnEntry
  readonly digest: string
  readonly args: unknown
  readonly state: Sanitized
  /** A tool that only reads, with a secret among its arguments. */
  readonly carriesSecret: boolean
}

/** Whether there is something to ask about this call. Marks the turn as one in which tools were used. */
export function planRisk(call: RiskCall, entry: TurnEntry | undefined, surroundings: RiskSurroundings): RiskPlan {
  const { settings, sanitize, digestOf, attended } = surroundings
  const key = callKey(call.session, call.turn, call.call, call.tool)
  if (key === undefined) return abstain('ids_missing')
  if (entry === undefined) return abstain('turn_unknown')
  entry.toolsStarted = true
  if (!settings.enabled) return abstain('gate_off')
  const isReadOnly = settings.readOnlyTools.includes(key.tool)
  const carriesSecret = isReadOnly && sanitizeValue(call.args, sanitize).redacted
  if (isReadOnly && !carriesSecret) return abstain('read_only')
  if (!holds(attended)) return abstain('unattended')
  const digest = argumentDigest(call.args, digestOf)
  if (digest === undefined) {
    const blocks = settings.mode === 'enforce' && settings.blockUnbindable && !entry.isCompleted
    return abstain('unbound_input', blocks ? { key, digest: noDigest, directive: blockDirective(), triggers: [] } : undefined)
  }
  const isAmbiguous = isFollowUp(said(entry))
  const state = riskState(entry, { tool: key.tool, args: call.args, isAmbiguous }, sanitize)
  return {
    kind: 'ask',
    key,
    entry,
    digest,
    args: call.args,
    state,
    carriesSecret,
    isIncomplete: !state.metadata.input_complete,
    isAmbiguous,
    arguesForItself: arguesForItself(call.args),
    isPlainlyDestructive: isPlainlyDestructive(call.args),
  }
}

export interface RiskMoment {
  readonly settings: RiskSettings
  readonly sanitize: SanitizeOptions
  readonly digestOf: DigestText
  /** Whether our answer could take the place of somebody's block; anything but true, and an error too, is a no. Not asked without need. */
  readonly orderSafe: () => unknown
  /** Whether the turn that was asked about still stands and goes on. */
  readonly isCurrent: boolean
  /** 32 hex characters of chance. */
  readonly fresh: string
  readonly nowMs: number
}

export interface RiskOutcome {
  readonly triggers: readonly RiskTrigger[]
  readonly wouldApprove: boolean
  /** Enforced, and in a safe order: a prompt is to come of it, unless the turn is over. */
  readonly isApproval: boolean
  readonly orderSafe: boolean
  /** Why nothing comes of it; undefined where a proposal does. */
  readonly why: RiskAbstention | 'shadow' | 'order_unsafe' | undefined
  /** To be put into the store. */
  readonly proposal: JevProposal | undefined
}

/** `given` is what an engine answered; anything but a whole decision counts as none. */
export function settleRisk(question: RiskQuestion, given: unknown, moment: RiskMoment): RiskOutcome {
  const { settings } = moment
  const decision = checkedRiskDecision(given)
  const triggers = combineSignals(decision, question, settings)
  const wouldApprove = triggers.length > 0
  if (!wouldApprove) {
    const why = decision === undefined ? 'no_decision' : 'low'
    return { triggers, wouldApprove, isApproval: false, orderSafe: true, why, proposal: undefined }
  }
  const orderSafe = holds(moment.orderSafe)
  const isApproval = settings.mode === 'enforce' && orderSafe
  const why = reasonAgainst(settings, orderSafe, moment.isCurrent)
  const proposal = why === undefined ? proposalOf(question, triggers, moment) : undefined
  return { triggers, wouldApprove, isApproval, orderSafe, why, proposal }
}

export interface ClaimMoment {
  readonly settings: RiskSettings
  readonly sanitize: SanitizeOptions
  readonly digestOf: DigestText
  readonly attended: () => unknown
  readonly orderSafe: () => unknown
  readonly fresh: string
  readonly nowMs: number
}

export interface ClaimOutcome {
  /** What the host hears; undefined where that is nothing. */
  readonly directive: JevDirective | undefined
  /** What became of a proposal; undefined where there was none. */
  readonly settled: SettledProposal | undefined
  /** Why a proposal that was there says nothing; `blocked` where another gate refuses the call anyway. */
  readonly why: 'unattended' | 'order_unsafe' | 'expired' | 'arguments_changed' | 'blocked' | undefined
}

const silence: ClaimOutcome = { directive: undefined, settled: undefined, why: undefined }

/** When the call is about to run. Whatever stood for it is used up by this. */
export function claimProposal(store: ProposalStore, call: RiskCall, moment: ClaimMoment): ClaimOutcome {
  const { settings, nowMs } = moment
  if (!settings.enabled || settings.mode !== 'enforce') return silence
  const key = callKey(call.session, call.turn, call.call, call.tool)
  if (key === undefined) return silence
  const digest = argumentDigest(call.args, moment.digestOf)
  const settled = store.take(key, digest ?? noDigest, nowMs)
  if (settled === undefined) return silence
  if (settled.fate === 'expired') return { directive: undefined, settled, why: 'expired' }
  const isChanged = settled.fate === 'mismatched'
  if (isChanged && settings.changedArguments === 'silent') return { directive: undefined, settled, why: 'arguments_changed' }
  if (!holds(moment.attended)) return { directive: undefined, settled, why: 'unattended' }
  const directive = isChanged ? changedDirective(key, call.args, digest, moment) : settled.proposal.directive
  // A block takes nobody's place.
  if (directive.action === 'approve' && !holds(moment.orderSafe)) return { directive: undefined, settled, why: 'order_unsafe' }
  return { directive, settled, why: undefined }
}

function changedDirective(key: CallKey, args: unknown, digest: string | undefined, moment: ClaimMoment): JevDirective {
  const { fresh, digestOf, sanitize } = moment
  const shown = sanitizeValue(args, sanitize)
  return approveDirective({
    tool: key.tool,
    digest,
    shown,
    triggers: ['arguments_changed'],
    oneOff: true,
    fresh,
    digestOf,
    sanitize,
  })
}

function proposalOf(question: RiskQuestion, triggers: readonly RiskTrigger[], moment: RiskMoment): JevProposal {
  const { key, digest, isIncomplete, isAmbiguous } = question
  const { fresh, digestOf, sanitize, nowMs } = moment
  const shown = shownArguments(question, sanitize)
  const oneOff = isIncomplete || isAmbiguous
  const directive = approveDirective({ tool: key.tool, digest, shown, triggers, oneOff, fresh, digestOf, sanitize })
  return { key, digest, directive, triggers, about: undefined, proposedAtMs: nowMs }
}

/** As they were judged. Where the state had to be cut, they are looked at once more: whoever approves may see more than the model did. */
function shownArguments({ state, args }: RiskQuestion, sanitize: SanitizeOptions): CleanValue {
  const { metadata } = state
  if (!metadata.input_complete) return sanitizeValue(args, sanitize)
  return { value: state.state['arguments'] as JsonValue, complete: true, redacted: metadata.redacted }
}

function reasonAgainst({ mode }: RiskSettings, orderSafe: boolean, isCurrent: boolean): RiskOutcome['why'] {
  if (mode !== 'enforce') return 'shadow'
  if (!orderSafe) return 'order_unsafe'
  return isCurrent ? undefined : 'turn_over'
}

function abstain(why: RiskAbstention, block?: UnboundBlock): RiskPlan {
  return { kind: 'abstain', why, block }
}

/** What cannot be asked is not so. */
function holds(ask: () => unknown): boolean {
  try {
    return ask() === true
  } catch {
    return false
  }
}
