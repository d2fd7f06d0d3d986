// stele init: home, keys and an empty ledger. Running it again changes nothing.
import { createHome } from '../service/open-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { programName } from './program-version.js'
import { print, printData } from './terminal.js'

export function initCommand() {
  return newCommand('init', 'make the home, its key and an empty ledger', ['stele init', 'stele init --home ./audit']).action(
    async (options: SharedOptions) => {
      const home = homeOf(options)
      const { ledger, created } = await createHome(home, programName)
      const { payload } = await ledger.reader.entry(0)
      const told = { home: home.files.home, ledger: ledger.ledgerId, vkey: String(payload['vkey']), created, size: ledger.size }
      await ledger.close()
      if (options.json) return printData(`${JSON.stringify(told)}\n`)
      print(`${created ? 'Made' : 'Found'} the ledger ${told.ledger} in ${told.home} (${told.size} entries).`)
      if (options.quiet) return
      print(
        `Its verifier key is\n  ${told.vkey}\nKeep a copy where the agent cannot write, and pin it: stele verify --key '${told.vkey}'`,
      )
    },
  )
}
