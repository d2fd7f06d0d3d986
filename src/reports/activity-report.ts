// What happened, by day, tool and gate: sums over the days of the activity view. Days are whole UTC days.
import type { DayView, ToolCounts } from '../projections/activity.js'
import type { GateCounts } from '../projections/sessions.js'
import { notesOfDays, periodWords } from './counted-days.js'
import { type DayPeriods, dayPeriods, isDay, type PeriodUnit } from './day-periods.js'
import { type EventFamily, eventFamilies, eventFamily } from './event-family.js'
import { gateTable } from './gate-table.js'
import {
  type Column,
  countColumn,
  countFigure,
  type Report,
  type ReportFrame,
  type Row,
  type Section,
  type Table,
} from './report.js'

/** `days` by their date. Where `frame.since` is given, the days before its own are left out, and its own counts whole. */
export function activityReport(days: ReadonlyMap<string, DayView>, frame: ReportFrame): Report {
  const span = spanOf(days, frame)
  const sums = sumsOf(days, span)
  const { total } = sums
  return {
    name: 'activity',
    title: 'Activity',
    frame,
    span: span ?? null,
    figures: figuresOf(total),
    sections: [
      entriesSection(sums),
      eventsSection(sums),
      { key: 'tools', heading: 'Tools', ...notedOr(total.tools.size, 'No tool was asked for.', toolTable(total.tools)) },
      {
        key: 'gates',
        heading: 'Decisions of the gates',
        ...notedOr(total.gates.size, 'No gate was asked.', gateTable(total.gates)),
      },
      growthSection(sums),
      forgettingSection(sums),
    ],
    notes: [...notesOfDays(sums.unit, frame), ...notesOf(sums)],
  }
}

interface Span {
  readonly from: string
  readonly to: string
}

interface Counts {
  /** As stored, with those of `stele doctor`. */
  stored: number
  bytes: number
  probes: number
  families: Record<EventFamily, number>
  sessions: number
  turns: number
  messages: number
  characters: number
  rejected: number
  foreign: number
  missing: number
  mismatches: number
  erasures: number
  forgottenEntries: number
  forgottenBytes: number
  asked: number
  decided: GateCounts
}

interface Total extends Counts {
  readonly tools: Map<string, ToolCounts>
  readonly gates: Map<string, GateCounts>
}

interface Sums {
  readonly unit: PeriodUnit
  /** By period, in order, also the empty ones. */
  readonly periods: ReadonlyMap<string, Counts>
  readonly total: Total
}

/** From the first day that is told of to the last, which a clock may have put after the last entry's. Undefined without any. */
function spanOf(days: ReadonlyMap<string, DayView>, { since, asOf }: ReportFrame): Span | undefined {
  const sinceDay = since?.slice(0, 10) ?? ''
  let first: string | undefined
  let last: string | undefined
  for (const day of [...days.keys(), ...(days.size === 0 || asOf.time === null ? [] : [asOf.time.slice(0, 10)])]) {
    if (!isDay(day)) continue
    if (first === undefined || day < first) first = day
    if (last === undefined || day > last) last = day
  }
  if (first === undefined || last === undefined) return undefined
  const from = first > sinceDay ? first : sinceDay
  return from > last ? undefined : { from, to: last }
}

function sumsOf(days: ReadonlyMap<string, DayView>, span: Span | undefined): Sums {
  const periods: DayPeriods = span === undefined ? { unit: 'day', keys: [], keyOf: (day) => day } : dayPeriods(span.from, span.to)
  const counts = new Map(periods.keys.map((key) => [key, noCounts()]))
  const total: Total = { ...noCounts(), tools: new Map(), gates: new Map() }
  for (const [date, day] of days) {
    if (span === undefined || date < span.from) continue
    const period = counts.get(periods.keyOf(date))
    for (const of of period === undefined ? [total] : [total, period]) addDay(of, day)
    for (const [name, tool] of Object.entries(day.tools)) addCounts(countsOf(total.tools, name, noCalls), tool)
    for (const [name, gate] of Object.entries(day.gates)) addCounts(countsOf(total.gates, name, noDecisions), gate)
  }
  return { unit: periods.unit, periods: counts, total }
}

function noCounts(): Counts {
  return {
    ...{ stored: 0, bytes: 0, probes: 0, sessions: 0, turns: 0, messages: 0, characters: 0 },
    ...{ rejected: 0, foreign: 0, missing: 0, mismatches: 0, erasures: 0, forgottenEntries: 0, forgottenBytes: 0, asked: 0 },
    families: { sessions: 0, messages: 0, tools: 0, decisions: 0, coverage: 0, forgetting: 0, housekeeping: 0, other: 0 },
    decided: noDecisions(),
  }
}

function noCalls(): ToolCounts {
  return { asked: 0, completed: 0, failed: 0, durationMs: 0 }
}

function noDecisions(): GateCounts {
  return { allow: 0, deny: 0, ask: 0, enforced: 0 }
}

function addDay(counts: Counts, day: DayView): void {
  counts.stored += day.entries
  counts.bytes += day.bytes
  counts.probes += day.probes
  for (const [type, { entries }] of Object.entries(day.types)) counts.families[eventFamily(type)] += entries
  counts.sessions += day.sessions
  counts.turns += day.turns
  counts.messages += day.messages
  counts.characters += day.characters
  counts.rejected += day.rejected
  counts.foreign += day.foreign
  counts.missing += day.missing
  counts.mismatches += day.mismatches
  counts.erasures += day.forgotten.erasures
  counts.forgottenEntries += day.forgotten.entries
  counts.forgottenBytes += day.forgotten.bytes
  for (const { asked } of Object.values(day.tools)) counts.asked += asked
  for (const gate of Object.values(day.gates)) addCounts(counts.decided, gate)
}

function addCounts<Counts extends ToolCounts | GateCounts>(to: Counts, more: Counts): void {
  for (const key of Object.keys(to) as (keyof Counts)[]) Object.assign(to, { [key]: Number(to[key]) + Number(more[key]) })
}

function countsOf<Counts>(of: Map<string, Counts>, name: string, initial: () => Counts): Counts {
  const counts = of.get(name) ?? initial()
  of.set(name, counts)
  return counts
}

function decisionsOf({ allow, deny, ask }: GateCounts): number {
  return allow + deny + ask
}

function figuresOf(total: Total): Report['figures'] {
  const { decided } = total
  return [
    countFigure('entries', 'Entries', total.stored - total.probes),
    countFigure('sessions', 'Sessions begun', total.sessions),
    countFigure('turns', 'Turns ended', total.turns),
    countFigure('messages', 'Messages of users', total.messages),
    countFigure('characters', 'Characters in them', total.characters),
    countFigure('toolCalls', 'Tool calls asked for', total.asked),
    countFigure('decisions', 'Decisions', decisionsOf(decided)),
    countFigure('allowed', 'Decided: let pass', decided.allow),
    countFigure('denied', 'Decided: refuse', decided.deny),
    countFigure('asked', 'Decided: ask a person', decided.ask),
    countFigure('enforced', 'Refusals and questions the host was held to', decided.enforced),
    countFigure('missing', 'Payloads in gaps', total.missing),
    countFigure('mismatches', 'Answers, calls and writes that differ', total.mismatches),
    countFigure('foreign', 'Foreign payloads', total.foreign),
    countFigure('rejected', 'Payloads not readable', total.rejected),
    countFigure('forgotten', 'Entries whose words were forgotten', total.forgottenEntries),
    { key: 'bytes', label: 'Size of the facts', kind: 'bytes', value: total.bytes },
    countFigure('probes', 'Entries asked for by stele doctor, left out', total.probes),
  ]
}

function periodColumn(unit: PeriodUnit): Column {
  return { key: 'period', label: periodWords[unit].column, kind: 'text' }
}

function rowsOf({ periods }: Sums, cells: (counts: Counts) => readonly number[]): Row[] {
  return [...periods].map(([key, counts]) => ({ cells: [key, ...cells(counts)] }))
}

function entriesSection(sums: Sums): Section {
  const { unit, periods, total } = sums
  const { a } = periodWords[unit]
  const heading = `Entries ${a}`
  if (total.stored === 0) return { key: 'entries', heading, note: 'There are no entries.' }
  const families = eventFamilies.filter(({ key }) => total.families[key] > 0)
  return {
    key: 'entries',
    heading,
    ...(total.probes === 0 ? {} : { note: 'As they are stored: those that stele doctor asked for are among them.' }),
    chart: {
      form: 'stacked-bar',
      title: `Entries ${a}, by what they are about`,
      kind: 'count',
      categories: [...periods.keys()],
      series: families.map(({ key, label }) => ({ name: label, values: [...periods.values()].map((of) => of.families[key]) })),
    },
    table: {
      caption: `Entries ${a}, by what they are about`,
      columns: [
        periodColumn(unit),
        countColumn('entries', 'Entries'),
        ...families.map(({ key, label }) => countColumn(key, label, true)),
      ],
      rows: rowsOf(sums, (of) => [of.stored, ...families.map(({ key }) => of.families[key])]),
    },
  }
}

function eventsSection(sums: Sums): Section {
  const { a } = periodWords[sums.unit]
  const table: Table = {
    caption: `What happened ${a}`,
    columns: [
      periodColumn(sums.unit),
      countColumn('sessions', 'Sessions'),
      countColumn('turns', 'Turns'),
      countColumn('messages', 'Messages'),
      countColumn('toolCalls', 'Tool calls'),
      countColumn('decisions', 'Decisions'),
      countColumn('denied', 'Refuse', true),
      countColumn('asked', 'Ask', true),
      countColumn('enforced', 'Held to', true),
      countColumn('missing', 'In gaps', true),
      countColumn('foreign', 'Foreign', true),
      countColumn('rejected', 'Not readable', true),
    ],
    rows: rowsOf(sums, ({ sessions, turns, messages, asked, decided, missing, foreign, rejected }) => [
      ...[sessions, turns, messages, asked, decisionsOf(decided), decided.deny, decided.ask, decided.enforced],
      ...[missing, foreign, rejected],
    ]),
  }
  return { key: 'events', heading: `What happened ${a}`, ...notedOr(table.rows.length, 'Nothing happened.', table) }
}

/** A model can invent names without end. */
const toolsMax = 100

function toolTable(tools: ReadonlyMap<string, ToolCounts>): Table {
  const sorted = [...tools].sort(
    ([nameA, a], [nameB, b]) => b.asked - a.asked || b.completed - a.completed || (nameA < nameB ? -1 : 1),
  )
  return {
    caption: 'Calls a tool, most asked for first',
    columns: [
      { key: 'tool', label: 'Tool', kind: 'text' },
      countColumn('asked', 'Asked for'),
      countColumn('completed', 'Came back'),
      countColumn('failed', 'With an error'),
      { key: 'meanMs', label: 'Mean time', kind: 'duration' },
    ],
    rows: sorted.slice(0, toolsMax).map(([name, { asked, completed, failed, durationMs }]) => ({
      // Without any time at all there is none to tell.
      cells: [name, asked, completed, failed, completed === 0 || durationMs === 0 ? null : durationMs / completed],
    })),
    more: Math.max(0, sorted.length - toolsMax),
  }
}

function growthSection(sums: Sums): Section {
  const { unit, periods, total } = sums
  const { a } = periodWords[unit]
  const heading = 'Growth'
  if (total.stored === 0) return { key: 'growth', heading, note: 'Nothing was added.' }
  let sum = 0
  return {
    key: 'growth',
    heading,
    note: 'Headers and facts, as they are stored. Words are not among them, since they can go.',
    chart: {
      form: 'bar',
      title: `Bytes of facts ${a}`,
      kind: 'bytes',
      categories: [...periods.keys()],
      series: [{ name: 'Bytes', values: [...periods.values()].map(({ bytes }) => bytes) }],
    },
    table: {
      caption: `Bytes of facts ${a}`,
      columns: [
        periodColumn(unit),
        { key: 'bytes', label: 'Added', kind: 'bytes' },
        { key: 'sum', label: 'Together', kind: 'bytes' },
      ],
      rows: rowsOf(sums, ({ bytes }) => {
        sum += bytes
        return [bytes, sum]
      }),
    },
  }
}

function forgettingSection(sums: Sums): Section {
  const { unit } = sums
  const rows = [...sums.periods].filter(([, { erasures }]) => erasures > 0)
  const table: Table = {
    caption: `Words forgotten ${periodWords[unit].a}`,
    columns: [
      periodColumn(unit),
      countColumn('erasures', 'Times'),
      countColumn('entries', 'Entries'),
      { key: 'bytes', label: 'Bytes of words', kind: 'bytes' },
    ],
    rows: rows.map(([key, { erasures, forgottenEntries, forgottenBytes }]) => ({
      cells: [key, erasures, forgottenEntries, forgottenBytes],
    })),
  }
  return { key: 'forgetting', heading: 'Forgetting', ...notedOr(rows.length, 'No words were forgotten.', table) }
}

function notedOr(count: number, note: string, table: Table): { note: string } | { table: Table } {
  return count === 0 ? { note } : { table }
}

function notesOf({ total }: Sums): string[] {
  return [
    ...(total.tools.size === 0 ? [] : ['A call that came back without a time counts as none in the mean time.']),
    ...(total.probes === 0
      ? []
      : ['What stele doctor asked for is left out of all counts but the entries by what they are about and the bytes.']),
  ]
}
