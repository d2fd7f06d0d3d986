// What a report is: plain data, made once from views. How it looks is each face's own matter; nothing here is markup.

/** How a value is meant, and so how it is shown: bytes, durations in milliseconds, times as entries write them, shares from 0 to 1. */
export type ValueKind = 'text' | 'count' | 'bytes' | 'duration' | 'time' | 'share'

/** Null where there is nothing to say. Texts may be anybody's: each face makes them harmless. */
export type Value = string | number | null

/** What a report was made from. The clock is not read here: whoever asks hands the time in. */
export interface ReportFrame {
  readonly ledger: string
  /** Entries that count, and the time of the last of them. */
  readonly asOf: { readonly size: number; readonly time: string | null }
  /** As entries write their times. */
  readonly since?: string
  readonly madeAt: string
  /** Name and version. */
  readonly program: string
}

export interface Figure {
  readonly key: string
  readonly label: string
  readonly kind: ValueKind
  readonly value: Value
}

export interface Column {
  readonly key: string
  readonly label: string
  readonly kind: ValueKind
  /** Left out where a terminal has no room for it. */
  readonly detail?: true
}

export interface Row {
  /** One a column. */
  readonly cells: readonly Value[]
  /** How far it stands under the row that it belongs to; 0 where absent. */
  readonly depth?: number
}

export interface Table {
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** Rows that there are and that were not asked for. */
  readonly more?: number
}

export interface Series {
  readonly name: string
  /** One a category. */
  readonly values: readonly number[]
}

export interface Chart {
  readonly form: 'bar' | 'stacked-bar' | 'line'
  readonly title: string
  /** How the values are meant. */
  readonly kind: ValueKind
  readonly categories: readonly string[]
  readonly series: readonly Series[]
}

interface SectionHead {
  readonly key: string
  readonly heading: string
  readonly note?: string
}

/** A chart has a table beside it that says the same: a row a category. */
export type Section =
  | (SectionHead & { readonly table?: Table; readonly chart?: undefined })
  | (SectionHead & { readonly table: Table; readonly chart: Chart })

export interface Report {
  /** As it is asked for. */
  readonly name: string
  readonly title: string
  readonly frame: ReportFrame
  /** First and last UTC day that it speaks of; null where it speaks of none. */
  readonly span: { readonly from: string; readonly to: string } | null
  readonly figures: readonly Figure[]
  readonly sections: readonly Section[]
  readonly notes: readonly string[]
}

/** What stands under the title. */
export function reportFacts({ frame, span }: Report): Figure[] {
  const { ledger, asOf, since, madeAt, program } = frame
  return [
    { key: 'ledger', label: 'Ledger', kind: 'text', value: ledger },
    { key: 'size', label: 'As of entries', kind: 'count', value: asOf.size },
    { key: 'time', label: 'Last of them', kind: 'time', value: asOf.time },
    ...(since === undefined ? [] : [{ key: 'since', label: 'Since', kind: 'time', value: since } as const]),
    { key: 'span', label: 'Days (UTC)', kind: 'text', value: span === null ? null : `${span.from} to ${span.to}` },
    { key: 'madeAt', label: 'Made', kind: 'time', value: madeAt },
    { key: 'program', label: 'By', kind: 'text', value: program },
  ]
}

export function countColumn(key: string, label: string, isDetail = false): Column {
  return { key, label, kind: 'count', ...(isDetail ? { detail: true } : {}) }
}

export function countFigure(key: string, label: string, value: number): Figure {
  return { key, label, kind: 'count', value }
}
