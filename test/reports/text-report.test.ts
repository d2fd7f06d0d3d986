// Holds the terminal's face to its width, to columns that stand below each other in every script, and to harmless text.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Report } from '../../src/reports/report.js'
import { textReport } from '../../src/reports/text-report.js'
import { anyHostileName, hostileNames, neverShown } from '../support/hostile-names.js'
import { reportFrame, reportOfText } from '../support/report-views.js'

const test = suite('text-report')

function reportOfRows(rows: readonly (readonly [string, number])[], chart = false): Report {
  const table = {
    caption: 'T',
    columns: [
      { key: 'name', label: 'Name', kind: 'text' },
      { key: 'count', label: 'Count', kind: 'count' },
    ],
    rows: rows.map((cells) => ({ cells })),
  } as const
  const head = { key: 's', heading: 'Section' }
  const drawn = {
    form: 'bar',
    title: 'C',
    kind: 'count',
    categories: rows.map(([name]) => name),
    series: [{ name: 'x', values: rows.map(([, count]) => count) }],
  } as const
  const sections = [chart ? { ...head, table, chart: drawn } : { ...head, table }]
  return { name: 'r', title: 'R', frame: reportFrame, span: null, figures: [], sections, notes: [] }
}

function sectionOf(text: string): string[] {
  const lines = text.trimEnd().split('\n')
  return lines.slice(lines.indexOf('Section') + 2)
}

test('columns are aligned: texts to the left, numbers to the right, wide characters counted as two', () => {
  assert.equal(
    sectionOf(
      textReport(
        reportOfRows([
          ['a', 1],
          ['会议', 1000],
          ['\u{1f600}b', 20],
        ]),
        60,
      ),
    ),
    ['Name  Count', '────  ─────', 'a         1', '会议  1\u202f000', '\u{1f600}b      20'],
  )
})

test('bars are as long as their values, to an eighth of a column, and something is never nothing', () => {
  const [, , ...lines] = sectionOf(
    textReport(
      reportOfRows(
        [
          ['a', 800],
          ['b', 400],
          ['c', 0],
          ['d', 1],
          ['e', 110],
        ],
        true,
      ),
      80,
    ),
  )
  const bars = lines.map((line) => /[█▏▎▍▌▋▊▉]*$/.exec(line)?.[0] ?? '')
  // At most 40 columns: 400 of 800 are 20; 110 of 800 are 5.5; 1 is a twentieth, which is shown as an eighth.
  assert.equal(bars, ['█'.repeat(40), '█'.repeat(20), '', '▏', `${'█'.repeat(5)}▌`])
})

test('where a line has no room, details are left out and named, and then texts are cut', () => {
  const text = textReport(reportOfText('a name that is rather long and goes on for a while'), 50)
  assert.match(text, 'Not shown for want of room: Time.')
  assert.match(text, '…')
  for (const line of text.split('\n').filter((line) => !/^(=+|-+|a name.*while)$/.test(line))) assert.ok(line.length <= 50, line)
  assert.not.match(textReport(reportOfText('short'), 80), 'Not shown')
})

test('numbers are never cut', () => {
  assert.match(textReport(reportOfRows([['x'.repeat(100), 123456789]]), 40), '123\u202f456\u202f789')
})

test('a long table has one width from its first row to its last', () => {
  const rows = Array.from({ length: 350 }, (_, at) => [at === 320 ? '会'.repeat(10) : `n${at}`, at] as const)
  const lines = sectionOf(textReport(reportOfRows(rows), 80))
  // A head, a line below it, and the rows: ten wide characters, a gap, five columns for the numbers.
  assert.is(lines.length, 352)
  assert.is(lines[2], `n0${' '.repeat(24)}0`)
  assert.is(lines[322], `${'会'.repeat(10)}    320`)
  assert.is(lines.at(-1), `n349${' '.repeat(20)}349`)
})

test('what is below another is indented, and rows that were not asked for are counted', () => {
  const text = textReport(reportOfText('plain'), 80)
  assert.match(text, '\n↳ plain ')
  assert.match(text, '\nand 3 more\n')
})

test('no hostile name steers the terminal, adds a line or takes one away', () => {
  const lines = textReport(reportOfText('plain'), 4000).split('\n').length
  for (const name of hostileNames.filter((name) => name.trim() !== '')) {
    const text = textReport(reportOfText(name), 4000)
    assert.not.match(text, neverShown)
    assert.is(text.split('\n').length, lines, JSON.stringify(name))
  }
})

test('whatever text comes at whatever width, it is harmless and well-formed', () => {
  fc.assert(
    fc.property(anyHostileName, fc.integer({ min: 0, max: 120 }), (name, width) => {
      const text = textReport(reportOfText(name), width)
      assert.not.match(text, neverShown)
      assert.ok(text.isWellFormed())
    }),
    { numRuns: 60 },
  )
})

test.run()
