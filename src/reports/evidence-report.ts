// What was held against the user's own words: sums over the days of the evidence view, the newest claims that nothing backs, with their
// words, those that were written to several places, and writes that came out otherwise than judged. What could not be checked has a section of its own and is in no figure of the unsupported. Days are whole UTC days.
import {
  type EvidenceDay,
  type LandedCounts,
  type ListedClaim,
  newestClaims,
  newestOtherwise,
  newestPairs,
  type OutcomeCounts,
  type RepeatedClaim,
  type VerdictCounts,
} from '../projections/evidence.js'
import { countedDays, notesOfDays, type PeriodSums, periodsOfDays, periodWords, spanOfDays } from './counted-days.js'
import { detailText, reasonText } from './reason-words.js'
import { type Column, countColumn, countFigure, type Report, type ReportFrame, type Section, type Table } from './report.js'

/** The words of a judged claim, as far as a report shows them. */
export interface ClaimWords {
  readonly claim: string
  readonly quote: string | null
  /** What the user typed that is nearest to a quote that backs nothing. */
  readonly nearest: string | null
}

export interface EvidenceReportOptions {
  /** So many claims are listed of each kind; the figures count all of them. */
  readonly limit: number
}

/** Words as a ledger has kept them. */
export function claimWords(words: Readonly<Record<string, unknown>>): ClaimWords {
  const text = (name: string): string | null => (typeof words[name] === 'string' ? words[name] : null)
  return { claim: text('claim') ?? '', quote: text('quote'), nearest: text('nearest') }
}

/**
 * `days` by their date, `words` by the index of a claim, absent where they are forgotten. Where `frame.since` is given, the days before its
 * own are left out, and its own counts whole.
 */
export function evidenceReport(
  days: ReadonlyMap<string, EvidenceDay>,
  words: ReadonlyMap<number, ClaimWords>,
  frame: ReportFrame,
  { limit }: EvidenceReportOptions,
): Report {
  const counted = countedDays(days, frame)
  const total = sumOf([...counted.values()])
  const span = spanOfDays(counted)
  const periods = periodsOfDays(counted, span, noOutcomes, (sum, { outcomes }) => addCounts(sum, outcomes))
  return {
    name: 'evidence',
    title: 'Evidence',
    frame,
    span,
    figures: figuresOf(total),
    sections: [
      verdictsSection(total),
      reasonsSection(total),
      toolsSection(total),
      daysSection(periods, total),
      flaggedSection(counted, words, limit, total),
      uncheckedSection(total),
      notCheckedSection(counted, words, limit, total),
      pairsSection(counted, words, limit, total),
      landedSection(total),
      otherwiseSection(counted, limit, total),
    ],
    notes: [...notesOfDays(periods.unit, frame), ...notesOf(total)],
  }
}

type Sum = Omit<EvidenceDay, 'listed' | 'repeated'>

function sumOf(days: readonly EvidenceDay[]): Sum {
  const sum = emptySum()
  for (const day of days) {
    sum.claims += day.claims
    sum.probes += day.probes
    sum.pairs += day.pairs
    addCounts(sum.landed, day.landed)
    addCounts(sum.outcomes, day.outcomes)
    addCounts(sum.verdicts, day.verdicts)
    addCounts(sum.unchecked.verdicts, day.unchecked.verdicts)
    addNamed(sum.unchecked.reasons, day.unchecked.reasons)
    for (const of of ['reasons', 'details', 'matchedIn'] as const) addNamed(sum[of], day[of])
    for (const of of ['tools', 'targets', 'tiers'] as const)
      for (const [name, counts] of Object.entries(day[of])) addCounts(ownOf(sum[of], name, noOutcomes), counts)
  }
  return sum
}

function emptySum(): Sum {
  return {
    claims: 0,
    outcomes: noOutcomes(),
    verdicts: noVerdicts(),
    ...{ reasons: bare(), details: bare(), matchedIn: bare(), tools: bare(), targets: bare(), tiers: bare() },
    unchecked: { verdicts: noVerdicts(), reasons: bare() },
    pairs: 0,
    landed: { as_judged: 0, unchanged: 0, otherwise: 0, open: 0, unread: 0 },
    probes: 0,
  }
}

/** Without a prototype: tools may be called like what every object has. */
function bare<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>
}

const noOutcomes = (): OutcomeCounts => ({ supported: 0, unsupported: 0, unchecked: 0 })
const noVerdicts = (): VerdictCounts => ({ pass: 0, would_block: 0, blocked: 0 })

function addCounts<Counts extends OutcomeCounts | VerdictCounts | LandedCounts>(to: Counts, more: Counts): void {
  for (const key of Object.keys(to) as (keyof Counts)[]) Object.assign(to, { [key]: Number(to[key]) + Number(more[key]) })
}

function addNamed(to: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) to[name] = (to[name] ?? 0) + count
}

function ownOf<Value>(of: Record<string, Value>, name: string, initial: () => Value): Value {
  const value = of[name] ?? initial()
  of[name] = value
  return value
}

function figuresOf({ claims, outcomes, verdicts, pairs, landed, probes }: Sum): Report['figures'] {
  return [
    countFigure('claims', 'Claims judged', claims),
    countFigure('supported', 'Supported', outcomes.supported),
    countFigure('unsupported', 'Unsupported', outcomes.unsupported),
    countFigure('wouldBlock', 'Of these, let pass: would block', verdicts.would_block),
    countFigure('blocked', 'Of these, blocked', verdicts.blocked),
    countFigure('unchecked', 'Could not be checked', outcomes.unchecked),
    countFigure('pairs', 'Claims written to several places', pairs),
    countFigure('otherwise', 'Writes that came out otherwise than judged', landed.otherwise),
    countFigure('probes', 'Claims of stele doctor, left out', probes),
  ]
}

function verdictsSection({ claims, verdicts, matchedIn }: Sum): Section {
  const checked = verdicts.pass + verdicts.would_block + verdicts.blocked
  const head = { key: 'verdicts', heading: 'By verdict' }
  if (claims === 0) return { ...head, note: 'No claim was judged.' }
  if (checked === 0) return { ...head, note: 'No claim could be checked.' }
  const backing = Object.entries(matchedIn).map(([where, count]) => `${count} in ${backingPlaces[where] ?? where}`)
  return {
    ...head,
    ...(backing.length === 0 ? {} : { note: `Words that back a claim were found: ${backing.join(', ')}.` }),
    table: {
      caption: 'Claims that were checked, by verdict',
      columns: [
        { key: 'verdict', label: 'Verdict', kind: 'text' },
        countColumn('claims', 'Claims'),
        { key: 'share', label: 'Share', kind: 'share', detail: true },
      ],
      rows: verdictNames.map((verdict) => ({ cells: [verdict, verdicts[verdict], verdicts[verdict] / checked] })),
    },
  }
}

const verdictNames = ['pass', 'would_block', 'blocked'] as const
const backingPlaces: Readonly<Record<string, string>> = {
  'this-session': 'the same session',
  profile: 'another session',
  'stored-text': 'the text that was edited',
}

function reasonsSection({ reasons, details }: Sum): Section {
  const table = reasonsTable('Unsupported claims, by reason', reasons, details)
  return { key: 'reasons', heading: 'By reason', ...notedOr(table, 'No claim is unsupported.') }
}

/** Most first. A detail stands below the one reason that has details. */
function reasonsTable(
  caption: string,
  reasons: Readonly<Record<string, number>>,
  details: Readonly<Record<string, number>>,
): Table {
  return {
    caption,
    columns: [
      { key: 'reason', label: 'Reason', kind: 'text' },
      countColumn('claims', 'Claims'),
      { key: 'means', label: 'What it means', kind: 'text', detail: true },
    ],
    rows: mostFirst(reasons).flatMap(([reason, count]) => [
      { cells: [reason, count, reasonText(reason, null)] },
      ...(reason === 'quote_not_found'
        ? mostFirst(details).map(([detail, of]) => ({ cells: [detail, of, detailText(detail)], depth: 1 }))
        : []),
    ]),
  }
}

function mostFirst(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1))
}

/** A model can invent names without end. */
const toolsMax = 100

function toolsSection({ tools, targets, tiers }: Sum): Section {
  const rows = [
    ...outcomeRows('tool', tools).slice(0, toolsMax),
    ...outcomeRows('target', targets),
    ...outcomeRows('tier', tiers),
  ]
  const table: Table = {
    caption: 'Claims by the tool that would write them, by what it writes, and by the tier of the rule that found them',
    columns: [{ key: 'by', label: 'By', kind: 'text' }, { key: 'name', label: 'Name', kind: 'text' }, ...outcomeColumns],
    rows,
    more: Math.max(0, Object.keys(tools).length - toolsMax),
  }
  return { key: 'tools', heading: 'By tool, target and tier', ...notedOr(table, 'No claim was judged.') }
}

const outcomeColumns: readonly Column[] = [
  countColumn('supported', 'Supported'),
  countColumn('unsupported', 'Unsupported'),
  countColumn('unchecked', 'Could not be checked'),
]

function outcomeRows(by: string, counts: Readonly<Record<string, OutcomeCounts>>): Table['rows'][number][] {
  return Object.entries(counts)
    .sort(([nameA, a], [nameB, b]) => b.unsupported - a.unsupported || b.supported - a.supported || (nameA < nameB ? -1 : 1))
    .map(([name, { supported, unsupported, unchecked }]) => ({ cells: [by, name, supported, unsupported, unchecked] }))
}

function daysSection({ unit, sums }: PeriodSums<OutcomeCounts>, { claims }: Sum): Section {
  const { a, column } = periodWords[unit]
  const head = { key: 'days', heading: `Claims ${a}` }
  if (claims === 0) return { ...head, note: 'No claim was judged.' }
  const values = [...sums.values()]
  return {
    ...head,
    chart: {
      form: 'stacked-bar',
      title: `Claims that were checked, ${a}`,
      kind: 'count',
      categories: [...sums.keys()],
      series: [
        { name: 'Supported', values: values.map(({ supported }) => supported) },
        { name: 'Unsupported', values: values.map(({ unsupported }) => unsupported) },
      ],
    },
    table: {
      caption: `Claims ${a}; those that could not be checked are not in the chart`,
      columns: [{ key: 'period', label: column, kind: 'text' }, ...outcomeColumns],
      rows: [...sums].map(([key, { supported, unsupported, unchecked }]) => ({
        cells: [key, supported, unsupported, unchecked],
      })),
    },
  }
}

function flaggedSection(
  days: ReadonlyMap<string, EvidenceDay>,
  words: ReadonlyMap<number, ClaimWords>,
  limit: number,
  { outcomes }: Sum,
): Section {
  const listed = newestClaims(days, 'unsupported', limit)
  const also = alsoIn(days)
  return {
    key: 'flagged',
    heading: 'Unsupported claims, newest first',
    ...(outcomes.unsupported === 0
      ? { note: 'No claim is unsupported.' }
      : { table: claimsTable('Claims that nothing backs, newest first', listed, words, also, outcomes.unsupported) }),
  }
}

function uncheckedSection({ outcomes, unchecked }: Sum): Section {
  const head = { key: 'unchecked', heading: 'Could not be checked' }
  if (outcomes.unchecked === 0) return { ...head, note: 'Every claim could be checked.' }
  const { would_block: letPass, blocked } = unchecked.verdicts
  return {
    ...head,
    note: `They back nothing and are no reproach: none of them is among the unsupported. Let pass: ${letPass}; blocked: ${blocked}.`,
    table: reasonsTable('Claims and writes that could not be checked, by reason', unchecked.reasons, {}),
  }
}

function notCheckedSection(
  days: ReadonlyMap<string, EvidenceDay>,
  words: ReadonlyMap<number, ClaimWords>,
  limit: number,
  { outcomes }: Sum,
): Section {
  const listed = newestClaims(days, 'unchecked', limit)
  return {
    key: 'notChecked',
    heading: 'Could not be checked, newest first',
    ...(outcomes.unchecked === 0
      ? { note: 'Every claim could be checked.' }
      : {
          table: claimsTable(
            'Claims and writes that could not be checked, newest first',
            listed,
            words,
            alsoIn(days),
            outcomes.unchecked,
          ),
        }),
  }
}

/** Other entries of the same session that make the same claim, of a claim that went to several places. */
function alsoIn(days: ReadonlyMap<string, EvidenceDay>): (claim: ListedClaim) => readonly number[] {
  const keyOf = (session: string, digest: string): string => `${session} ${digest}`
  const entries = new Map<string, number[]>()
  for (const { session, digest, entries: places } of newestPairs(days, Number.POSITIVE_INFINITY)) {
    const key = keyOf(session, digest)
    entries.set(key, [...places.map(({ index }) => index), ...(entries.get(key) ?? [])])
  }
  return ({ session, digest, index }) =>
    digest === null ? [] : (entries.get(keyOf(session, digest)) ?? []).filter((other) => other !== index)
}

function pairsSection(
  days: ReadonlyMap<string, EvidenceDay>,
  words: ReadonlyMap<number, ClaimWords>,
  limit: number,
  { pairs }: Sum,
): Section {
  const head = { key: 'pairs', heading: 'The same claim written to several places, newest first' }
  if (pairs === 0) return { ...head, note: 'No claim was written to more than one place.' }
  const listed = newestPairs(days, limit)
  return {
    ...head,
    note: 'Each of them was judged for itself, where it stands.',
    table: {
      caption: 'Claims that one session wrote to more than one memory or skill',
      columns: [
        { key: 'entries', label: 'Entries', kind: 'text' },
        { key: 'claim', label: 'Claim', kind: 'text' },
        { key: 'session', label: 'Session', kind: 'text', detail: true },
      ],
      rows: listed.map(({ index, entries, session }) => ({
        cells: [placesText(entries), claimText(words.get(index)), session],
      })),
      more: pairs - listed.length,
    },
  }
}

function placesText(entries: RepeatedClaim['entries']): string {
  return entries.map(({ index, target, verdict }) => `${index} ${target} ${verdict}`).join(', ')
}

function landedSection({ landed }: Sum): Section {
  const head = { key: 'landed', heading: 'What became of the writes' }
  const writes = Object.values(landed).reduce((sum, count) => sum + count, 0)
  if (writes === 0) return { ...head, note: 'No write came back with files to look at.' }
  return {
    ...head,
    table: {
      caption: 'Memory and skill calls that came back, by what their files held then',
      columns: [
        { key: 'outcome', label: 'Outcome', kind: 'text' },
        countColumn('writes', 'Writes'),
        { key: 'means', label: 'What it means', kind: 'text', detail: true },
      ],
      rows: landedMeanings.map(([outcome, means]) => ({ cells: [outcome, landed[outcome], means] })),
    },
  }
}

const landedMeanings: readonly (readonly [keyof LandedCounts, string])[] = [
  ['as_judged', 'every file holds what was judged'],
  ['unchanged', 'the host refused the call, failed, or put it off'],
  ['otherwise', 'a file holds something else than was judged'],
  ['open', 'a file may hold something else: it was not foretold, or another write may have been there'],
  ['unread', 'a file could not be read'],
]

function otherwiseSection(days: ReadonlyMap<string, EvidenceDay>, limit: number, { landed }: Sum): Section {
  const head = { key: 'otherwise', heading: 'Otherwise than judged, newest first' }
  if (landed.otherwise === 0) return { ...head, note: 'No write came out otherwise than judged.' }
  const listed = newestOtherwise(days, limit)
  return {
    ...head,
    table: {
      caption: 'Writes that came out otherwise than judged, newest first',
      columns: [
        { key: 'index', label: 'Entry', kind: 'text' },
        { key: 'write', label: 'Judged in entry', kind: 'text' },
        { key: 'files', label: 'Files, from 0', kind: 'text' },
        { key: 'time', label: 'Time', kind: 'time' },
        { key: 'session', label: 'Session', kind: 'text', detail: true },
      ],
      rows: listed.map(({ index, write, files, time, session }) => ({
        cells: [index, write, files.join(', '), time, session === '' ? null : session],
      })),
      more: landed.otherwise - listed.length,
    },
  }
}

function claimsTable(
  caption: string,
  listed: readonly ListedClaim[],
  words: ReadonlyMap<number, ClaimWords>,
  also: (claim: ListedClaim) => readonly number[],
  count: number,
): Table {
  return {
    caption,
    columns: [
      { key: 'index', label: 'Entry', kind: 'text' },
      { key: 'claim', label: 'Claim', kind: 'text' },
      { key: 'reason', label: 'Reason', kind: 'text' },
      { key: 'quote', label: 'Quote', kind: 'text' },
      { key: 'nearest', label: 'Nearest that was typed', kind: 'text', detail: true },
      { key: 'time', label: 'Time', kind: 'time', detail: true },
      { key: 'verdict', label: 'Verdict', kind: 'text', detail: true },
      { key: 'tool', label: 'Tool', kind: 'text', detail: true },
      { key: 'target', label: 'Target', kind: 'text', detail: true },
      { key: 'detail', label: 'Detail', kind: 'text', detail: true },
      { key: 'also', label: 'Also at entries', kind: 'text', detail: true },
      { key: 'session', label: 'Session', kind: 'text', detail: true },
    ],
    rows: listed.map((one) => {
      const { index, time, reason, verdict, tool, target, detail, session } = one
      const said = words.get(index)
      const [quote, nearest] = said === undefined ? [forgotten, forgotten] : [said.quote, said.nearest]
      const others = also(one).join(', ')
      const told = [index, claimText(said), reason, quote, nearest, time, verdict, tool, target, detail]
      return { cells: [...told, others === '' ? null : others, session === '' ? null : session] }
    }),
    more: count - listed.length,
  }
}

const forgotten = '(forgotten)'

function claimText(said: ClaimWords | undefined): string | null {
  if (said === undefined) return forgotten
  return said.claim === '' ? null : said.claim
}

function notedOr(table: Table, note: string): { note: string } | { table: Table } {
  return table.rows.length === 0 ? { note } : { table }
}

function notesOf({ probes }: Sum): string[] {
  return [
    'What could not be checked is in no figure of the supported or unsupported.',
    'Only claims in words that the rules know are seen: that none is flagged does not say that none was made.',
    ...(probes === 0 ? [] : ['What stele doctor asked for is left out of all counts.']),
  ]
}
