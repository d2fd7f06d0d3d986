// Holds the activity report to sums worked out by hand, on each face, and to spans of every length.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { DayView } from '../../src/projections/activity.js'
import { activityReport } from '../../src/reports/activity-report.js'
import type { Report, Table } from '../../src/reports/report.js'
import { reportFaces } from '../../src/reports/report-face.js'
import { dayView, reportFrame } from '../support/report-views.js'
import { readStrictMarkup } from '../support/strict-markup.js'

const test = suite('activity-report')

/** Two days with a day between them: what the tests below add up by hand. */
const days = new Map<string, DayView>([
  [
    '2026-03-04',
    dayView({
      // 2 + 3 + 10 + 5 = 20 entries, of which 4 were asked for by `stele doctor`.
      entries: 20,
      bytes: 2048,
      types: {
        'session.started': { entries: 2, bytes: 200 },
        'message.captured': { entries: 3, bytes: 400 },
        'tool.requested': { entries: 10, bytes: 1000 },
        'gate.decided': { entries: 5, bytes: 448 },
      },
      sessions: 2,
      turns: 3,
      messages: 3,
      characters: 700,
      tools: {
        terminal: { asked: 6, completed: 5, failed: 1, durationMs: 10_000 },
        read_file: { asked: 4, completed: 4, failed: 0, durationMs: 0 },
      },
      gates: { capability: { allow: 7, deny: 2, ask: 1, enforced: 1 } },
      missing: 5,
      foreign: 1,
      probes: 4,
    }),
  ],
  [
    '2026-03-02',
    dayView({
      entries: 5,
      bytes: 1024,
      types: {
        'tool.requested': { entries: 2, bytes: 500 },
        'payload.erased': { entries: 1, bytes: 100 },
        'future.thing': { entries: 2, bytes: 424 },
      },
      tools: { terminal: { asked: 2, completed: 2, failed: 0, durationMs: 4_000 } },
      gates: {
        capability: { allow: 1, deny: 1, ask: 0, enforced: 1 },
        provenance: { allow: 0, deny: 0, ask: 2, enforced: 0 },
      },
      rejected: 3,
      mismatches: 2,
      forgotten: { erasures: 1, entries: 40, bytes: 1536 },
    }),
  ],
])

function tableOf(report: Report, key: string): Table {
  const table = report.sections.find((section) => section.key === key)?.table
  if (table === undefined) throw new Error(`section ${key} has no table`)
  return table
}

function cellsOf(report: Report, key: string): unknown[] {
  return tableOf(report, key).rows.map(({ cells }) => cells)
}

function chartOf(report: Report, key: string) {
  const chart = report.sections.find((section) => section.key === key)?.chart
  if (chart === undefined) throw new Error(`section ${key} has no chart`)
  return chart
}

test('the figures are the sums of the days, without what the doctor asked for', () => {
  const { figures } = activityReport(days, reportFrame)
  assert.equal(Object.fromEntries(figures.map(({ key, value }) => [key, value])), {
    entries: 21,
    sessions: 2,
    turns: 3,
    messages: 3,
    characters: 700,
    toolCalls: 12,
    decisions: 14,
    allowed: 8,
    denied: 3,
    asked: 3,
    enforced: 2,
    missing: 5,
    mismatches: 2,
    foreign: 1,
    rejected: 3,
    forgotten: 40,
    bytes: 3072,
    probes: 4,
  })
})

test('days are in order, and one without entries is zero in the drawing and in the table', () => {
  const report = activityReport(days, reportFrame)
  assert.equal(report.span, { from: '2026-03-02', to: '2026-03-04' })
  const chart = chartOf(report, 'entries')
  assert.equal(chart.categories, ['2026-03-02', '2026-03-03', '2026-03-04'])
  assert.equal(
    chart.series.map(({ name, values }) => [name, ...values]),
    [
      ['Sessions and turns', 0, 0, 2],
      ['Messages', 0, 0, 3],
      ['Tools', 2, 0, 10],
      ['Decisions', 0, 0, 5],
      ['Forgetting', 1, 0, 0],
      ['Other', 2, 0, 0],
    ],
  )
  assert.equal(cellsOf(report, 'entries'), [
    ['2026-03-02', 5, 0, 0, 2, 0, 1, 2],
    ['2026-03-03', 0, 0, 0, 0, 0, 0, 0],
    ['2026-03-04', 20, 2, 3, 10, 5, 0, 0],
  ])
  assert.equal(cellsOf(report, 'growth'), [
    ['2026-03-02', 1024, 1024],
    ['2026-03-03', 0, 1024],
    ['2026-03-04', 2048, 3072],
  ])
  assert.equal(cellsOf(report, 'forgetting'), [['2026-03-02', 1, 40, 1536]])
})

test('tools and gates are summed over the days', () => {
  const report = activityReport(days, reportFrame)
  // 14 seconds over 7 calls that came back.
  assert.equal(cellsOf(report, 'tools'), [
    ['terminal', 8, 7, 1, 2000],
    ['read_file', 4, 4, 0, null],
  ])
  assert.equal(cellsOf(report, 'gates'), [
    ['capability', 12, 8, 3, 1, 2, 0.5],
    ['provenance', 2, 0, 0, 2, 0, 0],
  ])
})

test('a table has as many rows as its drawing has places, and as many cells as columns', () => {
  for (const section of activityReport(days, reportFrame).sections) {
    if (section.table === undefined) continue
    for (const { cells } of section.table.rows) assert.is(cells.length, section.table.columns.length, section.key)
    if (section.chart === undefined) continue
    assert.is(section.chart.categories.length, section.table.rows.length)
    for (const { values } of section.chart.series) assert.is(values.length, section.chart.categories.length)
  }
})

test('with a time that is asked for, the days before it are left out and its own day counts whole', () => {
  const report = activityReport(days, { ...reportFrame, since: '2026-03-03T12:00:00.000Z' })
  assert.equal(report.span, { from: '2026-03-03', to: '2026-03-04' })
  assert.is(report.figures.find(({ key }) => key === 'entries')?.value, 16)
  const later = activityReport(days, { ...reportFrame, since: '2026-03-05T00:00:00.000Z' })
  assert.is(later.span, null)
  assert.is(later.figures.find(({ key }) => key === 'entries')?.value, 0)
})

test('every face says the same figures', async () => {
  const report = activityReport(days, reportFrame)
  const text = await reportFaces.text(report, { width: 100 })
  assert.match(text, /^Entries +21$/m)
  assert.match(text, /^terminal +8 +7 +1 +2\.0 s$/m)
  assert.match(text, /^Size of the facts +3\.0 KiB$/m)
  const markdown = await reportFaces.md(report)
  for (const line of ['| Entries | 21 |', '| terminal | 8 | 7 | 1 | 2.0 s |', '| capability | 12 | 8 | 3 | 1 | 2 | 50.0 % |']) {
    assert.ok(markdown.split('\n').includes(line), line)
  }
  const json = JSON.parse(await reportFaces.json(report))
  assert.is(json.figures.bytes, 3072)
  assert.equal(json.sections.tools.rows[0], { tool: 'terminal', asked: 8, completed: 7, failed: 1, meanMs: 2000 })
  const { elements } = readStrictMarkup(await reportFaces.html(report))
  const terms = elements.filter(({ name }) => name === 'dt').map(({ text }) => text)
  const values = elements.filter(({ name }) => name === 'dd').map(({ text }) => text)
  assert.is(values[terms.indexOf('Entries')], '21')
  assert.is(values[terms.indexOf('Size of the facts')], '3.0 KiB')
  assert.is(elements.filter(({ name }) => name === 'svg').length, 2)
})

test('an empty ledger makes a report that says so, on every face', async () => {
  const report = activityReport(new Map(), { ...reportFrame, asOf: { size: 0, time: null } })
  assert.is(report.span, null)
  assert.ok(report.figures.every(({ value }) => value === 0))
  assert.ok(report.sections.every(({ table, chart }) => table === undefined && chart === undefined))
  for (const face of Object.values(reportFaces)) assert.match(await face(report, { width: 80 }), 'There are no entries.')
})

test('one entry makes a report of one day', () => {
  const day = dayView({ entries: 1, bytes: 300, types: { 'ledger.created': { entries: 1, bytes: 300 } } })
  const report = activityReport(new Map([['2026-03-04', day]]), {
    ...reportFrame,
    asOf: { size: 1, time: '2026-03-04T00:00:00.000Z' },
  })
  assert.equal(cellsOf(report, 'entries'), [['2026-03-04', 1, 1]])
  assert.equal(chartOf(report, 'entries').series, [{ name: 'Housekeeping', values: [1] }])
})

test('400 days are counted by week, and no entry is lost', () => {
  const many = new Map<string, DayView>()
  for (let at = 0; at < 400; at += 1) {
    const day = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
    many.set(day, dayView({ entries: at, bytes: at, types: { 'turn.ended': { entries: at, bytes: at } } }))
  }
  const report = activityReport(many, { ...reportFrame, asOf: { size: 79800, time: '2027-02-04T00:00:00.000Z' } })
  const rows = tableOf(report, 'entries').rows
  assert.is(rows.length, 58)
  // The sum of 0 to 399, and in the first week, from Thursday to Sunday, of 0 to 3.
  assert.is(
    rows.reduce((sum, { cells }) => sum + Number(cells[1]), 0),
    79800,
  )
  assert.equal(rows[0]?.cells.slice(0, 2), ['2025-12-29', 6])
  assert.is(tableOf(report, 'entries').columns[0]?.label, 'Week from')
  assert.ok(report.notes.some((note) => note.includes('a week')))
})

test('a day that is in no calendar counts in the sums and breaks nothing', () => {
  const report = activityReport(new Map([...days, ['2026-99-99', dayView({ entries: 3 })]]), reportFrame)
  assert.equal(report.span, { from: '2026-03-02', to: '2026-03-04' })
  assert.is(report.figures.find(({ key }) => key === 'entries')?.value, 24)
})

test('of tools that a model invented, a hundred are listed and the rest is counted', () => {
  const tools = Object.fromEntries(
    Array.from({ length: 256 }, (_, at) => [`t${at}`, { asked: at, completed: 0, failed: 0, durationMs: 0 }]),
  )
  const table = tableOf(activityReport(new Map([['2026-03-04', dayView({ entries: 1, tools })]]), reportFrame), 'tools')
  assert.equal([table.rows.length, table.more, table.rows[0]?.cells[0]], [100, 156, 't255'])
})

test.run()
