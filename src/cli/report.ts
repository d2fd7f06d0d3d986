// stele report: the reports, each in the face that was asked for. They are built from views, wherever those come from.
import { Argument } from 'commander'
import { SteleError } from '../foundation/stele-error.js'
import type { DayView } from '../projections/activity.js'
import type { EvidenceDay } from '../projections/evidence.js'
import type { GrantsDay } from '../projections/grants.js'
import type { SessionView } from '../projections/sessions.js'
import type { EntryWords } from '../reports/grants-report.js'
import { policyInWords } from '../reports/policy-in-words.js'
import type { ReportFrame } from '../reports/report.js'
import { type ReportAsked, type ReportDefinition, type ReportName, reportCatalog } from '../reports/report-catalog.js'
import { type ReportFormat, reportFaces } from '../reports/report-face.js'
import { listedMax, type ViewAnswer } from '../service/view-questions.js'
import { askViews } from '../service/views-of-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { invalidOption, timeSince, wholeNumber } from './options.js'
import { programName } from './program-version.js'
import { print, printData, progressBar } from './terminal.js'
import { writeOut } from './write-out.js'

interface ReportOptions extends SharedOptions {
  readonly since?: string
  readonly asOf?: number | string
  readonly format?: ReportFormat
  readonly limit: number
  readonly out?: string
}

const limitDefault = 50
const widthDefault = 100
const reportNames = Object.keys(reportCatalog) as ReportName[]
const formats = Object.keys(reportFaces) as ReportFormat[]

export function reportCommand() {
  const summaries = reportNames.map((name) => `  ${name.padEnd(10)} ${reportCatalog[name].summary}`).join('\n')
  return newCommand('report', `show a report\n\n${summaries}`, [
    'stele report activity --since 7d',
    'stele report sessions --limit 20',
    'stele report evidence --since 7d',
    'stele report grants --since 30d',
    'stele report activity --format html --out activity.html',
    'stele report sessions --as-of 2026-11-29T20:40:00Z --json',
  ])
    .addArgument(new Argument('<name>', 'which report').choices(reportNames))
    .option('--since <time>', 'ISO 8601, or a span such as 30d or 2h', timeSince('--since'))
    .option('--as-of <index|time>', 'as it was with so many entries, or at a time', indexOrTime)
    .option('--format <format>', `${formats.join(', ')} (default: text)`, formatOf)
    .option(
      '--limit <count>',
      `at most so many rows of what has no end (default ${limitDefault})`,
      wholeNumber('--limit'),
      limitDefault,
    )
    .option('--out <file>', 'write to a file instead of standard output')
    .action(async (name: ReportName, options: ReportOptions) => {
      const format = options.format ?? (options.json === true ? 'json' : 'text')
      const text = await reportText(name, format, options)
      if (options.out === undefined) return printData(text)
      await writeOut(text, options.out)
      if (options.quiet !== true) print(`Wrote the report to ${options.out}`)
    })
}

async function reportText(name: ReportName, format: ReportFormat, options: ReportOptions): Promise<string> {
  const definition: ReportDefinition = reportCatalog[name]
  const answers = await askedViews(definition, options)
  const [first] = answers.values()
  if (first === undefined) throw new SteleError('VIEW_UNKNOWN', { view: name })
  const words = wordsOf(answers.get('evidence') ?? answers.get('grants'))
  const asked = { frame: frameOf(first, options), limit: options.limit, policy: policyOf(answers.get('grants'), words) }
  const views = {
    activity: partsOf<DayView>(answers.get('activity')),
    sessions: partsOf<SessionView>(answers.get('sessions')),
    evidence: partsOf<EvidenceDay>(answers.get('evidence')),
    grants: partsOf<GrantsDay>(answers.get('grants')),
  }
  const report = definition.build(views, namesOf(answers.get('sessions')), asked, words)
  return reportFaces[format](report, { width: process.stdout.columns ?? widthDefault })
}

async function askedViews({ views }: ReportDefinition, options: ReportOptions): Promise<Map<string, ViewAnswer>> {
  const home = homeOf(options)
  const bar = progressBar('reading', options.quiet === true)
  try {
    const answers = new Map<string, ViewAnswer>()
    for (const name of views) {
      const { asOf, since, limit } = options
      const listed = name === 'evidence' ? Math.min(limit, listedMax) : name === 'grants' ? listedMax : undefined
      const question = { ask: 'view', name, asOf, since, listed } as const
      answers.set(name, await askViews(home, question, (done, of) => bar.update(done, of)))
    }
    return answers
  } finally {
    bar.stop()
  }
}

function frameOf({ ledger, size, time }: ViewAnswer, { since }: ReportOptions): ReportFrame {
  return {
    ledger,
    asOf: { size, time: time === '' ? null : time },
    ...(since === undefined ? {} : { since }),
    madeAt: new Date().toISOString(),
    program: programName,
  }
}

function partsOf<Part>(answer: ViewAnswer | undefined): ReadonlyMap<string, Part> {
  return new Map(Object.entries(answer?.parts ?? {}) as [string, Part][])
}

/** A session that never had a name is left out; one whose name is forgotten has none. */
function namesOf(answer: ViewAnswer | undefined): ReadonlyMap<string, string | undefined> {
  return new Map(Object.entries(answer?.names ?? {}).map(([handle, name]) => [handle, name ?? undefined]))
}

/** What was forgotten is left out. */
function wordsOf(answer: ViewAnswer | undefined): EntryWords {
  const told = Object.entries(answer?.words ?? {})
  return new Map(told.flatMap(([index, words]) => (words === null ? [] : [[Number(index), words] as const])))
}

function policyOf(answer: ViewAnswer | undefined, words: EntryWords): ReportAsked['policy'] {
  const index = answer?.policy ?? undefined
  return index === undefined ? undefined : policyInWords(words.get(index)?.['policy'])
}

function indexOrTime(text: string): number | string {
  if (/^[0-9]+$/.test(text)) return wholeNumber('--as-of')(text)
  return timeSince('--as-of')(text)
}

function formatOf(text: string): ReportFormat {
  const format = formats.find((one) => one === text)
  if (format === undefined) throw invalidOption('--format', formats.join(', '))
  return format
}
