// Holds the report of grants to a hand count of the session that was recorded of a real host, to sums worked out by hand, and on each face to
// words chosen to do harm.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type GrantsDay, grants } from '../../src/projections/grants.js'
import { foldEvents } from '../../src/projections/projection.js'
import { type EntryWords, type GrantsReportOptions, grantsReport } from '../../src/reports/grants-report.js'
import { policyInWords } from '../../src/reports/policy-in-words.js'
import type { Report, ReportFrame } from '../../src/reports/report.js'
import { reportFaces } from '../../src/reports/report-face.js'
import type { ViewAnswer } from '../../src/service/view-questions.js'
import { proposed, type Reach, requested, toolDecided } from '../support/judged-calls.js'
import { loneDesk } from '../support/lone-desk.js'
import { grantedPolicy, reachOf, recordedGrants } from '../support/recorded-grants.js'
import { type RecordedPayload, recordedPayloads } from '../support/recorded-session.js'
import { grantsDay, handle, reportFrame } from '../support/report-views.js'
import { readStrictMarkup } from '../support/strict-markup.js'

const test = suite('grants-report')

const options: GrantsReportOptions = { limit: 50, policy: undefined }

type Cells = Readonly<Record<string, unknown>>

function rowsOf(report: Report, section: string): readonly Cells[] {
  const table = report.sections.find(({ key }) => key === section)?.table
  return (table?.rows ?? []).map(({ cells }) => Object.fromEntries((table?.columns ?? []).map(({ key }, at) => [key, cells[at]])))
}

const textsOf = (report: Report, section: string, ...keys: string[]): string[] =>
  rowsOf(report, section).map((row) => keys.map((key) => row[key]).join(' · '))
const figuresOf = ({ figures }: Report): Cells => Object.fromEntries(figures.map(({ key, value }) => [key, value]))

/** The recorded session with its calls judged, in a ledger: read back as a view with words. */
async function recorded(): Promise<{ answer: ViewAnswer; indices: readonly number[] }> {
  const { home, decisions } = await recordedGrants()
  const desk = loneDesk(home.files)
  const answer = await desk.answer({ ask: 'view', name: 'grants', listed: 1000 })
  await desk.close()
  await home.close()
  return { answer, indices: decisions }
}

function reportOf({ parts, words = {}, policy: index }: ViewAnswer): Report {
  const told = new Map(Object.entries(words).flatMap(([at, said]) => (said === null ? [] : [[Number(at), said] as const])))
  const inForce = index === null || index === undefined ? undefined : policyInWords(told.get(index)?.['policy'])
  return grantsReport(new Map(Object.entries(parts) as [string, GrantsDay][]), told, reportFrame, { limit: 50, policy: inForce })
}

test('row C14: the counts are those of a hand count of the recorded session', async () => {
  const { answer } = await recorded()
  const report = reportOf(answer)
  // Ten calls: four of memory, and one each of read_file, search_files, patch, terminal, write_file and skill_manage.
  assert.equal(figuresOf(report), {
    ...{ asked: 10, decided: 10, seen: 1, allowed: 4, denied: 6, askedPerson: 0, wouldRefuse: 6, toolsNotGranted: 6, probes: 0 },
  })
  assert.equal(textsOf(report, 'tools', 'tool', 'asked', 'allowed', 'denied', 'reads', 'writes', 'commands'), [
    'memory · 4 · 4 · 0 · 0 · 0 · 0',
    'patch · 1 · 0 · 1 · 0 · 1 · 0',
    'read_file · 1 · 0 · 1 · 1 · 0 · 0',
    'search_files · 1 · 0 · 1 · 1 · 0 · 0',
    'skill_manage · 1 · 0 · 1 · 0 · 0 · 0',
    'terminal · 1 · 0 · 1 · 0 · 0 · 2',
    'write_file · 1 · 0 · 1 · 0 · 1 · 0',
  ])
  assert.equal(textsOf(report, 'reasons', 'code', 'denied', 'held', 'tools'), [
    'tool_not_granted · 5 · 0 · patch, search_files, skill_manage, terminal, write_file',
    'path_not_granted · 1 · 0 · read_file',
  ])
})

test('row C14: each path and command that was used and not granted has its tool, its reason and the entries behind it', async () => {
  const { answer, indices } = await recorded()
  const report = reportOf(answer)
  // The order of the recorded calls: memory three times, read, search, patch, terminal, write, memory, skill_manage.
  const [read, search, patch, terminal, write] = indices.slice(3, 8)
  assert.equal(textsOf(report, 'wordGap', 'used', 'how', 'tool', 'calls', 'codes', 'entries'), [
    `/srv/agent/project/docs · read, all beneath · search_files · 1 · tool_not_granted · ${search}`,
    `/srv/agent/project/docs/notes.md · read · read_file · 1 · path_not_granted · ${read}`,
    `/srv/agent/project/docs/notes.md · write · patch · 1 · tool_not_granted · ${patch}`,
    `/srv/agent/project/docs/summary.md · write · write_file · 1 · tool_not_granted · ${write}`,
    `ls -la docs · command · terminal · 1 · tool_not_granted · ${terminal}`,
    `pytest -q --version · command · terminal · 1 · tool_not_granted · ${terminal}`,
  ])
  assert.equal(textsOf(report, 'toolGap', 'tool', 'refused', 'codes', 'entries'), [
    `patch · 1 · tool_not_granted · ${patch}`,
    `read_file · 1 · path_not_granted · ${read}`,
    `search_files · 1 · tool_not_granted · ${search}`,
    `skill_manage · 1 · tool_not_granted · ${indices[9]}`,
    `terminal · 1 · tool_not_granted · ${terminal}`,
    `write_file · 1 · tool_not_granted · ${write}`,
  ])
  assert.equal(textsOf(report, 'refused', 'index', 'reason').slice(0, 2), [
    `${indices[9]} · because of skill_manage`,
    `${write} · because of write_file`,
  ])
})

test('row C14: what is granted and was not used is told of the policy in force: tools, paths and commands', async () => {
  const report = reportOf((await recorded()).answer)
  // /srv/agent/project/** may be written by tools that were granted it, and none of those wrote there.
  assert.equal(textsOf(report, 'unused', 'skill', 'what', 'granted'), [
    '* · tool · todo',
    '* · tool · mcp__github__*',
    '* · path · /srv/agent/other/** (read)',
    '* · path · /srv/agent/project/** (write)',
    '* · command · git st*',
  ])
})

const noteOf = (report: Report, section: string): string | undefined => report.sections.find(({ key }) => key === section)?.note

test('without a policy in force, or with one that cannot be read, the report says so', () => {
  const none = grantsReport(new Map(), new Map(), reportFrame, options)
  assert.match(noteOf(none, 'unused') ?? '', /^No allowlist is in force/)
  assert.match(
    noteOf(grantsReport(new Map(), new Map(), reportFrame, { ...options, policy: null }), 'unused') ?? '',
    /cannot be read/,
  )
  assert.equal([none.span, figuresOf(none)['seen'], noteOf(none, 'toolGap')], [null, null, 'The capability gate judged nothing.'])
  for (const text of [undefined, '', '{}', '[]', 'null', '{"allowlists":[{}],"protected":[],"pathStyle":"posix"}'])
    assert.is(policyInWords(text), null, String(text))
  assert.equal(policyInWords(JSON.stringify(grantedPolicy)), grantedPolicy)
})

/** Two days, made with the fold: three denials and a question in two sessions, then an allowance and one that the host was held to. */
function twoDays(): { days: Map<string, GrantsDay>; words: EntryWords } {
  const days = new Map<string, GrantsDay>()
  const words = new Map<number, Cells>()
  let index = 0
  const add = (day: string, tool: string, reach: Reach, decision: Parameters<typeof toolDecided>[1], session = handle(1)) => {
    const events = [
      requested(tool, { session }),
      proposed(index, { ...reach, tool, session }),
      toolDecided(index + 1, { session, ...decision }),
    ]
    const view = days.get(day) ?? grants.initial()
    days.set(day, foldEvents(grants, view, events, { index, time: `${day}T10:00:0${index % 10}.000Z` }))
    for (const [at, event] of events.entries()) words.set(index + at, event.words as Cells)
    index += 3
  }
  const file: Reach = { touches: [{ asked: 'a', typed: '/srv/a' }] }
  add('2026-03-01', 'read_file', file, { code: 'path_not_granted' })
  add('2026-03-01', 'read_file', file, { code: 'path_not_granted' }, handle(2))
  add('2026-03-01', 'patch', { touches: [{ asked: 'a', typed: '/srv/a', access: 'write' }] }, { code: 'tool_not_granted' })
  add('2026-03-01', 'terminal', { commands: [['$X']] }, { verdict: 'ask', code: 'command_opaque' })
  add('2026-03-03', 'read_file', file, { verdict: 'allow', code: 'granted' })
  add('2026-03-03', 'read_file', file, { code: 'path_not_granted', enforced: true }, handle(2))
  return { days, words }
}

test('by reason, by session and by day, with the empty day; since a day, what was before is left out', () => {
  const { days, words } = twoDays()
  const report = grantsReport(days, words, reportFrame, options)
  assert.equal(textsOf(report, 'reasons', 'code', 'denied', 'askedPerson', 'held', 'first', 'last', 'entries'), [
    'path_not_granted · 3 · 0 · 1 · 2026-03-01T10:00:00.000Z · 2026-03-03T10:00:05.000Z · 2 5 17',
    'command_opaque · 0 · 1 · 0 · 2026-03-01T10:00:09.000Z · 2026-03-01T10:00:09.000Z · 11',
    'tool_not_granted · 1 · 0 · 0 · 2026-03-01T10:00:06.000Z · 2026-03-01T10:00:06.000Z · 8',
  ])
  assert.equal(textsOf(report, 'sessions', 'session', 'asked', 'allowed', 'denied', 'askedPerson', 'held'), [
    `${handle(1)} · 4 · 1 · 2 · 1 · 0`,
    `${handle(2)} · 2 · 0 · 2 · 0 · 1`,
  ])
  assert.equal(textsOf(report, 'days', 'period', 'allowed', 'denied', 'askedPerson', 'held'), [
    '2026-03-01 · 0 · 3 · 1 · 0',
    '2026-03-02 · 0 · 0 · 0 · 0',
    '2026-03-03 · 1 · 1 · 0 · 1',
  ])
  assert.equal(textsOf(report, 'wordGap', 'used', 'how', 'calls', 'sessions').slice(0, 1), ['/srv/a · read · 3 · 2'])
  assert.equal(textsOf(report, 'skills', 'by', 'name', 'denied'), ['skill · * · 4', 'mode · enforce · 1', 'mode · observe · 3'])
  const since = grantsReport(days, words, { ...reportFrame, since: '2026-03-02T12:00:00.000Z' }, options)
  assert.equal([figuresOf(since)['asked'], since.span], [2, { from: '2026-03-03', to: '2026-03-03' }])
})

test('rows beyond the limit are counted, and what is forgotten is called so', () => {
  const { days } = twoDays()
  const report = grantsReport(days, new Map(), reportFrame, { limit: 1, policy: undefined })
  const more = (key: string): number | undefined => report.sections.find((section) => section.key === key)?.table?.more
  assert.equal([more('wordGap'), more('sessions'), more('refused')], [2, 1, 4])
  assert.equal(textsOf(report, 'wordGap', 'used', 'tool', 'calls'), ['(forgotten) · read_file · 3'])
  assert.equal(textsOf(report, 'refused', 'index', 'reason'), ['17 · (forgotten)'])
})

test('where older decisions are not listed any more the report says that paths and entries are of the newest', () => {
  const { days, words } = twoDays()
  const told = (frame: ReportFrame, of: ReadonlyMap<string, GrantsDay>): boolean =>
    grantsReport(of, words, frame, options).notes.some((note) => note.startsWith('Counts have every call.'))
  assert.is(told(reportFrame, days), false)
  const fuller = new Map([...days].map(([day, view]) => [day, { ...view, decided: view.decided + 1 }]))
  assert.is(told(reportFrame, fuller), true)
})

test('on every face anybody’s words stay words, and a day that nobody knows is left out', async () => {
  const { days, words } = twoDays()
  const hostile = '<script>alert(1)</script>\u202e\u001b[31m|`[x](y)'
  const harmed = new Map([...words].map(([index, said]) => [index, { ...said, ...harm(said, hostile) }]))
  const report = grantsReport(new Map([...days, ['9999-99-99', grantsDay({ asked: 7 })]]), harmed, reportFrame, options)
  assert.is(figuresOf(report)['asked'], 6)
  for (const [name, face] of Object.entries(reportFaces)) {
    const text = await face(report, { width: 120 })
    if (name === 'json') assert.ok((JSON.parse(text) as object) !== null)
    else assert.not.match(text, /\u202e|\u001b\[31m/, name)
    if (name === 'html') {
      readStrictMarkup(text)
      assert.not.match(text, /<script/)
    }
  }
})

function harm(said: Cells, text: string): Cells {
  if ('reason' in said) return { reason: text }
  const touches = said['touches']
  return Array.isArray(touches) ? { touches: touches.map((touch: object) => ({ ...touch, typed: text })) } : {}
}

test('every recorded call has a hand-made reach, so that none is left out of the count', () => {
  const called = recordedPayloads.filter(({ hook_event_name }: RecordedPayload) => hook_event_name === 'pre_tool_call')
  assert.equal([...new Set(called.map(({ tool_name }) => tool_name ?? ''))].sort(), Object.keys(reachOf).sort())
})

test.run()
