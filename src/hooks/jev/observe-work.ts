// A call has come back: what it says of the state of the agent's work, in the writer's turn.
import type { NewEvent } from '../../events/event-catalog.js'
import { jevFactsOfObservation } from '../../gates/jev/jev-facts.js'
import { observeCall } from '../../gates/jev/verification.js'
import type { StageMoment } from './stage-moment.js'

/** `about` is the entry of the outcome. */
export function observeWork({ house, heard, settings, memory }: StageMoment, about: number): readonly NewEvent[] {
  const { session_id, tool_name, tool_input, extra } = heard.read.payload
  const entry = memory.cache.find(session_id, extra['turn_id'], house.now())
  if (entry === undefined) return []
  const call = { tool: tool_name, args: tool_input ?? {}, result: extra['result'], status: extra['status'] }
  const observed = observeCall(entry, call, settings.verification, settings.sanitize)
  if (observed.kind === 'observed') return [jevFactsOfObservation(about, observed.observation)]
  if (observed.kind === 'nothing' || observed.observations === 0) return []
  const { observations } = observed
  return [{ type: 'verification.invalidated', facts: { about, observations, generation: entry.generation } }]
}
