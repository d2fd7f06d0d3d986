// Views and a frame written by hand, for tests of reports.
import { activity, type DayView } from '../../src/projections/activity.js'
import { type ApprovalsDay, approvals } from '../../src/projections/approvals.js'
import { type CoverageDay, coverage } from '../../src/projections/coverage.js'
import { type DecisionsDay, decisions } from '../../src/projections/decisions.js'
import { type EvidenceDay, evidence } from '../../src/projections/evidence.js'
import { type GrantsDay, grants } from '../../src/projections/grants.js'
import { type InboxDay, inbox } from '../../src/projections/inbox.js'
import { type JevDay, jev } from '../../src/projections/jev.js'
import { type SessionView, sessions } from '../../src/projections/sessions.js'
import type { Report, ReportFrame } from '../../src/reports/report.js'

export const reportFrame: ReportFrame = {
  ledger: 'ledger-of-a-test',
  asOf: { size: 1234, time: '2026-03-04T10:11:12.345Z' },
  madeAt: '2026-03-05T08:00:00.000Z',
  program: 'stele 9.9.9',
}

export function dayView(counts: Partial<DayView>): DayView {
  return { ...activity.initial(), ...counts }
}

export function evidenceDay(counts: Partial<EvidenceDay>): EvidenceDay {
  return { ...evidence.initial(), ...counts }
}

export function grantsDay(counts: Partial<GrantsDay>): GrantsDay {
  return { ...grants.initial(), ...counts }
}

export function decisionsDay(counts: Partial<DecisionsDay>): DecisionsDay {
  return { ...decisions.initial(), ...counts }
}

export function approvalsDay(counts: Partial<ApprovalsDay>): ApprovalsDay {
  return { ...approvals.initial(), ...counts }
}

export function jevDay(counts: Partial<JevDay>): JevDay {
  return { ...jev.initial(), ...counts }
}

export function coverageDay(counts: Partial<CoverageDay>): CoverageDay {
  return { ...coverage.initial(), ...counts }
}

export function inboxDay(counts: Partial<InboxDay>): InboxDay {
  return { ...inbox.initial(), ...counts }
}

export function sessionView(index: number, counts: Partial<SessionView> = {}): SessionView {
  const time = new Date(Date.UTC(2026, 2, 1, 0, 0, index)).toISOString()
  return { ...sessions.initial(), first: { index, time }, last: { index, time }, entries: 1, started: index, ...counts }
}

/** A handle by its number. */
export function handle(number: number): string {
  return `s${number.toString(16).padStart(16, '0')}`
}

/** A report that says one text in every place where a text can stand. */
export function reportOfText(text: string): Report {
  const table = {
    caption: text,
    columns: [
      { key: 'name', label: text, kind: 'text' },
      { key: 'count', label: 'Count', kind: 'count' },
      { key: 'time', label: 'Time', kind: 'time', detail: true },
    ],
    rows: [{ cells: [text, 1, text] }, { cells: [text, 2, null], depth: 1 }],
    more: 3,
  } as const
  return {
    name: 'any',
    title: text,
    frame: { ...reportFrame, ledger: text, program: text },
    span: { from: text, to: text },
    figures: [{ key: 'figure', label: text, kind: 'text', value: text }],
    sections: [
      {
        key: 'section',
        heading: text,
        note: text,
        table,
        chart: {
          form: 'bar',
          title: text,
          kind: 'count',
          categories: [text, text],
          series: [
            { name: text, values: [1, 2] },
            { name: text, values: [0, 5] },
          ],
        },
      },
    ],
    notes: [text],
  }
}
