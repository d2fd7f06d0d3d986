// Given what erasures named so far, whether an index is among it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ErasedSoFar } from '../../src/replay/erased-so-far.js'

const test = suite('erased-so-far')

test('an index counts from the erasure on that names it, however erasures overlap', () => {
  const erased = new ErasedSoFar()
  assert.is(erased.has(3), false)
  erased.add([
    [2, 4],
    [9, 9],
  ])
  erased.add([[4, 6]])
  const all = Array.from({ length: 12 }, (_, index) => index)
  assert.equal(
    all.filter((index) => erased.has(index)),
    [2, 3, 4, 5, 6, 9],
  )
  erased.add([[7, 8]])
  erased.add([[0, 0]])
  assert.equal(
    all.filter((index) => erased.has(index)),
    [0, 2, 3, 4, 5, 6, 7, 8, 9],
  )
})

test.run()
