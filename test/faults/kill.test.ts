// `kill -9` of a running appender; `npm run soak:kill` does two hundred rounds of the same.
// time limit: 300 s
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeRandom } from '../support/seeded-random.js'
import { killRounds } from './kill-rounds.js'

const test = suite('kill')
const rounds = 12

test(`${rounds} kills at random points lose no acknowledged entry and leave a sound chain`, async () => {
  const { acknowledged, lost, unsound } = await killRounds(rounds, makeRandom(20261129))
  assert.ok(acknowledged > rounds, 'the appenders were told of entries')
  assert.equal(lost, [])
  assert.equal(unsound, [])
})

test.run()
