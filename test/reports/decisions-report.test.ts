// Holds the decisions report to sums worked out by hand, and to the reasons handed in beside it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { DecisionsDay, ListedDecision } from '../../src/projections/decisions.js'
import { decisionsReport } from '../../src/reports/decisions-report.js'
import type { Report } from '../../src/reports/report.js'
import { reportFaces } from '../../src/reports/report-face.js'
import { rowsOf } from '../support/report-rows.js'
import { decisionsDay, handle, reportFrame } from '../support/report-views.js'
import { readStrictMarkup } from '../support/strict-markup.js'

const test = suite('decisions-report')

const listed = (index: number, more: Partial<ListedDecision> = {}): ListedDecision => ({
  ...{ index, time: '2026-03-01T10:00:00.000Z', session: handle(1), gate: 'capability', mode: 'enforce', verdict: 'deny' },
  ...{ code: 'path_not_granted', enforced: true, tool: 'write_file', call: index - 2 },
  ...more,
})

const days = new Map<string, DecisionsDay>([
  [
    '2026-03-01',
    decisionsDay({
      decisions: 5,
      gates: { capability: { allow: 2, deny: 2, ask: 1, enforced: 3 } },
      modes: { 'capability enforce': { allow: 2, deny: 2, ask: 1, enforced: 3 } },
      codes: {
        'capability allow granted': { decisions: 2, enforced: 0 },
        'capability deny path_not_granted': { decisions: 2, enforced: 2 },
        'capability ask approval_required': { decisions: 1, enforced: 1 },
      },
      tools: { terminal: { allow: 2, deny: 0, ask: 1, enforced: 1 }, write_file: { allow: 0, deny: 2, ask: 0, enforced: 2 } },
      listed: {
        deny: [listed(12), listed(15)],
        ask: [listed(18, { verdict: 'ask', code: 'approval_required', tool: 'terminal' })],
      },
      probes: 2,
    }),
  ],
  [
    '2026-03-03',
    decisionsDay({
      decisions: 2,
      gates: { capability: { allow: 1, deny: 0, ask: 0, enforced: 0 }, provenance: { allow: 0, deny: 1, ask: 0, enforced: 0 } },
      modes: {
        'capability observe': { allow: 1, deny: 0, ask: 0, enforced: 0 },
        'provenance observe': { allow: 0, deny: 1, ask: 0, enforced: 0 },
      },
      codes: {
        'capability allow granted': { decisions: 1, enforced: 0 },
        'provenance deny no_quote': { decisions: 1, enforced: 0 },
      },
      tools: { memory: { allow: 1, deny: 1, ask: 0, enforced: 0 } },
      listed: {
        deny: [listed(30, { gate: 'provenance', code: 'no_quote', enforced: false, tool: '', call: null, session: '' })],
        ask: [],
      },
    }),
  ],
])

const words = new Map([
  [15, { reason: 'the path /etc is not granted' }],
  [30, {}],
])
const build = (since?: string, limit = 50): Report =>
  decisionsReport(days, words, since === undefined ? reportFrame : { ...reportFrame, since }, { limit })

const figuresOf = ({ figures }: Report): unknown => Object.fromEntries(figures.map(({ key, value }) => [key, value]))

test('the figures are the sums of the days, and what the host was held to stands apart', () => {
  assert.equal(figuresOf(build()), { decisions: 7, allowed: 3, denied: 3, asked: 1, enforced: 3, probes: 2 })
  assert.equal(figuresOf(build('2026-03-02T00:00:00.000Z')), {
    decisions: 2,
    allowed: 1,
    denied: 1,
    asked: 0,
    enforced: 0,
    probes: 0,
  })
})

test('by gate, mode, code and tool, and a day at a time with the empty one', () => {
  const report = build()
  const texts = (section: string): string[] => rowsOf(report, section).map((row) => Object.values(row).join(' '))
  assert.equal(texts('modes'), ['capability enforce 2 2 1 3', 'capability observe 1 0 0 0', 'provenance observe 0 1 0 0'])
  assert.equal(texts('codes'), [
    'capability allow granted 3 0',
    'capability deny path_not_granted 2 2',
    'capability ask approval_required 1 1',
    'provenance deny no_quote 1 0',
  ])
  assert.equal(texts('tools'), ['write_file 0 2 0 2', 'memory 1 1 0 0', 'terminal 2 0 1 1'])
  assert.equal(texts('days'), ['2026-03-01 2 2 1', '2026-03-02 0 0 0', '2026-03-03 1 1 0'])
  assert.equal(
    rowsOf(report, 'gates').map(({ gate, decisions }) => [gate, decisions]),
    [
      ['capability', 6],
      ['provenance', 1],
    ],
  )
})

test('refusals and questions stand newest first with their reasons; one whose words are gone keeps its code', () => {
  assert.equal(
    rowsOf(build(), 'denied').map(({ index, tool, reason, held, call }) => [index, tool, reason, held, call]),
    [
      [30, null, 'no_quote', 'no', null],
      [15, 'write_file', 'the path /etc is not granted', 'yes', 13],
      [12, 'write_file', 'path_not_granted (no words kept)', 'yes', 10],
    ],
  )
  assert.equal(
    rowsOf(build(), 'asked').map(({ index, code }) => [index, code]),
    [[18, 'approval_required']],
  )
  const one = build(undefined, 1)
  assert.equal([rowsOf(one, 'denied').length, one.sections.find(({ key }) => key === 'denied')?.table?.more], [1, 2])
})

test('reasons are anybody’s words: each face makes them harmless', async () => {
  const hostile = '<script>alert(1)</script> \u001b[31m\u202e |'
  const report = decisionsReport(days, new Map([[30, { reason: hostile }]]), reportFrame, { limit: 9 })
  readStrictMarkup(await reportFaces.html(report))
  for (const face of ['text', 'md', 'html'] as const) assert.not.match(await reportFaces[face](report, { width: 100 }), '\u001b')
})

test('without a decision every section says so', () => {
  const report = decisionsReport(new Map(), new Map(), reportFrame, { limit: 9 })
  assert.ok(report.sections.every(({ note, table }) => note !== undefined && table === undefined))
})

test.run()
