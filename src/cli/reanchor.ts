// stele reanchor: the owner confirms a loss, and the ledger goes on in a new epoch.
import { SteleError } from '../foundation/stele-error.js'
import { reanchorHome } from '../service/open-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { invalidOption } from './options.js'
import { programName } from './program-version.js'
import { confirmAtTerminal, print, printData } from './terminal.js'

interface ReanchorOptions extends SharedOptions {
  readonly reason: string
  readonly yes?: boolean
}

const reasonCharactersMax = 2000

export function reanchorCommand() {
  return newCommand('reanchor', 'start a new epoch after a confirmed loss', [
    'stele reanchor --reason "power cut on Friday; the last minute is lost"',
    'stele reanchor --reason "restored an old disk" --yes',
  ])
    .requiredOption('--reason <text>', 'why; it stays in the ledger for ever')
    .option('--yes', 'confirmed already; do not ask at the terminal')
    .action(async (options: ReanchorOptions) => {
      if (options.reason === '' || options.reason.length > reasonCharactersMax) {
        throw invalidOption('--reason', `a text of up to ${reasonCharactersMax} characters`)
      }
      const question = 'This starts a new epoch and abandons what was lost or altered, for ever visible in the ledger. Go on?'
      if (options.yes !== true && !confirmAtTerminal(question)) throw new SteleError('OWNER_UNCONFIRMED')
      const start = await reanchorHome(homeOf(options), programName, options.reason)
      if (options.json) return printData(`${JSON.stringify(start)}\n`)
      const lost = start.abandoned.size - start.index
      print(
        `Epoch ${start.epoch} begins with entry ${start.index}; ${lost > 0 ? `${lost} entries behind it are lost` : 'no entry is lost'}.`,
      )
      if (start.savedTo !== null) print(`What was left of it is kept in ${start.savedTo}`)
      print(`The verifier key of the new epoch is\n  ${start.vkey}`)
    })
}
