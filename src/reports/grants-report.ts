// What was used and what was granted: the gap between the two, by tool, path and command, why the capability gate refused or would have,
// and what is granted and was not used. Counts are sums over the days of the view; paths and commands are read from the words of the
// newest decisions, and where older ones are left out the report says so. Days are whole UTC days.
import type { Policy } from '../gates/capability/allowlist.js'
import {
  type CodeGrants,
  type DecisionCounts,
  type GrantsDay,
  type NamedDecision,
  newestDecisions,
  type SkillGrants,
  type ToolGrants,
  type Used,
} from '../projections/grants.js'
import { codeText } from './code-words.js'
import { countedDays, notesOfDays, type PeriodSums, periodsOfDays, periodWords, spanOfDays } from './counted-days.js'
import { type GapRow, gapRows } from './gap-rows.js'
import { addCounts, type GrantsSum, grantsSum, noCode, noDecision, totalsOf } from './grants-sum.js'
import { countColumn, countFigure, type Report, type ReportFrame, type Row, type Section, type Table } from './report.js'
import { type UnusedGrant, unusedGrants } from './unused-grants.js'

/** Words of entries as a ledger has kept them, by index; absent where they are forgotten. */
export type EntryWords = ReadonlyMap<number, Readonly<Record<string, unknown>>>

export interface GrantsReportOptions {
  /** So many rows of what has no end; the figures count all. */
  readonly limit: number
  /** What is in force: undefined where nothing is, null where its words cannot be read (any more). */
  readonly policy: Policy | null | undefined
}

/** As many decisions as come with their words. */
const wordedMax = 1000

/** `days` by their date. Where `frame.since` is given, the days before its own are left out, and its own counts whole. */
export function grantsReport(
  days: ReadonlyMap<string, GrantsDay>,
  words: EntryWords,
  frame: ReportFrame,
  { limit, policy }: GrantsReportOptions,
): Report {
  const counted = countedDays(days, frame)
  const total = grantsSum([...counted.values()])
  const span = spanOfDays(counted)
  const decisions = newestDecisions(counted, wordedMax)
  const periods = periodsOfDays(counted, span, noDecision, (sum, { modes }) => {
    for (const counts of Object.values(modes)) addCounts(sum, counts)
  })
  return {
    name: 'grants',
    title: 'Grants',
    frame,
    span,
    figures: figuresOf(total),
    sections: [
      toolGapSection(total),
      wordGapSection(gapRows(decisions, words), limit, total),
      reasonsSection(total),
      sessionsSection(total, limit),
      daysSection(periods, total),
      toolsSection(total),
      skillsSection(total),
      unusedSection(total, decisions, words, policy, limit),
      refusedSection(decisions, words, limit, total),
    ],
    notes: [...notesOfDays(periods.unit, frame), ...notesOf(total)],
  }
}

function figuresOf(sum: GrantsSum): Report['figures'] {
  const { allow, deny, ask, enforced } = totalsOf(sum)
  return [
    countFigure('asked', 'Calls of tools', sum.asked),
    countFigure('decided', 'Judged by the capability gate', sum.decided),
    { key: 'seen', label: 'Share of the calls that was judged', kind: 'share', value: seenShare(sum) },
    countFigure('allowed', 'Granted', allow),
    countFigure('denied', 'Denied', deny),
    countFigure('askedPerson', 'A person to be asked', ask),
    countFigure('wouldRefuse', 'Of these two, let pass: would refuse', deny + ask - enforced),
    countFigure('toolsNotGranted', 'Tools used and not granted', toolGaps(sum).length),
    countFigure('probes', 'Calls of stele doctor, left out', sum.probes),
  ]
}

/** Null where nothing was asked for. A call that was judged twice counts once at most. */
function seenShare({ asked, decided }: GrantsSum): number | null {
  return asked === 0 ? null : Math.min(1, decided / asked)
}

interface ToolGap {
  readonly tool: string
  readonly counts: ToolGrants
  readonly refused: readonly (readonly [code: string, of: CodeGrants])[]
}

/** Tools of which any call was refused or would have been, most first. */
function toolGaps({ tools }: GrantsSum): ToolGap[] {
  return Object.entries(tools)
    .map(([tool, counts]) => ({ tool, counts, refused: refusedCodes(counts) }))
    .filter(({ refused }) => refused.length > 0)
    .sort((one, other) => refusals(other) - refusals(one) || (one.tool < other.tool ? -1 : 1))
}

function refusedCodes({ codes }: ToolGrants): [string, CodeGrants][] {
  return Object.entries(codes)
    .filter(([, of]) => refusalsOf(of.verdicts) > 0)
    .sort(([nameA, a], [nameB, b]) => refusalsOf(b.verdicts) - refusalsOf(a.verdicts) || (nameA < nameB ? -1 : 1))
}

const refusalsOf = ({ deny, ask }: DecisionCounts): number => deny + ask
const refusals = ({ refused }: ToolGap): number => refused.reduce((count, [, { verdicts }]) => count + refusalsOf(verdicts), 0)

/** A model can invent names without end. */
const toolsMax = 100
const entriesShown = 5

function toolGapSection(sum: GrantsSum): Section {
  const head = { key: 'toolGap', heading: 'Tools used and not granted' }
  if (sum.decided === 0) return { ...head, note: 'The capability gate judged nothing.' }
  const gaps = toolGaps(sum)
  if (gaps.length === 0) return { ...head, note: 'Everything that was judged is granted.' }
  return {
    ...head,
    table: {
      caption: 'Tools of which a call was refused or would have been, most first',
      columns: [
        { key: 'tool', label: 'Tool', kind: 'text' },
        countColumn('refused', 'Not granted'),
        countColumn('held', 'Of these, refused'),
        countColumn('allowed', 'Granted', true),
        { key: 'codes', label: 'Why', kind: 'text' },
        { key: 'first', label: 'First', kind: 'time', detail: true },
        { key: 'last', label: 'Last', kind: 'time', detail: true },
        { key: 'entries', label: 'Entries', kind: 'text', detail: true },
      ],
      rows: gaps.slice(0, toolsMax).map((gap) => ({ cells: toolGapCells(gap) })),
      more: Math.max(0, gaps.length - toolsMax),
    },
  }
}

function toolGapCells(gap: ToolGap): Row['cells'] {
  const { tool, counts, refused } = gap
  const all = refused.map(([, of]) => of)
  return [
    shownTool(tool),
    refusals(gap),
    all.reduce((sum, { enforced }) => sum + enforced, 0),
    Object.values(counts.codes).reduce((sum, { verdicts }) => sum + verdicts.allow, 0),
    refused.map(([code]) => code).join(', '),
    earliest(all).time,
    latest(all).time,
    entriesText(all.flatMap(({ listed }) => listed.map(({ index }) => index))),
  ]
}

const earliest = (of: readonly CodeGrants[]): Used =>
  of.map(({ first }) => first).reduce((one, other) => (other.index < one.index ? other : one))
const latest = (of: readonly CodeGrants[]): Used =>
  of.map(({ last }) => last).reduce((one, other) => (other.index > one.index ? other : one))

function shownTool(tool: string): string {
  return tool === '' ? '(not known)' : tool
}

/** The newest few, oldest first. */
export function entriesText(indices: readonly number[]): string {
  const sorted = [...new Set(indices)].sort((one, other) => one - other)
  const shown = sorted.slice(-entriesShown)
  return `${shown.length < sorted.length ? '… ' : ''}${shown.join(' ')}`
}

function wordGapSection(rows: readonly GapRow[], limit: number, sum: GrantsSum): Section {
  const head = { key: 'wordGap', heading: 'Paths and commands used and not granted' }
  if (rows.length === 0)
    return { ...head, note: toolGaps(sum).length === 0 ? 'There are none.' : 'The calls above reach no path and run no command.' }
  return {
    ...head,
    note: 'A call that was refused stands here with everything that it would have reached, what is granted of it too.',
    table: {
      caption: 'What calls would have reached that were refused or would have been, most first',
      columns: [
        { key: 'used', label: 'Used', kind: 'text' },
        { key: 'how', label: 'How', kind: 'text' },
        { key: 'tool', label: 'Tool', kind: 'text' },
        countColumn('calls', 'Calls'),
        countColumn('sessions', 'Sessions', true),
        { key: 'codes', label: 'Why', kind: 'text' },
        { key: 'first', label: 'First', kind: 'time', detail: true },
        { key: 'last', label: 'Last', kind: 'time', detail: true },
        { key: 'entries', label: 'Entries', kind: 'text', detail: true },
      ],
      rows: rows.slice(0, limit).map(({ used, how, tool, calls, sessions, codes, first, last, entries }) => ({
        cells: [used, how, shownTool(tool), calls, sessions, codes.join(', '), first, last, entriesText(entries)],
      })),
      more: Math.max(0, rows.length - limit),
    },
  }
}

function reasonsSection({ tools }: GrantsSum): Section {
  const byCode = new Map<string, { of: CodeGrants; tools: string[] }>()
  for (const [tool, counts] of Object.entries(tools))
    for (const [code, of] of refusedCodes(counts)) {
      const known = byCode.get(code) ?? { of: noCode(), tools: [] }
      addCounts(known.of.verdicts, of.verdicts)
      known.of.enforced += of.enforced
      known.of.listed.push(...of.listed)
      known.of.first = known.of.first.index < 0 || of.first.index < known.of.first.index ? of.first : known.of.first
      known.of.last = of.last.index > known.of.last.index ? of.last : known.of.last
      known.tools.push(shownTool(tool))
      byCode.set(code, known)
    }
  const head = { key: 'reasons', heading: 'By reason' }
  if (byCode.size === 0) return { ...head, note: 'Nothing was refused.' }
  return {
    ...head,
    table: {
      caption: 'Calls that were refused or would have been, by reason',
      columns: [
        { key: 'code', label: 'Reason', kind: 'text' },
        countColumn('denied', 'Denied'),
        countColumn('askedPerson', 'To be asked'),
        countColumn('held', 'Of these, refused'),
        { key: 'means', label: 'What it means', kind: 'text', detail: true },
        { key: 'tools', label: 'Tools', kind: 'text', detail: true },
        { key: 'first', label: 'First', kind: 'time', detail: true },
        { key: 'last', label: 'Last', kind: 'time', detail: true },
        { key: 'entries', label: 'Entries', kind: 'text', detail: true },
      ],
      rows: [...byCode]
        .sort(([nameA, a], [nameB, b]) => refusalsOf(b.of.verdicts) - refusalsOf(a.of.verdicts) || (nameA < nameB ? -1 : 1))
        .map(([code, { of, tools: named }]) => ({
          cells: [
            ...[code, of.verdicts.deny, of.verdicts.ask, of.enforced, codeText(code), [...named].sort().join(', ')],
            ...[of.first.time, of.last.time, entriesText(of.listed.map(({ index }) => index))],
          ],
        })),
    },
  }
}

const countsColumns = [
  countColumn('allowed', 'Granted'),
  countColumn('denied', 'Denied'),
  countColumn('askedPerson', 'To be asked'),
  countColumn('held', 'Of these, refused'),
]

const countsCells = ({ allow, deny, ask, enforced }: SkillGrants): number[] => [allow, deny, ask, enforced]

function sessionsSection({ sessions }: GrantsSum, limit: number): Section {
  const rows = Object.entries(sessions)
    .sort(([nameA, a], [nameB, b]) => refusalsOf(b) - refusalsOf(a) || b.asked - a.asked || (nameA < nameB ? -1 : 1))
    .map(([session, counts]) => ({ cells: [session, counts.asked, ...countsCells(counts)] }))
  const table: Table = {
    caption: 'Calls by session, those with most that is not granted first',
    columns: [{ key: 'session', label: 'Session', kind: 'text' }, countColumn('asked', 'Calls'), ...countsColumns],
    rows: rows.slice(0, limit),
    more: Math.max(0, rows.length - limit),
  }
  return { key: 'sessions', heading: 'By session', ...notedOr(table, 'No session asked for a tool.') }
}

function daysSection({ unit, sums }: PeriodSums<SkillGrants>, { decided }: GrantsSum): Section {
  const { a, column } = periodWords[unit]
  const head = { key: 'days', heading: `Decisions ${a}` }
  if (decided === 0) return { ...head, note: 'The capability gate judged nothing.' }
  const values = [...sums.values()]
  return {
    ...head,
    chart: {
      form: 'stacked-bar',
      title: `Decisions of the capability gate, ${a}`,
      kind: 'count',
      categories: [...sums.keys()],
      series: [
        { name: 'Granted', values: values.map(({ allow }) => allow) },
        { name: 'Denied', values: values.map(({ deny }) => deny) },
        { name: 'To be asked', values: values.map(({ ask }) => ask) },
      ],
    },
    table: {
      caption: `Decisions of the capability gate, ${a}`,
      columns: [{ key: 'period', label: column, kind: 'text' }, ...countsColumns],
      rows: [...sums].map(([key, counts]) => ({ cells: [key, ...countsCells(counts)] })),
    },
  }
}

function toolsSection({ tools }: GrantsSum): Section {
  const rows = Object.entries(tools)
    .sort(([nameA, a], [nameB, b]) => b.asked - a.asked || (nameA < nameB ? -1 : 1))
    .map(([tool, of]) => {
      const decisions = { allow: 0, deny: 0, ask: 0 }
      for (const { verdicts } of Object.values(of.codes)) addCounts(decisions, verdicts)
      const { allow, deny, ask } = decisions
      const unread = Object.values(of.unread).reduce((sum, count) => sum + count, 0)
      return {
        cells: [
          ...[shownTool(tool), of.asked, allow, deny, ask, of.touches.read, of.touches.write, of.commands, unread, of.blocked],
          ...[of.first.time || null, of.last.time || null],
        ],
      }
    })
  const table: Table = {
    caption: 'Every tool that was asked for, most first',
    columns: [
      { key: 'tool', label: 'Tool', kind: 'text' },
      countColumn('asked', 'Calls'),
      countColumn('allowed', 'Granted'),
      countColumn('denied', 'Denied'),
      countColumn('askedPerson', 'To be asked'),
      countColumn('reads', 'Paths read', true),
      countColumn('writes', 'Paths written', true),
      countColumn('commands', 'Commands', true),
      countColumn('unread', 'Could not be read', true),
      countColumn('blocked', 'Came back refused', true),
      { key: 'first', label: 'First use', kind: 'time', detail: true },
      { key: 'last', label: 'Last use', kind: 'time', detail: true },
    ],
    rows: rows.slice(0, toolsMax),
    more: Math.max(0, rows.length - toolsMax),
  }
  return { key: 'tools', heading: 'Every tool', ...notedOr(table, 'No tool was asked for.') }
}

function skillsSection({ skills, modes }: GrantsSum): Section {
  const rows = (by: string, of: Readonly<Record<string, SkillGrants>>) =>
    Object.entries(of)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, counts]) => ({ cells: [by, name, ...countsCells(counts)] }))
  const all = [...rows('skill', skills), ...rows('mode', modes)]
  const table: Table = {
    caption: 'Decisions by skill, where `*` are calls of a host that names none, and by the mode of the gate',
    columns: [{ key: 'by', label: 'By', kind: 'text' }, { key: 'name', label: 'Name', kind: 'text' }, ...countsColumns],
    rows: all.slice(0, toolsMax),
    more: Math.max(0, all.length - toolsMax),
  }
  return { key: 'skills', heading: 'By skill and mode', ...notedOr(table, 'The capability gate judged nothing.') }
}

function unusedSection(
  sum: GrantsSum,
  decisions: readonly NamedDecision[],
  words: EntryWords,
  policy: GrantsReportOptions['policy'],
  limit: number,
): Section {
  const head = { key: 'unused', heading: 'Granted and not used' }
  if (policy === undefined) return { ...head, note: 'No allowlist is in force, so nothing is granted.' }
  if (policy === null)
    return { ...head, note: 'What is in force cannot be read here: its words are gone, or of another version.' }
  const unused = unusedGrants(policy, Object.keys(sum.tools), decisions, words)
  const older = sum.decided - decisions.length
  const note =
    older > 0
      ? {
          note: `Tools are of all calls. Paths and commands are of the newest ${decisions.length}; ${older} older calls may have used them.`,
        }
      : {}
  if (unused.length === 0) return { ...head, note: `Everything that is granted was used. ${note.note ?? ''}`.trim() }
  return { ...head, ...note, table: unusedTable(unused, limit) }
}

function unusedTable(unused: readonly UnusedGrant[], limit: number): Table {
  return {
    caption: 'Grants of the allowlist in force that no call of these days used',
    columns: [
      { key: 'skill', label: 'Skill', kind: 'text' },
      { key: 'what', label: 'What', kind: 'text' },
      { key: 'granted', label: 'Granted', kind: 'text' },
    ],
    rows: unused.slice(0, limit).map(({ skill, what, granted }) => ({ cells: [skill, what, granted] })),
    more: Math.max(0, unused.length - limit),
  }
}

function refusedSection(decisions: readonly NamedDecision[], words: EntryWords, limit: number, sum: GrantsSum): Section {
  const head = { key: 'refused', heading: 'Calls that are not granted, newest first' }
  const { deny, ask } = totalsOf(sum)
  if (deny + ask === 0) return { ...head, note: 'Every call that was judged is granted.' }
  const refused = decisions.filter(({ tool, code }) => refusalsOf(sum.tools[tool]?.codes[code]?.verdicts ?? noDecision()) > 0)
  const shown = refused.slice(0, limit)
  return {
    ...head,
    table: {
      caption: 'Decisions that refuse, or would have, newest first',
      columns: [
        { key: 'index', label: 'Entry', kind: 'text' },
        { key: 'tool', label: 'Tool', kind: 'text' },
        { key: 'code', label: 'Why', kind: 'text' },
        { key: 'reason', label: 'Said', kind: 'text' },
        { key: 'time', label: 'Time', kind: 'time', detail: true },
        { key: 'session', label: 'Session', kind: 'text', detail: true },
      ],
      rows: shown.map(({ index, tool, code, time, session }) => {
        const reason = words.get(index)?.['reason']
        const said = typeof reason === 'string' ? reason : words.has(index) ? null : '(forgotten)'
        return { cells: [index, shownTool(tool), code, said, time, session === '' ? null : session] }
      }),
      more: Math.max(0, deny + ask - shown.length),
    },
  }
}

function notedOr(table: Table, note: string): { note: string } | { table: Table } {
  return table.rows.length === 0 ? { note } : { table }
}

function notesOf(sum: GrantsSum): string[] {
  const listed = Object.values(sum.tools).reduce(
    (count, { codes }) => count + Object.values(codes).reduce((all, { listed: some }) => all + some.length, 0),
    0,
  )
  return [
    ...(Math.min(listed, wordedMax) === sum.decided
      ? []
      : ['Counts have every call. Paths, commands and entries are of the newest calls of each tool, reason and day.']),
    'While the gate observes, what is not granted runs all the same.',
    ...(sum.probes === 0 ? [] : ['What stele doctor asked for is left out of all counts.']),
  ]
}
