// stele jev: the decision model, asked by hand.
import { jevKeyVariable } from '../service/config.js'
import { readJevKey } from '../service/jev-key.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { print, printData } from './terminal.js'

export function jevCommand() {
  return newCommand('jev', 'ask the decision model by hand', ['stele jev demo']).addCommand(demoCommand())
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
