// Holds the coverage report to parts written by hand: the share of calls, the times without a service, and every hole with its entries.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CoverageDay } from '../../src/projections/coverage.js'
import { type CoverageWatch, coverageWatch, type Hole, holeKinds } from '../../src/projections/coverage-watch.js'
import { type CoverageParts, coverageReport, isCovered } from '../../src/reports/coverage-report.js'
import { holeWords } from '../../src/reports/hole-words.js'
import type { Report } from '../../src/reports/report.js'
import { reportFaces } from '../../src/reports/report-face.js'
import { figuresIn, rowsOf } from '../support/report-rows.js'
import { coverageDay, handle, reportFrame } from '../support/report-views.js'

const test = suite('coverage-report')

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString()
const hole = (kind: Hole['kind'], index: number, more: Partial<Hole> = {}): Hole => ({
  ...{ kind, index, begin: null, time: at(index), from: null, session: '', name: '', count: 1 },
  ...more,
})
const kindOf = (...listed: Hole[]) => ({
  holes: listed.length,
  count: listed.reduce((sum, { count }) => sum + count, 0),
  awayMs: 0,
  listed,
})

/** Row C23: seven of ten calls, and the time in which the others were not. */
const day: CoverageDay = coverageDay({
  calls: { judged: 7, unjudged: 3, off: 2 },
  turns: { ended: 4, blind: 1 },
  surfaces: {
    cli: { judged: 7, unjudged: 3, off: 2, turns: 3, blind: 0 },
    tui: { judged: 0, unjudged: 0, off: 0, turns: 1, blind: 1 },
  },
  stretches: [
    { calls: 3, before: { index: 20, time: at(1) }, first: { index: 22, time: at(5) }, after: { index: 30, time: at(11) } },
  ],
  kinds: {
    unrequested: kindOf(hole('unrequested', 22, { name: 'terminal', session: handle(1) })),
    numbers: kindOf(hole('numbers', 25, { begin: 3, name: '4-6', count: 3 })),
    killed: kindOf(hole('killed', 40, { begin: 39, from: at(20), time: at(50) })),
    stopped: kindOf(hole('stopped', 45, { begin: 44, from: at(51), time: at(59), name: 'idle' })),
    file_changed: kindOf(
      hole('file_changed', 46, { begin: 10, name: 'skill', count: 2 }),
      hole('file_changed', 47, { begin: 46, name: '' }),
    ),
  },
  starts: 3,
})

const parts = (watch: Partial<CoverageWatch> = {}): CoverageParts =>
  new Map<string, CoverageDay | CoverageWatch>([
    ['2026-03-01', day],
    ['ledger', { ...coverageWatch.initial(), ...watch }],
  ])

const words = new Map([[46, { names: ['skills/a/SKILL.md', 'skills/b/SKILL.md', 'seen for the first time'] }]])
const build = (of = parts(), limit = 50): Report => coverageReport(of, words, reportFrame, { limit })

test('row C23: 7 of 10 calls were judged, with the times in which the others were not', () => {
  const report = build()
  const figures = figuresIn(report)
  assert.equal([figures['calls'], figures['judged'], figures['share'], figures['off']], [12, 7, 0.7, 2])
  assert.is(report.sections.find(({ key }) => key === 'share')?.note, '7 of 10 calls were judged.')
  assert.equal(rowsOf(report, 'share'), [{ from: at(1), to: at(11), calls: 3, first: 22, before: 20, after: 30 }])
})

test('what goes on is told too: a time that has not ended, a call that is open, and the newest call as it stands', () => {
  const call = { index: 90, time: at(30), session: handle(2), tool: 'terminal' }
  const report = build(
    parts({
      stretch: { calls: 1, before: null, first: { index: 80, time: at(29) } },
      open: [{ ...call, isDenied: false }],
      newest: { ...call, judgedIn: [90], isJudged: false },
    }),
  )
  assert.equal(
    rowsOf(report, 'share').map(({ first, to }) => [first, to]),
    [
      [80, null],
      [22, at(11)],
    ],
  )
  assert.equal([figuresIn(report)['calls'], figuresIn(report)['open']], [13, 1])
  assert.equal(
    rowsOf(report, 'open').map(({ index, tool }) => [index, tool]),
    [[90, 'terminal']],
  )
})

test('was the service awake the whole time: every time that it was not, with why and the entries around it', () => {
  assert.equal(
    rowsOf(build(), 'away').map(({ from, to, lasted, before, after }) => [from, to, lasted, before, after]),
    [
      [at(51), at(59), 8 * 60_000, 44, 45],
      [at(20), at(50), 30 * 60_000, 39, 40],
    ],
  )
  assert.match(String(rowsOf(build(), 'away')[0]?.['why']), /nobody had asked/)
  const whole = build(new Map([['2026-03-01', coverageDay({ starts: 1 })]]))
  assert.match(whole.sections.find(({ key }) => key === 'away')?.note ?? '', 'the whole time')
})

test('case 53: a surface of which nothing was heard or judged is not covered', () => {
  assert.equal(
    rowsOf(build(), 'surfaces').map(({ surface, covered }) => [surface, covered]),
    [
      ['cli', 'yes'],
      ['tui', 'no'],
    ],
  )
  const of = { judged: 0, unjudged: 0, off: 0, turns: 0, blind: 0 }
  assert.equal(
    [
      { ...of, turns: 2 },
      { ...of, turns: 2, unjudged: 1 },
      { ...of, judged: 1, unjudged: 5 },
      { ...of, off: 3 },
    ].map(isCovered),
    [true, false, true, true],
  )
})

test('row P90: files that changed are named with the entries between which they did; of forgotten names that is said', () => {
  assert.equal(
    rowsOf(build(), 'files').map(({ index, files, target, begin }) => [index, files, target, begin]),
    [
      [47, '(forgotten)', 'several', 46],
      [46, 'skills/a/SKILL.md, skills/b/SKILL.md', 'skill', 10],
    ],
  )
})

test('every hole stands with its entry, newest first, as many as were asked for, and how many more there are', () => {
  assert.equal(
    rowsOf(build(), 'holes').map(({ index, begin, count }) => [index, begin, count]),
    [
      [47, 46, 1],
      [46, 10, 2],
      [45, 44, 1],
      [40, 39, 1],
      [25, 3, 3],
      [22, null, 1],
    ],
  )
  const two = build(parts(), 2)
  assert.equal([rowsOf(two, 'holes').length, two.sections.find(({ key }) => key === 'holes')?.table?.more], [2, 4])
  assert.equal(
    rowsOf(build(), 'kinds').map(({ holes, count, weight }) => [holes, count, weight]),
    [
      [1, 1, 'wrong'],
      [1, 3, 'wrong'],
      [1, 1, 'note'],
      [1, 1, 'note'],
      [2, 3, 'note'],
    ],
  )
})

test('every kind has words of its own, and every face can be written', async () => {
  const labels = holeKinds.map((kind) => holeWords[kind].label)
  assert.is(new Set(labels).size, holeKinds.length)
  for (const face of ['text', 'md', 'html', 'json'] as const)
    assert.ok((await reportFaces[face](build(), { width: 100 })).includes('Coverage'), face)
})

test('without an entry every section says so, but for none that anybody could take for good news', () => {
  const report = build(new Map())
  assert.ok(report.sections.every(({ note, table }) => note !== undefined && table === undefined))
  assert.match(report.sections.find(({ key }) => key === 'away')?.note ?? '', 'No service has said')
  assert.is(figuresIn(report)['share'], null)
})

test.run()
