// Every report that can be asked for: one line each. Which views it needs, which sessions' names, and who builds it.

import type { Policy } from '../gates/capability/allowlist.js'
import type { DayView } from '../projections/activity.js'
import type { ApprovalsDay } from '../projections/approvals.js'
import type { DecisionsDay } from '../projections/decisions.js'
import type { EvidenceDay } from '../projections/evidence.js'
import type { GrantsDay } from '../projections/grants.js'
import type { InboxDay } from '../projections/inbox.js'
import type { JevDay } from '../projections/jev.js'
import type { SessionView } from '../projections/sessions.js'
import { activityReport } from './activity-report.js'
import { approvalsReport } from './approvals-report.js'
import { type CoverageParts, coverageReport } from './coverage-report.js'
import { decisionsReport } from './decisions-report.js'
import { claimWords, evidenceReport } from './evidence-report.js'
import { type EntryWords, grantsReport } from './grants-report.js'
import { jevReport } from './jev-report.js'
import type { Report, ReportFrame } from './report.js'
import { reviewReport } from './review-report.js'
import { listedSessions, sessionsReport } from './sessions-report.js'

/** Views by the name of their projection, as of the entries that the frame names. Those that a report does not need may be empty. */
export interface ReportViews {
  readonly activity: ReadonlyMap<string, DayView>
  readonly sessions: ReadonlyMap<string, SessionView>
  readonly evidence: ReadonlyMap<string, EvidenceDay>
  readonly grants: ReadonlyMap<string, GrantsDay>
  readonly decisions: ReadonlyMap<string, DecisionsDay>
  readonly approvals: ReadonlyMap<string, ApprovalsDay>
  readonly jev: ReadonlyMap<string, JevDay>
  readonly coverage: CoverageParts
  readonly inbox: ReadonlyMap<string, InboxDay>
}

export interface ReportAsked {
  readonly frame: ReportFrame
  /** So many rows of what can be listed without end. */
  readonly limit: number
  /** What is in force, where a report asks for it: absent where nothing is, null where its words cannot be read. */
  readonly policy?: Policy | null | undefined
  /** What a million tokens cost that are sent, where a report tells costs; none where absent. */
  readonly price?: number | undefined
}

export interface ReportDefinition {
  readonly title: string
  /** One line, as the command's help says it. */
  readonly summary: string
  readonly views: readonly (keyof ReportViews)[]
  /** The sessions whose host's ids it shows; none where absent. */
  readonly named?: (views: ReportViews, asked: ReportAsked) => readonly string[]
  /** Whether it shows words of what it lists. */
  readonly worded?: true
  /**
   * `names`: the host's ids of those sessions, undefined where forgotten, absent where there never was one. `words`: those of what is
   * listed, by the index of their entry, absent where forgotten.
   */
  readonly build: (
    views: ReportViews,
    names: ReadonlyMap<string, string | undefined>,
    asked: ReportAsked,
    words: EntryWords,
  ) => Report
}

export const reportCatalog = {
  activity: {
    title: 'Activity',
    summary: 'what happened, by day, tool and gate',
    views: ['activity'],
    build: ({ activity }, _names, { frame }) => activityReport(activity, frame),
  },
  sessions: {
    title: 'Sessions',
    summary: 'the sessions, newest first, and what goes on from what',
    views: ['sessions'],
    named: ({ sessions }, asked) => listedSessions(sessions, asked.frame, asked),
    build: ({ sessions }, names, asked) => sessionsReport(sessions, names, asked.frame, asked),
  },
  evidence: {
    title: 'Evidence',
    summary: 'claims that the user decided something, and what backs them',
    views: ['evidence'],
    worded: true,
    build: ({ evidence }, _names, asked, words) => evidenceReport(evidence, claimsOf(words), asked.frame, asked),
  },
  grants: {
    title: 'Grants',
    summary: 'tools and paths used and not granted, why, and what is granted and not used',
    views: ['grants'],
    worded: true,
    build: ({ grants }, _names, asked, words) =>
      grantsReport(grants, words, asked.frame, { limit: asked.limit, policy: asked.policy }),
  },
  decisions: {
    title: 'Decisions',
    summary: 'what the gates decided, by gate, mode, code and tool',
    views: ['decisions'],
    worded: true,
    build: ({ decisions }, _names, asked, words) => decisionsReport(decisions, words, asked.frame, asked),
  },
  approvals: {
    title: 'Approvals',
    summary: 'who was asked to approve what, and who said yes',
    views: ['approvals'],
    worded: true,
    build: ({ approvals }, _names, asked, words) => approvalsReport(approvals, words, asked.frame, asked),
  },
  jev: {
    title: 'The Jev stage',
    summary: 'what the semantic stage predicted, what was applied, and what came of it',
    views: ['jev'],
    worded: true,
    build: ({ jev }, _names, asked, words) => jevReport(jev, words, asked.frame, asked),
  },
  coverage: {
    title: 'Coverage',
    summary: 'what should be on record and is not, and whether the service was awake',
    views: ['coverage'],
    worded: true,
    build: ({ coverage }, _names, asked, words) => coverageReport(coverage, words, asked.frame, asked),
  },
  review: {
    title: 'Review',
    summary: 'how right each rule was, by what you said of what it flagged',
    views: ['inbox'],
    build: ({ inbox }, _names, { frame }) => reviewReport(inbox, frame),
  },
} as const satisfies Readonly<Record<string, ReportDefinition>>

function claimsOf(words: EntryWords): ReadonlyMap<number, ReturnType<typeof claimWords>> {
  return new Map([...words].map(([index, said]) => [index, claimWords(said)]))
}

export type ReportName = keyof typeof reportCatalog
