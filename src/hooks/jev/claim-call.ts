// The call is about to run: what stood for it is used up, in the writer's turn. Nobody is asked and nothing is waited for.
import type { NewEvent } from '../../events/event-catalog.js'
import type { JevDirective } from '../../gates/jev/approve-directive.js'
import { jevFactsOfSettled, jevFactsOfSilence } from '../../gates/jev/jev-facts.js'
import { type ClaimOutcome, claimProposal } from '../../gates/jev/risk.js'
import { argumentsDigestOf, isAttended, isOrderSafe, keyedDigest, riskCallOf, type StageMoment } from './stage-moment.js'

export interface ClaimedCall {
  readonly events: readonly NewEvent[]
  readonly directive: JevDirective | undefined
}

/** `about` is the entry of the call. A block of another gate is the answer whatever stood for it. */
export function claimCall(moment: StageMoment, about: number, isBlocked: boolean): ClaimedCall {
  const { house, settings, memory } = moment
  if (!settings.risk.enabled) return { events: [], directive: undefined }
  const call = riskCallOf(moment)
  const nowMs = house.now()
  const argumentsDigest = argumentsDigestOf(moment)
  const claimed = claimProposal(memory.proposals, call, {
    settings: settings.risk,
    sanitize: settings.sanitize,
    digestOf: keyedDigest(moment),
    attended: () => isAttended(moment),
    orderSafe: () => isOrderSafe(moment),
    fresh: house.chance(),
    nowMs,
  })
  const isMoot = isBlocked && claimed.directive !== undefined
  const outcome: ClaimOutcome = isMoot ? { ...claimed, directive: undefined, why: 'blocked' } : claimed
  // Shell hooks come without the middleware in which calls are assessed.
  const isAssessed = memory.assessed.take([call.session, call.turn, call.call, call.tool])
  const tool = typeof call.tool === 'string' ? call.tool : ''
  const unassessed = isAssessed
    ? []
    : [jevFactsOfSilence('risk', about, settings.mode, 'no_middleware', { tool, argumentsDigest })]
  const settled =
    outcome.settled === undefined ? undefined : jevFactsOfSettled(outcome.settled, nowMs, { about, outcome, argumentsDigest })
  return { events: settled === undefined ? unassessed : [...unassessed, settled], directive: outcome.directive }
}
