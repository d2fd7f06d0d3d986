// Holds buckets of latency to what they promise: sums and the longest exact, a part never too low and at most a third too high.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  addLatency,
  type JevLatency,
  latencyEnds,
  latencyWithin,
  noJevLatency,
  summedLatency,
} from '../../src/projections/jev-latency.js'

const test = suite('jev-latency')

function countsOf(all: readonly number[]): JevLatency {
  const counts = noJevLatency()
  for (const ms of all) addLatency(counts, ms)
  return counts
}

test('the end of a bucket is the longest that is in it; what is beyond the last is told by the longest of all', () => {
  const counts = countsOf([40, 41, 100, 9_000, 25_000])
  assert.equal(counts, { requests: 5, sumMs: 34_181, maxMs: 25_000, buckets: { 40: 1, 50: 1, 100: 1, 10000: 1, more: 1 } })
  assert.equal(
    [0.2, 0.4, 0.6, 0.8, 1].map((part) => latencyWithin(counts, part)),
    [40, 50, 100, 10_000, 25_000],
  )
  assert.is(latencyWithin(countsOf([41]), 0.5), 41, 'no more than the longest')
  assert.is(latencyWithin(noJevLatency(), 0.5), null)
})

test('the ends go up by at most a third, or by one millisecond', () => {
  for (const [at, end] of latencyEnds.entries()) {
    const before = latencyEnds[at - 1] ?? 0
    assert.ok(end - before <= 1 || end * 3 <= before * 4, `${before} to ${end}`)
  }
})

test('what a part of them stayed within is never told too low, and at most a third too high', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(15_000), { minLength: 1, maxLength: 60 }), fc.constantFrom(0.5, 0.95), (all, part) => {
      const sorted = [...all].sort((one, other) => one - other)
      const real = sorted[Math.ceil(all.length * part) - 1] ?? Number.NaN
      const told = latencyWithin(countsOf(all), part) ?? Number.NaN
      assert.ok(told >= real, `${told} is below ${real}`)
      if (real <= 10_000) assert.ok(told <= Math.max(real + 1, (real * 4) / 3), `${told} is far above ${real}`)
    }),
  )
})

test('days are added up as if they had been one', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(15_000)), fc.array(fc.nat(15_000)), (one, other) => {
      assert.equal(summedLatency([countsOf(one), countsOf(other)]), countsOf([...one, ...other]))
    }),
  )
})

test.run()
