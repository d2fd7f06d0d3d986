// Holds the approvals report to stories and sums written by hand: who was asked, who said yes, and what ran without it.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ApprovalStory, ApprovalsDay } from '../../src/projections/approvals.js'
import { approvalsReport } from '../../src/reports/approvals-report.js'
import type { Report } from '../../src/reports/report.js'
import { figuresIn, rowsOf } from '../support/report-rows.js'
import { approvalsDay, handle, reportFrame } from '../support/report-views.js'

const test = suite('approvals-report')

const time = '2026-03-01T10:00:00.000Z'
const story = (more: Partial<ApprovalStory>): ApprovalStory => ({
  ...{ call: null, tool: '', session: handle(1), time, wanted: null, request: null, answer: null, outcome: null },
  ...more,
})
const asked = (index: number, by: 'rule' | 'host' = 'rule') => ({ index, time, surface: 'cli', asked: by })

const days = new Map<string, ApprovalsDay>([
  [
    '2026-03-01',
    approvalsDay({
      requests: 3,
      asked: { rule: 2, host: 1 },
      surfaces: { cli: { requests: 2, answers: 2 }, '': { requests: 1, answers: 0 } },
      answers: 2,
      answered: { once: { answers: 1 }, timeout: { answers: 1 } },
      by: { person: 1, model: 0, nobody: 1, unknown: 0 },
      waited: { answers: 2, sumMs: 9000, maxMs: 8000 },
      ranWithout: { unasked: 1, refused: 0, early: 1 },
      unanswered: 1,
      listed: [
        story({
          ...{ call: 10, tool: 'write_file', wanted: 11, request: asked(12) },
          ...{ answer: { index: 13, answer: 'once', by: 'person', waitedMs: 1000 }, outcome: { index: 14, status: 'ok' } },
        }),
        // Case 64: changed first, asked afterwards.
        story({
          ...{ call: 20, tool: 'write_file', request: asked(22, 'host'), outcome: { index: 21, status: 'ok' } },
          answer: { index: 23, answer: 'timeout', by: 'nobody', waitedMs: 8000 },
        }),
        story({ call: 30, tool: 'terminal', wanted: 31, outcome: { index: 32, status: 'ok' }, session: '' }),
        story({ call: 40, tool: 'terminal', wanted: 41, request: asked(42) }),
      ],
    }),
  ],
  [
    '2026-03-02',
    approvalsDay({
      answers: 1,
      answered: { always: { answers: 1 } },
      by: { person: 1, model: 0, nobody: 0, unknown: 0 },
      lasting: 1,
      waited: { answers: 1, sumMs: 3000, maxMs: 3000 },
      listed: [
        story({
          ...{ call: 40, tool: 'terminal', wanted: 41, request: asked(42) },
          answer: { index: 50, answer: 'always', by: 'person', waitedMs: 3000 },
        }),
      ],
    }),
  ],
])

const words = new Map([
  [12, { command: 'write notes.md', description: 'outside of what is granted', keys: ['plugin_rule:x'] }],
  [31, { reason: 'a person must say yes' }],
])

const build = (limit = 50): Report => approvalsReport(days, words, reportFrame, { limit })

test('the figures are the sums of the days; the longest wait is the longest of all, and the mean that of all answers', () => {
  assert.equal(figuresIn(build()), {
    ...{ requests: 3, askedByRule: 2, askedByHost: 1, answers: 3, byPerson: 2, byModel: 0, byNobody: 1, lasting: 1 },
    ...{ unanswered: 1, meanWait: 4000, longestWait: 8000, ranUnasked: 1, ranEarly: 1, ranRefused: 0, probes: 0 },
  })
})

test('case 64: each story shows its entries in order, who approved, and whether it ran before; told on two days it stands once', () => {
  assert.equal(
    rowsOf(build(), 'stories').map(({ order, path, shown, call }) => [order, path, shown, call]),
    [
      ['40 call, 41 wanted, 42 asked, 50 answered', 'a person: always', '(forgotten)', 40],
      [
        '30 call, 31 wanted, 32 back',
        'nobody was asked – a gate wanted it asked, and no question is on record',
        'a person must say yes',
        30,
      ],
      ['20 call, 21 back, 22 asked, 23 answered', 'nobody: timeout – it came back before the answer', '(forgotten)', 20],
      ['10 call, 11 wanted, 12 asked, 13 answered, 14 back', 'a person: once', 'write notes.md – outside of what is granted', 10],
    ],
  )
  const two = build(2)
  assert.equal([rowsOf(two, 'stories').length, two.sections.find(({ key }) => key === 'stories')?.table?.more], [2, 2])
})

test('answers by the host’s words and by who gave them, and requests by surface', () => {
  const texts = (section: string): string[] => rowsOf(build(), section).map((row) => Object.values(row).slice(0, 3).join(' '))
  assert.equal(texts('answers'), [
    'answer once 1',
    'answer timeout 1',
    'answer always 1',
    'answerer person 2',
    'answerer model 0',
    'answerer nobody 1',
    'answerer unknown 0',
  ])
  assert.equal(texts('surfaces'), ['(not named) 1 0', 'cli 2 2'])
  assert.equal(
    texts('ran').map((row) => row.split(' ').slice(0, 2).join(' ')),
    ['unasked 1', 'early 1', 'refused 0'],
  )
})

test('where nothing was to be approved every section says so', () => {
  const report = approvalsReport(new Map(), new Map(), reportFrame, { limit: 9 })
  assert.ok(report.sections.every(({ note, table }) => note !== undefined && table === undefined))
  assert.is(figuresIn(report)['meanWait'], null)
})

test.run()
