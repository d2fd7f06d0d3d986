// Holds the sieve to its one promise: a text that holds a quote is never left out. That it leaves out most others is measured.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MessageSieve } from '../../../src/gates/provenance/message-sieve.js'
import { makeRandom } from '../../support/seeded-random.js'

const test = suite('message-sieve')

test('a text that holds the quote is let through, in any script', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { maxLength: 20 }),
      fc.nat(),
      fc.nat(),
      fc.nat(),
      (texts, which, from, length) => {
        const text = texts[which % Math.max(texts.length, 1)] ?? ''
        const quote = text.slice(from % Math.max(text.length, 1)).slice(0, length % 40)
        const through = new MessageSieve(texts).mayHold(quote)
        for (const [at, one] of texts.entries()) if (one.includes(quote)) assert.ok(through.includes(at))
        assert.equal(
          through,
          [...through].sort((a, b) => a - b),
        )
      },
    ),
    { numRuns: 2_000, seed: 9 },
  )
})

test('under four characters all texts are let through', () => {
  assert.equal(new MessageSieve(['one', '', 'three']).mayHold('zzz'), [0, 1, 2])
})

test('of texts that do not hold the quote nearly none is let through', () => {
  const random = makeRandom(10)
  const texts = Array.from({ length: 1_000 }, () => Array.from({ length: 60 }, () => random.int(10_000).toString(36)).join(' '))
  const held = texts[500]?.slice(40, 80) ?? ''
  assert.ok(new MessageSieve(texts).mayHold(held).length < 20)
})

test.run()
