// A report as Markdown with GitHub's tables. Whatever is not plain words becomes a code span, in which nothing is a link, a name to be
// told or markup.
import { type Report, reportFacts, type Section, type Table, type Value, type ValueKind } from './report.js'
import { shownText } from './shown-text.js'
import { shownNothing, shownValue } from './shown-value.js'

export function markdownReport(report: Report): string {
  const facts = reportFacts(report).map(({ label, kind, value }) => `- ${words(label)}: ${words(shownValue(kind, value))}`)
  const figures = report.figures.map(({ label, kind, value }) => `| ${words(label)} | ${words(shownValue(kind, value))} |`)
  const parts = [
    `# ${words(report.title)}`,
    facts.join('\n'),
    ...(figures.length === 0 ? [] : ['## Summary', ['| What | How many |', '| :-- | --: |', ...figures].join('\n')]),
    ...report.sections.flatMap(sectionParts),
    ...(report.notes.length === 0 ? [] : ['## Notes', report.notes.map((note) => `- ${words(note)}`).join('\n')]),
  ]
  return `${parts.join('\n\n')}\n`
}

function sectionParts({ heading, note, table }: Section): string[] {
  return [`## ${words(heading)}`, ...(note === undefined ? [] : [words(note)]), ...(table === undefined ? [] : tableParts(table))]
}

function tableParts({ columns, rows, more = 0 }: Table): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const lines = [
    line(columns.map(({ label }) => words(label))),
    line(columns.map(({ kind }) => (isLeft(kind) ? ':--' : '--:'))),
    ...rows.map(({ cells, depth = 0 }) =>
      line(
        columns.map(
          ({ kind }, at) => `${at === 0 ? '↳ '.repeat(Math.min(depth, depthMax)) : ''}${cell(kind, cells[at] ?? null)}`,
        ),
      ),
    ),
  ]
  return [...(rows.length === 0 ? [] : [lines.join('\n')]), ...(more === 0 ? [] : [`and ${shownValue('count', more)} more`])]
}

const depthMax = 8

function isLeft(kind: ValueKind): boolean {
  return kind === 'text' || kind === 'time'
}

function cell(kind: ValueKind, value: Value): string {
  const shown = shownValue(kind, value)
  return shown === '' ? shownNothing : words(shown)
}

/** Letters, digits and signs that mean nothing to Markdown within a line. */
const harmless = /^(?!.*(?:www\.|:\/|\bxmpp:|\bmailto:))(?:<\d|>\d)?[\p{L}\p{M}\p{N} \u202f,.;:()'?/=%…–-]*$/iu

/** What would begin a list, a rule or a heading. */
const lineStart = /^(?:[-=]+|\d+[.)])(?:\s|$)/

/** Text for a place within a line, in or out of a table. */
function words(text: string): string {
  const line = shownText(text, Number.POSITIVE_INFINITY)
  return harmless.test(line) && line === line.trim() && !lineStart.test(line) ? line.replace(/^[<>]/, '\\$&') : codeSpan(line)
}

/** In a code span all but a pipe stands for itself, and a pipe would end a table's cell, wherever it stands. */
function codeSpan(line: string): string {
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${line.replaceAll('|', '\\u007c')} ${fence}`
}
