// The whole path of one payload: who speaks, read, observe, judge, append, reply. Nothing is answered that is not on disk.
import { asName } from '../events/event-definition.js'
import { SteleError } from '../foundation/stele-error.js'
import type { RedactedEvent } from '../ledger/redacted-event.js'
import { accessAsked } from './access-asked.js'
import type { Speaker } from './attach.js'
import { type Directive, noDirective } from './directive.js'
import { eventsInTurn, isOutdated } from './events-in-turn.js'
import { firstAnswer } from './first-answer.js'
import { parentIdOf } from './hermes/session.js'
import { childIdOf } from './hermes/subagent.js'
import type { Provenance } from './hook.js'
import type { HookAnswer, HookCall, HookHouse } from './hook-house.js'
import type { BecomeEvents } from './jev/stage-house.js'
import { type JudgedApart, judgeApart, type WaitingWrite } from './judge-apart.js'
import { landedAbout } from './landed-about.js'
import { idsOf, onceIds } from './once-ids.js'
import { signatureFacts } from './payload-provenance.js'
import { isId, type ReadPayload, type RejectedPayload, type RejectionCode, readPayload } from './read-payload.js'
import { foreignEvent, strangersOf } from './stranger.js'
import { type Unanswered, unansweredOf } from './unanswered.js'
import { stricterAnswer, unreadableAnswer } from './unjudged-answer.js'
import { writeAbout } from './write-about.js'

/**
 * Takes one payload and resolves to the answer when everything about it is on disk. A payload that cannot be read becomes
 * `hook.rejected`; one that speaks for somebody else's session becomes `hook.foreign`. Throws `ATTACH_UNKNOWN` for a name that we do
 * not know, `HOOKS_TOO_MANY` beyond the bound of a minute, and what the ledger throws where it cannot be written.
 */
export async function handleHook(house: HookHouse, call: HookCall): Promise<HookAnswer> {
  const speaker = house.attaches.speakerOf(call.signature, call.bytes)
  if (speaker.kind === 'unknown' && !call.late) throw new SteleError('ATTACH_UNKNOWN')
  if (!call.late) boundRate(house, speaker, call.bytesTotal)
  const read = readPayload(call.bytes, call.bytesTotal)
  const directive =
    'rejected' in read
      ? await reject(house, call, speaker, read)
      : speaker.kind === 'forged'
        ? await recordForged(house, call, speaker, read)
        : await record(house, call, speaker, read)
  arrived(house, speaker)
  return { directive, speaker }
}

/** The payload's events, its verdicts and the answer; or the answer that it got the first time. */
async function record(house: HookHouse, call: HookCall, speaker: Speaker, read: ReadPayload): Promise<Directive> {
  const judged = { rounds: 0 }
  for (;;) {
    const recorded = await recordUnderHandle(house, call, speaker, read, judged)
    if (recorded === 'forgotten') continue
    const { directive, handle, become } = recorded
    if (become === undefined) return directive
    const later = await house.stage.after({ call, speaker, read, handle }, become)
    return later === noDirective ? directive : later
  }
}

interface Recorded {
  readonly directive: Directive
  readonly handle: string
  /** Undefined for what came before, and for one who may not speak for the session. */
  readonly become: BecomeEvents | undefined
}

/**
 * `forgotten` where the session was before the turn of this payload came, so that it goes on under another handle, or where words were
 * that it was to be judged by: then everything is read once more.
 */
async function recordUnderHandle(
  house: HookHouse,
  call: HookCall,
  speaker: Speaker,
  read: ReadPayload,
  judged: { rounds: number },
): Promise<Recorded | 'forgotten'> {
  const { ledger, sessions } = house
  const { payload } = read
  const { erasures } = ledger
  const handle = isId(payload.session_id) ? await ledger.sessionHandle(payload.session_id) : ''
  const parentId = parentIdOf(payload)
  const parent = parentId === undefined ? null : ((await ledger.knownSession(parentId)) ?? null)
  const childId = childIdOf(payload)
  const child = childId === undefined || childId === payload.session_id ? '' : await ledger.sessionHandle(childId)
  const unanswered = await unansweredOf(house, call, speaker, read)
  try {
    return await sessions.holdingBoth(handle, child, async (session, childSession) => {
      const isStranger = await strangersOf(house, session.context.owner, speaker)
      const asked = await accessAsked(house, read, handle, session)
      const ids = idsOf(house, call, speaker, read, asked)
      const write = await writeAbout(house, call, read, { handle, session })
      const landed = await landedAbout(house, call, read, session)
      const found = { parent, child, childSession, unanswered, isStranger, asked, write, landed }
      let apart: JudgedApart | undefined
      for (;;) {
        const about = { house, call, speaker, read, handle, ...found, apart }
        let built: { readonly events: readonly RedactedEvent[]; readonly index: number } | undefined
        const made = await ledger.appendMade<Directive | 'forgotten' | WaitingWrite>(
          (place) => {
            const isStale = write !== undefined && (ledger.erasures !== erasures || isOutdated(house, write, session))
            if (isStale || ledger.hasForgotten(handle)) return { events: [], result: 'forgotten', leave: [] }
            const turn = eventsInTurn(about, session, place)
            built = { events: turn.events, index: place.index }
            return turn
          },
          { entries: write === undefined ? entriesOfPayload : entriesOfWrite, ...ids },
        )
        if (made.duplicate) {
          await recordUnanswered(house, unanswered)
          return { directive: await firstAnswer(house, made.index, read), handle, become: undefined }
        }
        const { result = noDirective } = made
        if (!isWaiting(result)) {
          if (built !== undefined)
            house.recorded(built.events, { index: built.index, profile: read.payload.profile, late: call.late })
          if (result === 'forgotten') return result
          const isForeign = built?.events.some(({ type }) => type === 'hook.foreign')
          return { directive: result, handle, become: isForeign === false ? built : undefined }
        }
        judged.rounds += 1
        apart = await judgeApart(house, result, judged.rounds)
      }
    })
  } catch (error) {
    unanswered.putBack()
    throw error
  }
}

const isWaiting = (result: object | string): result is WaitingWrite => typeof result === 'object' && 'write' in result

/** A payload that came before adds nothing; what it tells of other numbers is news all the same. */
async function recordUnanswered({ ledger }: HookHouse, unanswered: Unanswered): Promise<void> {
  await ledger.appendMade(() => ({ events: unanswered.take(), result: undefined }), { entries: 1 })
}

/** A session's start, what a payload says and would reach, and a decision of each gate. */
const entriesOfPayload = 7
/** The same with a claim or a few. */
const entriesOfWrite = 13

async function reject(house: HookHouse, call: HookCall, speaker: Speaker, read: RejectedPayload): Promise<Directive> {
  const { rejected, hook, tool } = read
  const event = rejection(house, call, signatureFacts(call, speaker), rejected, hook)
  await house.ledger.appendMade(() => ({ events: [event], result: undefined }), { entries: 1, ...onceIds(house, call, speaker) })
  return unreadableAnswer({ hook_event_name: hook, tool_name: tool }, house.settings().modes)
}

/** In the name of an attached host, without its secret. */
async function recordForged(
  house: HookHouse,
  call: HookCall,
  speaker: Extract<Speaker, { kind: 'forged' }>,
  { payload }: ReadPayload,
): Promise<Directive> {
  const { attach } = speaker
  const handle = isId(payload.session_id) ? ((await house.ledger.knownSession(payload.session_id)) ?? '') : ''
  const foreign = foreignEvent(house, call, payload.hook_event_name, handle, { attach: attach.index, why: 'bad_mac' })
  await house.ledger.appendMade(() => ({ events: [foreign], result: undefined }), {
    entries: 1,
    ...onceIds(house, call, speaker),
  })
  return stricterAnswer(payload, house.settings().modes)
}

function rejection(
  { ledger }: HookHouse,
  { bytes, bytesTotal }: HookCall,
  provenance: Provenance,
  code: RejectionCode,
  hook: string,
): RedactedEvent {
  const digest = bytes.length === bytesTotal ? { digest: ledger.digest('text', bytes) } : {}
  return { type: 'hook.rejected', facts: { hook: asName(hook), code, bytes: bytesTotal, ...digest, ...provenance } }
}

function boundRate(house: HookHouse, speaker: Speaker, bytes: number): void {
  const rate = speaker.kind === 'attached' ? speaker.attach.rate : house.unattachedRate
  if (rate.take(bytes, house.now(), house.settings())) return
  // Counted, not lost: the number is no gap.
  arrived(house, speaker)
  throw new SteleError('HOOKS_TOO_MANY')
}

function arrived(house: HookHouse, speaker: Speaker): void {
  if (speaker.kind === 'attached') speaker.attach.numbers.arrived(speaker.seq, house.now())
}
