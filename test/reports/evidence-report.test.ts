// Holds the evidence report to sums worked out by hand, to the words handed in beside it, and on each face to words chosen to do harm.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ClaimPlace, EvidenceDay, ListedClaim } from '../../src/projections/evidence.js'
import { type ClaimWords, claimWords, evidenceReport } from '../../src/reports/evidence-report.js'
import type { Report } from '../../src/reports/report.js'
import { reportFaces } from '../../src/reports/report-face.js'
import { evidenceDay, handle, reportFrame } from '../support/report-views.js'
import { readStrictMarkup } from '../support/strict-markup.js'

const test = suite('evidence-report')

const limit = 50

function listed(index: number, day: string, more: Partial<ListedClaim> = {}): ListedClaim {
  return {
    ...{ index, time: `${day}T10:00:00.000Z`, session: handle(1), verdict: 'would_block', reason: 'no_quote', detail: null },
    ...{ tool: 'memory', target: 'memory', digest: null },
    ...more,
  }
}

const repeatedDigest = 'd1'.repeat(32)
const otherDigest = 'd2'.repeat(32)

function place(index: number, target: ClaimPlace['target'] = 'memory'): ClaimPlace {
  return { index, target, targetDigest: target === 'memory' ? repeatedDigest : otherDigest, verdict: 'would_block' }
}

const dayOne = '2026-03-01'
const dayThree = '2026-03-03'

/** Two days with one between them: 5 claims and 4, of which 2 and 1 could not be checked. */
const days = new Map<string, EvidenceDay>([
  [
    dayOne,
    evidenceDay({
      claims: 5,
      outcomes: { supported: 1, unsupported: 2, unchecked: 2 },
      verdicts: { pass: 1, would_block: 2, blocked: 0 },
      reasons: { no_quote: 1, quote_not_found: 1 },
      details: { stitched: 1 },
      matchedIn: { 'this-session': 1 },
      tools: {
        memory: { supported: 1, unsupported: 1, unchecked: 0 },
        skill_manage: { supported: 0, unsupported: 1, unchecked: 2 },
      },
      targets: { memory: { supported: 1, unsupported: 1, unchecked: 0 }, skill: { supported: 0, unsupported: 1, unchecked: 2 } },
      tiers: { '0': { supported: 0, unsupported: 0, unchecked: 2 }, '1': { supported: 1, unsupported: 2, unchecked: 0 } },
      unchecked: { verdicts: { pass: 0, would_block: 2, blocked: 0 }, reasons: { too_many_claims: 1, unreadable_arguments: 1 } },
      listed: {
        unsupported: [
          listed(10, dayOne, { digest: repeatedDigest }),
          listed(11, dayOne, { reason: 'quote_not_found', detail: 'stitched' }),
        ],
        unchecked: [listed(12, dayOne, { reason: 'too_many_claims' }), listed(13, dayOne, { reason: 'unreadable_arguments' })],
        otherwise: [{ index: 16, write: 15, time: `${dayOne}T10:00:00.000Z`, session: '', files: [0, 2] }],
      },
      pairs: 1,
      repeated: [
        { session: handle(1), digest: repeatedDigest, entries: [place(10), place(14, 'skill')], isPair: true },
        { session: handle(1), digest: otherDigest, entries: [place(11)], isPair: false },
      ],
      landed: { as_judged: 4, unchanged: 1, otherwise: 1, open: 1, unread: 0 },
      probes: 3,
    }),
  ],
  [
    dayThree,
    evidenceDay({
      claims: 4,
      outcomes: { supported: 2, unsupported: 1, unchecked: 1 },
      verdicts: { pass: 2, would_block: 0, blocked: 1 },
      reasons: { quote_not_found: 1 },
      matchedIn: { 'this-session': 1, profile: 1 },
      tools: { memory: { supported: 2, unsupported: 1, unchecked: 1 } },
      targets: { memory: { supported: 2, unsupported: 1, unchecked: 1 } },
      tiers: { '2': { supported: 2, unsupported: 1, unchecked: 1 } },
      unchecked: { verdicts: { pass: 0, would_block: 0, blocked: 1 }, reasons: { too_many_claims: 1 } },
      listed: {
        unsupported: [listed(20, dayThree, { verdict: 'blocked', reason: 'quote_not_found' })],
        unchecked: [listed(21, dayThree, { verdict: 'blocked', reason: 'too_many_claims' })],
        otherwise: [{ index: 26, write: 25, time: `${dayThree}T10:00:00.000Z`, session: handle(1), files: [0] }],
      },
      pairs: 1,
      repeated: [{ session: handle(2), digest: repeatedDigest, entries: [place(22, 'user'), place(23)], isPair: true }],
      landed: { as_judged: 1, unchanged: 0, otherwise: 1, open: 0, unread: 2 },
    }),
  ],
])

const words = new Map<number, ClaimWords>([
  [10, { claim: 'User decided one.', quote: null, nearest: null }],
  [20, { claim: 'User decided three.', quote: 'three it is', nearest: 'it is three' }],
  [21, { claim: '', quote: null, nearest: null }],
])

function rowsOf(report: Report, section: string): readonly Readonly<Record<string, unknown>>[] {
  const table = report.sections.find(({ key }) => key === section)?.table
  return (table?.rows ?? []).map(({ cells }) => Object.fromEntries((table?.columns ?? []).map(({ key }, at) => [key, cells[at]])))
}

const build = (since?: string): Report =>
  evidenceReport(days, words, since === undefined ? reportFrame : { ...reportFrame, since }, { limit })

const figuresOf = ({ figures }: Report): unknown => Object.fromEntries(figures.map(({ key, value }) => [key, value]))

test('row P17: the figures are the sums of the days, and what could not be checked is in none of the others', () => {
  assert.equal(figuresOf(build()), {
    claims: 9,
    supported: 3,
    unsupported: 3,
    wouldBlock: 2,
    blocked: 1,
    unchecked: 3,
    pairs: 2,
    otherwise: 2,
    probes: 3,
  })
  assert.equal(build().span, { from: dayOne, to: dayThree })
})

test('row P17: by verdict, by reason with its details below, by tool, target and tier, by day with the empty one', () => {
  const report = build()
  assert.equal(
    rowsOf(report, 'verdicts').map(({ verdict, claims, share }) => [verdict, claims, share]),
    [
      ['pass', 3, 3 / 6],
      ['would_block', 2, 2 / 6],
      ['blocked', 1, 1 / 6],
    ],
  )
  assert.equal(
    rowsOf(report, 'reasons').map(({ reason, claims }) => [reason, claims]),
    [
      ['quote_not_found', 2],
      ['stitched', 1],
      ['no_quote', 1],
    ],
  )
  assert.equal(
    rowsOf(report, 'tools').map((row) => Object.values(row).join(' ')),
    [
      'tool memory 3 2 1',
      'tool skill_manage 0 1 2',
      'target memory 3 2 1',
      'target skill 0 1 2',
      'tier 1 1 2 0',
      'tier 2 2 1 1',
      'tier 0 0 0 2',
    ],
  )
  assert.equal(
    rowsOf(report, 'days').map((row) => Object.values(row).join(' ')),
    [`${dayOne} 1 2 2`, '2026-03-02 0 0 0', `${dayThree} 2 1 1`],
  )
  const chart = report.sections.find(({ key }) => key === 'days')?.chart
  assert.equal(
    chart?.series.map(({ name, values }) => [name, values]),
    [
      ['Supported', [1, 0, 2]],
      ['Unsupported', [2, 0, 1]],
    ],
  )
})

test('row P17: flagged claims stand newest first with their words; forgotten ones are called so; unchecked ones stand apart', () => {
  const report = build()
  assert.equal(
    rowsOf(report, 'flagged').map(({ index, claim, quote, nearest, reason }) => [index, claim, quote, nearest, reason]),
    [
      [20, 'User decided three.', 'three it is', 'it is three', 'quote_not_found'],
      [11, '(forgotten)', '(forgotten)', '(forgotten)', 'quote_not_found'],
      [10, 'User decided one.', null, null, 'no_quote'],
    ],
  )
  assert.equal(
    rowsOf(report, 'notChecked').map(({ index, claim, reason }) => [index, claim, reason]),
    [
      [21, null, 'too_many_claims'],
      [13, '(forgotten)', 'unreadable_arguments'],
      [12, '(forgotten)', 'too_many_claims'],
    ],
  )
  const section = report.sections.find(({ key }) => key === 'unchecked')
  assert.match(section?.note ?? '', 'Let pass: 2; blocked: 1.')
  assert.equal(
    rowsOf(report, 'unchecked').map(({ reason, claims }) => [reason, claims]),
    [
      ['too_many_claims', 2],
      ['unreadable_arguments', 1],
    ],
  )
})

test('case 89: a claim that one session wrote to several places stands once with all its entries, and a flagged one says where else', () => {
  const report = evidenceReport(
    days,
    new Map([...words, [14, { claim: 'User decided one.', quote: null, nearest: null }]]),
    reportFrame,
    {
      limit,
    },
  )
  assert.equal(
    rowsOf(report, 'pairs').map((row) => Object.values(row)),
    [
      ['22 user would_block, 23 memory would_block', '(forgotten)', handle(2)],
      ['10 memory would_block, 14 skill would_block', 'User decided one.', handle(1)],
    ],
  )
  assert.equal(
    rowsOf(report, 'flagged').map(({ index, also }) => [index, also]),
    [
      [20, null],
      [11, null],
      [10, '14'],
    ],
  )
  // Of the same words in another session, and of claims that mean no single one, nobody says that they belong together.
  assert.ok(rowsOf(report, 'notChecked').every(({ also }) => also === null))
})

test('case 88: writes that came out otherwise than judged are counted and stand newest first, with the entries that show it', () => {
  const report = build()
  assert.equal(
    rowsOf(report, 'landed').map(({ outcome, writes }) => [outcome, writes]),
    [
      ['as_judged', 5],
      ['unchanged', 1],
      ['otherwise', 2],
      ['open', 1],
      ['unread', 2],
    ],
  )
  assert.equal(
    rowsOf(report, 'otherwise').map((row) => Object.values(row)),
    [
      [26, 25, '0', `${dayThree}T10:00:00.000Z`, handle(1)],
      [16, 15, '0, 2', `${dayOne}T10:00:00.000Z`, null],
    ],
  )
})

test('row P17: days before the one that was asked for are left out, of figures and lists', () => {
  const report = build('2026-03-02T23:00:00.000Z')
  assert.equal(figuresOf(report), {
    claims: 4,
    supported: 2,
    unsupported: 1,
    wouldBlock: 0,
    blocked: 1,
    unchecked: 1,
    pairs: 1,
    otherwise: 1,
    probes: 0,
  })
  assert.equal(
    rowsOf(report, 'flagged').map(({ index }) => index),
    [20],
  )
  assert.match(report.notes.join('\n'), 'counts whole')
  assert.is(build('2026-03-04T00:00:00.000Z').span, null)
})

test('so many are listed as were asked for, and how many more there are is told', () => {
  const report = evidenceReport(days, words, reportFrame, { limit: 1 })
  const more = (key: string) => report.sections.find((section) => section.key === key)?.table?.more
  assert.equal([rowsOf(report, 'flagged').length, more('flagged'), more('notChecked')], [1, 2, 2])
  assert.equal([rowsOf(report, 'pairs').length, more('pairs'), more('otherwise')], [1, 1, 1])
})

test('a day that is none, and tools that are called like what objects have, do no harm', () => {
  const tools: EvidenceDay['tools'] = Object.create(null)
  for (const name of ['__proto__', 'constructor']) tools[name] = { supported: 1, unsupported: 0, unchecked: 0 }
  const strange = new Map([
    [dayOne, evidenceDay({ claims: 2, tools })],
    ['not a day', evidenceDay({ claims: 5 })],
  ])
  const report = evidenceReport(strange, new Map(), reportFrame, { limit })
  assert.is((figuresOf(report) as { claims: number }).claims, 2)
  assert.equal(
    rowsOf(report, 'tools').map(({ name }) => name),
    ['__proto__', 'constructor'],
  )
})

test('words are anybody’s: each face makes them harmless, and the page stays well formed', async () => {
  const hostile = '<script>alert(1)</script> [x](javascript:y) \u001b[31m\u202e | @all'
  const said = new Map([[20, { claim: hostile, quote: hostile, nearest: hostile }]])
  const report = evidenceReport(days, said, reportFrame, { limit })
  const html = await reportFaces.html(report)
  readStrictMarkup(html)
  assert.not.match(html, '<script>alert')
  for (const face of ['text', 'md', 'html'] as const) assert.not.match(await reportFaces[face](report, { width: 100 }), '\u001b')
  assert.is((JSON.parse(await reportFaces.json(report)).sections.flagged.rows[0] as { claim: string }).claim, hostile)
})

test('of a ledger’s words only texts are taken', () => {
  assert.equal(claimWords({ claim: 'c', quote: 7, nearest: 'n' }), { claim: 'c', quote: null, nearest: 'n' })
  assert.equal(claimWords({}), { claim: '', quote: null, nearest: null })
})

test('without a claim every section says so', () => {
  const report = evidenceReport(new Map(), new Map(), reportFrame, { limit })
  assert.ok(report.sections.every(({ note, table }) => note !== undefined && table === undefined))
})

test.run()
