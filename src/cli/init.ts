// stele init: home, keys and an empty ledger. Running it again changes nothing.
import { existsSync } from 'node:fs'
import { hasCode, SteleError } from '../foundation/stele-error.js'
import { writePrivateOnce } from '../ledger/home-files.js'
import { readHome } from '../ledger/read-home.js'
import { allowlistExample } from '../service/allowlist-example.js'
import { createHome, type Home } from '../service/open-home.js'
import { setPassphrase } from '../service/passphrase.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { readPassphrase } from './owner.js'
import { programName } from './program-version.js'
import { askSecretAtTerminal, print, printData } from './terminal.js'

interface InitOptions extends SharedOptions {
  readonly passphrase?: boolean
  readonly passphraseFile?: string
}

const passphraseCharactersMin = 8

export function initCommand() {
  return newCommand('init', 'make the home, its key and an empty ledger', [
    'stele init',
    'stele init --home ./audit',
    'stele init --passphrase',
  ])
    .option('--passphrase', 'set a passphrase that the owner’s verbs ask for')
    .option('--passphrase-file <file>', 'the same, taken from the first line of a file')
    .action(async (options: InitOptions) => {
      const home = homeOf(options)
      const made = await makeHome(home)
      writePrivateOnce(home.files.allowlistExample, allowlistExample)
      const hasPassphrase = addPassphrase(home, options)
      const told = { home: home.files.home, ...made, passphrase: hasPassphrase }
      if (options.json) return printData(`${JSON.stringify(told)}\n`)
      print(`${told.created ? 'Made' : 'Found'} the ledger ${told.ledger} in ${told.home} (${told.size} entries).`)
      if (hasPassphrase) print('The owner’s verbs ask for the passphrase.')
      if (options.quiet) return
      if (!existsSync(home.config.capability.allowlist))
        print(
          `Nothing is granted yet: ${home.files.allowlistExample} is an example to copy to ${home.config.capability.allowlist}.`,
        )
      print(
        `Its verifier key is\n  ${told.vkey}\nKeep a copy where the agent cannot write, and pin it: stele verify --key '${told.vkey}'`,
      )
    })
}

interface MadeHome {
  readonly ledger: string
  readonly vkey: string
  readonly created: boolean
  readonly size: number
}

async function makeHome(home: Home): Promise<MadeHome> {
  try {
    const { ledger, created } = await createHome(home, programName)
    const { payload } = await ledger.reader.entry(0)
    const made = { ledger: ledger.ledgerId, vkey: String(payload['vkey']), created, size: ledger.size }
    await ledger.close()
    return made
  } catch (error) {
    // A service has it: then it is there, and can be read beside it.
    if (!hasCode(error, 'STORE_LOCKED')) throw error
    return readHome(home.files, async (reader) => {
      const { header, payload } = await reader.entry(0)
      return { ledger: header.ledger, vkey: String(payload['vkey']), created: false, size: await reader.size() }
    })
  }
}

/** Whether the home has one now. One that is there stays. */
function addPassphrase({ files }: Home, { passphrase, passphraseFile }: InitOptions): boolean {
  if (existsSync(files.passphrase)) return true
  if (passphrase !== true && passphraseFile === undefined) return false
  const typed = passphraseFile === undefined ? typeTwice() : readPassphrase(passphraseFile)
  if (typed.length < passphraseCharactersMin)
    throw new SteleError('OPTION_INVALID', { option: '--passphrase', allowed: `at least ${passphraseCharactersMin} characters` })
  setPassphrase(files.passphrase, typed)
  return true
}

function typeTwice(): string {
  const first = askSecretAtTerminal('New passphrase: ')
  const second = askSecretAtTerminal('Once more: ')
  if (first === undefined || second === undefined)
    throw new SteleError('OPTION_INVALID', { option: '--passphrase', allowed: 'a terminal to type at; else --passphrase-file' })
  if (first !== second) throw new SteleError('OPTION_INVALID', { option: '--passphrase', allowed: 'the same text twice' })
  return first
}
