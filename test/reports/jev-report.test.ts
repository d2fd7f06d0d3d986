// Holds the report of the Jev stage to sums and stories written by hand.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JevDay } from '../../src/projections/jev.js'
import type { JevStory } from '../../src/projections/jev-stories.js'
import { jevReport } from '../../src/reports/jev-report.js'
import type { Report } from '../../src/reports/report.js'
import { figuresIn, rowsOf } from '../support/report-rows.js'
import { handle, jevDay, reportFrame } from '../support/report-views.js'

const test = suite('jev-report')

const time = '2026-03-01T10:00:00.000Z'
const story = (more: Partial<JevStory>): JevStory => ({
  ...{ index: 0, time, session: handle(1), stage: 'risk', mode: 'enforce', proposal: 'approve', applied: true, why: '' },
  ...{ tool: 'terminal', triggers: ['destructive'], call: null, settled: null, answer: null, check: null },
  ...more,
})
const stage = { classified: 0, predicted: 0, applied: 0, abstained: 0, failed: 0, incomplete: 0 }

const days = new Map<string, JevDay>([
  [
    '2026-03-01',
    jevDay({
      requests: 4,
      stages: {
        'turn enforce': { ...stage, classified: 2, incomplete: 1 },
        'risk enforce': { ...stage, predicted: 3, applied: 2, abstained: 5, failed: 1 },
        'completion shadow': { ...stage, predicted: 1 },
      },
      unapplied: { 'risk order_unsafe': { proposals: 1 }, 'completion shadow': { proposals: 1 } },
      triggers: { destructive: { predicted: 3, applied: 2 }, uncertain: { predicted: 1, applied: 0 } },
      answers: {
        'risk destructive': { answers: 8, beyond: 2, incomplete: 1, tenths: { '0.0': 6, '0.9': 2 } },
        'completion verification_evidence_present': { answers: 1, beyond: 0, incomplete: 0, tenths: { '0.3': 1 } },
      },
      abstentions: { 'risk low': { entries: 2 }, 'risk unattended': { entries: 3 } },
      failures: { 'risk timeout': { entries: 1 } },
      latency: {
        'risk answered': { requests: 3, sumMs: 300, maxMs: 190, buckets: { 60: 2, 200: 1 } },
        'risk failed': { requests: 1, sumMs: 2000, maxMs: 2000, buckets: { 2000: 1 } },
      },
      tokens: { risk: { answers: 3, input: 1_500_000, output: 40 } },
      models: { 'jev-1.13.0 jev-1.13.0': { answers: 3 } },
      fates: { consumed: { proposals: 1, applied: 1 }, 'consumed unattended': { proposals: 1, applied: 0 } },
      checks: { pytest: { passed: 1, failed: 2, unknown: 0 } },
      prompts: { 'destructive 0.9': { prompts: 4, approved: 1, denied: 1, model: 0, nobody: 1 } },
      nudges: { 'kept_back 0.8': { nudges: 1, failed: 1, passed: 0 } },
      listed: [
        story({ index: 10, call: 12, settled: { index: 13, fate: 'consumed', applied: true } }),
        story({ index: 20, applied: false, why: 'order_unsafe', triggers: ['destructive', 'uncertain'] }),
        story({
          ...{ index: 30, stage: 'completion', mode: 'shadow', proposal: 'continue', applied: false, why: 'shadow' },
          ...{ tool: '', triggers: [], session: '', check: { index: 33, passed: false } },
        }),
      ],
    }),
  ],
  [
    '2026-03-02',
    jevDay({
      requests: 1,
      stages: { 'risk enforce': { ...stage, predicted: 1, applied: 1 } },
      triggers: { destructive: { predicted: 1, applied: 1 } },
      answers: { 'risk destructive': { answers: 2, beyond: 1, incomplete: 0, tenths: { '0.9': 2 } } },
      latency: { 'risk answered': { requests: 1, sumMs: 100, maxMs: 100, buckets: { 100: 1 } } },
      tokens: { risk: { answers: 1, input: 500, output: 10 } },
      models: { 'jev-1.13.0 jev-1.14.0': { answers: 1 } },
      changes: [{ index: 41, time, asked: 'jev-1.13.0', from: 'jev-1.13.0', to: 'jev-1.14.0' }],
      prompts: { 'destructive 0.9': { prompts: 0, approved: 0, denied: 1, model: 0, nobody: 0 } },
      listed: [
        story({
          ...{ index: 10, call: 12, settled: { index: 13, fate: 'consumed', applied: true } },
          answer: { index: 40, outcome: 'denied' },
        }),
      ],
    }),
  ],
  // What goes on from day to day is no day.
  ['ledger', { proposals: [], nudges: [], model: null, told: [] } as never],
  // Somebody was asked something that the stage had no hand in.
  ['2026-03-09', jevDay({})],
])

const words = new Map([[10, { message: 'delete the folder?' }]])
const build = (more: { price?: number; limit?: number; since?: string } = {}): Report => {
  const { price, limit = 50, since } = more
  return jevReport(days, words, { ...reportFrame, ...(since === undefined ? {} : { since }) }, { limit, price })
}

test('the figures are the sums of the days; a day without a word of the stage is none of its days', () => {
  const report = build()
  assert.equal(report.span, { from: '2026-03-01', to: '2026-03-02' })
  assert.equal(figuresIn(report), {
    ...{ requests: 5, classified: 2, predicted: 5, applied: 3, told: 1, nudges: 1, nudgesApplied: 0, abstained: 5, failed: 1 },
    // 2400 ms over five requests; the third of five lies in the bucket that ends at 100, the last is the longest.
    ...{ incomplete: 1, meanTime: 480, halfWithin: 100, mostWithin: 2000, longestTime: 2000 },
    ...{ tokensIn: 1_500_500, tokensOut: 50, modelChanges: 1 },
  })
})

test('no cost is told without a price; with one it is that of the tokens that were sent', () => {
  assert.not.ok('cost' in figuresIn(build()))
  assert.is(figuresIn(build({ price: 0.5 }))['cost'], 0.75025)
  assert.equal(
    rowsOf(build({ price: 2 }), 'tokens').map(({ stage, cost }) => [stage, cost]),
    [['risk', 3.001]],
  )
})

test('shares stand beside their counts, and what decides nothing has neither threshold nor share', () => {
  assert.equal(
    rowsOf(build(), 'stages').map(({ stage, mode, predicted, applied, appliedShare }) => [
      ...[stage, mode, predicted, applied, appliedShare],
    ]),
    [
      ['completion', 'shadow', 1, 0, 0],
      ['risk', 'enforce', 4, 3, 0.75],
      ['turn', 'enforce', 0, 0, null],
    ],
  )
  assert.equal(
    rowsOf(build(), 'answers').map(({ question, answers, beyond, within, beyondShare, incomplete }) => [
      ...[question, answers, beyond, within, beyondShare, incomplete],
    ]),
    [
      ['verification_evidence_present', 1, null, null, null, 0],
      ['destructive', 10, 3, 7, 0.3, 1],
    ],
  )
  const [, tenths] = rowsOf(build(), 'tenths')
  assert.equal([tenths?.['from00'], tenths?.['from05'], tenths?.['from09']], [6, 0, 4])
})

test('triggers, reasons, categories and fates, most or by name first', () => {
  const rows = (section: string): string[] => rowsOf(build(), section).map((row) => Object.values(row).slice(0, 4).join(' '))
  assert.equal(rows('triggers'), ['destructive 4 3 0.75', 'uncertain 1 0 0'])
  assert.equal(rows('abstentions'), ['risk unattended 3', 'risk low 2'])
  assert.equal(rows('failures'), ['risk timeout 1'])
  assert.equal(rows('fates'), ['consumed  1 1', 'consumed unattended 1 0'])
  assert.equal(rows('checks'), ['pytest 1 2 0'])
  assert.equal(rows('models'), ['jev-1.13.0 jev-1.13.0 3', 'jev-1.13.0 jev-1.14.0 1'])
  assert.equal(rows('changes'), ['41 jev-1.13.0 jev-1.14.0 jev-1.13.0'])
  assert.equal(rows('days'), ['2026-03-01 4 4 2', '2026-03-02 1 1 1'])
})

test('row J59: calibration holds answers against what people said and checks showed; shares are of known outcomes alone', () => {
  assert.equal(rowsOf(build(), 'prompts'), [
    {
      ...{ trigger: 'destructive', tenth: '0.9', prompts: 4, approved: 1, denied: 2, deniedShare: 2 / 3 },
      ...{ nobody: 1, model: 0, open: 0 },
    },
  ])
  assert.equal(rowsOf(build(), 'nudges'), [
    { applied: 'no', tenth: '0.8', nudges: 1, failed: 1, passed: 0, failedShare: 1, none: 0 },
  ])
})

test('latency is told by stage and end, each with how many requests it is of', () => {
  assert.equal(
    rowsOf(build(), 'latency').map((row) => Object.values(row)),
    [
      ['risk', 'answered', 4, 100, 60, 190, 190],
      ['risk', 'failed', 1, 2000, 2000, 2000, 2000],
    ],
  )
})

test('proposals are listed newest first, as the last day tells them, with what was shown as long as it is kept', () => {
  assert.equal(
    rowsOf(build(), 'proposals').map(({ index, triggers, became, shown, call }) => [index, triggers, became, shown, call]),
    [
      [30, null, 'not applied (shadow); 33 check failed', null, null],
      [20, 'destructive, uncertain', 'not applied (order_unsafe)', null, null],
      [10, 'destructive', '13 consumed, the host was told; 40 denied', 'delete the folder?', 12],
    ],
  )
  const forgotten = jevReport(days, new Map(), reportFrame, { limit: 50 })
  assert.is(rowsOf(forgotten, 'proposals').at(-1)?.['shown'], '(forgotten)')
  const short = build({ limit: 2 }).sections.find(({ key }) => key === 'proposals')
  assert.equal([short?.table?.rows.length, short?.table?.more], [2, 3])
})

test('since a day, days before it are in no count', () => {
  const { requests, predicted, meanTime } = figuresIn(build({ since: '2026-03-02T12:00:00.000Z' }))
  assert.equal([requests, predicted, meanTime], [1, 1, 100])
})

test('where the stage said nothing every section says so', () => {
  const report = jevReport(new Map([['2026-03-01', jevDay({})]]), new Map(), reportFrame, { limit: 9 })
  assert.ok(report.sections.every(({ note, table }) => note !== undefined && table === undefined))
  assert.equal([report.span, figuresIn(report)['meanTime']], [null, null])
})

test.run()
