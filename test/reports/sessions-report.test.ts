// Holds the sessions report to sums worked out by hand, on each face, and to names that were forgotten or chosen to do harm.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SessionView } from '../../src/projections/sessions.js'
import type { Report } from '../../src/reports/report.js'
import { reportFaces } from '../../src/reports/report-face.js'
import { listedSessions, sessionsReport } from '../../src/reports/sessions-report.js'
import { handle, reportFrame, sessionView } from '../support/report-views.js'
import { readStrictMarkup } from '../support/strict-markup.js'

const test = suite('sessions-report')

const limit = 50

/** Four sessions and one of the doctor's: what the tests below add up by hand. */
const sessions = new Map<string, SessionView>([
  [
    handle(1),
    sessionView(10, {
      entries: 30,
      platform: 'cli',
      model: 'some/model',
      turns: 4,
      messages: 5,
      calls: { asked: 9, completed: 8, failed: 2 },
      gates: { capability: { allow: 6, deny: 2, ask: 1, enforced: 3 }, provenance: { allow: 1, deny: 0, ask: 0, enforced: 0 } },
      ended: { time: '2026-03-01T00:01:00.000Z', reason: 'user_exit' },
      sources: { attached: true, unattested: false },
    }),
  ],
  [
    handle(2),
    sessionView(50, {
      entries: 20,
      platform: 'cli',
      turns: 1,
      parent: { handle: handle(1), why: 'compression' },
      foreign: 2,
      sources: { attached: true, unattested: true },
    }),
  ],
  [
    handle(3),
    sessionView(40, {
      platform: 'telegram',
      parent: { handle: null, why: 'subagent' },
      sources: { attached: false, unattested: true },
    }),
  ],
  [handle(4), sessionView(45, { started: null })],
  [handle(5), sessionView(60, { probe: true, entries: 100, turns: 100 })],
])

const names = new Map<string, string | undefined>([
  [handle(1), '20260301_000010_abcdef'],
  [handle(2), undefined],
  [handle(3), 'a <b>|name'],
])

function rowsOf(report: Report): readonly { readonly [key: string]: unknown }[] {
  const table = report.sections[0]?.table
  return (table?.rows ?? []).map(({ cells, depth }) => ({
    ...Object.fromEntries((table?.columns ?? []).map(({ key }, at) => [key, cells[at]])),
    ...(depth === undefined ? {} : { depth }),
  }))
}

test('the figures are the sums of the sessions, without those of the doctor', () => {
  const { figures, span } = sessionsReport(sessions, names, reportFrame, { limit })
  assert.equal(Object.fromEntries(figures.map(({ key, value }) => [key, value])), {
    sessions: 4,
    open: 3,
    ended: 1,
    compressions: 1,
    subagents: 1,
    entries: 52,
    turns: 5,
    messages: 5,
    toolCalls: 9,
    completed: 8,
    failed: 2,
    decisions: 10,
    enforced: 3,
    attached: 1,
    unattested: 1,
    mixed: 1,
    foreign: 2,
    probes: 1,
  })
  assert.equal(span, { from: '2026-03-01', to: '2026-03-01' })
})

test('sessions stand newest first and below what they go on from; names may be forgotten or never have been', () => {
  const rows = rowsOf(sessionsReport(sessions, names, reportFrame, { limit }))
  assert.equal(
    rows.map(({ session, depth = 0 }) => [session, depth]),
    [
      ['20260301_000010_abcdef', 0],
      ['(forgotten)', 1],
      ['(not named)', 0],
      ['a <b>|name', 0],
    ],
  )
  assert.equal(rows[0], {
    session: '20260301_000010_abcdef',
    handle: 's0000000000000001',
    lastTime: '2026-03-01T00:00:10.000Z',
    turns: 4,
    messages: 5,
    toolCalls: 9,
    state: 'ended (user_exit)',
    denied: 2,
    asked: 1,
    enforced: 3,
    platform: 'cli',
    goesOnFrom: null,
    source: 'attached',
    firstTime: '2026-03-01T00:00:10.000Z',
    entries: 30,
    failed: 2,
    foreign: 0,
    model: 'some/model',
  })
  assert.equal(
    rows.map(({ goesOnFrom }) => goesOnFrom),
    [null, 's0000000000000001 (compression)', null, 'one never heard of (subagent)'],
  )
  assert.equal(
    rows.map(({ source }) => source),
    ['attached', 'mixed', null, 'unattested'],
  )
  assert.equal(
    rows.map(({ state }) => state),
    ['ended (user_exit)', 'open', 'open', 'open'],
  )
})

test('platforms are summed, most sessions first', () => {
  const table = sessionsReport(sessions, names, reportFrame, { limit }).sections[1]?.table
  assert.equal(
    table?.rows.map(({ cells }) => cells),
    [
      ['cli', 2, 50, 5, 5, 9],
      [null, 1, 1, 0, 0, 0],
      ['telegram', 1, 1, 0, 0, 0],
    ],
  )
})

test('so many are listed as are asked for, and the rest is counted', async () => {
  const report = sessionsReport(sessions, names, reportFrame, { limit: 1 })
  assert.is(report.sections[0]?.table?.rows.length, 1)
  assert.is(report.figures[0]?.value, 4)
  for (const face of [reportFaces.text, reportFaces.md, reportFaces.html])
    assert.match(await face(report, { width: 80 }), 'and 3 more')
  assert.equal(listedSessions(sessions, reportFrame, { limit: 2 }), [handle(1), handle(2)])
})

test('with a time that is asked for, only sessions that went on from then are there', () => {
  const frame = { ...reportFrame, since: '2026-03-01T00:00:45.000Z' }
  const report = sessionsReport(sessions, names, frame, { limit })
  assert.equal(
    rowsOf(report).map(({ handle, depth = 0 }) => [handle, depth]),
    [
      [handle(2), 0],
      [handle(4), 0],
    ],
  )
  assert.equal(listedSessions(sessions, frame, { limit }), [handle(2), handle(4)])
})

test('every face says the same figures and makes a hostile name harmless', async () => {
  const report = sessionsReport(sessions, names, reportFrame, { limit })
  const text = await reportFaces.text(report, { width: 200 })
  assert.match(text, /^Tool calls asked for +9$/m)
  assert.match(text, /^20260301_000010_abcdef +s0{15}1 +2026-03-01T00:00Z +4 +5 +9 /m)
  assert.match(text, /^↳ \(forgotten\) /m)
  const markdown = await reportFaces.md(report)
  assert.match(markdown, '| Tool calls asked for | 9 |')
  assert.match(markdown, '| ` a <b>\\u007cname ` | s0000000000000003 |')
  const json = JSON.parse(await reportFaces.json(report))
  assert.is(json.figures.toolCalls, 9)
  assert.is(json.sections.sessions.rows[3].session, 'a <b>|name')
  assert.is(json.sections.sessions.rows[1].depth, 1)
  const { elements } = readStrictMarkup(await reportFaces.html(report))
  assert.ok(elements.some(({ name, text }) => name === 'th' && text === 'a <b>|name'))
  assert.not.ok(elements.some(({ name }) => name === 'b'))
})

test('without sessions every face says so', async () => {
  const report = sessionsReport(new Map(), new Map(), { ...reportFrame, asOf: { size: 0, time: null } }, { limit })
  assert.is(report.span, null)
  for (const face of Object.values(reportFaces)) assert.match(await face(report, { width: 80 }), 'There are no sessions.')
})

test('of 20,000 sessions only the names of those that are listed are looked up', () => {
  class CountedNames extends Map<string, string | undefined> {
    looks = 0
    override get(key: string): string | undefined {
      this.looks += 1
      return super.get(key)
    }
  }
  const many = new Map<string, SessionView>()
  for (let at = 0; at < 20_000; at += 1) many.set(handle(at), sessionView(at, { turns: 1 }))
  const counted = new CountedNames()
  const report = sessionsReport(many, counted, reportFrame, { limit: 20 })
  assert.equal([report.figures.find(({ key }) => key === 'turns')?.value, report.sections[0]?.table?.more], [20_000, 19_980])
  assert.is(counted.looks, 20)
})

test.run()
