// A report for a terminal: aligned tables, and a bar beside each row of a chart. No colour; every text passes the one escaper.
import CliTable from 'cli-table3'
import { type Chart, type Report, reportFacts, type Section, type Table, type ValueKind } from './report.js'
import { shownText } from './shown-text.js'
import { shownValue } from './shown-value.js'

const widthMin = 40

/** Lines of at most `width` columns where the tables can be made to fit: first details are left out, then texts are cut. */
export function textReport(report: Report, width: number): string {
  const room = Math.max(widthMin, Math.floor(width))
  const facts = reportFacts(report).map(({ label, kind, value }) => [shownText(label), shownValue(kind, value)])
  const figures = report.figures.map(({ label, kind, value }) => [shownText(label), shownValue(kind, value)])
  const parts = [
    [underlined(report.title, '='), drawn({ rows: facts, kinds: ['text', 'text'], widths: naturalWidths(facts) }, room)],
    ...(figures.length === 0
      ? []
      : [[underlined('Summary', '-'), drawn({ rows: figures, kinds: ['text', 'count'], widths: naturalWidths(figures) }, room)]]),
    ...report.sections.map((section) => sectionParts(section, room)),
    ...(report.notes.length === 0
      ? []
      : [[underlined('Notes', '-'), report.notes.map((note) => wrapped(note, room)).join('\n')]]),
  ]
  return `${parts.map((part) => part.filter((text) => text !== '').join('\n')).join('\n\n')}\n`
}

function underlined(text: string, line: string): string {
  const shown = shownText(text)
  return `${shown}\n${line.repeat(Array.from(shown).length)}`
}

function sectionParts({ heading, note, table, chart }: Section, room: number): string[] {
  return [
    underlined(heading, '-'),
    ...(note === undefined ? [] : [wrapped(note, room)]),
    ...(table === undefined ? [] : tableParts(table, chart, room)),
  ]
}

function tableParts(table: Table, chart: Chart | undefined, room: number): string[] {
  const { rows, more = 0 } = table
  if (rows.length === 0) return more === 0 ? [] : [andMore(more)]
  const cells = cellsOf(table)
  const widths = naturalWidths(cells)
  const places = table.columns.map((_, at) => at)
  // Where there is something to draw, the bars come before the details.
  const columnsRoom = chart === undefined ? room + columnGap.length : room - barWidthWanted
  while (sumOf(places.map((at) => widths[at] ?? 0)) > columnsRoom) {
    const last = places.findLastIndex((at) => table.columns[at]?.detail === true)
    if (last < 0) break
    places.splice(last, 1)
  }
  const shown = {
    rows: cells.map((row) => places.map((at) => row[at] ?? '')),
    kinds: places.map((at) => table.columns[at]?.kind ?? 'text'),
    widths: places.map((at) => widths[at] ?? 0),
  }
  const missing = table.columns.filter((_, at) => !places.includes(at)).map(({ label }) => label)
  return [
    drawn(chart === undefined ? shown : withBars(shown, chart, room), room, true),
    ...(missing.length === 0 ? [] : [wrapped(`Not shown for want of room: ${missing.join(', ')}.`, room)]),
    ...(more === 0 ? [] : [andMore(more)]),
  ]
}

function andMore(more: number): string {
  return `and ${shownValue('count', more)} more`
}

const depthMax = 8

function cellsOf({ columns, rows }: Table): string[][] {
  return [
    columns.map(({ label }) => shownText(label)),
    ...rows.map(({ cells, depth = 0 }) =>
      columns.map(({ kind }, at) => {
        const value = shownValue(kind, cells[at] ?? null)
        return at === 0 && depth > 0 ? `${'  '.repeat(Math.min(depth, depthMax) - 1)}↳ ${value}` : value
      }),
    ),
  ]
}

interface Lines {
  readonly rows: readonly (readonly string[])[]
  readonly kinds: readonly ValueKind[]
  /** Of the columns, each with its gap. */
  readonly widths: readonly number[]
}

const barWidthMin = 10
const barWidthWanted = 20
const barWidthMax = 40

/** The last column is the bar, unless there is no room for one. */
function withBars({ rows, kinds, widths }: Lines, chart: Chart, room: number): Lines {
  const width = Math.min(barWidthMax, room - sumOf(widths))
  if (width < barWidthMin) return { rows, kinds, widths }
  const totals = chart.categories.map((_, at) => sumOf(chart.series.map(({ values }) => values[at] ?? 0)))
  const highest = totals.reduce((highest, total) => Math.max(highest, total), 0)
  const bars = ['', ...totals.map((total) => bar(highest === 0 ? 0 : total / highest, width))]
  return {
    rows: rows.map((row, at) => [...row, bars[at] ?? '']),
    kinds: [...kinds, 'text'],
    widths: [...widths, bars.reduce((longest, { length }) => Math.max(longest, length), 0) + columnGap.length],
  }
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Something is never shown as nothing. */
function bar(share: number, width: number): string {
  const parts = share > 0 ? Math.max(1, Math.round(share * width * 8)) : 0
  return `${'█'.repeat(Math.floor(parts / 8))}${eighths[parts % 8]}`
}

/** Behind each column; behind the last it is taken off again. */
const columnGap = '  '
const textWidthMin = 12

function drawn({ rows, kinds, widths: natural }: Lines, room: number, hasHead = false): string {
  const widths = [...natural]
  for (let over = sumOf(widths) - columnGap.length - room; over > 0; ) {
    // Only texts can be cut: a number without its end would be another number.
    const widest = kinds.reduce((best, kind, at) => (kind === 'text' && (widths[at] ?? 0) > (widths[best] ?? 0) ? at : best), -1)
    const excess = Math.min(over, (widths[widest] ?? 0) - textWidthMin)
    if (excess <= 0) break
    widths[widest] = (widths[widest] ?? 0) - excess
    over -= excess
  }
  const lines = piecesOf(rows).flatMap((piece) => {
    const table = emptyTable(kinds, widths)
    table.push(...piece.map((row) => [...row]))
    return table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd())
  })
  if (hasHead) lines.splice(1, 0, widths.map((width) => '─'.repeat(width - columnGap.length)).join(columnGap))
  // A cut may leave half of a character of two units.
  return lines.join('\n').toWellFormed()
}

/** As the package counts them, East Asian width and all; each with its gap. */
function naturalWidths(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, at) => {
    let widest = 0
    const others = new Set<string>()
    for (const row of rows) {
      const cell = row[at] ?? ''
      if (plain.test(cell)) widest = Math.max(widest, cell.length)
      else others.add(cell)
    }
    return piecesOf(Array.from(others, (cell) => [cell])).reduce((widest, piece) => {
      const column = emptyTable(['text'])
      column.push(...piece)
      column.toString()
      return Math.max(widest, column.options.colWidths[0] ?? 0)
    }, widest + columnGap.length)
  })
}

/** As wide as it is long. */
const plain = /^[\u0020-\u007e\u202f]*$/

const pieceRows = 100

/** The package takes the longer for each row the more a table has, so a long one is made in pieces: of the same widths, they look like one. */
function piecesOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / pieceRows) }, (_, at) => rows.slice(at * pieceRows, (at + 1) * pieceRows))
}

function emptyTable(kinds: readonly ValueKind[], colWidths: readonly number[] = []): CliTable.Table {
  const none = ''
  return new CliTable({
    chars: {
      ...{ top: none, 'top-mid': none, 'top-left': none, 'top-right': none },
      ...{ bottom: none, 'bottom-mid': none, 'bottom-left': none, 'bottom-right': none },
      ...{ left: none, 'left-mid': none, mid: none, 'mid-mid': none, right: none, 'right-mid': none, middle: none },
    },
    style: { 'padding-left': 0, 'padding-right': columnGap.length, head: [], border: [], compact: true },
    colAligns: kinds.map((kind) => (kind === 'text' || kind === 'time' ? 'left' : 'right')),
    colWidths: [...colWidths],
  })
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Between words; a word that is longer than the line stays whole. */
function wrapped(text: string, room: number): string {
  const lines: string[] = ['']
  for (const word of shownText(text, Number.POSITIVE_INFINITY).split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last === '') lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}
