// The rooms of the Jev stage put together in one process, as the service will do it, with a model that answers at once: for vectors that speak of
// a whole turn. Clock, chance and attendance are the test's.
import { createHash } from 'node:crypto'
import type { JevDirective } from '../../src/gates/jev/approve-directive.js'
import type { CompletionDecision, RiskDecision, TurnDecision } from '../../src/gates/jev/decisions.js'
import { callKey, makeProposalStore, type SettledProposal } from '../../src/gates/jev/proposal-store.js'
import {
  type ClaimOutcome,
  claimProposal,
  planRisk,
  type RiskCall,
  type RiskOutcome,
  type RiskPlan,
  type RiskSettings,
  riskDefaults,
  settleRisk,
} from '../../src/gates/jev/risk.js'
import { turnState } from '../../src/gates/jev/states.js'
import { judgeToolShaping, type ShapingOutcome, type ShapingSettings } from '../../src/gates/jev/tool-shaping.js'
import { localTurnId, makeTurnCache, type TurnEntry } from '../../src/gates/jev/turn-cache.js'
import {
  type EndingTurn,
  type Observed,
  type ObservedCall,
  observeCall,
  planVerification,
  settleVerification,
  type VerificationOutcome,
  type VerificationPlan,
  type VerificationSettings,
  verificationDefaults,
} from '../../src/gates/jev/verification.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import type { SanitizeOptions } from '../../src/redaction/sanitize.js'

export const sha256Text = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The answer of the evaluation matrix: everything is trivial chat. */
export const smallTalk: TurnDecision = {
  intent: 'chat',
  complexity: 'trivial',
  side_effect_likelihood: 'low',
  needs_web: 0.001,
  needs_browser: 0.001,
  needs_terminal: 0.001,
  needs_files: 0.001,
  should_delegate: 0.001,
  confidence: 0.999,
  model: 'jev-test',
}

export type RiskTuple = readonly [number, number, number, number, number, number]
export const lowRisk: RiskTuple = [0.99, 0.01, 0.01, 0.01, 0.01, 0.01]
export const highRisk: RiskTuple = [0.99, 0.9, 0.9, 0.9, 0.9, 0.9]

/** In the order of the record. */
export function riskOf([requested, external, destructive, irreversible, secrets, confirmation]: RiskTuple): RiskDecision {
  return {
    action_requested: requested,
    external_side_effect: external,
    destructive,
    irreversible,
    exposes_secrets: secrets,
    confirmation_expected: confirmation,
  }
}

export type CompletionTuple = readonly [number, number, number, number]
export const badCompletion: CompletionTuple = [0.99, 0.01, 0.99, 0.99]

export function completionOf([claims, evidence, inconsistent, unfinished]: CompletionTuple): CompletionDecision {
  return {
    claims_complete: claims,
    verification_evidence_present: evidence,
    inconsistent,
    needs_iteration: unfinished,
  }
}

export interface DeskOptions {
  readonly mode?: 'shadow' | 'enforce'
  readonly risk?: Partial<RiskSettings>
  readonly shaping?: Partial<ShapingSettings>
  readonly verification?: Partial<VerificationSettings>
  readonly sanitize?: Partial<SanitizeOptions>
  readonly knownValues?: readonly string[]
  readonly turnsMax?: number
  readonly classifies?: boolean
}

/** Undefined stands for a request that failed. */
export interface Answers {
  turn: TurnDecision | undefined
  risk: RiskDecision | undefined
  completion: CompletionDecision | undefined
}

export interface LoneCall {
  readonly session?: unknown
  readonly turn?: unknown
  readonly call?: unknown
  readonly tool?: unknown
  readonly args: unknown
}

export class JevDesk {
  nowMs = 0
  attended: () => unknown = () => true
  orderSafe: () => unknown = () => true
  readonly answers: Answers = { turn: smallTalk, risk: riskOf(lowRisk), completion: completionOf(badCompletion) }
  readonly requests = { turn: 0, risk: 0, completion: 0 }
  readonly settled: SettledProposal[] = []
  /** Runs while a request is under way. */
  during: () => void = () => {}
  lastRisk: RiskOutcome | undefined
  lastPlan: RiskPlan | undefined
  lastEnding: VerificationPlan | undefined
  readonly cache
  readonly store
  readonly risk: RiskSettings
  readonly shaping: ShapingSettings
  readonly verification: VerificationSettings
  readonly sanitize: SanitizeOptions
  readonly #classifies: boolean
  #chance = 0

  constructor(options: DeskOptions = {}) {
    const mode = options.mode ?? 'enforce'
    const turnsMax = options.turnsMax ?? 256
    this.cache = makeTurnCache({ turnsMax, ttlMs: 1_800_000, idleMs: 600_000 })
    this.store = makeProposalStore(turnsMax)
    this.risk = { ...riskDefaults, mode, ...options.risk }
    this.shaping = { mode, enabled: true, minConfidence: 0.95, ...options.shaping }
    this.verification = { ...verificationDefaults, enabled: true, mode, ...options.verification }
    this.sanitize = { redactor: makeRedactor({ knownValues: options.knownValues ?? [] }), ...options.sanitize }
    this.#classifies = options.classifies ?? true
  }

  chance(): string {
    this.#chance += 1
    return this.#chance.toString(16).padStart(32, '0')
  }

  /** `pre_llm_call` */
  begin(
    userMessage: unknown,
    { session = 's1', turn = 't1', firstTurn = true }: { session?: unknown; turn?: unknown; firstTurn?: unknown } = {},
  ): TurnEntry | undefined {
    const first = typeof firstTurn === 'boolean' ? firstTurn : null
    const id = typeof turn === 'string' && turn !== '' ? turn : localTurnId(this.chance())
    const reservation = this.cache.reserve(session, id, first, this.nowMs)
    if (reservation === undefined || reservation.kind === 'refused') return undefined
    const { entry } = reservation
    if (reservation.kind === 'shared') return entry
    const input = { userMessage, platform: 'cli', model: 'agent-model', hostFirstTurn: firstTurn }
    entry.state = turnState(input, entry.conversation, this.sanitize)
    if (this.#classifies) this.requests.turn += 1
    this.cache.settle(entry, this.#classifies ? this.answers.turn : undefined, this.nowMs)
    return entry
  }

  /** `llm_request` */
  shape(request: unknown, apiCallCount: unknown = 1, session: unknown = 's1', turn: unknown = 't1'): ShapingOutcome | undefined {
    return judgeToolShaping({ request, entry: this.cache.find(session, turn, this.nowMs), apiCallCount }, this.shaping)
  }

  /** `tool_request` */
  assess(call: LoneCall): RiskOutcome | undefined {
    const { settings, sanitize } = { settings: this.risk, sanitize: this.sanitize }
    const whole = callOf(call)
    const key = callKey(whole.session, whole.turn, whole.call, whole.tool)
    const discarded = key === undefined ? undefined : this.store.discard(key, this.nowMs)
    if (discarded !== undefined) this.settled.push(discarded)
    const entry = this.cache.find(whole.session, whole.turn, this.nowMs)
    const plan = planRisk(whole, entry, { settings, sanitize, digestOf: sha256Text, attended: () => this.attended() })
    this.lastPlan = plan
    this.lastRisk = undefined
    if (plan.kind === 'abstain') {
      const { block } = plan
      if (block !== undefined) this.store.put({ ...block, about: undefined, proposedAtMs: this.nowMs })
      return undefined
    }
    this.requests.risk += 1
    this.during()
    const outcome = settleRisk(plan, this.answers.risk, {
      settings,
      sanitize,
      digestOf: sha256Text,
      orderSafe: () => this.orderSafe(),
      isCurrent: this.cache.isCurrent(plan.entry, this.nowMs),
      fresh: this.chance(),
      nowMs: this.nowMs,
    })
    if (outcome.proposal !== undefined) this.settled.push(...this.store.put(outcome.proposal))
    this.lastRisk = outcome
    return outcome
  }

  /** `pre_tool_call` */
  claim(call: LoneCall): ClaimOutcome {
    const outcome = claimProposal(this.store, callOf(call), {
      settings: this.risk,
      sanitize: this.sanitize,
      digestOf: sha256Text,
      attended: () => this.attended(),
      orderSafe: () => this.orderSafe(),
      fresh: this.chance(),
      nowMs: this.nowMs,
    })
    if (outcome.settled !== undefined) this.settled.push(outcome.settled)
    return outcome
  }

  /** Assessed, and about to run with the same arguments. */
  run(call: LoneCall): JevDirective | undefined {
    this.assess(call)
    return this.claim(call).directive
  }

  /** `post_tool_call` */
  observe(call: ObservedCall, session: unknown = 's1', turn: unknown = 't1'): Observed {
    const entry = this.cache.find(session, turn, this.nowMs)
    return entry === undefined ? { kind: 'nothing' } : observeCall(entry, call, this.verification, this.sanitize)
  }

  /** `pre_verify` */
  end(ending: Partial<EndingTurn> = {}, session: unknown = 's1', turn: unknown = 't1'): VerificationOutcome | undefined {
    const entry = this.cache.find(session, turn, this.nowMs)
    const whole = { changedPaths: ['a.ts'], finalResponse: 'All done.', attempt: 0, ...ending }
    const plan = planVerification(whole, entry, this.verification, this.sanitize)
    this.lastEnding = plan
    if (plan.kind === 'abstain') return undefined
    this.requests.completion += 1
    this.during()
    return settleVerification(plan, this.answers.completion, this.verification, this.cache.isCurrent(plan.entry, this.nowMs))
  }

  endSession(session: unknown): void {
    this.cache.endSession(session)
    if (typeof session === 'string') this.settled.push(...this.store.endSession(session, this.nowMs))
  }
}

function callOf({ session = 's1', turn = 't1', call = 'c1', tool = 'terminal', args }: LoneCall): RiskCall {
  return { session, turn, call, tool, args }
}
