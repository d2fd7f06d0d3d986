// What the Jev stage said: predicted against applied, what triggered, each question's answers against its threshold, and where it said nothing.
import type { JevDay } from '../projections/jev.js'
import { nameParts } from './name-parts.js'
import { type Column, countColumn, type Section, type Table } from './report.js'

export function jevJudgedSections(sum: JevDay): Section[] {
  return [
    tabled('stages', 'Predicted against applied', stagesTable(sum), 'The stage said nothing.'),
    tabled('unapplied', 'Predicted and not applied', unappliedTable(sum), 'The host was held to everything that was proposed.'),
    tabled('triggers', 'By trigger', triggersTable(sum), 'Nothing triggered.'),
    tabled('answers', 'Answers against their thresholds', answersTable(sum), 'Nothing was answered.'),
    tabled('tenths', 'Answers by tenths', tenthsTable(sum), 'Nothing was answered.'),
    tabled('abstentions', 'No opinion, by stage and reason', reasonsTable(sum.abstentions, 'why', 'Why'), 'It always had one.'),
    tabled('failures', 'Failures, by stage and category', reasonsTable(sum.failures, 'category', 'Category'), 'Nothing failed.'),
  ]
}

export function tabled(key: string, heading: string, table: Table, note: string): Section {
  return { key, heading, ...(table.rows.length === 0 ? { note } : { table }) }
}

export function textColumn(key: string, label: string): Column {
  return { key, label, kind: 'text' }
}

export function byName<Counts>(of: Readonly<Record<string, Counts>>): [string, Counts][] {
  return Object.entries(of).sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Null where there is nothing to have a share in. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function stagesTable({ stages }: JevDay): Table {
  return {
    caption: 'Proposals, and what the host was held to, by stage and mode',
    columns: [
      textColumn('stage', 'Stage'),
      textColumn('mode', 'Mode'),
      countColumn('predicted', 'Predicted'),
      countColumn('applied', 'Applied'),
      { key: 'appliedShare', label: 'Share', kind: 'share' },
      countColumn('classified', 'Classified'),
      countColumn('abstained', 'No opinion'),
      countColumn('failed', 'Failed'),
      countColumn('incomplete', 'Not whole', true),
    ],
    rows: byName(stages).map(([name, { predicted, applied, classified, abstained, failed, incomplete }]) => ({
      cells: [
        ...[...nameParts(name, 2), predicted, applied, shareOf(applied, predicted), classified, abstained, failed],
        incomplete,
      ],
    })),
  }
}

const unappliedWords: Readonly<Record<string, string>> = {
  shadow: 'it only watches',
  order_unsafe: 'an answer of ours could have taken the place of somebody’s block',
  turn_over: 'the turn was over by then',
}

function unappliedTable({ unapplied }: JevDay): Table {
  return {
    caption: 'Proposals that the host was not held to, by stage and reason',
    columns: [
      textColumn('stage', 'Stage'),
      textColumn('why', 'Why'),
      countColumn('proposals', 'Proposals'),
      { key: 'means', label: 'What it means', kind: 'text', detail: true },
    ],
    rows: byName(unapplied).map(([name, { proposals }]) => {
      const [stage = '', why = ''] = nameParts(name, 2)
      return { cells: [stage, why === '' ? '(not told)' : why, proposals, unappliedWords[why] ?? null] }
    }),
  }
}

function triggersTable({ triggers }: JevDay): Table {
  return {
    caption: 'Proposals by what triggered them; one may have several',
    columns: [
      textColumn('trigger', 'Trigger'),
      countColumn('predicted', 'Predicted'),
      countColumn('applied', 'Applied'),
      { key: 'appliedShare', label: 'Share', kind: 'share' },
    ],
    rows: Object.entries(triggers)
      .sort(([nameA, a], [nameB, b]) => b.predicted - a.predicted || (nameA < nameB ? -1 : 1))
      .map(([name, { predicted, applied }]) => ({ cells: [name, predicted, applied, shareOf(applied, predicted)] })),
  }
}

/** It is asked and told, and decides nothing. */
const undeciding = 'completion verification_evidence_present'
/** Here an answer that is low asks. */
const lowAsks: ReadonlySet<string> = new Set(['risk action_requested', 'risk confidence'])

function answersTable({ answers }: JevDay): Table {
  return {
    caption: 'Answers that were at their threshold or beyond it, so that they asked, each against the threshold of its own entry',
    columns: [
      textColumn('stage', 'Stage'),
      textColumn('question', 'Question'),
      countColumn('answers', 'Answers'),
      countColumn('beyond', 'Asked'),
      countColumn('within', 'Did not'),
      { key: 'beyondShare', label: 'Share that asked', kind: 'share' },
      { key: 'asksWhere', label: 'Asks where', kind: 'text', detail: true },
      countColumn('incomplete', 'Not whole', true),
    ],
    rows: byName(answers).map(([name, { answers: count, beyond, incomplete }]) => {
      const parts = nameParts(name, 2)
      if (name === undeciding) return { cells: [...parts, count, null, null, null, 'never', incomplete] }
      const asksWhere = lowAsks.has(name) ? 'low' : 'high'
      return { cells: [...parts, count, beyond, count - beyond, shareOf(beyond, count), asksWhere, incomplete] }
    }),
  }
}

const tenthsAll = ['0.0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9']

function tenthsTable({ answers }: JevDay): Table {
  return {
    caption: 'Answers by the tenth in which they lie; the last one holds 1 too',
    columns: [
      textColumn('stage', 'Stage'),
      textColumn('question', 'Question'),
      ...tenthsAll.map((tenth) => countColumn(`from${tenth.replace('.', '')}`, tenth)),
    ],
    rows: byName(answers)
      .filter(([, { answers: count }]) => count > 0)
      .map(([name, { tenths }]) => ({ cells: [...nameParts(name, 2), ...tenthsAll.map((tenth) => tenths[tenth] ?? 0)] })),
  }
}

function reasonsTable(counts: Readonly<Record<string, { readonly entries: number }>>, key: string, label: string): Table {
  return {
    caption: 'Most first',
    columns: [textColumn('stage', 'Stage'), textColumn(key, label), countColumn('entries', 'Entries')],
    rows: byName(counts)
      .sort(([, a], [, b]) => b.entries - a.entries)
      .map(([name, { entries }]) => ({ cells: [...nameParts(name, 2), entries] })),
  }
}
