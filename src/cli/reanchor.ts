// stele reanchor: the owner confirms a loss, and the ledger goes on in a new epoch.
import type { NewStart } from '../ledger/open-ledger.js'
import { reanchorHome } from '../service/open-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { invalidOption } from './options.js'
import { type OwnerOptions, ownersVerb, withOwnerOptions } from './owner.js'
import { programName } from './program-version.js'
import { print, printData } from './terminal.js'

interface ReanchorOptions extends SharedOptions, OwnerOptions {
  readonly reason: string
}

const reasonCharactersMax = 2000

export function reanchorCommand() {
  return withOwnerOptions(
    newCommand('reanchor', 'start a new epoch after a confirmed loss', [
      'stele reanchor --reason "power cut on Friday; the last minute is lost"',
      'stele reanchor --reason "restored an old disk" --yes',
    ]),
  )
    .requiredOption('--reason <text>', 'why; it stays in the ledger for ever')
    .action(async (options: ReanchorOptions) => {
      if (options.reason === '' || options.reason.length > reasonCharactersMax) {
        throw invalidOption('--reason', `a text of up to ${reasonCharactersMax} characters`)
      }
      const home = homeOf(options)
      const start = await ownersVerb<NewStart>(home, options, {
        question: 'This starts a new epoch and abandons what was lost or altered, for ever visible in the ledger. Go on?',
        path: '/v1/owner/reanchor',
        body: { reason: options.reason },
        alone: () => reanchorHome(home, programName, options.reason),
      })
      if (options.json) return printData(`${JSON.stringify(start)}\n`)
      const lost = start.abandoned.size - start.index
      print(
        `Epoch ${start.epoch} begins with entry ${start.index}; ${lost > 0 ? `${lost} entries behind it are lost` : 'no entry is lost'}.`,
      )
      if (start.savedTo !== null) print(`What was left of it is kept in ${start.savedTo}`)
      print(`The verifier key of the new epoch is\n  ${start.vkey}`)
    })
}
