// What the Jev stage recorded, as its owner reads it and tries other thresholds on it, from the command line.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AgainCounts, Cluster } from '../../src/replay/counterfactual.js'
import { asRedacted } from '../support/as-redacted.js'
import { exportedLines } from '../support/exported-lines.js'
import { assertRefused, steleAt } from '../support/service-commands.js'
import { json } from '../support/stele-command.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { temporaryLedger } from '../support/temporary-ledger.js'
import { completionJudged, riskJudged, ToldJev } from '../support/told-jev.js'

const test = suite('jev report')

const told = new ToldJev(111)
// Stands in for the entry that makes the ledger.
told.message()
const classified = told.classified()
const denied = told.prompted(['destructive'], riskJudged({ destructive: 950_000 }), 'deny')
const approved = told.prompted(['destructive'], riskJudged({ destructive: 820_000 }), 'once')
const low = [660_000, 700_000, 799_999].map((destructive) => told.low(riskJudged({ destructive })))
told.failed('timeout', 2000)
told.abstained('no_decision', { complete: true, truncated: false, redacted: false, failure: 'timeout', risk: unanswered() })
const nudged = told.nudged(completionJudged(870_000))
told.checked(false)
told.abstained('unattended')

function unanswered() {
  const { answers: _, confidence: __, ...risk } = riskJudged()
  return risk
}

async function toldHome(): Promise<string> {
  const { files, ledger, close } = await temporaryLedger()
  for (const event of told.events.slice(1)) await ledger.append([asRedacted(event)])
  await close()
  return files.home
}

interface ReportJson {
  readonly asOf: { readonly size: number }
  readonly figures: Readonly<Record<string, unknown>>
  readonly sections: Readonly<Record<string, { readonly rows?: readonly Readonly<Record<string, unknown>>[] }>>
}

interface Judged {
  readonly computedOn: { readonly size: number; readonly head: string }
  readonly counts: AgainCounts
  readonly clusters: readonly Cluster[]
}

const report = (home: string, ...words: string[]): ReportJson => json(steleAt(home, 'report', 'jev', '--json', ...words))
const judge = (home: string, ...words: string[]): { status: number | null; judged: Judged } => {
  const ran = steleAt(home, 'replay', 'judge', '--gate', 'jev', '--json', ...words)
  return { status: ran.status, judged: json<Judged>(ran) }
}

function settingsFile(text: string): string {
  const file = join(temporaryFolder(), 'thresholds.yaml')
  writeFileSync(file, text)
  return file
}

test('rows J55 and J59: the report counts what was said, what came of it and what it took, as a hand counts the entries', async () => {
  const home = await toldHome()
  const { figures, sections, asOf } = report(home, '--price-per-million-tokens', '2')
  assert.is(asOf.size, told.events.length)
  // Seven answers of 1000 tokens: one turn, two proposals, three low, one ending; and one request that failed.
  assert.equal(figures, {
    ...{ requests: 8, classified: 1, predicted: 3, applied: 3, told: 2, nudges: 1, nudgesApplied: 1, abstained: 5, failed: 1 },
    // 40 + 5 × 100 + 200 + 2000.
    ...{ incomplete: 0, meanTime: 342.5, halfWithin: 100, mostWithin: 2000, longestTime: 2000 },
    ...{ tokensIn: 7000, tokensOut: 70, cost: 0.014, modelChanges: 0 },
  })
  const rows = (section: string): unknown => sections[section]?.rows?.map((row) => Object.values(row))
  assert.equal(rows('prompts'), [
    ['destructive', '0.8', 1, 1, 0, 0, 0, 0, 0],
    ['destructive', '0.9', 1, 0, 1, 1, 0, 0, 0],
  ])
  assert.equal(rows('nudges'), [['yes', '0.8', 1, 1, 0, 1, 0]])
  const destructive = sections['answers']?.rows?.find(({ question }) => question === 'destructive')
  assert.equal([destructive?.['answers'], destructive?.['beyond'], destructive?.['within']], [5, 2, 3])
  assert.equal(
    sections['proposals']?.rows?.map(({ index, shown }) => [index, shown]),
    [
      [nudged, 'check it'],
      [approved, 'delete it?'],
      [denied, 'delete it?'],
    ],
  )
})

test('in every face, as it was, since a time, and the same without its views; words that are forgotten are told as such', async () => {
  const home = await toldHome()
  const out = join(temporaryFolder(), 'jev.html')
  assert.match(steleAt(home, 'report', 'jev').stdout, /^The Jev stage\n=+\n/)
  assert.match(steleAt(home, 'report', 'jev', '--format', 'md').stdout, /^# The Jev stage\n/)
  assert.is(steleAt(home, 'report', 'jev', '--format', 'html', '--out', out).status, 0)
  assert.match(readFileSync(out, 'utf8'), /Calibration: what people answered/)
  assert.equal(
    [report(home, '--as-of', String(classified + 1)).figures['requests'], report(home, '--as-of', '1').figures['requests']],
    [1, 0],
  )
  assert.is(report(home, '--since', '2100-01-01').figures['requests'], 0)
  const before = report(home)
  rmSync(join(home, 'views'), { recursive: true })
  assert.equal(report(home).sections, before.sections)
  assert.is(steleAt(home, 'erase', '--index', String(denied), '--reason', 'asked', '--yes').status, 0)
  const after = report(home)
  assert.equal(after.figures, before.figures)
  assert.is(after.sections['proposals']?.rows?.at(-1)?.['shown'], '(forgotten)')
})

test('a price is of this report alone, and a number', async () => {
  const home = await toldHome()
  assert.not.ok('cost' in report(home).figures)
  assertRefused(steleAt(home, 'report', 'jev', '--price-per-million-tokens', 'much'), 'OPTION_INVALID', 2)
  assertRefused(steleAt(home, 'report', 'activity', '--price-per-million-tokens', '1'), 'OPTION_INVALID', 2)
})

test('another threshold lists exactly the calls whose answers lie between the two, each with its entry, on a head that is told', async () => {
  const home = await toldHome()
  const same = judge(home)
  assert.equal([same.status, same.judged.clusters], [0, []])
  // Two proposals, three low, one without an answer, one ending.
  assert.equal([same.judged.counts.decisions, same.judged.counts.same], [7, 7])
  const lower = judge(home, '--config', settingsFile('jev:\n  risk_gate:\n    approval_threshold: 0.7\n'))
  assert.equal([lower.status, lower.judged.counts.different, lower.judged.counts.same], [1, 2, 5])
  assert.equal(
    lower.judged.clusters.map(({ tool, before, after, newest }) => [
      ...[tool, before.code, after.code, after.told],
      newest.map(({ index }) => index),
    ]),
    [['terminal', 'low', 'destructive', 'ask', [low[2], low[1]]]],
  )
  const head = exportedLines(home).at(-1)?.hash
  assert.equal([lower.judged.computedOn.size, lower.judged.computedOn.head], [told.events.length, head])
  const higher = judge(home, '--config', settingsFile('jev:\n  risk_gate:\n    thresholds:\n      destructive: 0.9\n'))
  assert.equal(
    higher.judged.clusters.map(({ before, after, newest }) => [before.code, after.code, newest[0]?.index]),
    [['destructive', 'low', approved]],
  )
  const ending = judge(home, '--config', settingsFile('jev:\n  verify:\n    continue_threshold: 0.9\n'))
  assert.equal(
    ending.judged.clusters.map(({ before, after, newest }) => [before.told, after.verdict, newest[0]?.index]),
    [['continue', 'none', nudged]],
  )
  const shown = steleAt(home, 'replay', 'judge', '--config', settingsFile('jev:\n  risk_gate: { approval_threshold: 0.7 }\n'))
  assert.is(shown.status, 1, shown.stderr)
  assert.match(shown.stdout, /^2 × jev, terminal$/m)
  assert.match(shown.stdout, /no opinion \(low\), the call goes on → ask \(destructive\), a person is asked/)
})

test('check holds what the stage said against today’s rules too, and a threshold that cannot be is refused', async () => {
  const home = await toldHome()
  const ran = steleAt(home, 'replay', 'check', '--gate', 'jev')
  assert.is(ran.status, 0, ran.stdout)
  assert.match(ran.stdout, /7 decisions: 7 same/)
  const wrong = settingsFile('jev:\n  risk_gate:\n    approval_threshold: 0.3\n')
  assertRefused(steleAt(home, 'replay', 'judge', '--gate', 'jev', '--config', wrong), 'CONFIG_INVALID', 2)
})

test.run()
