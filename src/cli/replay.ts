// stele replay: looking back. One session step by step, what other settings would have decided, and whether today's code says what was recorded.
import { Command } from 'commander'
import { counterfactual } from '../replay/counterfactual.js'
import { forensic } from '../replay/forensic.js'
import type { OtherSettings } from '../replay/other-settings.js'
import { replayGates } from '../replay/replay-catalog.js'
import { reproduce } from '../replay/reproduce.js'
import { type LookedAt, lookBack, lookBackAtExport } from '../service/look-back.js'
import { policyInstead } from '../service/policy-instead.js'
import { settingsInstead } from '../service/settings-instead.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { invalidOption, timeSince, wholeNumber } from './options.js'
import { clusterLines, countLine, differenceLines, replayHeadLine, turnLines, versionLines } from './replay-lines.js'
import { type Progress, print, printData, printStyled, progressBar, styled } from './terminal.js'

interface ReplayOptions extends SharedOptions {
  readonly export?: string
}

interface SessionOptions extends ReplayOptions {
  readonly until?: number
}

interface AgainOptions extends ReplayOptions {
  readonly gate?: string
  readonly since?: string
  readonly limit: number
}

interface JudgeOptions extends AgainOptions {
  readonly config?: string
  readonly policy?: string
}

const limitDefault = 10

export function replayCommand() {
  return new Command('replay')
    .description('look back: walk through a session, judge history under other settings, or hold it against today’s code')
    .addHelpText(
      'after',
      '\nExamples:\n  $ stele replay session 20261129_210901_59bcc3\n  $ stele replay judge --policy stricter-allowlist.yaml\n  $ stele replay check',
    )
    .addCommand(sessionCommand())
    .addCommand(judgeCommand())
    .addCommand(checkCommand())
}

function sessionCommand() {
  return withExport(
    newCommand('session', 'walk through one session: typed, proposed, judged, told, happened', [
      'stele replay session 20261129_210901_59bcc3',
      'stele replay session s9fdd3dfdb7664dad --until 23',
      'stele replay session s9fdd3dfdb7664dad --json',
    ]),
  )
    .argument('<id>', 'its handle, or the host’s own id')
    .option('--until <index>', 'as far as this entry', wholeNumber('--until'))
    .action((id: string, options: SessionOptions) =>
      looking(options, async ({ history, head, handleOf }) => {
        const session = await handleOf(id)
        const turns = forensic(history.sessionEntries(session), { until: options.until })
        if (options.json !== true) {
          for await (const turn of turns) for (const line of turnLines(turn)) printStyled(line)
          if (options.quiet !== true) printAdvice(head)
          return
        }
        // A session may be long: turn after turn, as one value.
        await printData(`{"session":${JSON.stringify(session)},"computedOn":${JSON.stringify(head)},"turns":[`)
        let separator = ''
        for await (const turn of turns) {
          await printData(separator + JSON.stringify(turn))
          separator = ','
        }
        await printData(']}\n')
      }),
    )
}

function printAdvice(head: LookedAt['head']): void {
  print(
    `\n${replayHeadLine(head)}\nThe number before a line is its entry: \`stele show NUMBER\` shows it whole, \`stele prove NUMBER\` gives a receipt.`,
  )
}

function judgeCommand() {
  return withAgain(
    newCommand('judge', 'judge the recorded calls again under other settings, and show whose answer changes', [
      'stele replay judge --policy stricter-allowlist.yaml',
      'stele replay judge --config stricter.yaml --gate provenance --since 7d',
      'stele replay judge --config thresholds.yaml --gate jev --json',
    ]),
  )
    .option('--config <file>', 'settings that are to hold instead, as config.yaml has them; what it leaves out is as it was')
    .option('--policy <file>', 'an allowlist whose grants are to hold instead')
    .action(async (options: JudgeOptions) => {
      const instead = await insteadOf(options)
      return looking(options, async ({ history, head }, bar) => {
        const onProgress = (read: number) => bar.update(read, head.size)
        const asked = { ...againOptions(options), instead, listed: options.limit, onProgress }
        const { counts, clusters } = await counterfactual(history, asked)
        bar.stop()
        if (counts.different > 0) process.exitCode = 1
        if (options.json) return printData(`${JSON.stringify({ computedOn: head, counts, clusters })}\n`)
        for (const line of clusterLines(clusters)) printStyled(line)
        printStyled(countLine(counts))
        if (options.quiet !== true) print(replayHeadLine(head))
      })
    })
}

async function insteadOf(options: JudgeOptions): Promise<OtherSettings> {
  const settings = options.config === undefined ? {} : settingsInstead(options.config)
  if (options.policy === undefined) return settings
  return { ...settings, capability: { ...settings.capability, allowlist: await policyInstead(options.policy, homeOf(options)) } }
}

function checkCommand() {
  return withAgain(
    newCommand('check', 'hold every recorded decision against what this version of Stele would say of the same', [
      'stele replay check',
      'stele replay check --gate provenance --json',
      'stele replay check --export ledger.jsonl',
    ]),
  ).action((options: AgainOptions) =>
    looking(options, async ({ history, head }, bar) => {
      const onProgress = (read: number) => bar.update(read, head.size)
      const found = await reproduce(history, { ...againOptions(options), listed: options.limit, onProgress })
      bar.stop()
      const { counts, versions, differences } = found
      if (counts.different > 0) process.exitCode = 1
      if (options.json) return printData(`${JSON.stringify({ computedOn: head, counts, versions, differences })}\n`)
      for (const line of differenceLines(differences, counts.different)) printStyled(line)
      printStyled(
        counts.different === 0
          ? styled('green', 'this version says what was recorded')
          : styled('red', 'this version says otherwise'),
      )
      printStyled(countLine(counts))
      for (const line of versionLines(versions)) printStyled(line)
      if (options.quiet !== true) print(replayHeadLine(head))
    }),
  )
}

function withExport(command: Command): Command {
  return command.option('--export <file>', 'look at an export instead of the home')
}

function withAgain(command: Command): Command {
  return withExport(command)
    .option('--gate <gate>', `only decisions of this gate: ${replayGates.join(', ')}`, gateOf)
    .option('--since <time>', 'only decisions since then: ISO 8601, or a span such as 30d or 2h', timeSince('--since'))
    .option('--limit <count>', `at most so many entries listed (default ${limitDefault})`, wholeNumber('--limit'), limitDefault)
}

function againOptions({ gate, since }: AgainOptions) {
  return { gate, since }
}

function gateOf(name: string): string {
  if (!replayGates.includes(name)) throw invalidOption('--gate', replayGates.join(', '))
  return name
}

async function looking(options: ReplayOptions, look: (looked: LookedAt, bar: Progress) => Promise<void>): Promise<void> {
  const bar = progressBar('judging', options.quiet === true)
  try {
    if (options.export !== undefined) await lookBackAtExport(options.export, (looked) => look(looked, bar))
    else await lookBack(homeOf(options), (looked) => look(looked, bar))
  } finally {
    bar.stop()
  }
}
