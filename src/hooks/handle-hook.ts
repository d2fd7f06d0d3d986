// The whole path of one payload: who speaks, read, observe, judge, append, reply. Nothing is answered that is not on disk.

import type { NewEvent } from '../events/event-catalog.js'
import { asName } from '../events/event-definition.js'
import type { DigestUse } from '../foundation/digest.js'
import { SteleError } from '../foundation/stele-error.js'
import type { RedactedEvent } from '../ledger/redacted-event.js'
import { foldEvents } from '../projections/projection.js'
import { sessionContext } from '../projections/session-context.js'
import type { Speaker } from './attach.js'
import { type Directive, noDirective } from './directive.js'
import { firstAnswer } from './first-answer.js'
import { parentIdOf, sessionLinked, sessionStarted } from './hermes/session.js'
import { type WriteFrame, writeProposed } from './hermes/write-proposed.js'
import type { HookPayload, Provenance } from './hook.js'
import { type HookAnswer, type HookCall, type HookHouse, type Place, probeSessionPrefix } from './hook-house.js'
import { judge } from './judge.js'
import { idsOf, onceIds } from './once-ids.js'
import { isId, type ReadPayload, type RejectedPayload, type RejectionCode, readPayload } from './read-payload.js'
import { redactObserved } from './redact-observed.js'
import { addSaid, saidWords } from './said-words.js'
import type { HeldSession } from './session-memory.js'
import { foreignEvent, type Stranger, strangersOf } from './stranger.js'
import { type Unanswered, unansweredOf } from './unanswered.js'
import { stricterAnswer, unreadableAnswer } from './unjudged-answer.js'
import { type WriteAbout, writeAbout } from './write-about.js'

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
  for (;;) {
    const answer = await recordUnderHandle(house, call, speaker, read)
    if (answer !== 'forgotten') return answer
  }
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
): Promise<Directive | 'forgotten'> {
  const { ledger, sessions } = house
  const { payload } = read
  const { erasures } = ledger
  const handle = isId(payload.session_id) ? await ledger.sessionHandle(payload.session_id) : ''
  const parentId = parentIdOf(payload)
  const parent = parentId === undefined ? null : ((await ledger.knownSession(parentId)) ?? null)
  const ids = idsOf(house, call, speaker, read)
  const unanswered = await unansweredOf(house, call, speaker, read)
  try {
    return await sessions.holding(handle, async (session) => {
      const isStranger = await strangersOf(house, session.context.owner, speaker)
      const write = await writeAbout(house, payload, handle, session)
      const about = { house, call, speaker, read, handle, parent, unanswered, isStranger, write }
      const made = await ledger.appendMade<Directive | 'forgotten'>(
        (place) => {
          const isStale = write !== undefined && ledger.erasures !== erasures
          if (isStale || ledger.hasForgotten(handle)) return { events: [], result: 'forgotten', leave: [] }
          return eventsInTurn(about, session, place)
        },
        { entries: write === undefined ? entriesOfPayload : entriesOfWrite, ...ids },
      )
      if (!made.duplicate) return made.result ?? noDirective
      await recordUnanswered(house, unanswered)
      return firstAnswer(house, made.index, read)
    })
  } catch (error) {
    unanswered.putBack()
    throw error
  }
}

/** A payload and all that was found out about it before the writer's turn. */
interface About {
  readonly house: HookHouse
  readonly call: HookCall
  readonly speaker: Speaker
  readonly read: ReadPayload
  readonly handle: string
  readonly parent: string | null
  readonly unanswered: Unanswered
  readonly isStranger: (owner: number | undefined) => Stranger | undefined
  /** Of a call that writes memory or skills. */
  readonly write: WriteAbout | undefined
}

/**
 * Observes, judges and replies, in the writer's turn and in one step: nothing is awaited between what is known, what is judged by it, and
 * what follows from it.
 */
function eventsInTurn({ house, call, speaker, read, ...known }: About, session: HeldSession, place: Place) {
  const { handle, parent, unanswered, isStranger, write } = known
  const { payload, definition, host, argumentsText } = read
  const { modes, keep, messagesDays, provenance: gate, judgedBytes, capability } = house.settings()
  const before = unanswered.take()
  const stranger = isStranger(session.context.owner)
  if (stranger !== undefined) {
    const foreign = foreignEvent(house, call, payload.hook_event_name, handle, stranger)
    // No twin of the host's own copy, which is still to come.
    const leave = speaker.kind === 'attached' ? onceIds(house, call, speaker).leave : undefined
    return { events: [...before, foreign], result: stricterAnswer(payload, modes), ...(leave === undefined ? {} : { leave }) }
  }
  const provenance = provenanceOf(call, speaker, read)
  const digest = (use: DigestUse, text: string) => house.ledger.digest(use, text)
  const context = { session: handle, seen: session.context, provenance, host, keep, argumentsText, parent, digest }
  const begun = handle === '' || session.context.begun ? [] : [sessionStarted(payload, context)]
  const said = definition.observe(payload, payload.extra, context)
  const redactor = house.redactor()
  const requested = [...begun, ...sessionLinked(payload, context), ...said]
  const proposed = proposedIn(payload, write, { session: handle, judgedBytes, digest }, requested, place.index + before.length)
  const told = [...requested, ...proposed]
  const observed = [...before, ...told.map((event) => redactObserved(event, redactor, digest))]
  const settings = {
    modes,
    provenance: { ...gate, attestedOnly: isAttestedOnly(house, session) },
    said: saidWords(write?.isSaidHeld === false ? 'unavailable' : session.said, write?.elsewhere ?? [], {
      time: place.time,
      days: messagesDays,
      turn: turnOf(requested),
    }),
    capability,
    time: place.time,
    binding: !call.late,
    probe: provenance.probe === true,
    redactor,
  }
  const { decisions, answer } = judge(house.gates, observed, place.index, settings)
  const events = [...observed, ...decisions]
  session.context = foldEvents(sessionContext, session.context, events, place)
  addSaid(session, events, place)
  return { events, result: definition.reply?.(answer) ?? noDirective }
}

/** A payload that came before adds nothing; what it tells of other numbers is news all the same. */
async function recordUnanswered({ ledger }: HookHouse, unanswered: Unanswered): Promise<void> {
  await ledger.appendMade(() => ({ events: unanswered.take(), result: undefined }), { entries: 1 })
}

/** A session's start, what a payload says, and a decision of each gate. */
const entriesOfPayload = 6
/** The same with a claim or a few. */
const entriesOfWrite = 12

/** Words that nobody vouches for back nothing where a host that could vouch for them has attached, and the gate blocks. */
function isAttestedOnly({ attaches, settings }: HookHouse, { context }: HeldSession): boolean {
  const { modes, provenance } = settings()
  if (provenance.evidence !== undefined) return provenance.evidence === 'attached'
  return modes.provenance === 'block' && (context.owner !== undefined || attaches.alive() > 0)
}

function turnOf(events: readonly NewEvent[]): number {
  return events.reduce((turn, event) => (event.type === 'tool.requested' ? event.facts.turn : turn), 0)
}

/** What a call would write, as an event behind the call's own. */
function proposedIn(
  payload: HookPayload,
  write: WriteAbout | undefined,
  frame: Omit<WriteFrame, 'call'>,
  requested: readonly NewEvent[],
  first: number,
): NewEvent[] {
  const at = requested.findIndex(({ type }) => type === 'tool.requested')
  if (write === undefined || at < 0) return []
  const proposed = writeProposed(payload, write.stored, { ...frame, call: first + at })
  return proposed === undefined ? [] : [proposed]
}

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

function signatureFacts({ late }: HookCall, speaker: Speaker): Provenance {
  const from =
    speaker.kind === 'attached'
      ? { source: 'attached' as const, attach: speaker.attach.index, seq: speaker.seq }
      : { source: 'unattested' as const }
  return { ...from, ...(late ? { late } : {}) }
}

function provenanceOf(call: HookCall, speaker: Speaker, { payload, host, repaired }: ReadPayload): Provenance {
  return {
    ...signatureFacts(call, speaker),
    ...(call.late && host.at !== undefined ? { at: host.at } : {}),
    // Only a session that can hold nothing else may be left out of reports.
    ...(host.probe === true && payload.session_id?.startsWith(probeSessionPrefix) === true ? { probe: true as const } : {}),
    ...(repaired === 0 ? {} : { repaired }),
    ...(host.redacted === undefined || host.redacted === 0 ? {} : { redacted: host.redacted }),
  }
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
