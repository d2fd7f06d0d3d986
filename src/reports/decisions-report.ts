// What the gates decided: sums over the days of the decisions view, and the newest refusals and questions with their reasons.
import { type DecisionsDay, decisions, type ListedDecision, newestDecisions } from '../projections/decisions.js'
import type { GateCounts } from '../projections/sessions.js'
import { countedDays, notesOfDays, type PeriodSums, periodSums, periodWords, spanOfDays } from './counted-days.js'
import { gateTable } from './gate-table.js'
import { nameParts } from './name-parts.js'
import { type Column, countColumn, countFigure, type Report, type ReportFrame, type Section, type Table } from './report.js'
import { summedCounts } from './summed-counts.js'

/** `words` by the index of a `gate.decided`, as the ledger keeps them; absent where they are forgotten. */
export function decisionsReport(
  days: ReadonlyMap<string, DecisionsDay>,
  words: ReadonlyMap<number, Readonly<Record<string, unknown>>>,
  frame: ReportFrame,
  { limit }: { readonly limit: number },
): Report {
  const counted = countedDays(days, frame)
  const sum = summedCounts([...counted.values()], decisions.initial())
  const span = spanOfDays(counted)
  const byPeriod = periodSums(counted, span, verdicts.length, ({ gates }) =>
    verdicts.map((verdict) => Object.values(gates).reduce((all, of) => all + of[verdict], 0)),
  )
  return {
    name: 'decisions',
    title: 'Decisions',
    frame,
    span,
    figures: figuresOf(sum),
    sections: [
      tabled('gates', 'By gate', gateTable(new Map(Object.entries(sum.gates))), 'No gate was asked.'),
      tabled('modes', 'By mode', modeTable(sum.modes), 'No gate was asked.'),
      tabled('codes', 'By code', codeTable(sum.codes), 'No gate was asked.'),
      tabled('tools', 'By tool', toolTable(sum.tools), 'No decision is about a call.'),
      daysSection(byPeriod, sum),
      listedSection('denied', 'Refused, newest first', counted, words, { limit, verdict: 'deny', of: totalOf(sum).deny }),
      listedSection('asked', 'Asked a person, newest first', counted, words, { limit, verdict: 'ask', of: totalOf(sum).ask }),
    ],
    notes: [
      ...notesOfDays(byPeriod.unit, frame),
      'Where a gate only observes, "refuse" and "ask a person" are what it would have had done: the host was not held to it.',
      ...(sum.probes === 0 ? [] : ['What stele doctor asked for is left out of all counts.']),
    ],
  }
}

const verdicts = ['allow', 'deny', 'ask'] as const

function totalOf({ gates }: DecisionsDay): GateCounts {
  return summedCounts(Object.values(gates), { allow: 0, deny: 0, ask: 0, enforced: 0 })
}

function figuresOf(sum: DecisionsDay): Report['figures'] {
  const { allow, deny, ask, enforced } = totalOf(sum)
  return [
    countFigure('decisions', 'Decisions', sum.decisions),
    countFigure('allowed', 'Let pass', allow),
    countFigure('denied', 'Refuse', deny),
    countFigure('asked', 'Ask a person', ask),
    countFigure('enforced', 'Refusals and questions the host was held to', enforced),
    countFigure('probes', 'Decisions asked for by stele doctor, left out', sum.probes),
  ]
}

function tabled(key: string, heading: string, table: Table, note: string): Section {
  return { key, heading, ...(table.rows.length === 0 ? { note } : { table }) }
}

const verdictColumns: readonly Column[] = [
  countColumn('allowed', 'Let pass'),
  countColumn('denied', 'Refuse'),
  countColumn('asked', 'Ask a person'),
  countColumn('enforced', 'Host held to it'),
]

const cellsOf = ({ allow, deny, ask, enforced }: GateCounts): number[] => [allow, deny, ask, enforced]

function modeTable(modes: DecisionsDay['modes']): Table {
  return {
    caption: 'Decisions by gate, and by the mode that it was in',
    columns: [{ key: 'gate', label: 'Gate', kind: 'text' }, { key: 'mode', label: 'Mode', kind: 'text' }, ...verdictColumns],
    rows: byName(modes).map(([name, counts]) => ({ cells: [...nameParts(name, 2), ...cellsOf(counts)] })),
  }
}

/** So many rows of what hosts and models name. */
const namesMax = 100

function codeTable(codes: DecisionsDay['codes']): Table {
  const sorted = Object.entries(codes).sort(([nameA, a], [nameB, b]) => b.decisions - a.decisions || (nameA < nameB ? -1 : 1))
  return {
    caption: 'Decisions by the code of their reason, most first',
    columns: [
      { key: 'gate', label: 'Gate', kind: 'text' },
      { key: 'verdict', label: 'Verdict', kind: 'text' },
      { key: 'code', label: 'Code', kind: 'text' },
      countColumn('decisions', 'Decisions'),
      countColumn('enforced', 'Host held to it'),
    ],
    rows: sorted.slice(0, namesMax).map(([name, of]) => ({ cells: [...nameParts(name, 3), of.decisions, of.enforced] })),
    more: Math.max(0, sorted.length - namesMax),
  }
}

function toolTable(tools: DecisionsDay['tools']): Table {
  const weight = ({ deny, ask }: GateCounts): number => deny + ask
  const sorted = byName(tools).sort(([, a], [, b]) => weight(b) - weight(a))
  return {
    caption: 'Decisions by the tool of the call, most refused and asked first',
    columns: [{ key: 'tool', label: 'Tool', kind: 'text' }, ...verdictColumns],
    rows: sorted.slice(0, namesMax).map(([name, counts]) => ({ cells: [name, ...cellsOf(counts)] })),
    more: Math.max(0, sorted.length - namesMax),
  }
}

function byName<Counts>(of: Readonly<Record<string, Counts>>): [string, Counts][] {
  return Object.entries(of).sort(([one], [other]) => (one < other ? -1 : 1))
}

function daysSection({ unit, sums }: PeriodSums, sum: DecisionsDay): Section {
  const { a, column } = periodWords[unit]
  const head = { key: 'days', heading: `Decisions ${a}` }
  if (sum.decisions === 0) return { ...head, note: 'No gate was asked.' }
  const labels = ['Let pass', 'Refuse', 'Ask a person']
  return {
    ...head,
    chart: {
      form: 'stacked-bar',
      title: `Decisions ${a}`,
      kind: 'count',
      categories: [...sums.keys()],
      series: labels.map((name, at) => ({ name, values: [...sums.values()].map((of) => of[at] ?? 0) })),
    },
    table: {
      caption: `Decisions ${a}`,
      columns: [{ key: 'period', label: column, kind: 'text' }, ...verdictColumns.slice(0, verdicts.length)],
      rows: [...sums].map(([key, of]) => ({ cells: [key, ...of] })),
    },
  }
}

interface Listing {
  readonly limit: number
  readonly verdict: ListedDecision['verdict'] & ('deny' | 'ask')
  /** How many there are. */
  readonly of: number
}

function listedSection(
  key: string,
  heading: string,
  days: ReadonlyMap<string, DecisionsDay>,
  words: ReadonlyMap<number, Readonly<Record<string, unknown>>>,
  { limit, verdict, of }: Listing,
): Section {
  if (of === 0) return { key, heading, note: verdict === 'deny' ? 'Nothing was refused.' : 'Nobody was to be asked.' }
  const listed = newestDecisions(days, verdict, limit)
  return {
    key,
    heading,
    table: {
      caption: heading,
      columns: [
        { key: 'index', label: 'Entry', kind: 'text' },
        { key: 'tool', label: 'Tool', kind: 'text' },
        { key: 'reason', label: 'Reason', kind: 'text' },
        { key: 'held', label: 'Host held to it', kind: 'text' },
        { key: 'code', label: 'Code', kind: 'text', detail: true },
        { key: 'gate', label: 'Gate', kind: 'text', detail: true },
        { key: 'time', label: 'Time', kind: 'time', detail: true },
        { key: 'call', label: 'Call at entry', kind: 'text', detail: true },
        { key: 'session', label: 'Session', kind: 'text', detail: true },
      ],
      rows: listed.map(({ index, tool, enforced, code, gate, time, call, session }) => ({
        cells: [
          ...[index, tool === '' ? null : tool, reasonOf(words.get(index), code), enforced ? 'yes' : 'no', code, gate, time],
          ...[call, session === '' ? null : session],
        ],
      })),
      more: of - listed.length,
    },
  }
}

/** A decision without words never had a reason but its code. */
function reasonOf(words: Readonly<Record<string, unknown>> | undefined, code: string): string {
  if (words === undefined) return `${code} (no words kept)`
  const { reason } = words
  return typeof reason === 'string' && reason !== '' ? reason : code
}
