// A report for a machine: raw numbers under names that stay. What is new comes beside, never in place of what is there.
import { terminalText } from '../foundation/terminal-text.js'
import type { Report, Row, Section, Table } from './report.js'

/** Text of one JSON value. Sections and figures stand under their keys, rows have a member a column. */
export function jsonReport({ name, title, frame, span, figures, sections, notes }: Report): string {
  const { ledger, asOf, since, madeAt, program } = frame
  const value = {
    report: name,
    title,
    ledger,
    asOf: { size: asOf.size, time: asOf.time },
    since: since ?? null,
    span,
    madeAt,
    program,
    figures: Object.fromEntries(figures.map(({ key, value }) => [key, value])),
    sections: Object.fromEntries(sections.map((section) => [section.key, sectionValue(section)])),
    notes,
  }
  // What the escaper turns into an escape of four digits stands only inside of strings here, where it means the same character.
  return `${terminalText(JSON.stringify(value, undefined, 2))}\n`
}

function sectionValue({ heading, note, table, chart }: Section): object {
  return {
    heading,
    ...(note === undefined ? {} : { note }),
    ...(table === undefined ? {} : tableValue(table)),
    ...(chart === undefined ? {} : { chart }),
  }
}

function tableValue({ columns, rows, more = 0 }: Table): object {
  return {
    columns: columns.map(({ key, label, kind }) => ({ key, label, kind })),
    rows: rows.map(({ cells, depth }: Row) => ({
      ...Object.fromEntries(columns.map(({ key }, at) => [key, cells[at] ?? null])),
      ...(depth === undefined ? {} : { depth }),
    })),
    more,
  }
}
