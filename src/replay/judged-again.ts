// Judges the recorded history again, in one pass in the order of the ledger: each decision's entry is put before today's gate with what that
// gate knew then, under the settings that were in force or under others, and the two answers are held against each other.

import type { EventType } from '../events/event-catalog.js'
import { askGate } from '../gates/ask-gate.js'
import type { Verdict } from '../gates/gate.js'
import { type FoldedEntry, isOf, type SeenEntry, seenEntry } from '../projections/projection.js'
import { type Answer, type AnswerPart, answerNow, differingParts, recordedAnswer } from './answer.js'
import { ErasedSoFar } from './erased-so-far.js'
import type { AskedAgain, GateReplay, KnownThen, NotAgain } from './gate-replay.js'
import type { History } from './history.js'
import { type JevAgain, jevAgain, jevReplayGate } from './jev-replay.js'
import type { OtherSettings } from './other-settings.js'
import { PoliciesSoFar } from './policies-so-far.js'
import { replayCatalog } from './replay-catalog.js'
import { TypedInSessions } from './typed-in-sessions.js'

export interface JudgeAgainOptions {
  /** What is to hold instead of what was in force. */
  readonly instead?: OtherSettings
  /** Only decisions of this gate. */
  readonly gate?: string | undefined
  /** Only decisions no older than this, as a time of headers. */
  readonly since?: string | undefined
  readonly replays?: readonly GateReplay[]
  /** Entries that were read. */
  readonly onProgress?: (read: number) => void
}

/** A recorded decision, and what today's gate says of the same. */
export interface JudgedAgain {
  /** Of the `gate.decided`, or of what the Jev stage said, and of the entry that it judges. */
  readonly index: number
  readonly judges: number
  readonly time: string
  readonly session: string
  readonly tool: string
  readonly gate: string
  readonly gateVersion: GateVersions
  readonly before: Answer
  readonly result: AnsweredAgain
}

/** Null where nothing says: today's Stele has no such gate, or the gate records no version. */
export interface GateVersions {
  readonly recorded: number | null
  readonly today: number | null
}

export type AnsweredAgain =
  | { readonly kind: 'same'; readonly after: Answer }
  | { readonly kind: 'different'; readonly after: Answer; readonly parts: readonly AnswerPart[] }
  | { readonly kind: 'not_again'; readonly why: NotAgain }

const entriesPerProgress = 512

/** Every decision in order, but those about questions of `stele doctor`. */
export async function* judgedAgain(history: History, options: JudgeAgainOptions = {}): AsyncGenerator<JudgedAgain> {
  const { instead = {}, gate, since = '', replays = replayCatalog, onProgress } = options
  const pass = new Pass(history)
  for await (const entry of history.entries()) {
    const seen = seenEntry(entry)
    pass.follow(seen)
    if (seen.index % entriesPerProgress === 0) onProgress?.(seen.index)
    if (seen.time < since) continue
    const again = gate === undefined || gate === jevReplayGate ? jevAgain(seen, instead.jev) : undefined
    if (again !== undefined) yield jevJudged(seen, again)
    if (!isOf(seen, 'gate.decided') || seen.facts.probe === true) continue
    if (gate !== undefined && seen.facts.gate !== gate) continue
    yield await pass.again(
      seen,
      replays.find((one) => one.gate.name === seen.facts.gate),
      instead,
    )
  }
}

function jevJudged({ index, time, session }: SeenEntry, { judges, tool, before, after }: JevAgain): JudgedAgain {
  return {
    ...{ index, judges, time, session, tool, gate: jevReplayGate, gateVersion: { recorded: null, today: null }, before },
    result: typeof after === 'string' ? { kind: 'not_again', why: after } : heldAgainst(before, after),
  }
}

function heldAgainst(before: Answer, after: Answer): AnsweredAgain {
  const parts = differingParts(before, after)
  return parts.length === 0 ? { kind: 'same', after } : { kind: 'different', after, parts }
}

type Claimed = FoldedEntry<'claim.judged'>['facts']

/** What is known at one point of the ledger. Of a payload only its own entries are held: its decisions follow at once. */
class Pass {
  readonly #history: History
  readonly #known: KnownThen
  readonly #payload = new Map<number, SeenEntry>()
  readonly #claims = new Map<number, Claimed[]>()
  #isLate = false

  constructor(history: History) {
    this.#history = history
    this.#known = { history, typed: new TypedInSessions(history), erased: new ErasedSoFar(), policies: new PoliciesSoFar() }
  }

  follow(seen: SeenEntry): void {
    this.#known.typed.follow(seen)
    if (isOf(seen, 'payload.erased')) this.#known.erased.add(seen.facts.entries)
    else if (isOf(seen, 'policy.activated')) this.#known.policies.add(seen)
    else if (isOf(seen, 'tool.requested')) this.#begin(seen, seen.facts.late === true)
    else if (isOf(seen, 'claim.judged')) this.#claim(seen.facts)
    else if (seen.type.endsWith('.proposed')) this.#payload.set(seen.index, seen)
  }

  #begin(seen: SeenEntry, isLate: boolean): void {
    this.#payload.clear()
    this.#claims.clear()
    this.#payload.set(seen.index, seen)
    this.#isLate = isLate
  }

  #claim(facts: Claimed): void {
    const claims = this.#claims.get(facts.write)
    if (claims === undefined) this.#claims.set(facts.write, [facts])
    else claims.push(facts)
  }

  async again(
    decided: FoldedEntry<'gate.decided'>,
    replay: GateReplay | undefined,
    instead: OtherSettings,
  ): Promise<JudgedAgain> {
    const { index, time, session, facts } = decided
    const judged = this.#payload.get(facts.judges) ?? seenEntry(await this.#history.entry(facts.judges))
    const before = recordedAnswer(facts, this.#claims.get(facts.judges) ?? [])
    const tool = judged.facts?.['tool']
    return {
      ...{ index, judges: facts.judges, time, session, gate: facts.gate, before },
      tool: typeof tool === 'string' ? tool : '',
      gateVersion: { recorded: facts.gateVersion, today: replay?.gate.version ?? null },
      result: await this.#result({ judged, decided, instead }, replay, before),
    }
  }

  async #result(
    { judged, decided, instead }: Omit<AskedAgain, 'judged'> & { readonly judged: SeenEntry },
    replay: GateReplay | undefined,
    before: Answer,
  ): Promise<AnsweredAgain> {
    if (replay === undefined) return { kind: 'not_again', why: 'gate_unknown' }
    if (!hasFacts(judged)) return { kind: 'not_again', why: 'not_recorded' }
    const found = await replay.contextOf({ judged, decided, instead }, this.#known)
    if (typeof found === 'string') return { kind: 'not_again', why: found }
    const { index, facts, words } = judged
    const entry = { index, facts, words } as Parameters<typeof askGate>[2]
    const verdict: Verdict | undefined = askGate(replay.gate, judged.type as EventType, entry, found.context)
    const doubt = found.doubt?.(verdict)
    if (doubt !== undefined) return { kind: 'not_again', why: doubt }
    const result = heldAgainst(before, answerNow(verdict, !this.#isLate))
    return result.kind === 'different' && hasFailed(before) ? { kind: 'not_again', why: 'failed_then' } : result
  }
}

function hasFacts(seen: SeenEntry): seen is AskedAgain['judged'] {
  return seen.facts !== undefined
}

function hasFailed({ code }: Answer): boolean {
  return code === 'internal_error' || code === 'gate_error'
}
