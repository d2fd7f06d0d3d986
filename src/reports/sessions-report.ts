// The sessions, newest first, each below the one that it goes on from: when, where, how much, and who vouches for it.
import type { GateCounts, SessionView } from '../projections/sessions.js'
import { gateTable } from './gate-table.js'
import { countColumn, countFigure, type Report, type ReportFrame, type Row, type Table } from './report.js'
import { type PlacedSession, sessionTree } from './session-tree.js'

export interface SessionsReportOptions {
  /** So many sessions are listed; the figures count all of them. */
  readonly limit: number
}

/** The handles that the report will list, in its order: whoever builds it looks up only their host's ids. */
export function listedSessions(
  sessions: ReadonlyMap<string, SessionView>,
  { since }: Pick<ReportFrame, 'since'>,
  { limit }: SessionsReportOptions,
): string[] {
  const { counted } = countedOf(sessions, since)
  return sessionTree(counted)
    .slice(0, limit)
    .map(({ handle }) => handle)
}

/**
 * `names` are the host's ids by handle: undefined for one that was forgotten, absent for one that never had any. Where `frame.since` is
 * given, sessions without an entry from then on are left out.
 */
export function sessionsReport(
  sessions: ReadonlyMap<string, SessionView>,
  names: ReadonlyMap<string, string | undefined>,
  frame: ReportFrame,
  { limit }: SessionsReportOptions,
): Report {
  const { counted, probes } = countedOf(sessions, frame.since)
  const sums = sumsOf(counted)
  const placed = sessionTree(counted)
  return {
    name: 'sessions',
    title: 'Sessions',
    frame,
    span: sums.span,
    figures: figuresOf(sums, counted.size, probes),
    sections: [
      {
        key: 'sessions',
        heading: 'Sessions, newest first',
        ...(counted.size === 0 ? { note: 'There are no sessions.' } : { table: sessionsTable(placed, names, limit) }),
      },
      {
        key: 'platforms',
        heading: 'By platform',
        ...(sums.platforms.size === 0 ? { note: 'There are no sessions.' } : { table: platformTable(sums.platforms) }),
      },
      {
        key: 'gates',
        heading: 'Decisions of the gates',
        ...(sums.gates.size === 0 ? { note: 'No gate was asked.' } : { table: gateTable(sums.gates) }),
      },
    ],
    notes: [
      'A session that goes on from another stands below it, and both stand where the newer one belongs.',
      ...(frame.since === undefined ? [] : ['A session that is older and went on after that time counts whole.']),
      'A source is attached where a host vouches for it by its secret, and unattested where nobody does.',
    ],
  }
}

interface Counted {
  readonly counted: ReadonlyMap<string, SessionView>
  /** Sessions of `stele doctor` in the same time. */
  readonly probes: number
}

function countedOf(sessions: ReadonlyMap<string, SessionView>, since = ''): Counted {
  const counted = new Map<string, SessionView>()
  let probes = 0
  for (const [handle, session] of sessions) {
    if (session.last.time < since) continue
    if (session.probe) probes += 1
    else counted.set(handle, session)
  }
  return { counted, probes }
}

interface PlatformCounts {
  sessions: number
  entries: number
  turns: number
  messages: number
  calls: number
}

interface Sums {
  span: Report['span']
  entries: number
  ended: number
  compressions: number
  subagents: number
  turns: number
  messages: number
  asked: number
  completed: number
  failed: number
  foreign: number
  attached: number
  unattested: number
  mixed: number
  readonly decided: GateCounts
  readonly gates: Map<string, GateCounts>
  readonly platforms: Map<string, PlatformCounts>
}

function sumsOf(sessions: ReadonlyMap<string, SessionView>): Sums {
  const sums: Sums = {
    span: null,
    ...{ entries: 0, ended: 0, compressions: 0, subagents: 0, turns: 0, messages: 0, asked: 0, completed: 0, failed: 0 },
    ...{ foreign: 0, attached: 0, unattested: 0, mixed: 0 },
    decided: { allow: 0, deny: 0, ask: 0, enforced: 0 },
    gates: new Map(),
    platforms: new Map(),
  }
  for (const session of sessions.values()) addSession(sums, session)
  return sums
}

function addSession(sums: Sums, session: SessionView): void {
  const [from, to] = [session.first.time.slice(0, 10), session.last.time.slice(0, 10)]
  const { span } = sums
  sums.span = { from: span === null || from < span.from ? from : span.from, to: span === null || to > span.to ? to : span.to }
  sums.entries += session.entries
  if (session.ended !== null) sums.ended += 1
  if (session.parent?.why === 'compression') sums.compressions += 1
  if (session.parent?.why === 'subagent') sums.subagents += 1
  sums.turns += session.turns
  sums.messages += session.messages
  sums.asked += session.calls.asked
  sums.completed += session.calls.completed
  sums.failed += session.calls.failed
  sums.foreign += session.foreign
  const source = sourceOf(session)
  if (source !== null) sums[source] += 1
  for (const [name, { allow, deny, ask, enforced }] of Object.entries(session.gates)) {
    const gate = sums.gates.get(name) ?? { allow: 0, deny: 0, ask: 0, enforced: 0 }
    sums.gates.set(name, gate)
    for (const of of [gate, sums.decided]) {
      of.allow += allow
      of.deny += deny
      of.ask += ask
      of.enforced += enforced
    }
  }
  const platform = sums.platforms.get(session.platform) ?? { sessions: 0, entries: 0, turns: 0, messages: 0, calls: 0 }
  sums.platforms.set(session.platform, platform)
  platform.sessions += 1
  platform.entries += session.entries
  platform.turns += session.turns
  platform.messages += session.messages
  platform.calls += session.calls.asked
}

function figuresOf(sums: Sums, sessions: number, probes: number): Report['figures'] {
  const { decided } = sums
  return [
    countFigure('sessions', 'Sessions', sessions),
    countFigure('open', 'Not ended', sessions - sums.ended),
    countFigure('ended', 'Ended', sums.ended),
    countFigure('compressions', 'Go on after a compression', sums.compressions),
    countFigure('subagents', 'Of subagents', sums.subagents),
    countFigure('entries', 'Entries', sums.entries),
    countFigure('turns', 'Turns', sums.turns),
    countFigure('messages', 'Messages of users', sums.messages),
    countFigure('toolCalls', 'Tool calls asked for', sums.asked),
    countFigure('completed', 'Of these, came back', sums.completed),
    countFigure('failed', 'Came back with an error', sums.failed),
    countFigure('decisions', 'Decisions', decided.allow + decided.deny + decided.ask),
    countFigure('enforced', 'Refusals and questions the host was held to', decided.enforced),
    countFigure('attached', 'Attached', sums.attached),
    countFigure('unattested', 'Unattested', sums.unattested),
    countFigure('mixed', 'Partly attached', sums.mixed),
    countFigure('foreign', 'Foreign payloads', sums.foreign),
    countFigure('probes', 'Sessions of stele doctor, left out', probes),
  ]
}

function sessionsTable(placed: readonly PlacedSession[], names: ReadonlyMap<string, string | undefined>, limit: number): Table {
  const listed = placed.slice(0, limit)
  return {
    caption: 'Sessions, newest first; below each those that go on from it',
    columns: [
      { key: 'session', label: 'Session', kind: 'text' },
      { key: 'handle', label: 'Handle', kind: 'text' },
      { key: 'lastTime', label: 'Last entry', kind: 'time' },
      countColumn('turns', 'Turns'),
      countColumn('messages', 'Messages', true),
      countColumn('toolCalls', 'Calls', true),
      { key: 'state', label: 'State', kind: 'text', detail: true },
      countColumn('denied', 'Refuse', true),
      countColumn('asked', 'Ask', true),
      countColumn('enforced', 'Held to', true),
      { key: 'platform', label: 'Platform', kind: 'text', detail: true },
      { key: 'goesOnFrom', label: 'Goes on from', kind: 'text', detail: true },
      { key: 'source', label: 'Source', kind: 'text', detail: true },
      { key: 'firstTime', label: 'First entry', kind: 'time', detail: true },
      countColumn('entries', 'Entries', true),
      countColumn('failed', 'Calls with an error', true),
      countColumn('foreign', 'Foreign', true),
      { key: 'model', label: 'Model', kind: 'text', detail: true },
    ],
    rows: listed.map((of) => sessionRow(of, names)),
    more: placed.length - listed.length,
  }
}

function sessionRow({ handle, session, depth }: PlacedSession, names: ReadonlyMap<string, string | undefined>): Row {
  const { first, last, calls, turns, messages, entries, foreign, platform, model } = session
  const decided = Object.values(session.gates)
  const sum = (verdict: keyof GateCounts) => decided.reduce((sum, of) => sum + of[verdict], 0)
  return {
    cells: [
      ...[nameOf(handle, names), handle, last.time, turns, messages, calls.asked, stateOf(session)],
      ...[sum('deny'), sum('ask'), sum('enforced'), textOr(platform), linkOf(session), sourceOf(session)],
      ...[first.time, entries, calls.failed, foreign, textOr(model)],
    ],
    ...(depth === 0 ? {} : { depth }),
  }
}

function nameOf(handle: string, names: ReadonlyMap<string, string | undefined>): string {
  return names.get(handle) ?? (names.has(handle) ? '(forgotten)' : '(not named)')
}

function stateOf({ ended }: SessionView): string {
  if (ended === null) return 'open'
  return ended.reason === '' ? 'ended' : `ended (${ended.reason})`
}

function linkOf({ parent }: SessionView): string | null {
  return parent === null ? null : `${parent.handle ?? 'one never heard of'} (${parent.why})`
}

function sourceOf({ sources: { attached, unattested } }: SessionView): 'attached' | 'unattested' | 'mixed' | null {
  if (attached) return unattested ? 'mixed' : 'attached'
  return unattested ? 'unattested' : null
}

function textOr(text: string): string | null {
  return text === '' ? null : text
}

function platformTable(platforms: ReadonlyMap<string, PlatformCounts>): Table {
  return {
    caption: 'Sessions a platform',
    columns: [
      { key: 'platform', label: 'Platform', kind: 'text' },
      countColumn('sessions', 'Sessions'),
      countColumn('entries', 'Entries'),
      countColumn('turns', 'Turns'),
      countColumn('messages', 'Messages'),
      countColumn('toolCalls', 'Tool calls'),
    ],
    rows: [...platforms]
      .sort(([nameA, a], [nameB, b]) => b.sessions - a.sessions || (nameA < nameB ? -1 : 1))
      .map(([name, { sessions, entries, turns, messages, calls }]) => ({
        cells: [textOr(name), sessions, entries, turns, messages, calls],
      })),
  }
}
