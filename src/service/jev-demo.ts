// Six questions of Stele's own to the decision model, to see that it answers and how fast. Nothing is run, nothing is recorded, and no word of a
// user is in it. It may cost money.
import { sha256, toHex } from '../foundation/digest.js'
import type { CompletionDecision, RiskDecision, TurnDecision } from '../gates/jev/decisions.js'
import type { JevAnswer, JevEngine } from '../gates/jev/engine.js'
import { planRisk } from '../gates/jev/risk.js'
import { completionState, riskState, turnState } from '../gates/jev/states.js'
import { type JevTelemetry, makeJevTelemetry } from '../gates/jev/telemetry.js'
import { makeTurnCache, type TurnEntry } from '../gates/jev/turn-cache.js'
import { type JevConfig, riskSettingsOf, sanitizeSettingsOf, turnCacheSettingsOf } from '../outbound/config.js'
import { makeRedactor } from '../redaction/redact.js'
import type { SanitizeOptions } from '../redaction/sanitize.js'

const scenarios = [
  ['greeting', 'Good morning'],
  ['web_research', 'Find out which Node.js versions still get security fixes, with links'],
  ['inspect_and_test', 'Read the parser in src/parse.ts, fix the failing test and run the tests'],
  ['delete_build_files', 'Delete the build folder of this project'],
] as const

const deletion = { command: 'rm -r build' }

const failedTest = {
  tool: 'terminal',
  command: 'npm test',
  success: false,
  summary: 'Synthetic example: 1 failed, 11 passed',
  generation: 0,
  freshness: 'unverified',
}

export type JevDemoRow =
  | { readonly scenario: string; readonly latency_ms: number; readonly decision: TurnDecision | null; readonly failure?: string }
  | { readonly dry_run_risk_directive: null; readonly executed: false; readonly approval_context: string }
  | {
      readonly synthetic_example: 'risk' | 'completion'
      readonly executed: false
      readonly decision: RiskDecision | CompletionDecision | null
      readonly failure?: string
    }
  | { readonly telemetry: { readonly counts: Readonly<Record<string, number>>; readonly recent: readonly unknown[] } }

/** Rows as they come. A decision that is missing has `null` and its failure. */
export async function* jevDemoRows(engine: JevEngine, jev: JevConfig): AsyncGenerator<JevDemoRow> {
  const sanitize: SanitizeOptions = { ...sanitizeSettingsOf(jev), redactor: makeRedactor() }
  const telemetry = makeJevTelemetry({ enabled: true, eventsMax: jev.telemetryMaxEvents })
  const cache = makeTurnCache(turnCacheSettingsOf(jev))
  let last: TurnEntry | undefined
  for (const [scenario, message] of scenarios) {
    // A session each: the examples are no conversation.
    const reservation = cache.reserve(scenario, 'turn', true, 0)
    if (reservation?.kind !== 'owner') continue
    last = reservation.entry
    const input = { userMessage: message, platform: 'cli', model: 'demo', hostFirstTurn: true }
    last.state = turnState(input, last.conversation, sanitize)
    const answer = told('turn', await engine.classifyTurn(last.state), jev, telemetry)
    if (answer.isDecided) last.decision = answer.decision
    yield { scenario, latency_ms: hundredths(answer.latencyMs), ...decided(answer) }
  }
  if (last === undefined) return
  yield unattendedRow(last, jev, sanitize)
  const risk = riskState(last, { tool: 'terminal', args: deletion, isAmbiguous: false }, sanitize)
  yield { synthetic_example: 'risk', executed: false, ...decided(told('risk', await engine.assessRisk(risk), jev, telemetry)) }
  const ending = completionState(
    last,
    {
      changedPaths: ['src/parse.ts'],
      finalResponse: 'The parser is fixed and every test passes.',
      evidence: [failedTest],
      isEvidenceCut: false,
    },
    sanitize,
  )
  const completed = told('completion', await engine.assessCompletion(ending), jev, telemetry)
  yield { synthetic_example: 'completion', executed: false, ...decided(completed) }
  yield { telemetry: { counts: telemetry.counts(), recent: telemetry.recent() } }
}

/** What the gate would say here, where no person can be asked: nothing, and it asks nobody either. */
function unattendedRow(entry: TurnEntry, jev: JevConfig, sanitize: SanitizeOptions): JevDemoRow {
  const call = { session: entry.session, turn: entry.turn, call: 'demo', tool: 'terminal', args: deletion }
  const settings = riskSettingsOf(jev)
  const plan = planRisk(call, entry, { settings, sanitize, digestOf, attended: () => false })
  return { dry_run_risk_directive: null, executed: false, approval_context: plan.kind === 'abstain' ? plan.why : plan.kind }
}

function digestOf(text: string): string {
  return toHex(sha256(new TextEncoder().encode(text)))
}

function decided<Decision>(answer: JevAnswer<Decision>): { readonly decision: Decision | null; readonly failure?: string } {
  return answer.isDecided ? { decision: answer.decision } : { decision: null, failure: answer.failure }
}

function told<Decision>(
  kind: 'turn' | 'risk' | 'completion',
  answer: JevAnswer<Decision>,
  jev: JevConfig,
  telemetry: JevTelemetry,
): JevAnswer<Decision> {
  const latency_ms = hundredths(answer.latencyMs)
  if (!answer.isDecided) {
    telemetry.record(kind, { latency_ms, fallback: true, error: answer.failure })
    return answer
  }
  const { answered, tokens } = answer
  telemetry.record('sdk', { model: answered, input_tokens: tokens?.input, output_tokens: tokens?.output })
  telemetry.record(kind, { latency_ms, mode: jev.mode })
  return answer
}

function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100
}
