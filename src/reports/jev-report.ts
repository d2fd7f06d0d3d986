// What the Jev stage said, what came of it and what it took: sums over the days of its view, and the newest proposals with what was shown.
import { type JevDay, jev } from '../projections/jev.js'
import { type JevLatency, latencyWithin, meanLatency, summedLatency } from '../projections/jev-latency.js'
import { countedDays, notesOfDays, periodSums, spanOfDays } from './counted-days.js'
import { jevJudgedSections } from './jev-judged-sections.js'
import { jevOutcomeSections } from './jev-outcome-sections.js'
import { costOf, jevSpentSections } from './jev-spent-sections.js'
import { countFigure, type Figure, type Report, type ReportFrame } from './report.js'
import { summedCounts } from './summed-counts.js'

type WordsByIndex = ReadonlyMap<number, Readonly<Record<string, unknown>>>

export interface JevAsked {
  readonly limit: number
  /** Of a million tokens that are sent, in whatever is paid with; no cost is told without it. */
  readonly price?: number | undefined
}

/** `words` of `jev.proposed` and `verification.proposed` by their index; absent where there are none, or where they are forgotten. */
export function jevReport(
  days: ReadonlyMap<string, JevDay>,
  words: WordsByIndex,
  frame: ReportFrame,
  { limit, price }: JevAsked,
): Report {
  const counted = spokenDays(countedDays(days, frame))
  const sum = { ...summedCounts([...counted.values()], jev.initial()), latency: latencyOf(counted) }
  const span = spanOfDays(counted)
  const byPeriod = periodSums(counted, span, 3, ({ requests, stages }) => [
    requests,
    total(stages, ({ predicted }) => predicted),
    total(stages, ({ applied }) => applied),
  ])
  return {
    name: 'jev',
    title: 'The Jev stage',
    frame,
    span,
    figures: figuresOf(sum, counted, price),
    sections: [
      ...jevJudgedSections(sum),
      ...jevOutcomeSections(sum, counted, words, limit),
      ...jevSpentSections(sum, counted, byPeriod, price),
    ],
    notes: [
      ...notesOfDays(byPeriod.unit, frame),
      'Answers to an input that was not whole say little of the model: they are counted apart, and are in no share and in no tenth.',
      'An outcome counts on the day on which it came. One that came after 64 newer proposals, or after the session was over, is not known here.',
      'Half of the requests, and 95 of 100, stayed within a time that is told as the end of a fixed bucket: never too low, and too high by a third at most. Mean and longest are exact.',
      ...(price === undefined
        ? []
        : ['The cost is that of the tokens that were sent. What comes back is free, says the vendor.']),
    ],
  }
}

/** A day on which somebody was asked to approve something has a part, whether or not the stage had a hand in it. */
function spokenDays(days: ReadonlyMap<string, JevDay>): ReadonlyMap<string, JevDay> {
  const isSaid = (value: unknown): boolean => (typeof value === 'number' ? value > 0 : Object.keys(value as object).length > 0)
  return new Map([...days].filter(([, day]) => Object.values(day).some(isSaid)))
}

/** The longest is no sum. */
function latencyOf(days: ReadonlyMap<string, JevDay>): JevDay['latency'] {
  const names = new Set([...days.values()].flatMap(({ latency }) => Object.keys(latency)))
  const of = (name: string): JevLatency[] => [...days.values()].flatMap(({ latency }) => latency[name] ?? [])
  return Object.fromEntries([...names].sort().map((name) => [name, summedLatency(of(name))]))
}

function total<Counts>(of: Readonly<Record<string, Counts>>, count: (counts: Counts) => number): number {
  return Object.values(of).reduce((sum, counts) => sum + count(counts), 0)
}

function figuresOf(sum: JevDay, days: ReadonlyMap<string, JevDay>, price: number | undefined): Figure[] {
  const { requests, stages, fates, tokens, latency, nudges } = sum
  const all = summedLatency(Object.values(latency))
  const input = total(tokens, (of) => of.input)
  const kept = Object.entries(nudges).filter(([name]) => name.startsWith('applied'))
  return [
    countFigure('requests', 'Requests sent', requests),
    countFigure(
      'classified',
      'Turns that were classified',
      total(stages, (of) => of.classified),
    ),
    countFigure(
      'predicted',
      'Proposals',
      total(stages, (of) => of.predicted),
    ),
    countFigure(
      'applied',
      'Of these, the host was held to',
      total(stages, (of) => of.applied),
    ),
    countFigure(
      'told',
      'Of these, the host was told when the call was about to run',
      total(fates, (of) => of.applied),
    ),
    countFigure(
      'nudges',
      'Requests for one more pass',
      total(nudges, (of) => of.nudges),
    ),
    countFigure(
      'nudgesApplied',
      'Of these, the agent was told',
      total(Object.fromEntries(kept), (of) => of.nudges),
    ),
    countFigure(
      'abstained',
      'No opinion',
      total(stages, (of) => of.abstained),
    ),
    countFigure(
      'failed',
      'Failures',
      total(stages, (of) => of.failed),
    ),
    countFigure(
      'incomplete',
      'Inputs that were not whole',
      total(stages, (of) => of.incomplete),
    ),
    { key: 'meanTime', label: 'Mean time of a request', kind: 'duration', value: meanLatency(all) },
    { key: 'halfWithin', label: 'Half of them within', kind: 'duration', value: latencyWithin(all, 0.5) },
    { key: 'mostWithin', label: '95 of 100 within', kind: 'duration', value: latencyWithin(all, 0.95) },
    { key: 'longestTime', label: 'Longest', kind: 'duration', value: all.requests === 0 ? null : all.maxMs },
    countFigure('tokensIn', 'Tokens sent', input),
    countFigure(
      'tokensOut',
      'Tokens that came back',
      total(tokens, (of) => of.output),
    ),
    ...(price === undefined ? [] : [costFigure(input, price)]),
    countFigure(
      'modelChanges',
      'Answers of another model than the one before (as far as listed)',
      [...days.values()].reduce((changes, day) => changes + day.changes.length, 0),
    ),
  ]
}

function costFigure(tokens: number, price: number): Figure {
  return { key: 'cost', label: `Cost of them, at ${price} for a million`, kind: 'text', value: costOf(tokens, price) }
}
