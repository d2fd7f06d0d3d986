// Holds the JSON face to raw numbers, names that stay, and every text as it is.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { jsonReport } from '../../src/reports/json-report.js'
import { anyHostileName, neverShown } from '../support/hostile-names.js'
import { reportFrame, reportOfText } from '../support/report-views.js'

const test = suite('json-report')

test('the shape stays: figures and sections by key, rows by column, raw values', () => {
  const value = JSON.parse(jsonReport(reportOfText('plain')))
  assert.equal(Object.keys(value), [
    'report',
    'title',
    'ledger',
    'asOf',
    'since',
    'span',
    'madeAt',
    'program',
    'figures',
    'sections',
    'notes',
  ])
  assert.equal(value.asOf, { size: 1234, time: '2026-03-04T10:11:12.345Z' })
  assert.is(value.since, null)
  assert.is(value.madeAt, reportFrame.madeAt)
  assert.equal(value.figures, { figure: 'plain' })
  const { section } = value.sections
  assert.equal(section.rows, [
    { name: 'plain', count: 1, time: 'plain' },
    { name: 'plain', count: 2, time: null, depth: 1 },
  ])
  assert.is(section.more, 3)
  assert.equal(section.columns[1], { key: 'count', label: 'Count', kind: 'count' })
  assert.equal(section.chart.series[0].values, [1, 2])
})

test('every text is read back as it was, and none steers the terminal that shows it', () => {
  fc.assert(
    fc.property(anyHostileName, (name) => {
      const json = jsonReport(reportOfText(name))
      assert.not.match(json.replaceAll(/[\u200b\u00ad\u2060-\u2065\ufeff]/g, ''), neverShown)
      const value = JSON.parse(json)
      assert.is(value.title, name)
      assert.is(value.sections.section.rows[0].name, name)
    }),
  )
})

test.run()
