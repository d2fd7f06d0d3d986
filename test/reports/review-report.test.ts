// Holds the report of the review to a count by hand: what was flagged, what was answered, and the share that was rightly flagged.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { GivenAnswer, InboxDay } from '../../src/projections/inbox.js'
import { reportFaces } from '../../src/reports/report-face.js'
import { reviewReport } from '../../src/reports/review-report.js'
import { inboxDay, reportFrame } from '../support/report-views.js'

const test = suite('review-report')

const reading = 'capability path_not_granted  read_file notes'
const writing = 'capability path_not_granted  write_file '
const claims = 'provenance no_quote en-decided memory memory'

const flagged = (count: number, enforced = 0) => ({ flagged: count, enforced, listed: [] })

function answer(
  index: number,
  label: GivenAnswer['label'],
  entries: readonly number[],
  more: Partial<GivenAnswer> = {},
): GivenAnswer {
  const about = { gate: 'capability', code: 'path_not_granted', rule: '', tool: 'read_file' }
  return { index, label, entries, ...about, ...more }
}

const ofClaims = { gate: 'provenance', code: 'no_quote', rule: 'en-decided', tool: 'memory' }

const two: ReadonlyMap<string, InboxDay> = new Map([
  [
    '2026-03-04',
    inboxDay({
      causes: { [reading]: flagged(5, 2), [claims]: flagged(3), 'capability policy_unavailable  terminal ': flagged(40) },
      ...{ first: 10, probes: 2, answers: [answer(40, 'refuse', [10, 11, 12]), answer(41, 'refuse', [13], ofClaims)] },
    }),
  ],
  [
    '2026-03-05',
    inboxDay({
      causes: { [reading]: flagged(1), [writing]: flagged(4, 4) },
      ...{ first: 50, cancelled: [41] },
      answers: [
        // Ten is ruled on anew; the rest of that answer holds on.
        answer(60, 'false_alarm', [10]),
        answer(61, 'grant', [51, 52, 53], { tool: 'write_file' }),
        answer(62, 'false_alarm', [13, 14], ofClaims),
      ],
    }),
  ],
])

function rowsOf(days: ReadonlyMap<string, InboxDay>, key: string, since?: string): readonly unknown[] {
  const { sections } = reviewReport(days, { ...reportFrame, ...(since === undefined ? {} : { since }) })
  return sections.find((one) => one.key === key)?.table?.rows.map(({ cells }) => cells) ?? []
}

test('each rule has what it flagged, what was answered and how, and the share that was right with its counts', () => {
  assert.equal(rowsOf(two, 'rules'), [
    // Flagged, answered, rightly, to grant, false alarms, share, held to.
    ['capability', 'path_not_granted', null, 10, 6, 2, 3, 1, 2 / 6, 6],
    ['provenance', 'no_quote', 'en-decided', 3, 2, 0, 0, 2, 0, 0],
  ])
  assert.equal(rowsOf(two, 'tools'), [
    ['capability', 'read_file', 6, 3, 2, 0, 1, 2 / 3, 2],
    ['capability', 'write_file', 4, 3, 0, 3, 0, 0, 4],
    ['provenance', 'memory', 3, 2, 0, 0, 2, 0, 0],
  ])
  const { figures } = reviewReport(two, reportFrame)
  assert.equal(
    figures.map(({ key, value }) => [key, value]),
    [
      ['flagged', 13],
      ['enforced', 6],
      ['reviewed', 8],
      ['refuse', 2],
      ['grant', 3],
      ['falseAlarms', 3],
      ['precision', 2 / 8],
      ['withoutPolicy', 40],
      ['probes', 2],
    ],
  )
})

test('since a day only what was flagged from then on counts, whatever older entries were answered later', () => {
  assert.equal(rowsOf(two, 'rules', '2026-03-05T00:00:00.000Z'), [['capability', 'path_not_granted', null, 5, 3, 0, 3, 0, 0, 4]])
})

test('where nothing was answered there is no share, and where nothing was flagged it says so', () => {
  const day = inboxDay({ causes: { [reading]: flagged(7) }, first: 3 })
  assert.equal(rowsOf(new Map([['2026-03-04', day]]), 'rules'), [
    ['capability', 'path_not_granted', null, 7, 0, 0, 0, 0, null, 0],
  ])
  const { sections, figures } = reviewReport(new Map(), reportFrame)
  assert.equal([sections.map(({ note }) => note), figures[6]?.value], [['Nothing was flagged.', 'Nothing was flagged.'], null])
})

test('on a terminal of ordinary width no share stands without its counts', async () => {
  const text = await reportFaces.text(reviewReport(two, reportFrame), { width: 100 })
  assert.match(text, /^capability +path_not_granted +\S* *10 +6 +2 +3 +1 +33\.3.%/m)
})

test.run()
