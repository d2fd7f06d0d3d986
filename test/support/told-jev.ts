// The entries of the Jev stage as a story tells them one by one, with what matters to it and plain values for the rest.
import { type Entry, readEntry } from '../../src/events/entry.js'
import type { Facts, NewEvent } from '../../src/events/event-catalog.js'
import type { History } from '../../src/replay/history.js'
import { RandomHistory } from './random-history.js'

export const jevSession = 's0123456789abcdef'
const digest = 'd1'.repeat(32)
const source = { source: 'attached', attach: 0, seq: 1 }
const whole = { complete: true, truncated: false, redacted: false }

export type RiskJudged = NonNullable<Facts<'jev.proposed'>['risk']>
export type CompletionJudged = Facts<'verification.proposed'>['judged']

/** Probabilities in millionths; what is not named is sure and asks for nothing. */
export function riskJudged(answers: Partial<RiskJudged['answers']> = {}, more: Partial<RiskJudged> = {}): RiskJudged {
  const all = {
    ...{ action_requested: 1_000_000, external_side_effect: 0, destructive: 0 },
    ...{ irreversible: 0, exposes_secrets: 0, confirmation_expected: 0 },
    ...answers,
  }
  const least = Math.min(...Object.values(all).map((one) => Math.max(one, 1_000_000 - one)))
  return {
    ...{ answers: all, confidence: least, ambiguous: false, argues: false, destroys: false, carries: false },
    thresholds: { approval: 800_000, uncertain: 650_000 },
    rules: { requestedExternal: 'ask', plainlyDestructive: 'always' },
    ...more,
  }
}

export function completionJudged(value: number, more: Partial<CompletionJudged> = {}): CompletionJudged {
  const answers = { claims_complete: value, inconsistent: value, needs_iteration: value }
  return {
    answers: { ...answers, verification_evidence_present: 1_000_000 },
    ...{ confidence: value, confidenceOver: 'deciding', threshold: 850_000, attempt: 0, changed: 1, observations: 0, failed: 0 },
    ...more,
  }
}

export const answerOf = (latency: number, answered = 'jev-1.13.0') => ({
  ...{ asked: 'jev-1.13.0', answered, latency, tokens: { input: 1000, output: 10 } },
})

/** The same entries, for whoever looks back. */
export function historyOf({ history: { rows } }: ToldJev): History {
  const all = rows.map(({ header, payload, words }) => readEntry(header, payload, words))
  const list = async function* (of: (entry: Entry) => boolean = () => true) {
    yield* all.filter(of)
  }
  return {
    size: async () => all.length,
    entries: () => list(),
    sessionEntries: (handle) => list(({ header }) => header.session === handle),
    entry: async (index) => all[index] as Entry,
  }
}

type More = Readonly<Record<string, unknown>>

export class ToldJev {
  readonly history: RandomHistory
  /** The same, for a ledger. */
  readonly events: NewEvent[] = []
  session = jevSession

  constructor(seed: number) {
    this.history = new RandomHistory(seed)
  }
  #add(type: string, version: number, facts: More, words?: Record<string, unknown>): number {
    const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
    this.events.push({ type, session: this.session, facts: given, ...(words === undefined ? {} : { words }) } as NewEvent)
    return this.history.add(type, version, this.session, given, words)
  }
  message(): number {
    return this.#add('message.captured', 2, { turn: 1, platform: 'cli', characters: 1, digest, ...source }, { text: 'x' })
  }
  classified(more: More = {}): number {
    const facts = {
      ...{ about: 0, mode: 'shadow', ...whole, ...answerOf(40), intent: 'chat', complexity: 'trivial', sideEffects: 'low' },
      ...{ confidence: 990_000 },
      needs: { needs_web: 0, needs_browser: 0, needs_terminal: 0, needs_files: 0, should_delegate: 0 },
      conversation: { prior_turn_seen: false, unresolved_task: false, ongoing_tool_workflow: false },
    }
    return this.#add('jev.classified', 1, { ...facts, ...more })
  }
  proposed(triggers: readonly string[], risk: RiskJudged | undefined, more: More = {}): number {
    const facts = {
      ...{ stage: 'risk', about: 0, mode: 'enforce', ...whole, ...answerOf(100), proposal: 'approve', applied: true },
      ...{ triggers, tool: 'terminal', arguments: digest, ...(risk === undefined ? {} : { risk }) },
    }
    return this.#add('jev.proposed', 1, { ...facts, ...more }, { message: 'delete it?' })
  }
  abstained(why: string, more: More = {}): number {
    return this.#add('jev.abstained', 1, { stage: 'risk', about: 0, mode: 'enforce', why, ...more })
  }
  low(risk: RiskJudged, more: More = {}): number {
    return this.abstained('low', { ...whole, ...answerOf(100), tool: 'terminal', risk, ...more })
  }
  failed(category: string, latency: number, more: More = {}): number {
    const facts = { stage: 'risk', about: 0, mode: 'enforce', ...whole, asked: 'jev-1.13.0', latency, category }
    return this.#add('jev.failed', 1, { ...facts, ...more })
  }
  settled(proposal: number, about: number | undefined, fate: string, applied: boolean, more: More = {}): number {
    const facts = { proposal, ...(about === undefined ? {} : { about }), fate, applied, age: 5 }
    return this.#add('jev.settled', 1, { ...facts, ...more })
  }
  /** With the arguments that were assessed, or with others. */
  call(assessed = true): number {
    const arguments_ = { count: 0, bytes: 2, digest: assessed ? digest : 'd2'.repeat(32) }
    const facts = { turn: 1, tool: 'terminal', arguments: arguments_, ...source }
    return this.#add('tool.requested', 2, facts)
  }
  ask(call: number | null, more: More = {}): number {
    const facts = { call, surface: 'cli', asked: 'rule', shown: digest, shownBytes: 4, ...source }
    return this.#add('approval.requested', 1, { ...facts, ...more })
  }
  answer(request: number | null, answer: string, by = 'person'): number {
    return this.#add('approval.answered', 1, { request, call: null, answer, by, ...source })
  }
  complete(requested: number): number {
    const facts = { turn: 1, tool: 'terminal', requested, status: 'ok', argumentsDigest: digest, ...source }
    return this.#add('tool.completed', 2, facts)
  }
  /** A proposal for a call that came, and the prompt about it with its answer. */
  prompted(triggers: readonly string[], risk: RiskJudged | undefined, answer: string, by = 'person', more: More = {}): number {
    const proposal = this.proposed(triggers, risk, more)
    const call = this.call()
    this.settled(proposal, call, 'consumed', true, { action: 'approve' })
    this.answer(this.ask(call), answer, by)
    return proposal
  }
  nudged(judged: CompletionJudged, more: More = {}): number {
    const facts = { about: 0, mode: 'enforce', ...whole, ...answerOf(200), applied: true, judged }
    return this.#add('verification.proposed', 1, { ...facts, ...more }, { message: 'check it' })
  }
  checked(success: boolean | null, runner = 'pytest'): number {
    const facts = { about: 0, runner, success, exitCode: null, ...whole, generation: 0 }
    return this.#add('verification.observed', 1, facts, { command: 'pytest', summary: '' })
  }
  ended(): number {
    return this.#add('session.ended', 2, { reason: 'shutdown', ...source })
  }
}
