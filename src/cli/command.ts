// What every command shares: the options that stand before or behind it, and the home that they lead to.
import { Command } from 'commander'
import { homeFolder } from '../service/home-folder.js'
import { findHome, type Home } from '../service/open-home.js'

export interface SharedOptions {
  readonly home?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/** A command with the options that all share, and examples at the end of its help. */
export function newCommand(name: string, summary: string, examples: readonly string[]): Command {
  return new Command(name)
    .description(summary)
    .option('--home <dir>', 'the home (default: $STELE_HOME, else plugin-data/stele in the Hermes home)')
    .option('--json', 'one JSON value for machines')
    .option('-q, --quiet', 'no progress, no advice')
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`)
}

export function homeOf({ home }: SharedOptions): Home {
  return findHome(homeFolder(home, process.env))
}
