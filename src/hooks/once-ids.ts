// The ids under which a payload is known to have come before: once in the ledger, however often it is sent.
import { canonicalJson } from '../foundation/canonical-json.js'
import type { AccessAsked } from './access-asked.js'
import type { Speaker } from './attach.js'
import type { HookCall, HookHouse, HookLedger } from './hook-house.js'
import { isId, type ReadPayload } from './read-payload.js'

/**
 * Under which ids the same payload would have come before, and under which it is found from now on. The number of an attached host
 * names one payload for ever. Beyond that, payloads that agree in hook, session, turn, call and arguments are the same where a turn or
 * call id tells that they are; and whatever an attached host has sent counts for others who bring it too. A call that would reach other
 * files by now is another one, and is judged again; but not where it comes late, since what it has done itself may be why.
 */
export function idsOf(
  { ledger }: HookHouse,
  call: HookCall,
  speaker: Speaker,
  read: ReadPayload,
  asked: AccessAsked | undefined,
) {
  const { payload, argumentsText, definition } = read
  const { turn_id, tool_call_id, user_message } = payload.extra
  const { hook_event_name, session_id, tool_name } = payload
  const own = (definition.toldApartBy ?? []).map((name) => payload.extra[name])
  const said = [hook_event_name, session_id, turn_id, tool_call_id, tool_name, argumentsText, user_message, ...own]
  const text = canonicalJson(said.map((value) => value ?? null))
  const twin = (from: string) => ledger.digest('dedupe', `${from}\n${text}`)
  const reached = asked === undefined ? undefined : JSON.stringify(asked.access)
  const reaching = (from: string) =>
    reached === undefined ? [] : [ledger.digest('dedupe', `${from} reaching\n${reached}\n${text}`)]
  const named = definition.comesAgain !== true && (isId(turn_id) || isId(tool_call_id))
  const left = (from: string) => [twin(from), ...reaching(from)]
  const before = (from: string) => (call.late || reached === undefined ? [twin(from)] : reaching(from))
  if (speaker.kind === 'attached') {
    const number = seqDigest(ledger, speaker.attach.id, speaker.seq)
    return { known: named ? [number, ...before('attached')] : [number], leave: [number, ...left('attached')] }
  }
  // A file of the spool that was taken once may still be there after a crash.
  const spooled = call.late ? [spoolDigest(ledger, call)] : []
  return {
    known: [...before('attached'), ...(named ? before('unattested') : []), ...spooled],
    leave: [...(named ? left('unattested') : []), ...spooled],
  }
}

/** A file is taken once, and two files are two payloads, whatever stands in them. */
function spoolDigest(ledger: Pick<HookLedger, 'digest'>, { signature: { attach, seq }, bytes, spooledAs }: HookCall): string {
  const file = spooledAs ?? `unnamed\n${Buffer.from(bytes).toString('latin1')}`
  return ledger.digest('dedupe', `spool\n${attach}\n${seq}\n${file}`)
}

/** The same for a payload that is not read: it is known by its number, or by its file in the spool. */
export function onceIds({ ledger }: HookHouse, call: HookCall, speaker: Speaker): { known?: string[]; leave?: string[] } {
  if (speaker.kind !== 'attached' && !call.late) return {}
  const id = speaker.kind === 'attached' ? seqDigest(ledger, speaker.attach.id, speaker.seq) : spoolDigest(ledger, call)
  return { known: [id], leave: [id] }
}

/** Under which a numbered payload is remembered. */
export function seqDigest(ledger: Pick<HookLedger, 'digest'>, attach: string, seq: number): string {
  return ledger.digest('dedupe', `number\n${attach}\n${seq}`)
}
