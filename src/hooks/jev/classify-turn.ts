// A turn begins: one question about it, once, however often the host tells of it. What comes after the deadline is not applied.
import { checkedTurnDecision } from '../../gates/jev/decisions.js'
import { jevFactsOfSilence, jevFactsOfTurn } from '../../gates/jev/jev-facts.js'
import { hostFirstTurn, turnState } from '../../gates/jev/states.js'
import { localTurnId, type TurnEntry } from '../../gates/jev/turn-cache.js'
import { isId } from '../read-payload.js'
import { askedOf, type StageMoment, tell } from './stage-moment.js'

/** `about` is the entry of the message. Resolves when the turn is classified, or will not be. */
export async function classifyTurn(moment: StageMoment, about: number): Promise<void> {
  const { house, heard, settings, memory } = moment
  const { session_id, extra } = heard.read.payload
  const turn = isId(extra['turn_id']) ? extra['turn_id'] : localTurnId(house.chance())
  const reservation = memory.cache.reserve(session_id, turn, hostFirstTurn(extra['is_first_turn']), house.now())
  if (reservation === undefined) return
  if (reservation.kind === 'refused') {
    const refused = jevFactsOfSilence('turn', about, settings.mode, 'cache_refused')
    await tell(moment, () => ({ events: [refused], result: undefined }))
    return
  }
  const { entry } = reservation
  if (reservation.kind === 'shared') {
    await memory.told.get(entry)?.flight
    return
  }
  const input = {
    userMessage: extra['user_message'],
    platform: extra['platform'],
    model: extra['model'],
    hostFirstTurn: extra['is_first_turn'],
  }
  entry.state = turnState(input, entry.conversation, settings.sanitize)
  const flight = settings.classifies ? ask(moment, entry, about) : Promise.resolve()
  if (!settings.classifies) memory.cache.settle(entry, undefined, house.now())
  memory.told.set(entry, { about, classified: undefined, flight })
  await flight
}

async function ask(moment: StageMoment, entry: TurnEntry, about: number): Promise<void> {
  const { house, engine, settings, memory } = moment
  const { state } = entry
  if (state === undefined) return
  const answer = await askedOf(moment, () => engine.classifyTurn(state), checkedTurnDecision)
  const told = jevFactsOfTurn(about, settings.mode, entry, answer)
  const index = await tell(moment, (at) => ({ events: told === undefined ? [] : [told], result: at }))
  // Only what is on disk counts, so that whatever follows from it can be judged again.
  const decision = answer.isDecided && index !== undefined ? answer.decision : undefined
  const known = memory.told.get(entry)
  if (memory.cache.settle(entry, decision, house.now()) && decision !== undefined && known !== undefined) known.classified = index
}
