// The three answers of the decision model as records: what a valid one is, and how sure it is. Probabilities are whole millionths, so that the
// ledger, which keeps them as integers, can be judged again with the same outcome.

export const intents = [
  'chat',
  'coding',
  'research',
  'system_admin',
  'automation',
  'data_analysis',
  'file_work',
  'other',
] as const
export const complexities = ['trivial', 'simple', 'moderate', 'difficult'] as const
export const sideEffectLikelihoods = ['low', 'medium', 'high'] as const

export type Intent = (typeof intents)[number]
export type Complexity = (typeof complexities)[number]
export type SideEffectLikelihood = (typeof sideEffectLikelihoods)[number]

export const capabilities = ['needs_web', 'needs_browser', 'needs_terminal', 'needs_files', 'should_delegate'] as const
export const riskAnswers = [
  'action_requested',
  'external_side_effect',
  'destructive',
  'irreversible',
  'exposes_secrets',
  'confirmation_expected',
] as const
export const completionAnswers = ['claims_complete', 'verification_evidence_present', 'inconsistent', 'needs_iteration'] as const

export type Capability = (typeof capabilities)[number]
export type RiskAnswer = (typeof riskAnswers)[number]
export type CompletionAnswer = (typeof completionAnswers)[number]

export interface TurnDecision extends Readonly<Record<Capability, number>> {
  readonly intent: Intent
  readonly complexity: Complexity
  readonly side_effect_likelihood: SideEffectLikelihood
  readonly confidence: number
  /** The concrete model that answered. */
  readonly model: string
}

export type RiskDecision = Readonly<Record<RiskAnswer, number>>
export type CompletionDecision = Readonly<Record<CompletionAnswer, number>>

export const millionthsMax = 1_000_000

/** As the ledger keeps a probability or a threshold. */
export function millionths(probability: number): number {
  return Math.round(probability * millionthsMax)
}

export function fromMillionths(count: number): number {
  return count / millionthsMax
}

/** A threshold as the ledger will say it, so that judging again comes to the same. */
export function asThreshold(threshold: number): number {
  return fromMillionths(millionths(threshold))
}

/** A probability to the millionth; undefined for anything else: no boolean, nothing endless, nothing outside of 0 and 1. */
export function asProbability(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) return undefined
  return fromMillionths(millionths(value))
}

/** Holds what any engine gave to the record of a turn. Undefined where one member is not as it must be. */
export function checkedTurnDecision(value: unknown): TurnDecision | undefined {
  const intent = oneOf(intents, ownMember(value, 'intent'))
  const complexity = oneOf(complexities, ownMember(value, 'complexity'))
  const sideEffects = oneOf(sideEffectLikelihoods, ownMember(value, 'side_effect_likelihood'))
  const confidence = asProbability(ownMember(value, 'confidence'))
  const model = ownMember(value, 'model')
  const needs = checkedProbabilities(value, capabilities)
  if (intent === undefined || complexity === undefined || sideEffects === undefined || needs === undefined) return undefined
  if (confidence === undefined || typeof model !== 'string') return undefined
  return { intent, complexity, side_effect_likelihood: sideEffects, ...needs, confidence, model }
}

export function checkedRiskDecision(value: unknown): RiskDecision | undefined {
  return checkedProbabilities(value, riskAnswers)
}

export function checkedCompletionDecision(value: unknown): CompletionDecision | undefined {
  return checkedProbabilities(value, completionAnswers)
}

/** How far the least sure answer is from not knowing. */
export function confidenceOf(probabilities: readonly number[]): number {
  return Math.min(...probabilities.map((probability) => Math.max(probability, 1 - probability)))
}

export function riskConfidence(decision: RiskDecision): number {
  return confidenceOf(riskAnswers.map((name) => decision[name]))
}

/** `deciding` leaves out whether evidence was seen, which decides nothing. */
export function completionConfidence(decision: CompletionDecision, over: 'all' | 'deciding' = 'all'): number {
  const names = over === 'all' ? completionAnswers : completionAnswers.filter((name) => name !== 'verification_evidence_present')
  return confidenceOf(names.map((name) => decision[name]))
}

export function oneOf<Name extends string>(names: readonly Name[], value: unknown): Name | undefined {
  return names.find((name) => name === value)
}

/** An own member of an object; undefined where there is none, or where it cannot be read. */
export function ownMember(value: unknown, name: string): unknown {
  try {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    return (value as Readonly<Record<string, unknown>>)[name]
  } catch {
    return undefined
  }
}

function checkedProbabilities<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Readonly<Record<Name, number>> | undefined {
  const probabilities: Partial<Record<Name, number>> = {}
  for (const name of names) {
    const probability = asProbability(ownMember(value, name))
    if (probability === undefined) return undefined
    probabilities[name] = probability
  }
  return probabilities as Record<Name, number>
}
