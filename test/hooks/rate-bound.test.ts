// Holds the bound of a minute to its two measures, and to telling once how much it turned away.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RateBound } from '../../src/hooks/rate-bound.js'

const test = suite('rate-bound')

const limits = { hooksPerMinute: 3, bytesPerMinute: 1000 }

/** A bound from which so many payloads of ten bytes were asked at one moment. */
function askedFor(count: number, nowMs = 0): RateBound {
  const bound = new RateBound()
  for (let at = 0; at < count; at += 1) bound.take(10, nowMs, limits)
  return bound
}

test('so many are taken in a minute and no more', () => {
  const bound = new RateBound()
  const taken = Array.from({ length: 5 }, (_, at) => bound.take(10, at * 1000, limits))
  assert.equal(taken, [true, true, true, false, false])
})

test('so many bytes are taken in a minute and no more, and a smaller payload still fits', () => {
  const bound = new RateBound()
  assert.is(bound.take(600, 0, limits), true)
  assert.is(bound.take(401, 1, limits), false)
  assert.is(bound.take(400, 2, limits), true)
  assert.is(bound.take(1, 3, limits), false)
})

test('a minute after its beginning everything is taken again', () => {
  const bound = askedFor(4, 500)
  assert.is(bound.take(10, 60_499, limits), false)
  assert.is(bound.take(10, 60_500, limits), true)
})

test('what was turned away is told when its minute is over, with its bytes, and once', () => {
  const bound = askedFor(5)
  assert.is(bound.takeTurnedAway(59_999), undefined)
  assert.equal(bound.takeTurnedAway(60_000), { count: 2, bytes: 20 })
  assert.is(bound.takeTurnedAway(60_001), undefined)
})

test('where nothing was turned away there is nothing to tell', () => {
  assert.is(askedFor(3).takeTurnedAway(60_000), undefined)
  assert.is(askedFor(3).takeRest(), undefined)
  assert.is(new RateBound().takeTurnedAway(0), undefined)
})

test('a flood that goes on is told of minute by minute, also where it is asked for after the next minute has begun', () => {
  const bound = askedFor(5)
  assert.is(bound.take(10, 60_000, limits), true)
  assert.equal(bound.takeTurnedAway(60_500), { count: 2, bytes: 20 })
  for (let at = 0; at < 6; at += 1) bound.take(10, 61_000, limits)
  assert.is(bound.takeTurnedAway(61_500), undefined, 'of the minute that goes on')
  assert.is(bound.take(10, 120_000, limits), true)
  assert.equal(bound.takeTurnedAway(120_100), { count: 4, bytes: 40 })
})

test('at the end of all the rest is told, whether or not its minute is over', () => {
  const bound = askedFor(5)
  assert.equal(bound.takeRest(), { count: 2, bytes: 20 })
  assert.is(bound.takeRest(), undefined)
  const over = askedFor(5)
  over.take(10, 60_000, limits)
  for (let at = 0; at < 3; at += 1) over.take(10, 60_001, limits)
  assert.equal(over.takeRest(), { count: 3, bytes: 30 })
})

test('what could not be written down is told the next time', () => {
  const bound = askedFor(5)
  bound.putBack({ count: 2, bytes: 20 })
  assert.equal(bound.takeRest(), { count: 4, bytes: 40 })
  const later = askedFor(0)
  later.putBack({ count: 2, bytes: 20 })
  assert.equal(later.takeTurnedAway(1), { count: 2, bytes: 20 })
})

test('bounds that were tightened hold from the next payload on', () => {
  const bound = askedFor(2)
  assert.is(bound.take(10, 0, { hooksPerMinute: 2, bytesPerMinute: 1000 }), false)
  assert.is(bound.take(10, 0, limits), true)
})

test.run()
