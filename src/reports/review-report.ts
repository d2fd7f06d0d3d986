// How right each rule was on the owner's own data: what was flagged, what the owner has said of it, and the share that was rightly flagged,
// with the counts that it comes of. What nobody has answered says nothing about a rule, and is in no share.
import { answersThatHold, causeOf, type InboxDay, noPolicyCode, type ReviewLabel } from '../projections/inbox.js'
import { countedDays, notesOfDays, spanOfDays } from './counted-days.js'
import { type Column, countColumn, countFigure, type Report, type ReportFrame, type Section, type Table } from './report.js'

interface Ruled extends Record<ReviewLabel, number> {
  flagged: number
  enforced: number
}

interface Sums {
  /** By gate, code and rule, and by gate and tool, with line feeds between them. */
  readonly rules: Map<string, Ruled>
  readonly tools: Map<string, Ruled>
  readonly all: Ruled
  /** Judged while no allowlist was in force: in none of the others. */
  withoutPolicy: number
  probes: number
}

export function reviewReport(days: ReadonlyMap<string, InboxDay>, frame: ReportFrame): Report {
  const counted = countedDays(days, frame)
  const sums = sumsOf(counted)
  const { all, withoutPolicy, probes } = sums
  const reviewed = reviewedOf(all)
  return {
    name: 'review',
    title: 'Review',
    frame,
    span: spanOfDays(counted),
    figures: [
      countFigure('flagged', 'Denied or flagged', all.flagged),
      countFigure('enforced', 'Of these the host was held to', all.enforced),
      countFigure('reviewed', 'Of these you have answered', reviewed),
      countFigure('refuse', 'Rightly flagged', all.refuse),
      countFigure('grant', 'Should be granted', all.grant),
      countFigure('falseAlarms', 'False alarms', all.false_alarm),
      { key: 'precision', label: 'Rightly flagged, of those answered', kind: 'share', value: precisionOf(all) },
      countFigure('withoutPolicy', 'Denied while no allowlist was in force, left out', withoutPolicy),
      countFigure('probes', 'Asked for by stele doctor, left out', probes),
    ],
    sections: [
      tabled('rules', 'How right each rule was', ruleTable(sums.rules)),
      tabled('tools', 'By tool', toolTable(sums.tools)),
    ],
    notes: [
      ...notesOfDays('day', frame),
      '`Share`: what was rightly flagged (`Right`) of what you have answered with `stele review`, never of all that was flagged. Few answers say little.',
      '`Grant`: what should be granted counts against the rule: held to it, wanted work would have stopped. It is no mistake of the gate, and a false alarm (`False`) is.',
    ],
  }
}

function sumsOf(days: ReadonlyMap<string, InboxDay>): Sums {
  const sums: Sums = { rules: new Map(), tools: new Map(), all: noneRuled(), withoutPolicy: 0, probes: 0 }
  for (const { causes, probes } of days.values()) {
    sums.probes += probes
    for (const [key, { flagged, enforced }] of Object.entries(causes)) {
      const { gate, code, rule, tool } = causeOf(key) ?? { gate: key, code: '', rule: '', tool: '' }
      if (code === noPolicyCode) sums.withoutPolicy += flagged
      else
        for (const ruled of ruledBy(sums, gate, code, rule, tool)) {
          ruled.flagged += flagged
          ruled.enforced += enforced
        }
    }
  }
  // An answer may be about entries of before the days that are counted.
  const first = Math.min(...[...days.values()].map((day) => day.first ?? Number.POSITIVE_INFINITY))
  for (const [index, { label, gate, code, rule, tool }] of answersThatHold(days))
    if (index >= first && code !== noPolicyCode) for (const ruled of ruledBy(sums, gate, code, rule, tool)) ruled[label] += 1
  return sums
}

function ruledBy({ rules, tools, all }: Sums, gate: string, code: string, rule: string, tool: string): Ruled[] {
  return [ruledIn(rules, [gate, code, rule]), ruledIn(tools, [gate, tool]), all]
}

function ruledIn(of: Map<string, Ruled>, names: readonly string[]): Ruled {
  const key = names.join('\n')
  const ruled = of.get(key) ?? noneRuled()
  of.set(key, ruled)
  return ruled
}

const noneRuled = (): Ruled => ({ flagged: 0, enforced: 0, grant: 0, refuse: 0, false_alarm: 0 })

const reviewedOf = ({ grant, refuse, false_alarm }: Ruled): number => grant + refuse + false_alarm

/** From 0 to 1; null where nothing was answered. */
function precisionOf(ruled: Ruled): number | null {
  const reviewed = reviewedOf(ruled)
  return reviewed === 0 ? null : ruled.refuse / reviewed
}

const ruledColumns: readonly Column[] = [
  countColumn('flagged', 'Flagged'),
  countColumn('reviewed', 'Answered'),
  countColumn('refuse', 'Right'),
  countColumn('grant', 'Grant'),
  countColumn('falseAlarms', 'False'),
  { key: 'precision', label: 'Share', kind: 'share' },
  countColumn('enforced', 'Host held to it', true),
]

const cellsOf = (ruled: Ruled): (number | null)[] => [
  ...[ruled.flagged, reviewedOf(ruled), ruled.refuse, ruled.grant, ruled.false_alarm, precisionOf(ruled), ruled.enforced],
]

/** So many rows of what hosts and models name. */
const namesMax = 100

function ruleTable(rules: ReadonlyMap<string, Ruled>): Table {
  return tableOf('What each rule flagged, and what you said of it', rules, [
    { key: 'gate', label: 'Gate', kind: 'text' },
    { key: 'code', label: 'Code', kind: 'text' },
    { key: 'rule', label: 'Rule of the claim', kind: 'text' },
  ])
}

function toolTable(tools: ReadonlyMap<string, Ruled>): Table {
  return tableOf('What was flagged by the tool of the call', tools, [
    { key: 'gate', label: 'Gate', kind: 'text' },
    { key: 'tool', label: 'Tool', kind: 'text' },
  ])
}

/** Most flagged first. */
function tableOf(caption: string, of: ReadonlyMap<string, Ruled>, names: readonly Column[]): Table {
  const sorted = [...of].sort(([nameA, a], [nameB, b]) => b.flagged - a.flagged || (nameA < nameB ? -1 : 1))
  return {
    caption,
    columns: [...names, ...ruledColumns],
    rows: sorted.slice(0, namesMax).map(([key, ruled]) => {
      const parts = key.split('\n')
      return { cells: [...names.map((_, at) => (parts[at] === '' ? null : (parts[at] ?? null))), ...cellsOf(ruled)] }
    }),
    more: Math.max(0, sorted.length - namesMax),
  }
}

function tabled(key: string, heading: string, table: Table): Section {
  return { key, heading, ...(table.rows.length === 0 ? { note: 'Nothing was flagged.' } : { table }) }
}
