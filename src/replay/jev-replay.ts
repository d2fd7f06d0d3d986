// Judges what the Jev stage recorded again: the answers of the model as they were, under the thresholds and rules of then or under others. Nobody
// is asked again. Only what was said of a call or of an ending hangs on them.
import type { Facts } from '../events/event-catalog.js'
import { rejudgedCompletion, rejudgedRisk } from '../gates/jev/jev-facts.js'
import { isOf, type SeenEntry } from '../projections/projection.js'
import type { Answer } from './answer.js'
import type { NotAgain } from './gate-replay.js'
import type { OtherSettings } from './other-settings.js'

/** The stage is asked for by this name, as a gate is. */
export const jevReplayGate = 'jev'

export interface JevAgain {
  /** What it was about, as its entry has it. */
  readonly judges: number
  readonly tool: string
  readonly before: Answer
  readonly after: Answer | NotAgain
}

type RiskJudged = NonNullable<Facts<'jev.proposed'>['risk']>
type CompletionJudged = Facts<'verification.proposed'>['judged']
type OtherJev = NonNullable<OtherSettings['jev']>

/** Undefined for an entry that nothing of the kind hangs on. */
export function jevAgain(seen: SeenEntry, instead: OtherJev = {}): JevAgain | undefined {
  if (isOf(seen, 'jev.proposed') && seen.facts.risk !== undefined) {
    const { about, tool = '', mode, applied, triggers, risk, complete } = seen.facts
    const before = asks(triggers, applied)
    return { judges: about, tool, before, after: riskAgain(risk, complete, instead, { mode, before }) }
  }
  if (isOf(seen, 'verification.proposed')) {
    const { about, mode, applied, judged, complete } = seen.facts
    const before = goesOn(applied)
    return { judges: about, tool: '', before, after: completionAgain(judged, complete, instead, { mode, before }) }
  }
  return isOf(seen, 'jev.abstained') ? abstentionAgain(seen.index, seen.facts, instead) : undefined
}

function abstentionAgain(index: number, facts: Facts<'jev.abstained'>, instead: OtherJev): JevAgain | undefined {
  const { about = index, tool = '', mode, why, complete, risk, completion } = facts
  if (risk === undefined && completion === undefined) return undefined
  const before = nothing(why)
  const shared = { judges: about, tool, before }
  if (complete === undefined) return { ...shared, after: 'not_recorded' }
  // A turn that is over stays over, whatever the thresholds are.
  if (why === 'turn_over') return { ...shared, after: before }
  if (risk !== undefined) return { ...shared, after: riskAgain(risk, complete, instead, { mode, before }) }
  if (completion === undefined) return undefined
  return { ...shared, after: completionAgain(completion, complete, instead, { mode, before }) }
}

interface Then {
  readonly mode: 'shadow' | 'enforce'
  readonly before: Answer
}

function riskAgain(risk: RiskJudged, complete: boolean, instead: OtherJev, then: Then): Answer {
  const { approval, uncertain, dimensions, rules } = instead
  const thresholds = {
    ...risk.thresholds,
    ...(approval === undefined ? {} : { approval }),
    ...(uncertain === undefined ? {} : { uncertain }),
    ...dimensions,
  }
  const triggers = rejudgedRisk({ ...risk, thresholds, rules: { ...risk.rules, ...rules } }, complete)
  if (triggers.length > 0) return asks(triggers, isHeld(then, 'ask'))
  return nothing(risk.answers === undefined ? 'no_decision' : 'low')
}

function completionAgain(completion: CompletionJudged, complete: boolean, instead: OtherJev, then: Then): Answer {
  const { continueAt: threshold = completion.threshold, confidenceOver = completion.confidenceOver } = instead
  if (rejudgedCompletion({ ...completion, threshold, confidenceOver }, complete)) return goesOn(isHeld(then, 'continue'))
  if (completion.answers === undefined) return nothing('no_decision')
  return nothing(complete ? 'low' : 'incomplete_input')
}

/**
 * What was proposed then is held to as it was. What was not is taken to be held to where the stage enforces: whether the order of callbacks
 * was safe nobody looked up for it.
 */
function isHeld({ mode, before }: Then, verdict: Answer['verdict']): boolean {
  return before.verdict === verdict ? before.told !== 'nothing' : mode === 'enforce'
}

function asks(triggers: readonly string[], isHeldTo: boolean): Answer {
  return { verdict: 'ask', code: triggers.join('+'), told: isHeldTo ? 'ask' : 'nothing', claims: [] }
}

function goesOn(isHeldTo: boolean): Answer {
  return { verdict: 'continue', code: 'unfinished', told: isHeldTo ? 'continue' : 'nothing', claims: [] }
}

function nothing(why: string): Answer {
  return { verdict: 'none', code: why, told: 'nothing', claims: [] }
}
