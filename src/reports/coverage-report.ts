// What should be on record and is not: how many calls were judged and when not, what each surface was heard of, when no service was awake, and
// the newest of everything that is missing, each with its entries.
import { type CoverageDay, coverage, isTime, newestHoles } from '../projections/coverage.js'
import {
  type CoverageWatch,
  coverageWatch,
  type Hole,
  type HoleKind,
  holeKinds,
  unsettledCall,
} from '../projections/coverage-watch.js'
import { carriedKey } from '../projections/projection.js'
import { countedDays, notesOfDays, spanOfDays } from './counted-days.js'
import { holeWords } from './hole-words.js'
import { countColumn, countFigure, type Report, type ReportFrame, type Section, type Table } from './report.js'
import { summedCounts } from './summed-counts.js'

type WordsByIndex = ReadonlyMap<number, Readonly<Record<string, unknown>>>

/** The parts of the view: its days, and what goes on from day to day. */
export type CoverageParts = ReadonlyMap<string, CoverageDay | CoverageWatch>

/** `words` of `file.noticed` by index; absent where they are forgotten. */
export function coverageReport(
  parts: CoverageParts,
  words: WordsByIndex,
  frame: ReportFrame,
  { limit }: { readonly limit: number },
): Report {
  const { days, watch } = coverageOf(parts)
  const counted = countedDays(days, frame)
  const sum = summed(counted, watch)
  return {
    name: 'coverage',
    title: 'Coverage',
    frame,
    span: spanOfDays(counted),
    figures: figuresOf(sum, watch),
    sections: [
      shareSection(counted, watch, sum, limit),
      surfacesSection(sum),
      awaySection(counted, sum, limit),
      kindsSection(sum),
      holesSection(counted, sum, limit),
      filesSection(counted, words, sum, limit),
      openSection(watch, limit),
    ],
    notes: [
      ...notesOfDays('day', frame),
      'Only what left a trace is found: of a host in which no hook of ours ever fires, nothing is on record.',
      'A time without a service is told when the next entry comes; the time since the last one is in no figure.',
      ...(sum.probes === 0 ? [] : ['What stele doctor asked for is left out of all counts.']),
    ],
  }
}

export interface Coverage {
  readonly days: ReadonlyMap<string, CoverageDay>
  readonly watch: CoverageWatch
}

export function coverageOf(parts: CoverageParts): Coverage {
  const watch = parts.get(carriedKey) as CoverageWatch | undefined
  const days = [...parts].filter(([key]) => key !== carriedKey) as [string, CoverageDay][]
  return { days: new Map(days), watch: watch ?? coverageWatch.initial() }
}

/** With the newest call as it stands: nothing has come behind it that would tell. */
function summed(days: ReadonlyMap<string, CoverageDay>, watch: CoverageWatch): CoverageDay {
  const sum = summedCounts([...days.values()], coverage.initial())
  const unsettled = unsettledCall(watch)
  if (unsettled === undefined) return sum
  sum.calls[unsettled.isJudged ? 'judged' : unsettled.hole === undefined ? 'off' : 'unjudged'] += 1
  return sum
}

function figuresOf(sum: CoverageDay, { open }: CoverageWatch): Report['figures'] {
  const { calls, turns, probes } = sum
  const expected = calls.judged + calls.unjudged
  const count = (kind: HoleKind): number => sum.kinds[kind]?.count ?? 0
  return [
    countFigure('calls', 'Calls that were seen', expected + calls.off),
    countFigure('judged', 'Of these, judged', calls.judged),
    {
      key: 'share',
      label: 'Share judged, of those that a gate was on for',
      kind: 'share',
      value: expected === 0 ? null : calls.judged / expected,
    },
    countFigure('off', 'Calls for which no gate was on', calls.off),
    countFigure('turns', 'Turns ended', turns.ended),
    ...holeKinds.map((kind) => countFigure(keyOf(kind), holeWords[kind].label, count(kind))),
    countFigure('open', 'Calls that have not come back yet', open.length),
    countFigure('starts', 'Starts of the service', sum.starts),
    countFigure('beats', 'Quiet hours in which it said that it was awake', sum.beats),
    countFigure('probes', 'Entries asked for by stele doctor, left out', probes),
  ]
}

/** Kinds as figures and rows are called. */
function keyOf(kind: HoleKind): string {
  return kind.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function shareSection(
  days: ReadonlyMap<string, CoverageDay>,
  { stretch }: CoverageWatch,
  { calls }: CoverageDay,
  limit: number,
): Section {
  const head = { key: 'share', heading: 'Calls that were seen and not judged' }
  const expected = calls.judged + calls.unjudged
  if (expected === 0) return { ...head, note: 'No call was seen that a gate was on for.' }
  const told = `${calls.judged} of ${expected} calls were judged.`
  const all = [...days.values()].flatMap(({ stretches }) => stretches)
  // One that goes on began on a day that may have been left out.
  if (stretch !== null) all.push({ ...stretch, after: null })
  if (all.length === 0) return { ...head, note: told }
  const newest = all.sort((one, other) => other.first.index - one.first.index)
  return {
    ...head,
    note: told,
    table: {
      caption: 'Times in which calls were seen and not judged, newest first',
      columns: [
        { key: 'from', label: 'Last judged before', kind: 'time' },
        { key: 'to', label: 'First judged after', kind: 'time' },
        countColumn('calls', 'Calls not judged'),
        { key: 'first', label: 'First of them at entry', kind: 'text' },
        { key: 'before', label: 'Judged at entry', kind: 'text', detail: true },
        { key: 'after', label: 'And again at entry', kind: 'text', detail: true },
      ],
      rows: newest.slice(0, limit).map(({ before, after, first, calls: count }) => ({
        cells: [before?.time ?? null, after?.time ?? null, count, first.index, before?.index ?? null, after?.index ?? null],
      })),
      more: Math.max(0, all.length - limit),
    },
  }
}

function surfacesSection({ surfaces }: CoverageDay): Section {
  const head = { key: 'surfaces', heading: 'By surface' }
  const rows = Object.entries(surfaces).sort(([one], [other]) => (one < other ? -1 : 1))
  if (rows.length === 0) return { ...head, note: 'No turn and no call was seen.' }
  return {
    ...head,
    note: 'A surface with turns or calls of which none was heard or judged is not covered.',
    table: {
      caption: 'Turns and calls by where the agent spoke',
      columns: [
        { key: 'surface', label: 'Surface', kind: 'text' },
        countColumn('turns', 'Turns'),
        countColumn('blind', 'Nothing heard of'),
        countColumn('judged', 'Calls judged'),
        countColumn('unjudged', 'Not judged'),
        countColumn('off', 'No gate on', true),
        { key: 'covered', label: 'Covered', kind: 'text' },
      ],
      rows: rows.map(([name, of]) => ({
        cells: [
          name === '' ? '(not named)' : name,
          of.turns,
          of.blind,
          of.judged,
          of.unjudged,
          of.off,
          isCovered(of) ? 'yes' : 'no',
        ],
      })),
    },
  }
}

/** Case 53: turns or calls, and nothing of them was heard or judged. */
export function isCovered({ turns, blind, judged, unjudged }: CoverageDay['surfaces'][string]): boolean {
  return !(turns > 0 && blind === turns) && !(unjudged > 0 && judged === 0)
}

function awaySection(days: ReadonlyMap<string, CoverageDay>, sum: CoverageDay, limit: number): Section {
  const head = { key: 'away', heading: 'Was the service awake' }
  const all = newestHoles(days, Number.POSITIVE_INFINITY).filter(({ kind }) => isTime(kind))
  const total = holeKinds.filter(isTime).reduce((count, kind) => count + (sum.kinds[kind]?.holes ?? 0), 0)
  if (total === 0) {
    if (sum.starts === 0) return { ...head, note: 'No service has said that it started.' }
    return { ...head, note: 'From its first start to the last entry, the whole time.' }
  }
  return {
    ...head,
    note: 'All other times between the first start and the last entry it was.',
    table: {
      caption: 'Times without a service, newest first',
      columns: [
        { key: 'from', label: 'From', kind: 'time' },
        { key: 'to', label: 'To', kind: 'time' },
        { key: 'lasted', label: 'Lasted', kind: 'duration' },
        { key: 'why', label: 'Why', kind: 'text' },
        { key: 'before', label: 'Last entry before', kind: 'text', detail: true },
        { key: 'after', label: 'First entry after', kind: 'text', detail: true },
      ],
      rows: all.slice(0, limit).map(({ kind, from, time, begin, index, name }) => ({
        cells: [
          from,
          time,
          from === null ? null : Math.max(0, Date.parse(time) - Date.parse(from)),
          whyAway(kind, name),
          begin,
          index,
        ],
      })),
      more: Math.max(0, total - Math.min(limit, all.length)),
    },
  }
}

function whyAway(kind: HoleKind, name: string): string {
  if (kind === 'stopped')
    return name === 'idle' ? 'ended in order: nobody had asked for anything' : 'ended in order: it was stopped'
  return holeWords[kind].means
}

function kindsSection({ kinds }: CoverageDay): Section {
  const head = { key: 'kinds', heading: 'What is missing, by kind' }
  const rows = holeKinds.filter((kind) => (kinds[kind]?.holes ?? 0) > 0)
  if (rows.length === 0) return { ...head, note: 'Nothing is known to be missing.' }
  return {
    ...head,
    table: {
      caption: 'What should be on record and is not, or came in a way that it should not',
      columns: [
        { key: 'kind', label: 'Kind', kind: 'text' },
        countColumn('holes', 'Entries'),
        countColumn('count', 'Calls, payloads, files'),
        { key: 'weight', label: 'Weight', kind: 'text' },
        { key: 'means', label: 'What it means', kind: 'text', detail: true },
      ],
      rows: rows.map((kind) => ({
        cells: [
          holeWords[kind].label,
          kinds[kind]?.holes ?? 0,
          kinds[kind]?.count ?? 0,
          holeWords[kind].weight,
          holeWords[kind].means,
        ],
      })),
    },
  }
}

function holesSection(days: ReadonlyMap<string, CoverageDay>, sum: CoverageDay, limit: number): Section {
  const head = { key: 'holes', heading: 'What is missing, newest first' }
  const listed = newestHoles(days, limit)
  if (listed.length === 0) return { ...head, note: 'Nothing is known to be missing.' }
  const total = Object.values(sum.kinds).reduce((count, { holes }) => count + holes, 0)
  return { ...head, table: holesTable(listed, total - listed.length) }
}

function holesTable(listed: readonly Hole[], more: number): Table {
  return {
    caption: 'What should be on record and is not, newest first',
    columns: [
      { key: 'index', label: 'Entry', kind: 'text' },
      { key: 'kind', label: 'Kind', kind: 'text' },
      { key: 'name', label: 'Of', kind: 'text' },
      countColumn('count', 'Count'),
      { key: 'begin', label: 'Begins at entry', kind: 'text' },
      { key: 'time', label: 'Time', kind: 'time' },
      { key: 'session', label: 'Session', kind: 'text', detail: true },
    ],
    rows: listed.map(({ index, kind, name, count, begin, time, session }) => ({
      cells: [index, holeWords[kind].label, name === '' ? null : name, count, begin, time, session === '' ? null : session],
    })),
    more,
  }
}

function filesSection(days: ReadonlyMap<string, CoverageDay>, words: WordsByIndex, sum: CoverageDay, limit: number): Section {
  const head = { key: 'files', heading: 'Memory and skill files that something else has changed' }
  const listed = newestHoles(days, limit, 'file_changed')
  if (listed.length === 0) return { ...head, note: 'No file was found changed by something else than a judged write.' }
  return {
    ...head,
    table: {
      caption: 'Files that changed between two looks, and not by a judged write, newest first',
      columns: [
        { key: 'index', label: 'Entry', kind: 'text' },
        { key: 'files', label: 'Files', kind: 'text' },
        { key: 'target', label: 'What they are', kind: 'text' },
        { key: 'begin', label: 'As known since entry', kind: 'text' },
        { key: 'time', label: 'Found', kind: 'time' },
        { key: 'session', label: 'Session', kind: 'text', detail: true },
      ],
      rows: listed.map(({ index, name, count, begin, time, session }) => ({
        cells: [
          index,
          namesOf(words.get(index), count),
          name === '' ? 'several' : name,
          begin,
          time,
          session === '' ? null : session,
        ],
      })),
      more: (sum.kinds.file_changed?.holes ?? 0) - listed.length,
    },
  }
}

/** Those that changed stand first. */
function namesOf(words: Readonly<Record<string, unknown>> | undefined, count: number): string {
  const names = words?.['names']
  return Array.isArray(names) ? names.slice(0, count).map(String).join(', ') : '(forgotten)'
}

function openSection({ open }: CoverageWatch, limit: number): Section {
  const head = { key: 'open', heading: 'Calls that have not come back yet' }
  if (open.length === 0) return { ...head, note: 'Every call has come back, or is told above.' }
  return {
    ...head,
    table: {
      caption: 'Calls that have not come back yet, newest first',
      columns: [
        { key: 'index', label: 'Entry', kind: 'text' },
        { key: 'tool', label: 'Tool', kind: 'text' },
        { key: 'time', label: 'Asked for', kind: 'time' },
        { key: 'session', label: 'Session', kind: 'text', detail: true },
      ],
      rows: open
        .toReversed()
        .slice(0, limit)
        .map(({ index, tool, time, session }) => ({ cells: [index, tool, time, session === '' ? null : session] })),
      more: Math.max(0, open.length - limit),
    },
  }
}
