// Holds what is told of the stage to the schemas, to having no words among its facts, and to judging again with the same outcome.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionOf, type NewEvent } from '../../../src/events/event-catalog.js'
import { canonicalJson } from '../../../src/foundation/canonical-json.js'
import {
  completionAnswers,
  complexities,
  intents,
  type RiskDecision,
  riskAnswers,
  sideEffectLikelihoods,
} from '../../../src/gates/jev/decisions.js'
import { type JevAnswer, type JevFailure, jevFailures } from '../../../src/gates/jev/engine.js'
import {
  jevFactsOfBlock,
  jevFactsOfCompletion,
  jevFactsOfObservation,
  jevFactsOfRisk,
  jevFactsOfSettled,
  jevFactsOfShaping,
  jevFactsOfSilence,
  jevFactsOfTurn,
  rejudgedCompletion,
  rejudgedRisk,
  toldProposal,
} from '../../../src/gates/jev/jev-facts.js'
import { type RiskOutcome, type RiskQuestion, riskDefaults, riskTriggers } from '../../../src/gates/jev/risk.js'
import { shapingKept, shapingReasons } from '../../../src/gates/jev/tool-shaping.js'
import { callsForMore } from '../../../src/gates/jev/verification.js'
import { type DeskOptions, highRisk, JevDesk, riskOf, sha256Text, smallTalk } from '../../support/jev-desk.js'

const test = suite('jev-facts')

/** Words that may stand nowhere among the facts. */
const spoken = ['swordfish', 'mail bob', 'the parser', 'my secret plan', 'all done here']

function fits(event: NewEvent | undefined): void {
  assert.ok(event !== undefined)
  const definition = definitionOf(event.type)
  assert.ok(definition !== undefined, event.type)
  const facts = definition.facts.safeParse(event.facts)
  assert.is(facts.success, true, `${event.type}: ${facts.error?.message}`)
  if (event.words !== undefined) assert.is(definition.words?.safeParse(event.words).success, true, event.type)
  const text = canonicalJson(event.facts)
  for (const words of spoken) assert.not.match(text, words)
  for (const value of numbersIn(event.facts)) assert.ok(Number.isSafeInteger(value), `${event.type}: ${value}`)
  assert.type(definition.describe(event.facts, event.words ?? {}), 'string')
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

function answered<Decision>(decision: Decision): JevAnswer<Decision> {
  return {
    isDecided: true,
    decision,
    asked: 'jev-1.13.0',
    answered: 'jev-1.13.0',
    tokens: { input: 80, output: 10 },
    latencyMs: 41.6,
  }
}

function failed(failure: JevFailure): JevAnswer<never> {
  return { isDecided: false, failure, asked: 'jev-1.13.0', latencyMs: 2000.4 }
}

interface Assessed {
  readonly desk: JevDesk
  readonly question: RiskQuestion
  readonly outcome: RiskOutcome
}

function assessed(decision: RiskDecision | undefined, message = 'send my secret plan', options: DeskOptions = {}): Assessed {
  const desk = new JevDesk(options)
  desk.answers.risk = decision
  desk.begin(message)
  const outcome = desk.assess({ args: { command: 'mail bob swordfish' } })
  assert.ok(outcome !== undefined && desk.lastPlan?.kind === 'ask')
  return { desk, question: desk.lastPlan, outcome }
}

function riskEvents({ desk, question, outcome }: Assessed, decision: RiskDecision | undefined, failure: JevFailure = 'timeout') {
  const answer = decision === undefined ? failed(failure) : answered(decision)
  return jevFactsOfRisk({
    about: 5,
    settings: desk.risk,
    question,
    answer,
    decision,
    outcome,
    argumentsDigest: sha256Text('keyed'),
  })
}

test('compat W33: the original tells no reasons and no answers; a classification is told in full, and without words', () => {
  const desk = new JevDesk()
  const entry = desk.begin('my secret plan')
  assert.ok(entry !== undefined)
  const event = jevFactsOfTurn(4, 'shadow', entry, answered(smallTalk))
  fits(event)
  assert.ok(event?.type === 'jev.classified')
  assert.equal([event.facts.confidence, event.facts.latency, event.facts.needs.needs_web], [999_000, 42, 1000])
})

test('compat W32 and row J44: the original has one name for all failures; ours tells twelve apart', () => {
  const desk = new JevDesk()
  const entry = desk.begin('my secret plan')
  assert.ok(entry !== undefined)
  for (const failure of ['auth', 'rate_limit', 'malformed', 'capacity', 'circuit_open', 'budget_spent'] as const) {
    const event = jevFactsOfTurn(4, 'enforce', entry, failed(failure))
    fits(event)
    assert.ok(event?.type === 'jev.failed' && event.facts.category === failure)
  }
})

test('row J24: a risk that is proposed, one that is low and one that failed are all told, with what judging again needs', () => {
  const high = riskOf(highRisk)
  const proposed = riskEvents(assessed(high), high)
  proposed.forEach(fits)
  const [event] = proposed
  assert.ok(event?.type === 'jev.proposed')
  assert.equal([event.facts.applied, event.facts.proposal, event.facts.risk?.answers?.destructive], [true, 'approve', 900_000])
  assert.is(event.facts.oneOff, false)
  const low = riskOf([0.99, 0.01, 0.01, 0.01, 0.01, 0.01])
  const abstained = riskEvents(assessed(low), low)
  abstained.forEach(fits)
  assert.ok(abstained[0]?.type === 'jev.abstained' && abstained[0].facts.why === 'low')
  const none = riskEvents(assessed(undefined), undefined)
  none.forEach(fits)
  assert.equal(
    none.map(({ type }) => type),
    ['jev.failed', 'jev.abstained'],
  )
  const asked = riskEvents(assessed(undefined, 'do it'), undefined)
  asked.forEach(fits)
  assert.equal(
    asked.map(({ type }) => type),
    ['jev.failed', 'jev.proposed'],
  )
  assert.ok(asked[1]?.type === 'jev.proposed' && asked[1].facts.oneOff === true)
})

test('row J6: in shadow a proposal is told as not applied, and why', () => {
  const high = riskOf(highRisk)
  const [event] = riskEvents(assessed(high, 'send it', { mode: 'shadow' }), high)
  fits(event)
  assert.ok(event?.type === 'jev.proposed')
  assert.equal([event.facts.applied, event.facts.why, event.words], [false, 'shadow', undefined])
})

test('row J26: what became of a proposal is told: consumed, expired, mismatched, evicted, ended', () => {
  const fates: string[] = []
  for (const [args, nowMs] of [
    [{ command: 'mail bob swordfish' }, 100],
    [{ command: 'mail bob swordfish' }, 20_000],
    [{ command: 'other' }, 100],
  ] as const) {
    const { desk, outcome } = assessed(riskOf(highRisk))
    assert.ok(outcome.proposal !== undefined)
    desk.store.put(toldProposal(outcome.proposal, 6))
    desk.nowMs = nowMs
    const claim = desk.claim({ args })
    assert.ok(claim.settled !== undefined)
    const event = jevFactsOfSettled(claim.settled, nowMs, { about: 9, outcome: claim, argumentsDigest: sha256Text('other') })
    fits(event)
    fates.push(`${event?.facts.fate} ${event?.facts.action ?? 'nothing'} ${event?.facts.why ?? ''}`)
  }
  assert.equal(fates, ['consumed approve ', 'expired nothing expired', 'mismatched approve arguments_changed'])
  const { desk, outcome } = assessed(riskOf(highRisk))
  assert.ok(outcome.proposal !== undefined)
  desk.store.put(toldProposal(outcome.proposal, 6))
  const [ended] = desk.store.endSession('s1', 50)
  assert.ok(ended !== undefined)
  const event = jevFactsOfSettled(ended, 50)
  fits(event)
  assert.is(event?.facts.fate, 'ended')
})

test('silences, blocks, shapings and observations fit their schemas', () => {
  fits(jevFactsOfSilence('risk', 3, 'enforce', 'unattended', { tool: 'terminal', argumentsDigest: 'cd'.repeat(32) }))
  fits(jevFactsOfSilence('risk', 3, 'enforce', 'no_middleware', { tool: 'evil \n name', argumentsDigest: 'cd'.repeat(32) }))
  fits(jevFactsOfSilence('turn', 3, 'shadow', 'cache_refused'))
  fits(jevFactsOfBlock(3, 'write_file', 'too large'))
  const desk = new JevDesk()
  const entry = desk.begin('hello')
  const tools = ['terminal', 'clarify'].map((name) => ({ type: 'function', function: { name, parameters: {} } }))
  const outcome = desk.shape({ messages: [{ role: 'user', content: 'hello' }], tools })
  assert.ok(outcome?.shaped)
  fits(jevFactsOfShaping(3, desk.shaping, outcome, entry?.state?.metadata, 2))
  fits(jevFactsOfShaping(3, desk.shaping, { reason: 'unknown_context', wouldShape: false, shaped: false }, undefined, undefined))
  const seen = desk.observe({
    tool: 'terminal',
    args: { command: 'pytest swordfish' },
    result: { exit_code: 1, output: '1 failed, 2 passed' },
  })
  assert.ok(seen.kind === 'observed')
  const event = jevFactsOfObservation(4, seen.observation)
  fits(event)
  assert.equal(
    [event.facts.runner, event.facts.exitCode, event.facts.failed, event.words?.command],
    ['pytest', 1, 1, 'pytest swordfish'],
  )
})

test('an ending that is asked to go on, one that is not and one that failed are told', () => {
  for (const [decision, expected] of [
    [new JevDesk().answers.completion, ['verification.proposed']],
    [undefined, ['jev.failed', 'jev.abstained']],
  ] as const) {
    const desk = new JevDesk()
    desk.answers.completion = decision
    desk.begin('port the parser')
    const outcome = desk.end({ finalResponse: 'all done here' })
    assert.ok(outcome !== undefined && desk.lastEnding?.kind === 'ask')
    const answer = decision === undefined ? failed('timeout') : answered(decision)
    const told = jevFactsOfCompletion({ about: 8, settings: desk.verification, question: desk.lastEnding, answer, outcome })
    told.forEach(fits)
    assert.equal(
      told.map(({ type }) => type),
      expected,
    )
  }
})

const probability = fc.double({ min: 0, max: 1, noNaN: true })
const tuple = <Name extends string>(names: readonly Name[]) =>
  fc.array(probability, { minLength: names.length, maxLength: names.length })

test('property: what is recorded of a risk is judged again with the same outcome, and other thresholds change only what they must', () => {
  fc.assert(
    fc.property(
      tuple(riskAnswers),
      fc.constantFrom('do it', 'count the rows'),
      fc.double({ min: 0.5, max: 1, noNaN: true }),
      (values, message, approvalThreshold) => {
        const decision = riskOf(values as unknown as Parameters<typeof riskOf>[0])
        const risk = { approvalThreshold, thresholds: { destructive: 0.7 } }
        const step = assessed(decision, message, { risk })
        const [event] = riskEvents(step, decision)
        fits(event)
        assert.ok(event?.type === 'jev.proposed' || event?.type === 'jev.abstained')
        const { risk: judged, complete } = event.facts
        assert.ok(judged !== undefined)
        assert.equal(rejudgedRisk(judged, complete === true), [...step.outcome.triggers])
        const bound = rejudgedRisk(
          { ...judged, thresholds: { approval: 500_000, uncertain: judged.thresholds.uncertain } },
          complete === true,
        )
        assert.ok(
          step.outcome.triggers.every(
            (trigger) => trigger === 'destructive' || trigger === 'action_not_requested' || bound.includes(trigger),
          ),
        )
      },
    ),
    { seed: 50, numRuns: 200 },
  )
})

test('property: what is recorded of an ending is judged again with the same outcome', () => {
  fc.assert(
    fc.property(tuple(completionAnswers), fc.constantFrom('all' as const, 'deciding' as const), (values, confidenceOver) => {
      const decision = Object.fromEntries(completionAnswers.map((name, at) => [name, values[at]])) as never
      const desk = new JevDesk({ verification: { confidenceOver } })
      desk.answers.completion = decision
      desk.begin('port the parser')
      const outcome = desk.end()
      assert.ok(outcome !== undefined && desk.lastEnding?.kind === 'ask')
      const [event] = jevFactsOfCompletion({
        about: 8,
        settings: desk.verification,
        question: desk.lastEnding,
        answer: answered(decision),
        outcome,
      })
      fits(event)
      const judged =
        event?.type === 'verification.proposed'
          ? event.facts.judged
          : event?.type === 'jev.abstained'
            ? event.facts.completion
            : undefined
      assert.ok(judged !== undefined)
      assert.is(rejudgedCompletion(judged, true), outcome.wouldNudge)
    }),
    { seed: 51, numRuns: 100 },
  )
})

test('the words that the schemas admit are those of the rooms', () => {
  const schema = (type: string) => JSON.stringify(definitionOf(type)?.facts.toJSONSchema())
  const lists: readonly (readonly [type: string, words: readonly string[]])[] = [
    ['jev.failed', jevFailures],
    ['jev.proposed', riskTriggers],
    ['jev.proposed', shapingReasons],
    ['jev.proposed', shapingKept],
    ['jev.classified', intents],
    ['jev.classified', complexities],
    ['jev.classified', sideEffectLikelihoods],
  ]
  for (const [type, words] of lists) assert.ok(schema(type).includes(JSON.stringify(words)), `${type}: ${words}`)
})

test('a threshold that is no whole millionth is judged as it is recorded', () => {
  const settings = { ...riskDefaults, approvalThreshold: 0.80000004 }
  assert.is(
    callsForMore(
      { claims_complete: 0.8, verification_evidence_present: 0, inconsistent: 0.8, needs_iteration: 0.8 },
      0.8,
      settings.approvalThreshold,
    ),
    true,
  )
})

test.run()
