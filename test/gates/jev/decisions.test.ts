// Holds decisions to what a valid one is, and confidences to arithmetic by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  asProbability,
  checkedRiskDecision,
  checkedTurnDecision,
  completionConfidence,
  fromMillionths,
  millionths,
  riskConfidence,
} from '../../../src/gates/jev/decisions.js'
import { completionOf, riskOf, smallTalk } from '../../support/jev-desk.js'

const test = suite('decisions')

test('the confidence of a risk is that of the answer which is least sure', () => {
  assert.is(riskConfidence(riskOf([0.99, 0.01, 0.9, 0.4, 0.02, 0.01])), 0.6)
})

test('compat W29: of an ending all four answers count in the original; ours can leave out the one that decides nothing', () => {
  const decision = completionOf([0.99, 0.5, 0.9, 0.95])
  assert.is(completionConfidence(decision), 0.5)
  assert.is(completionConfidence(decision, 'deciding'), 0.9)
})

test('only a number within 0 and 1 is a probability, to the millionth', () => {
  for (const bad of [true, false, '0.5', null, undefined, Number.NaN, Number.POSITIVE_INFINITY, -0.1, 1.1, 1.000001, {}, []])
    assert.is(asProbability(bad), undefined)
  assert.is(asProbability(0), 0)
  assert.is(asProbability(1), 1)
  assert.is(asProbability(0.1234567), 0.123457)
})

test('millionths come back as they were', () => {
  for (let count = 0; count <= 1_000_000; count += 997) assert.is(millionths(fromMillionths(count)), count)
})

test('a decision of any engine is held to its record', () => {
  assert.equal(checkedTurnDecision(smallTalk), smallTalk)
  assert.is(checkedTurnDecision({ ...smallTalk, intent: 'poetry' }), undefined)
  assert.is(checkedTurnDecision({ ...smallTalk, confidence: 2 }), undefined)
  assert.is(checkedTurnDecision({ ...smallTalk, model: 5 }), undefined)
  assert.is(checkedTurnDecision(riskOf([0, 0, 0, 0, 0, 0])), undefined)
  assert.is(checkedRiskDecision(smallTalk), undefined)
  assert.is(checkedRiskDecision({ ...riskOf([0, 0, 0, 0, 0, 0]), destructive: true }), undefined)
})

test.run()
