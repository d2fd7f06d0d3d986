// Holds the detector to every fault that was found: shapes of the audits that the specification names, public cases, and lines as real
// memories and skills have them. The rules were tuned to these too.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { detectClaims } from '../../src/gates/provenance/claim-detector.js'
import { type ClaimLine, claimCorpus, scoreOf, shownScore } from '../support/claim-corpus.js'

const test = suite('regression')

interface RegressionLine extends ClaimLine {
  /** Where the shape comes from. */
  readonly from: string
  readonly notChecked?: number
}

const lines = claimCorpus('regression', (line): RegressionLine => JSON.parse(line))

for (const [number, shows] of [
  [76, 'a decision told in another language is counted as not checked, and never as clean'],
  [77, 'no quote style hides a claim'],
  [79, 'Markdown marks hide no claim'],
  [80, 'a claim broken over two lines is one claim'],
  [85, 'the wordings known to be missed are found'],
] as const) {
  test(`public case ${number}: ${shows}`, () => {
    const chosen = lines.filter(({ from }) => from === `public case ${number}`)
    assert.ok(chosen.length > 0)
    for (const { id, text, claim, notChecked = 0 } of chosen) {
      const detection = detectClaims(text, { scope: 'decisions', isTyped: () => false })
      assert.is(detection.claims.length, claim ? 1 : 0, `${id}: ${text}`)
      assert.is(detection.notChecked, notChecked, `${id}: ${text}`)
    }
  })
}

test('row P105: every line of the regression corpus comes out as labelled, and the score is printed', () => {
  const score = scoreOf(lines)
  process.stdout.write(`\nnote: ${shownScore('regression corpus', score)}\n`)
  assert.equal(
    [...score.claimsMissed, ...score.othersFlagged].map(({ id, text }) => `${id}: ${text}`),
    [],
  )
})

test.run()
