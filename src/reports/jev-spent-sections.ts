// What the Jev stage took: requests a day, how long they took, tokens, and which models answered.
import type { JevDay } from '../projections/jev.js'
import { latencyWithin, meanLatency } from '../projections/jev-latency.js'
import { type PeriodSums, periodWords } from './counted-days.js'
import { byName, tabled, textColumn } from './jev-judged-sections.js'
import { nameParts } from './name-parts.js'
import { countColumn, type Section, type Table } from './report.js'

export function jevSpentSections(
  sum: JevDay,
  days: ReadonlyMap<string, JevDay>,
  byPeriod: PeriodSums,
  price: number | undefined,
): Section[] {
  return [
    periodsSection(byPeriod, sum),
    tabled('latency', 'Time of requests', latencyTable(sum), 'No request was sent.'),
    tabled('tokens', 'Tokens', tokensTable(sum, price), 'No answer told of any.'),
    tabled('models', 'Models', modelsTable(sum), 'No model answered.'),
    tabled('changes', 'Another model than before, newest first', changesTable(days), 'It was always the same.'),
  ]
}

function periodsSection({ unit, sums }: PeriodSums, { requests }: JevDay): Section {
  const { a, column } = periodWords[unit]
  const head = { key: 'days', heading: `Requests sent ${a}` }
  if (requests === 0) return { ...head, note: 'No request was sent.' }
  return {
    ...head,
    chart: {
      form: 'bar',
      title: `Requests sent ${a}`,
      kind: 'count',
      categories: [...sums.keys()],
      series: [{ name: 'Requests', values: [...sums.values()].map(([sent = 0]) => sent) }],
    },
    table: {
      caption: `Requests and proposals ${a}`,
      columns: [
        textColumn('period', column),
        countColumn('requests', 'Requests'),
        countColumn('predicted', 'Predicted'),
        countColumn('applied', 'Applied'),
      ],
      rows: [...sums].map(([key, of]) => ({ cells: [key, ...of] })),
    },
  }
}

function latencyTable({ latency }: JevDay): Table {
  return {
    caption: 'How long requests took that were sent, by stage and by how they ended',
    columns: [
      textColumn('stage', 'Stage'),
      textColumn('ended', 'Ended'),
      countColumn('requests', 'Requests'),
      { key: 'mean', label: 'Mean', kind: 'duration' },
      { key: 'halfWithin', label: 'Half within', kind: 'duration' },
      { key: 'mostWithin', label: '95 of 100 within', kind: 'duration' },
      { key: 'longest', label: 'Longest', kind: 'duration' },
    ],
    rows: byName(latency).map(([name, of]) => ({
      cells: [...nameParts(name, 2), of.requests, meanLatency(of), latencyWithin(of, 0.5), latencyWithin(of, 0.95), of.maxMs],
    })),
  }
}

function tokensTable({ tokens }: JevDay, price: number | undefined): Table {
  return {
    caption: 'Tokens of the answers that tell of them',
    columns: [
      textColumn('stage', 'Stage'),
      countColumn('answers', 'Answers'),
      countColumn('input', 'Sent'),
      countColumn('output', 'Came back'),
      ...(price === undefined ? [] : [textColumn('cost', 'Cost')]),
    ],
    rows: byName(tokens).map(([name, { answers, input, output }]) => ({
      cells: [name, answers, input, output, ...(price === undefined ? [] : [costOf(input, price)])],
    })),
  }
}

function modelsTable({ models }: JevDay): Table {
  return {
    caption: 'Which model was asked, and which answered',
    columns: [textColumn('asked', 'Asked'), textColumn('answered', 'Answered'), countColumn('answers', 'Answers')],
    rows: byName(models).map(([name, { answers }]) => ({ cells: [...nameParts(name, 2), answers] })),
  }
}

function changesTable(days: ReadonlyMap<string, JevDay>): Table {
  const changes = [...days.values()].flatMap((day) => day.changes).sort((one, other) => other.index - one.index)
  return {
    caption: 'Answers of another model than the one that answered before, as far as they are listed',
    columns: [
      textColumn('index', 'Entry'),
      textColumn('from', 'Before'),
      textColumn('to', 'Then'),
      textColumn('asked', 'Asked'),
      { key: 'time', label: 'Time', kind: 'time' },
    ],
    rows: changes.slice(0, changesMax).map(({ index, from, to, asked, time }) => ({ cells: [index, from, to, asked, time] })),
    more: Math.max(0, changes.length - changesMax),
  }
}

const changesMax = 50

/** To the millionth: a token at a price of a million is a millionth of that. */
export function costOf(tokens: number, price: number): number {
  return Math.round(tokens * price) / 1_000_000
}
