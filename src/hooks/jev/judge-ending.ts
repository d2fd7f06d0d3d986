// The agent would end, and has changed files: does its claim to be done call for one more pass?
import { checkedCompletionDecision } from '../../gates/jev/decisions.js'
import { jevFactsOfCompletion, jevFactsOfSilence } from '../../gates/jev/jev-facts.js'
import { planVerification, settleVerification } from '../../gates/jev/verification.js'
import { type Directive, noDirective } from '../directive.js'
import { askedOf, type StageMoment, tell } from './stage-moment.js'

export async function judgeEnding(moment: StageMoment): Promise<Directive> {
  const { house, heard, engine, settings, memory } = moment
  if (!settings.verification.enabled) return noDirective
  const { session_id, extra } = heard.read.payload
  const entry = memory.cache.find(session_id, extra['turn_id'], house.now())
  const ending = {
    changedPaths: extra['changed_paths'],
    finalResponse: extra['final_response'],
    attempt: extra['attempt'] ?? 0,
  }
  const plan = planVerification(ending, entry, settings.verification, settings.sanitize)
  const about = entry === undefined ? undefined : memory.told.get(entry)?.about
  if (plan.kind === 'abstain' || about === undefined) {
    const why = plan.kind === 'abstain' ? plan.why : 'turn_unknown'
    await tell(moment, () => ({ events: [jevFactsOfSilence('completion', about, settings.mode, why)], result: undefined }))
    return noDirective
  }
  const answer = await askedOf(moment, () => engine.assessCompletion(plan.state), checkedCompletionDecision)
  const given = answer.isDecided ? answer.decision : undefined
  const directive = await tell(moment, () => {
    const isCurrent = memory.cache.isCurrent(plan.entry, house.now())
    const outcome = settleVerification(plan, given, settings.verification, isCurrent)
    const events = jevFactsOfCompletion({ about, settings: settings.verification, question: plan, answer, outcome })
    return { events, result: outcome.directive }
  })
  return directive ?? noDirective
}
