// Puts events before the gates and says what their verdicts come to. Pure: the same events at the same place give the same decisions.
import type { NewEvent } from '../events/event-catalog.js'
import type {
  CapabilityInForce,
  ClaimJudged,
  GateContext,
  GateDefinition,
  GateModes,
  JudgedEntry,
  ProvenanceSettings,
  SaidWords,
  Verdict,
} from '../gates/gate.js'
import { type RedactedEvent, redactEvent } from '../ledger/redacted-event.js'
import type { Redactor } from '../redaction/redact.js'
import type { GatesAnswer } from './hook.js'

export interface Judged {
  /** What was decided, as events: one a gate that had something to say. */
  readonly decisions: readonly RedactedEvent[]
  readonly answer: GatesAnswer
}

type Judge = (entry: JudgedEntry<never>, context: GateContext) => Verdict | undefined

export interface JudgeSettings {
  readonly modes: GateModes
  readonly provenance: ProvenanceSettings
  /** What the user typed, of the entries below the first of the events. */
  readonly said: SaidWords
  readonly capability: CapabilityInForce
  /** When the entries are made, as ISO 8601 in UTC. */
  readonly time: string
  /** False where the host is no longer waiting: the verdicts are recorded and bind nobody. */
  readonly binding: boolean
  readonly probe: boolean
  /** Reasons are made of words that have been through it already; what they say together goes through it once more. */
  readonly redactor: Redactor
}

/** `index` is where the first of the events will stand; decisions follow behind them. */
export function judge(
  gates: readonly GateDefinition[],
  events: readonly NewEvent[],
  index: number,
  { binding, probe, redactor, ...known }: JudgeSettings,
): Judged {
  const decisions: RedactedEvent[] = []
  const verdicts: Verdict[] = []
  events.forEach((event, at) => {
    for (const gate of gates) {
      const asOf = index + events.length + decisions.length
      const verdict = verdictOf(gate, { index: index + at, event }, { asOf, ...known })
      if (verdict === undefined) continue
      const { text: reason } = redactor.text(verdict.reason)
      const given: Given = { ...verdict, reason, enforced: verdict.enforced && binding }
      const about = { gate, judges: index + at, asOf, probe, session: event.session }
      const told = [...(verdict.claims ?? []).map((claim) => claimEvent(claim, given, about)), decisionEvent(given, about)]
      decisions.push(...told.map((one) => redactEvent(one, redactor).event))
      verdicts.push(given)
    }
  })
  return { decisions, answer: answerOf(verdicts) }
}

/** A gate that fails must not fail the host: it says itself what holds then. */
function verdictOf(
  gate: GateDefinition,
  { index, event }: { readonly index: number; readonly event: NewEvent },
  context: GateContext,
): Verdict | undefined {
  const step = (gate.on as Readonly<Record<string, Judge | undefined>>)[event.type]
  if (step === undefined) return undefined
  try {
    return step({ index, facts: event.facts, words: event.words } as JudgedEntry<never>, context)
  } catch {
    return gate.failed(context)
  }
}

interface Given extends Verdict {
  /** As it is told; `enforced` only where the host is held to it. */
  readonly enforced: boolean
}

interface AboutVerdict {
  readonly gate: GateDefinition
  readonly judges: number
  readonly asOf: number
  readonly probe: boolean
  readonly session: string | undefined
}

function decisionEvent(
  { mode, verdict, code, enforced, reason, paths = [], skill, policy }: Given,
  about: AboutVerdict,
): NewEvent {
  const { gate, judges, asOf, probe, session } = about
  const facts = { gate: gate.name, gateVersion: gate.version, judges, asOf, mode, verdict, code, enforced }
  return {
    type: 'gate.decided',
    ...(session === undefined ? {} : { session }),
    facts: {
      ...facts,
      ...(skill === undefined ? {} : { skill }),
      ...(policy === undefined ? {} : { policy }),
      ...(probe ? { probe } : {}),
    },
    ...(paths.length > 0
      ? { words: { reason, paths: paths.map(({ asked, resolved }) => ({ asked, resolved })) } }
      : reason === ''
        ? {}
        : { words: { reason } }),
  }
}

function claimEvent({ facts, words }: ClaimJudged, { enforced }: Given, { judges, probe, session }: AboutVerdict): NewEvent {
  const verdict = facts.outcome === 'supported' ? 'pass' : enforced ? 'blocked' : 'would_block'
  return {
    type: 'claim.judged',
    ...(session === undefined ? {} : { session }),
    facts: { ...facts, write: judges, verdict, ...(probe ? { probe } : {}) },
    words,
  }
}

/**
 * All verdicts are recorded; a block from any gate is the answer; else one request for approval that carries every gate's reasons;
 * else nothing. A verdict that is not enforced binds nobody.
 */
export function answerOf(verdicts: readonly Pick<Verdict, 'verdict' | 'reason' | 'code' | 'enforced'>[]): GatesAnswer {
  const binding = verdicts.filter(({ enforced }) => enforced)
  for (const [verdict, kind] of [
    ['deny', 'block'],
    ['ask', 'ask'],
  ] as const) {
    const said = binding.filter((one) => one.verdict === verdict)
    if (said.length > 0) return { kind, message: said.map(({ reason, code }) => (reason === '' ? code : reason)).join('\n') }
  }
  return { kind: 'none', message: '' }
}
