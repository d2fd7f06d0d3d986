// What is told of each step of the stage: facts for the ledger, whole enough to judge again, and no word among them. Probabilities and
// thresholds are whole millionths there. Indices are handed in; nothing here writes.

import type { Facts, NewEvent } from '../../events/event-catalog.js'
import { asModelName, asName } from '../../events/event-definition.js'
import type { InputMetadata } from '../../redaction/input-metadata.js'
import { isOneOff } from './approve-directive.js'
import {
  type CompletionDecision,
  capabilities,
  checkedCompletionDecision,
  checkedRiskDecision,
  completionAnswers,
  completionConfidence,
  fromMillionths,
  millionths,
  type RiskDecision,
  riskAnswers,
  riskConfidence,
  type TurnDecision,
} from './decisions.js'
import type { JevAnswer, JevFailure } from './engine.js'
import type { JevProposal, SettledProposal } from './proposal-store.js'
import {
  type ClaimOutcome,
  combineSignals,
  type RiskAbstention,
  type RiskOutcome,
  type RiskQuestion,
  type RiskSettings,
  type RiskTrigger,
  riskDimensions,
} from './risk.js'
import type { ShapingOutcome, ShapingSettings } from './tool-shaping.js'
import type { TurnEntry } from './turn-cache.js'
import {
  callsForMore,
  type Observation,
  type VerificationAbstention,
  type VerificationOutcome,
  type VerificationQuestion,
  type VerificationSettings,
} from './verification.js'

type Event<Type extends NewEvent['type']> = Extract<NewEvent, { readonly type: Type }>
type RiskJudged = NonNullable<Facts<'jev.proposed'>['risk']>
type CompletionJudged = Facts<'verification.proposed'>['judged']
type Mode = 'shadow' | 'enforce'

/** Of a classification; undefined for an entry that was never sanitized. */
export function jevFactsOfTurn(
  about: number,
  mode: Mode,
  { state, conversation }: TurnEntry,
  answer: JevAnswer<TurnDecision>,
): Event<'jev.classified'> | Event<'jev.failed'> | undefined {
  if (state === undefined) return undefined
  if (!answer.isDecided) return failedEvent('turn', about, mode, state.metadata, answer)
  const { decision } = answer
  return {
    type: 'jev.classified',
    facts: {
      about,
      mode,
      ...inputFacts(state.metadata),
      ...answerFacts(answer),
      intent: decision.intent,
      complexity: decision.complexity,
      sideEffects: decision.side_effect_likelihood,
      confidence: millionths(decision.confidence),
      needs: counted(capabilities, decision),
      conversation: { ...conversation },
    },
  }
}

/** Of a call that was not asked about. */
export function jevFactsOfSilence(
  stage: 'turn' | 'shaping' | 'risk' | 'completion',
  about: number | undefined,
  mode: Mode,
  why: RiskAbstention | VerificationAbstention | 'cache_refused',
  call?: { readonly tool: string; readonly argumentsDigest: string },
): Event<'jev.abstained'> {
  return {
    type: 'jev.abstained',
    facts: {
      stage,
      ...(about === undefined ? {} : { about }),
      mode,
      why,
      ...(call === undefined ? {} : { tool: asName(call.tool), arguments: call.argumentsDigest }),
    },
  }
}

/** Of a block that is to be kept for a call which nothing can be bound to. */
export function jevFactsOfBlock(about: number, tool: string, message: string): Event<'jev.proposed'> {
  return {
    type: 'jev.proposed',
    facts: {
      stage: 'risk',
      about,
      mode: 'enforce',
      complete: false,
      truncated: false,
      redacted: false,
      proposal: 'block',
      applied: true,
      triggers: [],
      tool: asName(tool),
    },
    words: { message },
  }
}

export interface RiskTold {
  readonly about: number
  readonly settings: RiskSettings
  readonly question: RiskQuestion
  /** Undefined where the answer is one that was given before in this turn. */
  readonly answer: JevAnswer<RiskDecision> | undefined
  readonly decision: RiskDecision | undefined
  readonly outcome: RiskOutcome
  /** Keyed, of the arguments; made by the caller. */
  readonly argumentsDigest: string
}

/** Of a call that was asked about: what failed, if something did, and what came of it. In the order in which it is to be told. */
export function jevFactsOfRisk(told: RiskTold): (Event<'jev.failed'> | Event<'jev.proposed'> | Event<'jev.abstained'>)[] {
  const { about, settings, question, answer, outcome } = told
  const { mode } = settings
  const { metadata } = question.state
  const failed = answer !== undefined && !answer.isDecided ? [failedEvent('risk', about, mode, metadata, answer)] : []
  const shared = {
    stage: 'risk' as const,
    about,
    mode,
    ...inputFacts(metadata),
    ...(answer === undefined ? {} : answerFacts(answer)),
    ...(answer?.isDecided === false ? { failure: answer.failure } : {}),
    tool: asName(question.key.tool),
    arguments: told.argumentsDigest,
    risk: riskJudged(told),
  }
  if (!outcome.wouldApprove) return [...failed, { type: 'jev.abstained', facts: { ...shared, why: outcome.why ?? 'low' } }]
  const { proposal, why } = outcome
  const message = proposal?.directive.message
  const reason = why === 'shadow' || why === 'order_unsafe' || why === 'turn_over' ? { why } : {}
  return [
    ...failed,
    {
      type: 'jev.proposed',
      facts: {
        ...shared,
        proposal: 'approve',
        applied: proposal !== undefined,
        ...reason,
        triggers: [...outcome.triggers],
        ...(proposal === undefined ? {} : { oneOff: isOneOff(proposal.directive) }),
      },
      ...(message === undefined ? {} : { words: { message } }),
    },
  ]
}

/** Of a proposal that is settled, where the entry that told of it is known. */
export function jevFactsOfSettled(
  { proposal, fate }: SettledProposal,
  nowMs: number,
  claim?: { readonly about: number; readonly outcome: ClaimOutcome; readonly argumentsDigest: string | undefined },
): Event<'jev.settled'> | undefined {
  if (proposal.about === undefined) return undefined
  const { directive, why } = claim?.outcome ?? {}
  const isChanged = fate === 'mismatched' && why === undefined
  const came = claim?.argumentsDigest
  return {
    type: 'jev.settled',
    facts: {
      proposal: proposal.about,
      ...(claim === undefined ? {} : { about: claim.about }),
      fate,
      applied: directive !== undefined,
      ...(directive === undefined ? {} : { action: directive.action }),
      ...(why !== undefined ? { why } : isChanged && directive !== undefined ? { why: 'arguments_changed' as const } : {}),
      age: Math.max(0, Math.round(nowMs - proposal.proposedAtMs)),
      ...(fate === 'mismatched' && came !== undefined ? { arguments: came } : {}),
    },
    ...(directive === undefined ? {} : { words: { message: directive.message } }),
  }
}

/** The proposal with the entry that tells of it. */
export function toldProposal(proposal: JevProposal, about: number): JevProposal {
  return { ...proposal, about }
}

/** Where the turn is not known there is nothing to propose, and no entry to name. */
export function jevFactsOfShaping(
  about: number | undefined,
  settings: ShapingSettings,
  outcome: ShapingOutcome,
  metadata: InputMetadata | undefined,
  classified: number | undefined,
): Event<'jev.proposed'> | Event<'jev.abstained'> {
  const { mode } = settings
  const { reason, kept, toolsBefore, toolsAfter } = outcome
  const shaping = {
    reason,
    ...(kept === undefined ? {} : { kept }),
    confidenceMin: millionths(settings.minConfidence),
    ...(classified === undefined ? {} : { classified }),
    ...(toolsBefore === undefined ? {} : { toolsBefore }),
    ...(toolsAfter === undefined ? {} : { toolsAfter }),
  }
  if (!outcome.wouldShape || metadata === undefined || about === undefined) {
    const input = metadata === undefined ? {} : inputFacts(metadata)
    const known = about === undefined ? {} : { about }
    return { type: 'jev.abstained', facts: { stage: 'shaping', ...known, mode, why: kept ?? reason, ...input, shaping } }
  }
  return {
    type: 'jev.proposed',
    facts: {
      stage: 'shaping',
      about,
      mode,
      ...inputFacts(metadata),
      proposal: 'narrow',
      applied: outcome.shaped,
      ...(outcome.shaped ? {} : { why: 'shadow' as const }),
      triggers: [],
      shaping,
    },
  }
}

export function jevFactsOfObservation(about: number, observation: Observation): Event<'verification.observed'> {
  const { runner, success, exitCode, failure, counts, generation, state } = observation
  return {
    type: 'verification.observed',
    facts: {
      about,
      runner,
      success,
      exitCode,
      ...(failure === undefined ? {} : { failure }),
      ...(counts === undefined ? {} : { ...counts }),
      ...inputFacts(state.metadata),
      generation,
    },
    words: { command: textOf(state.state['command']), summary: textOf(state.state['summary']) },
  }
}

export interface CompletionTold {
  readonly about: number
  readonly settings: VerificationSettings
  readonly question: VerificationQuestion
  readonly answer: JevAnswer<CompletionDecision>
  readonly outcome: VerificationOutcome
}

export function jevFactsOfCompletion(
  told: CompletionTold,
): (Event<'jev.failed'> | Event<'verification.proposed'> | Event<'jev.abstained'>)[] {
  const { about, settings, question, answer, outcome } = told
  const { mode } = settings
  const { metadata } = question.state
  const judged = completionJudged(told)
  const shared = { about, mode, ...inputFacts(metadata), ...answerFacts(answer) }
  const failed = answer.isDecided ? [] : [failedEvent('completion', about, mode, metadata, answer)]
  if (!outcome.wouldNudge) {
    const why = outcome.why ?? 'low'
    return [...failed, { type: 'jev.abstained', facts: { stage: 'completion', ...shared, why, completion: judged } }]
  }
  const message = outcome.directive?.message
  return [
    {
      type: 'verification.proposed',
      facts: { ...shared, applied: outcome.nudge, judged },
      ...(message === undefined ? {} : { words: { message } }),
    },
  ]
}

/** What the recorded answers come to, by the thresholds and rules that stand beside them. */
export function rejudgedRisk(risk: RiskJudged, complete: boolean): RiskTrigger[] {
  const { approval, uncertain, ...own } = risk.thresholds
  const thresholds = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, fromMillionths(value ?? 0)]))
  const signals = {
    isIncomplete: !complete,
    isAmbiguous: risk.ambiguous,
    arguesForItself: risk.argues,
    isPlainlyDestructive: risk.destroys,
  }
  return combineSignals(risk.answers === undefined ? undefined : fromCounts(riskAnswers, risk.answers), signals, {
    enabled: true,
    mode: 'shadow',
    readOnlyTools: [],
    blockUnbindable: false,
    changedArguments: 'silent',
    approvalThreshold: fromMillionths(approval),
    uncertainBelow: fromMillionths(uncertain),
    thresholds,
    ...risk.rules,
  })
}

export function rejudgedCompletion(judged: CompletionJudged, complete: boolean): boolean {
  if (judged.answers === undefined || !complete) return false
  const decision = fromCounts(completionAnswers, judged.answers)
  const confidence = completionConfidence(decision, judged.confidenceOver)
  return callsForMore(decision, confidence, fromMillionths(judged.threshold))
}

function riskJudged({ question, decision: given, settings }: RiskTold): RiskJudged {
  const decision = checkedRiskDecision(given)
  const own = riskDimensions.flatMap((name) => {
    const threshold = settings.thresholds?.[name]
    return threshold === undefined ? [] : [[name, millionths(threshold)] as const]
  })
  return {
    ...(decision === undefined
      ? {}
      : { answers: counted(riskAnswers, decision), confidence: millionths(riskConfidence(decision)) }),
    ambiguous: question.isAmbiguous,
    argues: question.arguesForItself,
    destroys: question.isPlainlyDestructive,
    carries: question.carriesSecret,
    thresholds: {
      approval: millionths(settings.approvalThreshold),
      uncertain: millionths(settings.uncertainBelow),
      ...Object.fromEntries(own),
    },
    rules: { requestedExternal: settings.requestedExternal, plainlyDestructive: settings.plainlyDestructive },
  }
}

function completionJudged({ question, answer, settings }: CompletionTold): CompletionJudged {
  const decision = answer.isDecided ? checkedCompletionDecision(answer.decision) : undefined
  return {
    ...(decision === undefined
      ? {}
      : {
          answers: counted(completionAnswers, decision),
          confidence: millionths(completionConfidence(decision, settings.confidenceOver)),
        }),
    confidenceOver: settings.confidenceOver,
    threshold: millionths(settings.continueThreshold),
    attempt: question.attempt,
    changed: question.changed,
    observations: question.observations.length,
    failed: question.observations.filter(({ success }) => success === false).length,
  }
}

function failedEvent(
  stage: 'turn' | 'risk' | 'completion',
  about: number,
  mode: Mode,
  metadata: InputMetadata,
  { asked, failure, latencyMs }: { readonly asked: string; readonly failure: JevFailure; readonly latencyMs: number },
): Event<'jev.failed'> {
  return {
    type: 'jev.failed',
    facts: {
      stage,
      about,
      mode,
      ...inputFacts(metadata),
      asked: asModelName(asked),
      latency: wholeMs(latencyMs),
      category: failure,
    },
  }
}

function inputFacts({ input_complete, truncated, redacted }: InputMetadata): {
  readonly complete: boolean
  readonly truncated: boolean
  readonly redacted: boolean
} {
  return { complete: input_complete, truncated, redacted }
}

function answerFacts(answer: JevAnswer<unknown>): {
  readonly asked: string
  readonly latency: number
  readonly answered?: string
  readonly tokens?: { readonly input: number; readonly output: number }
} {
  const { asked, latencyMs } = answer
  const shared = { asked: asModelName(asked), latency: wholeMs(latencyMs) }
  if (!answer.isDecided) return shared
  return {
    ...shared,
    answered: asModelName(answer.answered),
    ...(answer.tokens === undefined ? {} : { tokens: { ...answer.tokens } }),
  }
}

function wholeMs(latencyMs: number): number {
  return Math.max(0, Math.round(latencyMs))
}

function counted<Name extends string>(
  names: readonly Name[],
  probabilities: Readonly<Record<Name, number>>,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, millionths(probabilities[name])])) as Record<Name, number>
}

function fromCounts<Name extends string>(names: readonly Name[], counts: Readonly<Record<Name, number>>): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, fromMillionths(counts[name])])) as Record<Name, number>
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
