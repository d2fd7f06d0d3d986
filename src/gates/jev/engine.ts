// What can answer the three requests. The client of the hosted model is one; another can be put in its place without touching a hook.
import type { Sanitized } from '../../redaction/sanitize.js'
import type { CompletionDecision, RiskDecision, TurnDecision } from './decisions.js'
import type { TokenUse } from './questions.js'

/** Why there is no decision. */
export const jevFailures = [
  'auth',
  'bad_request',
  'rate_limit',
  'overloaded',
  'server',
  'connection',
  'timeout',
  'cancelled',
  'malformed',
  'capacity',
  'circuit_open',
  'budget_spent',
] as const

export type JevFailure = (typeof jevFailures)[number]

export type JevAnswer<Decision> =
  | {
      readonly isDecided: true
      readonly decision: Decision
      readonly asked: string
      readonly answered: string
      readonly tokens: TokenUse | undefined
      readonly latencyMs: number
    }
  | { readonly isDecided: false; readonly failure: JevFailure; readonly asked: string; readonly latencyMs: number }

/**
 * Takes nothing but what the sanitizer made, and never rejects: what goes wrong is an answer too. Whoever calls holds each decision to its
 * record again (`checkedTurnDecision` and its kin), since an engine may be anybody's.
 */
export interface JevEngine {
  classifyTurn(state: Sanitized): Promise<JevAnswer<TurnDecision>>
  assessRisk(state: Sanitized): Promise<JevAnswer<RiskDecision>>
  assessCompletion(state: Sanitized): Promise<JevAnswer<CompletionDecision>>
}
