// What becomes of one payload in the writer's turn: observed, judged and answered in one step. Nothing is awaited between what is known, what
// is judged by it, and what follows from it.
import type { NewEvent } from '../events/event-catalog.js'
import type { DigestUse } from '../foundation/digest.js'
import type { JevDirective } from '../gates/jev/approve-directive.js'
import { type RedactedEvent, redactEvent } from '../ledger/redacted-event.js'
import { foldEvents } from '../projections/projection.js'
import { isAttestedOnly, saidWords } from '../projections/said-words.js'
import { type SessionContext, sessionContext } from '../projections/session-context.js'
import type { AccessAsked } from './access-asked.js'
import type { Speaker } from './attach.js'
import { callKey } from './call-key.js'
import { type Directive, noDirective } from './directive.js'
import { accessProposed } from './hermes/access-proposed.js'
import { sessionLinked, sessionStarted, turnOf } from './hermes/session.js'
import type { FoundFiles } from './hermes/stored-after.js'
import { addSaid } from './hold-said.js'
import type { HookContext, KeyedAnswer } from './hook.js'
import type { HookCall, HookHouse, Place } from './hook-house.js'
import { type JudgeSettings, judge } from './judge.js'
import { holdsFor, isLong, type JudgedApart, type WaitingWrite, waitingWrite } from './judge-apart.js'
import { landedIn } from './landed-about.js'
import { onceIds } from './once-ids.js'
import { payloadProvenance } from './payload-provenance.js'
import type { HostTold, ReadPayload } from './read-payload.js'
import { redactObserved } from './redact-observed.js'
import type { HeldSession } from './session-memory.js'
import { foreignEvent, type Stranger } from './stranger.js'
import type { Unanswered } from './unanswered.js'
import { stricterAnswer } from './unjudged-answer.js'
import type { WriteAbout } from './write-about.js'

/** A payload and all that was found out about it before the writer's turn. */
export interface About {
  readonly house: HookHouse
  readonly call: HookCall
  readonly speaker: Speaker
  readonly read: ReadPayload
  readonly handle: string
  readonly parent: string | null
  /** The handle of the session of a child that is spoken of; empty where there is none. */
  readonly child: string
  readonly childSession: HeldSession
  readonly unanswered: Unanswered
  readonly isStranger: (owner: number | undefined) => Stranger | undefined
  /** Of a call that is about to run. */
  readonly asked: AccessAsked | undefined
  /** Of a call that writes memory or skills. */
  readonly write: WriteAbout | undefined
  /** What was said of a long one since. */
  readonly apart: JudgedApart | undefined
  /** What the files of such a call hold now that it has come back. */
  readonly landed: FoundFiles | undefined
}

export interface MadeInTurn {
  readonly events: readonly RedactedEvent[]
  /** A long write is handed back until it is judged. */
  readonly result: Directive | WaitingWrite
  readonly leave?: readonly string[]
}

export function eventsInTurn(about: About, session: HeldSession, place: Place): MadeInTurn {
  const { house, call, speaker, read, unanswered, isStranger, write, apart } = about
  const { payload, definition } = read
  const { modes, judgedBytes } = house.settings()
  const stranger = isStranger(session.context.owner)
  const settings = settingsInTurn(about, session, place)
  const isApart = stranger === undefined && write !== undefined && isLong(write.proposed, judgedBytes)
  if (isApart) {
    const waiting = waitingWrite(write.proposed, settings, place)
    if (apart === undefined || !holdsFor(apart, waiting)) return { events: [], result: waiting, leave: [] }
  }
  const before = unanswered.take()
  if (stranger !== undefined) {
    const foreign = foreignEvent(house, call, payload.hook_event_name, about.handle, stranger)
    // No twin of the host's own copy, which is still to come.
    const leave = speaker.kind === 'attached' ? onceIds(house, call, speaker).leave : undefined
    return { events: [...before, foreign], result: stricterAnswer(payload, modes), ...(leave === undefined ? {} : { leave }) }
  }
  const observed = [...before, ...observedIn(about, session, settings, place.index + before.length)]
  const judged = isApart ? { ...settings, apart: apart?.verdicts } : settings
  const { decisions, answer } = judge(house.gates, observed, place.index, judged)
  const heard = { call, speaker, read, handle: about.handle }
  const part = house.stage.inTurn(heard, { events: observed, index: place.index }, answer.kind === 'block')
  const staged = part.events.map((event) => redactEvent(event, judged.redactor).event)
  const events = [...observed, ...decisions, ...staged]
  keepInStep(session, about, events, place)
  const keyed = answerWith({ ...answer, key: callKey(house.ledger, read) }, part.directive)
  return { events, result: definition.reply?.(keyed) ?? noDirective }
}

/** What the semantic stage says can only be added: to nothing, or to a question, which then holds for this very call alone. */
function answerWith(answer: KeyedAnswer, directive: JevDirective | undefined): KeyedAnswer {
  if (directive === undefined || answer.kind === 'block') return answer
  if (directive.action === 'block') return { ...answer, kind: 'block', message: directive.message }
  if (answer.kind === 'ask') return { ...answer, message: `${answer.message}\n${directive.message}` }
  return { kind: 'ask', message: directive.message, key: directive.rule_key }
}

/** Whether a write was made with another redactor than the present one, or what the user typed is no longer held. */
export function isOutdated(house: HookHouse, write: WriteAbout, { said }: HeldSession): boolean {
  return house.redactor() !== write.redactorInForce || (write.isSaidHeld && said === undefined)
}

/** What a payload says, and behind a call what it would reach and write; `first` is the index of the first of them. */
function observedIn(about: About, session: HeldSession, settings: JudgeSettings, first: number): RedactedEvent[] {
  const { house, call, speaker, read, handle, parent, asked, landed } = about
  const { payload, definition, host, argumentsText } = read
  const provenance = payloadProvenance(call, speaker, read)
  const digest = (use: DigestUse, text: string) => house.ledger.digest(use, text)
  const seen = session.context
  const { keep, modes } = house.settings()
  const judged = modes.capability !== 'off'
  const child = childOf(about)
  const context: HookContext = { session: handle, seen, provenance, host, keep, judged, argumentsText, parent, child, digest }
  const begun = handle === '' || seen.begun ? [] : [sessionStarted(payload, context)]
  const said = definition.observe(payload, payload.extra, context)
  const { probe, redactor } = settings
  const redacted = (event: NewEvent) => redactObserved(event, redactor, digest)
  const requested = [...begun, ...sessionLinked(payload, context), ...said].map(redacted)
  const found = landedIn(said, landed, seen.openCalls, { session: handle, probe, digest }).map(redacted)
  const at = requested.findIndex(({ type }) => type === 'tool.requested')
  if (at < 0) return [...requested, ...found]
  const index = first + at
  const frame = { session: handle, call: index, tool: payload.tool_name ?? '', host: vouchedFor(speaker, host), isProbe: probe }
  const reached =
    asked === undefined
      ? []
      : [redacted(accessProposed(asked.access, { ...frame, lineage: asked.lineage, redact: (text) => redactor.text(text).text }))]
  return [...requested, ...found, ...reached, ...writtenBy(about, session, settings, index)]
}

/** Whether a person is there and is asked is for an attached host to say: whoever else says so would make a question of a denial. */
function vouchedFor({ kind }: Speaker, host: HostTold): HostTold {
  if (kind === 'attached') return host
  const { terminal_backend } = host
  return terminal_backend === undefined ? {} : { terminal_backend }
}

/** With what of the moment its verdict hangs on, so that it can be judged again. */
function writtenBy({ house, write }: About, session: HeldSession, { said }: JudgeSettings, call: number): RedactedEvent[] {
  if (write === undefined) return []
  const { provenance, messagesDays } = house.settings()
  const { search, scope, evidence } = provenance
  const elsewhere = said.messages.filter((message) => message.session === 'other').map(({ index }) => index)
  const known = {
    ...{ search, scope, days: messagesDays, attached: isVouchedFor(house, session) },
    ...(evidence === undefined ? {} : { evidence }),
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
    ...(write.isSaidHeld ? {} : { sessionUnread: true as const }),
    ...(write.elsewhere === 'unavailable' ? { elsewhereUnread: true as const } : {}),
  }
  return [{ ...write.proposed, facts: { ...write.proposed.facts, call, known } }]
}

/** What the gates are to judge by. */
function settingsInTurn({ house, call, speaker, read, write }: About, session: HeldSession, { time }: Place): JudgeSettings {
  const { modes, messagesDays, provenance, capability } = house.settings()
  const turn = turnOf(read.payload.extra, { seen: session.context })
  const said = write?.isSaidHeld === false ? 'unavailable' : session.said
  return {
    modes,
    provenance: { ...provenance, attestedOnly: attestedOnlyIn(house, session) },
    said: saidWords(said, write?.elsewhere ?? [], { time, days: messagesDays, turn }),
    capability,
    time,
    binding: !call.late,
    probe: payloadProvenance(call, speaker, read).probe === true,
    redactor: write?.redactor ?? house.redactor(),
    digest: (use, text) => house.ledger.digest(use, text),
  }
}

function attestedOnlyIn(house: HookHouse, session: HeldSession): boolean {
  const { modes, provenance } = house.settings()
  return isAttestedOnly({ evidence: provenance.evidence, mode: modes.provenance, attached: isVouchedFor(house, session) })
}

/** Whether a host that can vouch for what is typed speaks for the session, or for any other just now. */
function isVouchedFor({ attaches }: HookHouse, { context }: HeldSession): boolean {
  return context.owner !== undefined || attaches.alive() > 0
}

/** A child that speaks already, or is linked, is known: it is not linked again. */
function childOf({ child: handle, childSession: { context } }: About): HookContext['child'] {
  return handle === '' ? null : { handle, known: context.begun || context.linked }
}

/** What is known of the session, and of a child that was linked to it, follows what is built. */
function keepInStep(session: HeldSession, { child, childSession }: About, events: readonly RedactedEvent[], place: Place): void {
  const isChilds = (event: Pick<NewEvent, 'session'>) => child !== '' && event.session === child
  const folded = (context: SessionContext, of: (event: NewEvent) => boolean) =>
    foldEvents(sessionContext, context, events, place, of)
  session.context = folded(session.context, (event) => !isChilds(event))
  if (events.some(isChilds)) childSession.context = folded(childSession.context, isChilds)
  addSaid(session, events, place)
}
