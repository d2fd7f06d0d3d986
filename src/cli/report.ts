// stele report: the reports, each in the face that was asked for. They are built from views, wherever those come from.
import { Argument } from 'commander'
import { SteleError } from '../foundation/stele-error.js'
import { policyInWords } from '../reports/policy-in-words.js'
import type { ReportFrame } from '../reports/report.js'
import {
  type ReportAsked,
  type ReportDefinition,
  type ReportName,
  type ReportViews,
  reportCatalog,
} from '../reports/report-catalog.js'
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
  readonly bundle?: string
  readonly index?: readonly number[]
  readonly session?: string
  readonly pricePerMillionTokens?: number
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
    'stele report coverage --since 1d',
    'stele report approvals --json',
    'stele report jev --since 30d --price-per-million-tokens 0.5',
    'stele report review',
    'stele report evidence --bundle evidence.jsonl --index 42 --index 43',
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
    .option('--bundle <file>', 'with evidence: chosen entries with their proofs and a verifier, in one file')
    .option('--index <index>', 'into the bundle: this entry (may be repeated)', indices)
    .option('--price-per-million-tokens <amount>', 'with jev: what a million tokens cost that are sent, to tell the cost', price)
    .option('--session <session>', 'into the bundle: every entry of a session, by its handle or the host’s id')
    .action(async (name: ReportName, options: ReportOptions) => {
      if (options.bundle !== undefined || options.index !== undefined || options.session !== undefined)
        return writeBundle(name, options)
      if (options.pricePerMillionTokens !== undefined && name !== 'jev')
        throw invalidOption('--price-per-million-tokens', 'with `stele report jev`')
      const format = options.format ?? (options.json === true ? 'json' : 'text')
      const text = await reportText(name, format, options)
      if (options.out === undefined) return printData(text)
      await writeOut(text, options.out)
      if (options.quiet !== true) print(`Wrote the report to ${options.out}`)
    })
}

async function writeBundle(name: ReportName, options: ReportOptions): Promise<void> {
  const { bundle } = options
  if (name !== 'evidence' || bundle === undefined)
    throw invalidOption('--bundle', 'a file, with `stele report evidence`; --index and --session choose what goes into it')
  const { evidenceBundle } = await import('./evidence-bundle.js')
  const written = await evidenceBundle({ ...options, bundle })
  if (options.json) return printData(`${JSON.stringify({ bundle, ...written })}\n`)
  if (options.quiet === true) return
  print(`Wrote ${written.entries} entries, each with its proof under the head of ${written.size}, to ${bundle}`)
  print(`Anybody verifies it with Python alone:\n  ${written.command}`)
}

function price(text: string): number {
  if (!/^[0-9]{1,9}(\.[0-9]{1,9})?$/.test(text)) throw invalidOption('--price-per-million-tokens', 'a decimal number such as 0.5')
  return Number(text)
}

function indices(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, wholeNumber('--index')(text)]
}

async function reportText(name: ReportName, format: ReportFormat, options: ReportOptions): Promise<string> {
  const definition: ReportDefinition = reportCatalog[name]
  const answers = await askedViews(definition, options)
  const [first] = answers.values()
  if (first === undefined) throw new SteleError('VIEW_UNKNOWN', { view: name })
  const views: ReportViews = {
    activity: partsOf(answers.get('activity')),
    sessions: partsOf(answers.get('sessions')),
    evidence: partsOf(answers.get('evidence')),
    grants: partsOf(answers.get('grants')),
    decisions: partsOf(answers.get('decisions')),
    approvals: partsOf(answers.get('approvals')),
    jev: partsOf(answers.get('jev')),
    coverage: partsOf(answers.get('coverage')),
    inbox: partsOf(answers.get('inbox')),
  }
  const words = new Map([...answers.values()].flatMap((answer) => [...wordsOf(answer)]))
  const asked = {
    ...{ frame: frameOf(first, options), limit: options.limit, price: options.pricePerMillionTokens },
    policy: policyOf(answers.get('grants'), words),
  }
  const report = definition.build(views, namesOf(answers.get('sessions')), asked, words)
  return reportFaces[format](report, { width: process.stdout.columns ?? widthDefault })
}

async function askedViews({ views, worded }: ReportDefinition, options: ReportOptions): Promise<Map<string, ViewAnswer>> {
  const home = homeOf(options)
  const bar = progressBar('reading', options.quiet === true)
  try {
    const answers = new Map<string, ViewAnswer>()
    for (const name of views) {
      const { asOf, since, limit } = options
      const shown = name === 'grants' ? listedMax : Math.min(limit, listedMax)
      const listed = worded === true ? shown : undefined
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
function wordsOf({ words }: ViewAnswer): ReadonlyMap<number, Readonly<Record<string, unknown>>> {
  const told = Object.entries(words ?? {})
  return new Map(told.flatMap(([index, of]) => (of === null ? [] : [[Number(index), of] as const])))
}

function policyOf(
  answer: ViewAnswer | undefined,
  words: ReadonlyMap<number, Readonly<Record<string, unknown>>>,
): ReportAsked['policy'] {
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
