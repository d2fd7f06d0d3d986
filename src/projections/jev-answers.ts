// The answers behind a judgement of the Jev stage, each against the threshold that it was held to then. What asks is decided as the gate does.
import type { Facts } from '../events/event-catalog.js'
import { completionAnswers, fromMillionths, millionthsMax, riskAnswers, riskConfidence } from '../gates/jev/decisions.js'
import { isUnrequested, type RiskDimension, type RiskTrigger, riskDimensions } from '../gates/jev/risk.js'

type RiskJudged = NonNullable<Facts<'jev.proposed'>['risk']>
type Nudged = Facts<'verification.proposed'>
type CompletionJudged = Nudged['judged']

export interface JevAnswerCounts {
  answers: number
  /** At or beyond the threshold, on the side that asks. */
  beyond: number
  /** Those to an input that was not whole; they are in no other count. */
  incomplete: number
  /** By the tenth: `0.3` is from 0.3 to below 0.4, and `0.9` holds 1 too. */
  tenths: Record<string, number>
}

export interface AskedSignal {
  readonly name: string
  readonly value: number
  /** Undefined where the answer decides nothing. */
  readonly asks: boolean | undefined
}

/** None where there was no decision. */
export type AskedSignals = readonly AskedSignal[]

export function riskSignals({ answers, confidence, thresholds }: RiskJudged): AskedSignals {
  if (answers === undefined || confidence === undefined) return []
  const asks = (name: (typeof riskAnswers)[number]): boolean =>
    isDimension(name)
      ? answers[name] >= (thresholds[name] ?? thresholds.approval)
      : isUnrequested(fromMillionths(answers[name]), fromMillionths(thresholds.approval))
  const fractions = Object.fromEntries(riskAnswers.map((name) => [name, fromMillionths(answers[name])])) as typeof answers
  return [
    ...riskAnswers.map((name) => ({ name, value: answers[name], asks: asks(name) })),
    { name: 'confidence', value: confidence, asks: riskConfidence(fractions) < fromMillionths(thresholds.uncertain) },
  ]
}

export function completionSignals({ answers, confidence, threshold }: CompletionJudged): AskedSignals {
  if (answers === undefined || confidence === undefined) return []
  return [
    ...completionAnswers.map((name) => ({
      ...{ name, value: answers[name] },
      asks: name === 'verification_evidence_present' ? undefined : answers[name] >= threshold,
    })),
    { name: 'confidence', value: confidence, asks: confidence >= threshold },
  ]
}

function isDimension(name: string): name is RiskDimension {
  return (riskDimensions as readonly string[]).includes(name)
}

export function tenthOf(count: number): string {
  return `0.${Math.min(9, Math.floor((count * 10) / millionthsMax))}`
}

/** A trigger and, where an answer is behind it and the input was whole, the tenth in which that answer lies. */
export function triggerKey(trigger: RiskTrigger, risk: RiskJudged | undefined, complete: boolean): string {
  const value = risk === undefined || !complete ? undefined : valueBehind(trigger, risk)
  return value === undefined ? trigger : `${trigger} ${tenthOf(value)}`
}

function valueBehind(trigger: RiskTrigger, { answers, confidence }: RiskJudged): number | undefined {
  if (trigger === 'uncertain') return confidence
  if (trigger === 'action_not_requested') return answers?.action_requested
  return isDimension(trigger) ? answers?.[trigger] : undefined
}

/** Whether it was applied, and the tenth of the least of the deciding answers: all of them must reach the threshold. */
export function nudgeKey({ applied, complete, judged }: Pick<Nudged, 'applied' | 'complete' | 'judged'>): string {
  const deciding = completionSignals(judged).filter(({ asks }) => asks !== undefined)
  const least = Math.min(millionthsMax, ...deciding.map(({ value }) => value))
  const tenth = deciding.length === 0 || !complete ? '' : ` ${tenthOf(least)}`
  return `${applied ? 'applied' : 'kept_back'}${tenth}`
}
