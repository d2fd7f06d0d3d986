// Holds the questions to their ids and options, and the reading of replies to refusing whatever is not whole.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { capabilities, completionAnswers, riskAnswers } from '../../../src/gates/jev/decisions.js'
import {
  completionQuestions,
  type JevQuestions,
  readCompletionReply,
  readRiskReply,
  readTurnReply,
  riskQuestions,
  turnQuestions,
} from '../../../src/gates/jev/questions.js'

const test = suite('questions')

/** As the wire section says: what a server answers that means nothing by it. */
function replyTo(questions: JevQuestions, over: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const answers: Record<string, unknown> = {}
  for (const [id, question] of Object.entries(questions)) {
    const [label = ''] = question.type === 'choice' ? Object.keys(question.criteria) : []
    answers[id] =
      question.type === 'choice'
        ? { type: 'choice', choice: label, confidence: 0.99, probabilities: { [label]: 0.99 } }
        : { type: 'noul', noul: 0.01 }
  }
  return { model: 'jev-1.13.0', answers: { ...answers, ...over }, usage: { input_tokens: 80, output_tokens: 10 } }
}

const choice = (label: unknown, confidence: unknown = 0.9, probabilities?: unknown) => ({
  type: 'choice',
  choice: label,
  confidence,
  probabilities,
})

test('vector H8, pure part, and row J2: a turn has eight questions, three of them with options', () => {
  assert.equal(Object.keys(turnQuestions), ['intent', 'complexity', 'side_effect_likelihood', ...capabilities])
  const choices = Object.values(turnQuestions).filter(({ type }) => type === 'choice')
  assert.is(choices.length, 3)
  assert.equal(Object.keys(turnQuestions.intent.criteria), [
    'chat',
    'coding',
    'research',
    'system_admin',
    'automation',
    'data_analysis',
    'file_work',
    'other',
  ])
  assert.equal(Object.keys(turnQuestions.complexity.criteria), ['trivial', 'simple', 'moderate', 'difficult'])
  assert.equal(turnQuestions.side_effect_likelihood.criteria, { low: null, medium: null, high: null })
})

test('vector H9, pure part, and row J24: a call has six questions, an ending four, all of them yes or no', () => {
  assert.equal(Object.keys(riskQuestions), [...riskAnswers])
  assert.equal(Object.keys(completionQuestions), [...completionAnswers])
  for (const { type } of [...Object.values(riskQuestions), ...Object.values(completionQuestions)]) assert.is(type, 'noul')
})

test('compat W14: one of six questions said to follow no instruction in the original; ours all do, and say what true and false mean', () => {
  for (const { instructions, criteria } of [...Object.values(riskQuestions), ...Object.values(completionQuestions)]) {
    assert.match(instructions, 'follow no instruction')
    assert.ok(criteria.true.length > 10 && criteria.false.length > 10)
  }
})

test('a whole reply becomes a decision', () => {
  const read = readTurnReply(replyTo(turnQuestions))
  assert.ok(read.isValid)
  assert.is(read.model, 'jev-1.13.0')
  assert.equal(read.tokens, { input: 80, output: 10 })
  assert.equal(read.decision, {
    intent: 'chat',
    complexity: 'trivial',
    side_effect_likelihood: 'low',
    needs_web: 0.01,
    needs_browser: 0.01,
    needs_terminal: 0.01,
    needs_files: 0.01,
    should_delegate: 0.01,
    confidence: 0.99,
    model: 'jev-1.13.0',
  })
  const risk = readRiskReply(replyTo(riskQuestions, { destructive: { type: 'noul', noul: 0.75 } }))
  assert.is(risk.isValid && risk.decision.destructive, 0.75)
  const completion = readCompletionReply(replyTo(completionQuestions))
  assert.is(completion.isValid && completion.decision.inconsistent, 0.01)
})

test('vector C16: an intent that nobody offered refuses the reply', () => {
  assert.equal(readTurnReply(replyTo(turnQuestions, { intent: choice('poetry') })), { isValid: false, where: 'answers.intent' })
  assert.is(readTurnReply(replyTo(turnQuestions, { intent: choice('toString') })).isValid, false)
})

test('vector C17 and row J14: the least of the three confidences counts', () => {
  const read = readTurnReply(
    replyTo(turnQuestions, {
      intent: choice('chat', 0.9),
      complexity: choice('trivial', 0.7),
      side_effect_likelihood: choice('low', 0.99),
    }),
  )
  assert.is(read.isValid && read.decision.confidence, 0.7)
})

test('vector H10, pure part: each reply that is not whole is refused, and says where', () => {
  const { destructive: _, ...missing } = replyTo(riskQuestions)['answers'] as Record<string, unknown>
  const bad: readonly (readonly [reply: unknown, where: string])[] = [
    [{ ...replyTo(riskQuestions), answers: missing }, 'answers.destructive'],
    [replyTo(riskQuestions, { destructive: { type: 'noul', noul: 1.2 } }), 'answers.destructive'],
    [replyTo(riskQuestions, { destructive: { type: 'noul', noul: true } }), 'answers.destructive'],
    [replyTo(riskQuestions, { destructive: { type: 'noul', noul: '0.5' } }), 'answers.destructive'],
    [replyTo(riskQuestions, { destructive: { type: 'noul', noul: Number.NaN } }), 'answers.destructive'],
    [replyTo(riskQuestions, { destructive: { type: 'choice', noul: 0.5 } }), 'answers.destructive'],
    [replyTo(riskQuestions, { destructive: 0.5 }), 'answers.destructive'],
    [{ ...replyTo(riskQuestions), model: 5 }, 'model'],
    [{ ...replyTo(riskQuestions), model: '' }, 'model'],
    [{ ...replyTo(riskQuestions), answers: [] }, 'answers'],
    ['<html>', 'reply'],
    ['{"model": ', 'reply'],
    [undefined, 'reply'],
    [null, 'reply'],
    [[], 'reply'],
    [{}, 'model'],
  ]
  for (const [reply, where] of bad) assert.equal(readRiskReply(reply), { isValid: false, where })
})

test('answers that are inherited do not count', () => {
  const reply = replyTo(riskQuestions)
  assert.is(readRiskReply({ ...reply, answers: Object.create(reply['answers'] as object) }).isValid, false)
  assert.is(readRiskReply(Object.create(reply)).isValid, false)
})

test('extra members are ignored, and a use of tokens that is no count is not told', () => {
  const read = readRiskReply({
    ...replyTo(riskQuestions, { more: 1 }),
    extra: 'x',
    usage: { input_tokens: 1.5, output_tokens: 2 },
  })
  assert.ok(read.isValid)
  assert.is(read.tokens, undefined)
})

test('compat W34: a confidence of null refused the reply in the original; ours takes what the label was given', () => {
  const given = { intent: choice('coding', null, { coding: 0.8, chat: 0.2 }) }
  const read = readTurnReply(replyTo(turnQuestions, given))
  assert.is(read.isValid && read.decision.confidence, 0.8)
  assert.is(readTurnReply(replyTo(turnQuestions, { intent: choice('coding', null) })).isValid, false)
  assert.is(readTurnReply(replyTo(turnQuestions, { intent: choice('coding', 'high', { coding: 1 }) })).isValid, false)
})

test('a getter that throws refuses the reply', () => {
  const reply = {
    model: 'm',
    get answers(): never {
      throw new Error('no')
    },
  }
  assert.is(readRiskReply(reply).isValid, false)
})

test('property: random replies never throw, and a decision is whole', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.double(),
    fc.constantFrom({ type: 'noul', noul: 0.5 }, { type: 'noul', noul: 2 }, choice('chat')),
  )
  const reply = fc.record({
    model: fc.oneof(fc.string(), fc.jsonValue()),
    answers: fc.dictionary(fc.constantFrom(...riskAnswers), value),
  })
  fc.assert(
    fc.property(fc.oneof(reply, fc.jsonValue()), (given) => {
      readTurnReply(given)
      readCompletionReply(given)
      const read = readRiskReply(given)
      if (read.isValid) for (const name of riskAnswers) assert.ok(read.decision[name] >= 0 && read.decision[name] <= 1)
    }),
    { seed: 10 },
  )
})

test.run()
