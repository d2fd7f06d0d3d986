// `kill -9` of a running service under load, and several starters on what it left; `npm run soak:kill` does hundreds of the same.
// time limit: 300 s
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeRandom } from '../support/seeded-random.js'
import { endServices } from '../support/service-process.js'
import { killServiceRounds, starterRounds, timesInWords } from './service-rounds.js'

const test = suite('service kill')
test.after(endServices)
const rounds = 12
const starts = 10
/** Far beyond the two seconds that are promised: a shared machine may be slow, and no test fails on a clock. */
const readyMsMax = 10_000

test(`${rounds} kills under load lose no acknowledged payload, and the next service is up, sound, and takes the spool in once`, async () => {
  const { acknowledged, spooled, wrong, readyMs } = await killServiceRounds(rounds, makeRandom(20261130))
  console.log(
    `note: ${acknowledged} payloads were answered and ${spooled} spooled; starts: ${timesInWords(readyMs)} (2000 are promised)`,
  )
  assert.equal(wrong, [])
  assert.ok(acknowledged > 2 * rounds, `only ${acknowledged} were answered`)
  assert.ok(spooled > 0, 'some were under way when the service was killed')
  assert.ok(Math.max(...readyMs) < readyMsMax)
})

test(`four starters at once on the socket of a service that was killed leave one reachable service, ${starts} times`, async () => {
  const { wrong, readyMs } = await starterRounds(starts)
  console.log(`note: four starters at once: ${timesInWords(readyMs)}`)
  assert.equal(wrong, [])
})

test.run()
