// stele key show: the verifier key to pin.
import { Command } from 'commander'
import { readHome } from '../ledger/read-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { printData } from './terminal.js'

export function keyCommand() {
  const show = newCommand('show', 'print the verifier key to pin', ['stele key show', 'stele key show > pinned.vkey']).action(
    async (options: SharedOptions) => {
      const vkey = await readHome(homeOf(options).files, async (reader) => String((await reader.entry(0)).payload['vkey']))
      await printData(options.json ? `${JSON.stringify({ vkey })}\n` : `${vkey}\n`)
    },
  )
  return new Command('key').description('the signing key').addCommand(show)
}
