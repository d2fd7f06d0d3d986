// Holds the count of requests to the events that tell of one, each of them made by the room that makes them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { jevFailures } from '../../../src/gates/jev/engine.js'
import { jevRequestsOf } from '../../../src/gates/jev/jev-requests.js'

const test = suite('jev-requests')

test('a failure counts unless nothing was sent', () => {
  const counted = jevFailures.filter((category) => jevRequestsOf('jev.failed', { category }) === 1)
  assert.equal(
    jevFailures.filter((category) => !counted.includes(category)),
    ['capacity', 'circuit_open', 'budget_spent'],
  )
})

test('a classification and whatever bears a fresh answer count once', () => {
  assert.is(jevRequestsOf('jev.classified', { asked: 'a', answered: 'b' }), 1)
  for (const type of ['jev.proposed', 'jev.abstained', 'verification.proposed'])
    assert.is(jevRequestsOf(type, { asked: 'a', answered: 'b', latency: 3 }), 1)
})

test('an answer given before, a failure told beside, and what was never asked do not', () => {
  for (const facts of [{}, { latency: 1 }, { asked: 'a', failure: 'timeout' }, { asked: 'a', latency: 3, failure: 'server' }])
    assert.is(jevRequestsOf('jev.proposed', facts), 0)
  for (const type of ['jev.settled', 'verification.observed', 'message.said', ''])
    assert.is(jevRequestsOf(type, { answered: 'b' }), 0)
  for (const facts of [null, 5, 'x', []]) assert.is(jevRequestsOf('jev.abstained', facts), 0)
})

test.run()
