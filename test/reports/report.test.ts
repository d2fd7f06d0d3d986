// Holds what stands under a title to the frame.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Report, reportFacts } from '../../src/reports/report.js'
import { reportFrame } from '../support/report-views.js'

const test = suite('report')

const empty: Report = { name: 'a', title: 'A', frame: reportFrame, span: null, figures: [], sections: [], notes: [] }

test('the facts name the ledger, what was counted, the days, when it was made and by what', () => {
  const since = '2026-03-01T00:00:00.000Z'
  const facts = reportFacts({ ...empty, frame: { ...reportFrame, since }, span: { from: '2026-03-01', to: '2026-03-04' } })
  assert.equal(
    facts.map(({ key, value }) => [key, value]),
    [
      ['ledger', 'ledger-of-a-test'],
      ['size', 1234],
      ['time', '2026-03-04T10:11:12.345Z'],
      ['since', since],
      ['span', '2026-03-01 to 2026-03-04'],
      ['madeAt', '2026-03-05T08:00:00.000Z'],
      ['program', 'stele 9.9.9'],
    ],
  )
})

test('where no time was asked for and nothing happened, there is no since and no span', () => {
  const facts = reportFacts(empty)
  assert.not.ok(facts.some(({ key }) => key === 'since'))
  assert.is(facts.find(({ key }) => key === 'span')?.value, null)
})

test.run()
