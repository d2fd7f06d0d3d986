// What an entry of the stage comes to in the status of a running service: the original's names for what the ledger says in full.
import type { NewEvent } from '../../events/event-catalog.js'
import { fromMillionths } from './decisions.js'

export type TelemetryRecord = readonly [kind: string, fields: Readonly<Record<string, unknown>>]

export function telemetryOf(event: NewEvent): readonly TelemetryRecord[] {
  switch (event.type) {
    case 'jev.classified': {
      const { intent, confidence } = event.facts
      return [...answered(event.facts), ['turn', { ...decided(event.facts), confidence: fromMillionths(confidence), intent }]]
    }
    case 'jev.failed': {
      const { stage, latency, category } = event.facts
      return [[stage, { latency_ms: latency, fallback: true, error: category }]]
    }
    case 'jev.proposed':
      return event.facts.stage === 'shaping' ? [shapingRecord(event.facts)] : riskRecords(event.facts, true)
    case 'jev.abstained': {
      const { stage } = event.facts
      if (stage === 'shaping') return [shapingRecord(event.facts)]
      if (stage === 'risk') return riskRecords(event.facts, false)
      return stage === 'completion' && event.facts.answered !== undefined
        ? [...answered(event.facts), ...completionRecords(event.facts, event.facts.completion?.confidence, false, false)]
        : []
    }
    case 'verification.proposed': {
      const { judged, applied } = event.facts
      return [...answered(event.facts), ...completionRecords(event.facts, judged.confidence, true, applied)]
    }
    default:
      return []
  }
}

interface Told {
  readonly mode: string
  readonly complete?: boolean | undefined
  readonly truncated?: boolean | undefined
  readonly latency?: number | undefined
  readonly answered?: string | undefined
  readonly tokens?: { readonly input: number; readonly output: number } | undefined
}

/** One reply. */
function answered({ answered: model, tokens }: Told): readonly TelemetryRecord[] {
  return model === undefined ? [] : [['sdk', { model, input_tokens: tokens?.input, output_tokens: tokens?.output }]]
}

function decided({ mode, complete, truncated, latency }: Told) {
  return { latency_ms: latency, mode, input_complete: complete, truncated }
}

function completionRecords(
  told: Told,
  confidence: number | undefined,
  wouldNudge: boolean,
  nudge: boolean,
): readonly TelemetryRecord[] {
  const sure = confidence === undefined ? {} : { confidence: fromMillionths(confidence) }
  return [
    ['completion', { ...decided(told), ...sure }],
    ['verification', { would_nudge: wouldNudge, nudge, mode: told.mode, input_complete: told.complete }],
  ]
}

interface RiskTold extends Told {
  readonly why?: string | undefined
  readonly applied?: boolean
  readonly risk?: { readonly confidence?: number | undefined } | undefined
}

/** Of a call: what the model said, where it was asked, and what came of it. */
function riskRecords(told: RiskTold, wouldApprove: boolean): readonly TelemetryRecord[] {
  const { why, mode, risk } = told
  if (why === 'unattended') return [['risk_result', { risk: 'unattended', approval: false, fallback: true }]]
  if (why === 'unbound_input') return [['risk_result', { risk: 'unbound_input', mode, fallback: true }]]
  if (risk === undefined) return []
  const confidence = risk.confidence === undefined ? {} : { confidence: fromMillionths(risk.confidence) }
  const asked: readonly TelemetryRecord[] =
    told.answered === undefined ? [] : [...answered(told), ['risk', { ...decided(told), ...confidence }]]
  // Nobody answered, and nothing else speaks against the call.
  if (!wouldApprove && why === 'no_decision') return asked
  const approval = wouldApprove && mode === 'enforce' && why !== 'order_unsafe'
  return [
    ...asked,
    [
      'risk_result',
      {
        risk: wouldApprove ? 'approval' : 'low',
        would_approve: wouldApprove,
        approval,
        mode,
        input_complete: told.complete,
        fallback: why === 'order_unsafe',
      },
    ],
  ]
}

interface ShapingTold extends Told {
  readonly applied?: boolean
  readonly shaping?:
    | {
        readonly reason: string
        readonly toolsBefore?: number | undefined
        readonly toolsAfter?: number | undefined
      }
    | undefined
  readonly proposal?: string
}

function shapingRecord({ mode, applied = false, shaping, proposal }: ShapingTold): TelemetryRecord {
  const wouldShape = proposal !== undefined
  const counts = wouldShape ? { tools_before: shaping?.toolsBefore, tools_after: shaping?.toolsAfter } : {}
  return ['shaping', { shaped: applied, would_shape: wouldShape, mode, reason: shaping?.reason, ...counts }]
}
