// A few dozen honest lives; `npm run soak:corruption` runs thousands of the same.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { honestRun } from './honest-run.js'

const test = suite('honest runs')
const runs = 40

test(`${runs} honest lives of a ledger lose nothing that was acknowledged, and the verifier finds nothing in them`, async () => {
  for (let seed = 1; seed <= runs; seed += 1) {
    const { wrong, report, story } = await honestRun(seed)
    assert.equal(wrong, [], `seed ${seed}: ${story.join('; ')}`)
    assert.equal(report.findings, [], `seed ${seed}: ${story.join('; ')}`)
    assert.is(report.ok, true)
  }
})

test.run()
