// The agent asks for a tool: one question about this very call, and, in enforce mode, a proposal that waits for the moment in which it is about
// to run. The arguments stay as they are.
import { canonicalJson } from '../../foundation/canonical-json.js'
import { checkedRiskDecision } from '../../gates/jev/decisions.js'
import { jevFactsOfBlock, jevFactsOfRisk, jevFactsOfSilence, toldProposal } from '../../gates/jev/jev-facts.js'
import { callKey, type SettledProposal } from '../../gates/jev/proposal-store.js'
import { planRisk, type RiskPlan, type RiskQuestion, settleRisk } from '../../gates/jev/risk.js'
import { rememberAnswer, type TurnEntry } from '../../gates/jev/turn-cache.js'
import {
  argumentsDigestOf,
  askedOf,
  isAttended,
  isOrderSafe,
  keyedDigest,
  riskCallOf,
  type StageMoment,
  settledEvents,
  tell,
} from './stage-moment.js'

export async function assessCall(moment: StageMoment): Promise<void> {
  const { house, settings, memory } = moment
  const call = riskCallOf(moment)
  const key = callKey(call.session, call.turn, call.call, call.tool)
  memory.assessed.add([call.session, call.turn, call.call, call.tool])
  const replaced = key === undefined ? undefined : memory.proposals.discard(key, house.now())
  const entry = memory.cache.find(call.session, call.turn, house.now())
  const plan = planRisk(call, entry, {
    settings: settings.risk,
    sanitize: settings.sanitize,
    digestOf: keyedDigest(moment),
    attended: () => isAttended(moment),
  })
  const gone = replaced === undefined ? [] : [replaced]
  if (plan.kind === 'ask') await askAbout(moment, plan, gone)
  else await tellSilence(moment, plan, entry, gone)
}

async function tellSilence(
  moment: StageMoment,
  { why, block }: Extract<RiskPlan, { kind: 'abstain' }>,
  entry: TurnEntry | undefined,
  gone: readonly SettledProposal[],
): Promise<void> {
  const { house, heard, settings, memory } = moment
  const tool = heard.read.payload.tool_name ?? ''
  const about = entry === undefined ? undefined : memory.told.get(entry)?.about
  const silence = jevFactsOfSilence('risk', about, settings.mode, why, { tool, argumentsDigest: argumentsDigestOf(moment) })
  await tell(moment, (index) => {
    const nowMs = house.now()
    const before = [...settledEvents(gone, nowMs), silence]
    if (block === undefined || about === undefined) return { events: before, result: undefined }
    const told = jevFactsOfBlock(about, tool, block.directive.message)
    const put = memory.proposals.put({ ...block, about: index + before.length, proposedAtMs: nowMs })
    return { events: [...before, told, ...settledEvents(put, nowMs)], result: undefined }
  })
}

async function askAbout(moment: StageMoment, question: RiskQuestion, gone: readonly SettledProposal[]): Promise<void> {
  const { house, engine, settings, memory } = moment
  const { entry, state, key } = question
  const about = memory.told.get(entry)?.about
  if (about === undefined) return
  const asked = house.ledger.digest('text', canonicalJson(state.state))
  const known = entry.answered.get(asked)
  const answer = known === undefined ? await askedOf(moment, () => engine.assessRisk(state), checkedRiskDecision) : undefined
  const decision = known ?? (answer?.isDecided === true ? answer.decision : undefined)
  if (answer?.isDecided === true) rememberAnswer(entry, asked, answer.decision)
  try {
    await tell(moment, (index) => {
      const nowMs = house.now()
      const outcome = settleRisk(question, decision, {
        settings: settings.risk,
        sanitize: settings.sanitize,
        digestOf: keyedDigest(moment),
        orderSafe: () => isOrderSafe(moment),
        isCurrent: memory.cache.isCurrent(entry, nowMs),
        fresh: house.chance(),
        nowMs,
      })
      const argumentsDigest = argumentsDigestOf(moment)
      const told = jevFactsOfRisk({ about, settings: settings.risk, question, answer, decision, outcome, argumentsDigest })
      const events = [...settledEvents(gone, nowMs), ...told]
      if (outcome.proposal === undefined) return { events, result: undefined }
      const at = index + events.findLastIndex(({ type }) => type === 'jev.proposed')
      const put = memory.proposals.put(toldProposal(outcome.proposal, at))
      return { events: [...events, ...settledEvents(put, nowMs)], result: undefined }
    })
  } catch (error) {
    // It is not on disk: nothing may come of it.
    memory.proposals.discard(key, house.now())
    throw error
  }
}
