// The first request of a turn is about to be sent: may tools be left out of it? Nothing is asked; a classification that is still under way is
// not waited for.
import { jevFactsOfShaping } from '../../gates/jev/jev-facts.js'
import { judgeToolShaping } from '../../gates/jev/tool-shaping.js'
import { type Directive, noDirective } from '../directive.js'
import { type StageMoment, tell } from './stage-moment.js'

const reason = 'A plain greeting: tools that it cannot need are left out of the first request.'

export async function shapeTools(moment: StageMoment): Promise<Directive> {
  const { house, heard, settings, memory } = moment
  const { session_id, extra } = heard.read.payload
  const entry = memory.cache.find(session_id, extra['turn_id'], house.now())
  const outcome = judgeToolShaping({ request: extra['request'], entry, apiCallCount: extra['api_call_count'] }, settings.shaping)
  if (outcome === undefined) return noDirective
  const told = entry === undefined ? undefined : memory.told.get(entry)
  const event = jevFactsOfShaping(told?.about, settings.shaping, outcome, entry?.state?.metadata, told?.classified)
  const isTold = await tell(moment, () => ({ events: [event], result: true }))
  if (isTold !== true || outcome.request === undefined) return noDirective
  return { request: { tools: outcome.request['tools'] }, source: 'stele', reason }
}
