// The rows of a section of a report, by the keys of their columns.
import type { Report } from '../../src/reports/report.js'

export function rowsOf(report: Report, section: string): readonly Readonly<Record<string, unknown>>[] {
  const table = report.sections.find(({ key }) => key === section)?.table
  return (table?.rows ?? []).map(({ cells }) => Object.fromEntries((table?.columns ?? []).map(({ key }, at) => [key, cells[at]])))
}

export function figuresIn({ figures }: Report): Readonly<Record<string, unknown>> {
  return Object.fromEntries(figures.map(({ key, value }) => [key, value]))
}
