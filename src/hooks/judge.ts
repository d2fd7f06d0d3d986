// Puts events before the gates and says what their verdicts come to. Pure: the same events at the same place give the same decisions.
import type { NewEvent } from '../events/event-catalog.js'
import type { DigestUse } from '../foundation/digest.js'
import { askGate } from '../gates/ask-gate.js'
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
import { claimKey } from '../gates/provenance/claim-key.js'
import { type RedactedEvent, redactEvent } from '../ledger/redacted-event.js'
import type { Redactor } from '../redaction/redact.js'
import type { GatesAnswer } from './hook.js'

export interface Judged {
  /** What was decided, as events: one a gate that had something to say. */
  readonly decisions: readonly RedactedEvent[]
  readonly answer: GatesAnswer
}

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
  /** What was said of the proposed write before, with these same settings; undefined where it is judged here. */
  readonly apart?: VerdictsApart | undefined
  /** Gates have no key. */
  digest(use: DigestUse, text: string): string
}

/** By the names of the gates that a proposed write is put before; `failed` where it could not be judged. */
export type VerdictsApart = ReadonlyMap<string, Verdict | undefined> | 'failed'

/** `index` is where the first of the events will stand; decisions follow behind them. */
export function judge(
  gates: readonly GateDefinition[],
  events: readonly NewEvent[],
  index: number,
  { binding, probe, redactor, apart, digest, ...known }: JudgeSettings,
): Judged {
  const decisions: RedactedEvent[] = []
  const verdicts: Verdict[] = []
  events.forEach((event, at) => {
    for (const gate of gates) {
      const asOf = index + events.length + decisions.length
      const verdict = verdictOf(gate, { index: index + at, event }, { asOf, ...known }, apart)
      if (verdict === undefined) continue
      const { text: reason } = redactor.text(verdict.reason)
      const given: Given = { ...verdict, reason, enforced: verdict.enforced && binding }
      const about = { gate, judges: index + at, asOf, probe, session: event.session, digest }
      const told = [...(verdict.claims ?? []).map((claim) => claimEvent(claim, given, about)), decisionEvent(given, about)]
      decisions.push(...told.map((one) => redactEvent(one, redactor).event))
      verdicts.push(given)
    }
  })
  return { decisions, answer: answerOf(verdicts) }
}

function verdictOf(
  gate: GateDefinition,
  { index, event }: { readonly index: number; readonly event: NewEvent },
  context: GateContext,
  apart: VerdictsApart | undefined,
): Verdict | undefined {
  const entry = { index, facts: event.facts, words: event.words } as JudgedEntry<never>
  const isApart = apart !== undefined && event.type === 'write.proposed' && gate.on[event.type] !== undefined
  if (!isApart) return askGate(gate, event.type, entry, context)
  return apart === 'failed' ? gate.failed(context, entry) : ofCall(apart.get(gate.name), event.facts.call)
}

/** When a write was judged before its turn, nobody knew yet where its call would stand. */
function ofCall(verdict: Verdict | undefined, call: number): Verdict | undefined {
  if (verdict?.claims === undefined) return verdict
  return { ...verdict, claims: verdict.claims.map(({ facts, words }) => ({ facts: { ...facts, call }, words })) }
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
  readonly digest: JudgeSettings['digest']
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

function claimEvent(
  { facts, words }: ClaimJudged,
  { enforced }: Given,
  { judges, probe, session, digest }: AboutVerdict,
): NewEvent {
  const key = claimKey(words.claim)
  const verdict = facts.outcome === 'supported' ? 'pass' : enforced ? 'blocked' : 'would_block'
  return {
    type: 'claim.judged',
    ...(session === undefined ? {} : { session }),
    facts: {
      ...facts,
      write: judges,
      verdict,
      claimDigest: key === '' ? null : digest('text', key),
      ...(probe ? { probe } : {}),
    },
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
