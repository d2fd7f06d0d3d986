// stele jev: the decision model, asked by hand.
import { Command } from 'commander'
import { jevKeyVariable } from '../service/config.js'
import { readJevKey } from '../service/jev-key.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { print, printData } from './terminal.js'

export function jevCommand() {
  return new Command('jev')
    .description('ask the decision model by hand, and try the stage around it')
    .addHelpText('after', '\nExamples:\n  $ stele jev demo\n  $ stele jev evaluate --out evaluation.json')
    .addCommand(demoCommand())
    .addCommand(evaluateCommand())
}

interface EvaluateOptions extends SharedOptions {
  readonly out: string
  readonly keep?: string
}

function evaluateCommand() {
  return newCommand('evaluate', 'play the evaluation through the stage, with a model of our own; nothing leaves the machine', [
    'stele jev evaluate --out evaluation.json',
    'stele jev evaluate --out evaluation.json --keep played && stele report jev --home played/enforce',
  ])
    .requiredOption('--out <file>', 'where every row and the summary are written, as JSON')
    .option('--keep <folder>', 'keep the ledgers that are written, a home for each profile; the folder must not exist')
    .addHelpText('after', '\nEnds with 1 where a profile did what it should not, or shadow differs from disabled.')
    .action(async (options: EvaluateOptions) => {
      const { config } = homeOf(options)
      const { runJevEvaluation } = await import('../service/run-jev-evaluation.js')
      const { evaluation, errors } = await runJevEvaluation(config.jev, options)
      if (errors.length > 0) process.exitCode = 1
      if (options.json)
        return printData(
          `${JSON.stringify({ out: options.out, errors, summary: evaluation.summary, own_summary: evaluation.own_summary })}\n`,
        )
      for (const [profile, { engine_calls, behavior_differences_vs_disabled: different, median_wall_ms }] of Object.entries(
        evaluation.summary,
      ))
        print(`${profile.padEnd(10)} ${engine_calls} questions, ${different} cases unlike disabled, ${median_wall_ms} ms a case`)
      for (const error of errors) print(error)
      print(
        `${errors.length === 0 ? 'As it should be' : 'Not as it should be'}: ${evaluation.run_count} runs of ${evaluation.case_count} cases, in ${options.out}`,
      )
    })
}

function demoCommand() {
  return newCommand('demo', 'ask it six questions of our own; nothing is run, and it may cost money', ['stele jev demo'])
    .addHelpText(
      'after',
      '\nSends fixed examples to jev.base_url, also where jev.enabled is false. Keep what it prints to yourself.',
    )
    .action(async (options: SharedOptions) => {
      const { config, places } = homeOf(options)
      const { state, key } = readJevKey(places)
      if (key === undefined) return print(`SKIP: ${jevKeyVariable} is ${state}; nothing was asked.`)
      // What can ask is loaded only where something is asked.
      const { makeJevClient } = await import('../outbound/jev-client.js')
      const { jevDemoRows } = await import('../service/jev-demo.js')
      const { jev } = config
      const client = makeJevClient({
        apiKey: key,
        baseUrl: jev.baseUrl,
        model: jev.decisionModel,
        timeoutMs: jev.timeoutSeconds * 1000,
        workersMax: jev.maxWorkers,
        requestsPerDay: jev.requestsPerDay,
      })
      try {
        for await (const row of jevDemoRows(client, jev)) {
          if ('decision' in row && row.decision === null) process.exitCode = 1
          await printData(`${JSON.stringify(row)}\n`)
        }
      } finally {
        client.close()
      }
    })
}
