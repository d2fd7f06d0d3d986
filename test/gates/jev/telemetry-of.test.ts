// Holds what the status of a service says to the original's table of events: kinds, fields and the cases in which it says nothing.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { NewEvent } from '../../../src/events/event-catalog.js'
import { telemetryOf } from '../../../src/gates/jev/telemetry-of.js'

const test = suite('telemetry-of')

const whole = { complete: true, truncated: false, redacted: false }
const answered = { asked: 'jev-1.13.0', answered: 'jev-1.13.0', latency: 212, tokens: { input: 80, output: 10 } }
const sdk = ['sdk', { model: 'jev-1.13.0', input_tokens: 80, output_tokens: 10 }]
const risk = {
  ...{ ambiguous: false, argues: false, destroys: false, carries: false, confidence: 900_000 },
  thresholds: { approval: 800_000, uncertain: 650_000 },
  rules: { requestedExternal: 'ask', plainlyDestructive: 'always' } as const,
}

const told = (event: NewEvent) => telemetryOf(event)

test('a classification is a reply and a turn', () => {
  const event: NewEvent = {
    type: 'jev.classified',
    facts: {
      ...{ about: 3, mode: 'shadow', ...whole, ...answered, intent: 'coding', complexity: 'simple', sideEffects: 'low' },
      confidence: 700_000,
      needs: { needs_web: 0, needs_browser: 0, needs_terminal: 0, needs_files: 0, should_delegate: 0 },
      conversation: { prior_turn_seen: false, unresolved_task: false, ongoing_tool_workflow: false },
    },
  }
  const turn = { latency_ms: 212, mode: 'shadow', input_complete: true, truncated: false, confidence: 0.7, intent: 'coding' }
  assert.equal(told(event), [sdk, ['turn', turn]])
})

test('a failure is told under its stage, with its category and no words', () => {
  const facts = {
    stage: 'completion',
    about: 3,
    mode: 'enforce',
    ...whole,
    asked: 'jev-1.13.0',
    latency: 2000,
    category: 'timeout',
  } as const
  assert.equal(told({ type: 'jev.failed', facts }), [['completion', { latency_ms: 2000, fallback: true, error: 'timeout' }]])
})

test('a proposal says whether it is an approval: in enforce mode and a safe order alone', () => {
  const of = (facts: object) =>
    told({
      type: 'jev.proposed',
      facts: {
        ...{ stage: 'risk', about: 3, mode: 'enforce', ...whole, ...answered, proposal: 'approve', applied: true },
        ...{ triggers: ['destructive'], tool: 'terminal', risk },
        ...facts,
      },
    } as NewEvent).find(([kind]) => kind === 'risk_result')?.[1]
  const base = { risk: 'approval', would_approve: true, mode: 'enforce', input_complete: true }
  assert.equal(of({}), { ...base, approval: true, fallback: false })
  assert.equal(of({ applied: false, why: 'order_unsafe' }), { ...base, approval: false, fallback: true })
  assert.equal(of({ applied: false, why: 'shadow', mode: 'shadow' }), {
    ...base,
    approval: false,
    fallback: false,
    mode: 'shadow',
  })
})

test('a call of low risk is told as such, one without a decision not, one that was not asked about by its reason', () => {
  const of = (facts: object) => told({ type: 'jev.abstained', facts: { stage: 'risk', mode: 'enforce', ...facts } } as NewEvent)
  const low = of({ ...whole, ...answered, why: 'low', risk })
  assert.equal(
    low.map(([kind]) => kind),
    ['sdk', 'risk', 'risk_result'],
  )
  assert.is(low[2]?.[1]['risk'], 'low')
  assert.equal(of({ ...whole, why: 'no_decision', risk, failure: 'timeout' }), [])
  assert.equal(of({ why: 'unattended' }), [['risk_result', { risk: 'unattended', approval: false, fallback: true }]])
  assert.equal(of({ why: 'unbound_input' }), [['risk_result', { risk: 'unbound_input', mode: 'enforce', fallback: true }]])
  assert.equal(of({ why: 'read_only' }), [])
})

test('a narrowed request has its counts, one that was left alone its reason', () => {
  const shaping = { reason: 'fresh_standalone_chat', confidenceMin: 950_000, toolsBefore: 4, toolsAfter: 1 } as const
  const facts = { stage: 'shaping', about: 3, mode: 'enforce', ...whole, shaping } as const
  assert.equal(told({ type: 'jev.proposed', facts: { ...facts, triggers: [], proposal: 'narrow', applied: true } }), [
    [
      'shaping',
      { shaped: true, would_shape: true, mode: 'enforce', reason: 'fresh_standalone_chat', tools_before: 4, tools_after: 1 },
    ],
  ])
  const kept = { reason: 'followup_or_task', confidenceMin: 950_000 } as const
  assert.equal(
    told({ type: 'jev.abstained', facts: { stage: 'shaping', mode: 'shadow', why: 'followup_or_task', shaping: kept } }),
    [['shaping', { shaped: false, would_shape: false, mode: 'shadow', reason: 'followup_or_task' }]],
  )
})

test('an ending says whether one more pass was wanted, and whether it was asked for', () => {
  const judged = {
    confidenceOver: 'all',
    threshold: 850_000,
    attempt: 0,
    changed: 1,
    observations: 0,
    failed: 0,
    confidence: 990_000,
  } as const
  const facts = { about: 3, mode: 'shadow', ...whole, ...answered, applied: false, judged } as const
  const records = told({ type: 'verification.proposed', facts })
  assert.equal(
    records.map(([kind]) => kind),
    ['sdk', 'completion', 'verification'],
  )
  assert.equal(records[2]?.[1], { would_nudge: true, nudge: false, mode: 'shadow', input_complete: true })
  assert.equal(told({ type: 'jev.abstained', facts: { stage: 'completion', mode: 'shadow', why: 'nothing_changed' } }), [])
})

test('nothing else is told', () => {
  assert.equal(told({ type: 'jev.settled', facts: { proposal: 3, fate: 'ended', applied: false, age: 4 } }), [])
})

test.run()
