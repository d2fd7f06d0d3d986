// Puts events before the gates and says what their verdicts come to. Pure: the same events at the same place give the same decisions.
import type { NewEvent } from '../events/event-catalog.js'
import type { GateContext, GateDefinition, GateModes, JudgedEntry, Verdict } from '../gates/gate.js'
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
  { modes, binding, probe, redactor }: JudgeSettings,
): Judged {
  const decisions: RedactedEvent[] = []
  const verdicts: Verdict[] = []
  events.forEach((event, at) => {
    for (const { name, version, on } of gates) {
      const step = (on as Readonly<Record<string, Judge | undefined>>)[event.type]
      const asOf = index + events.length + decisions.length
      const entry = { index: index + at, facts: event.facts, words: event.words } as JudgedEntry<never>
      const verdict = step?.(entry, { asOf, modes })
      if (verdict === undefined) continue
      const { reason: given, ...said } = verdict
      const { text: reason } = redactor.text(given)
      const enforced = said.enforced && binding
      const decided: NewEvent = {
        type: 'gate.decided',
        ...(event.session === undefined ? {} : { session: event.session }),
        facts: {
          gate: name,
          gateVersion: version,
          judges: index + at,
          asOf,
          mode: said.mode,
          verdict: said.verdict,
          code: said.code,
          enforced,
          ...(probe ? { probe } : {}),
        },
        ...(reason === '' ? {} : { words: { reason } }),
      }
      decisions.push(redactEvent(decided, redactor).event)
      verdicts.push({ ...verdict, reason, enforced })
    }
  })
  return { decisions, answer: answerOf(verdicts) }
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
