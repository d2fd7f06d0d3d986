// The owner's verbs: how one is confirmed, and that it goes to the service where one runs.
import { existsSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { hasCode, SteleError } from '../foundation/stele-error.js'
import { askService } from '../service/ask-service.js'
import type { Home } from '../service/open-home.js'
import { assertConfirmed, type Confirmation } from '../service/owner-routes.js'
import { askSecretAtTerminal, confirmAtTerminal } from './terminal.js'

export interface OwnerOptions {
  readonly yes?: boolean
  readonly passphraseFile?: string
}

export function withOwnerOptions(command: Command): Command {
  return command
    .option('--yes', 'confirmed already; do not ask at the terminal (not while an attached host is alive)')
    .option('--passphrase-file <file>', 'the owner’s passphrase, instead of typing it')
}

/**
 * Does a verb that the owner confirms: by the service where one runs, else with `alone`. Throws `OWNER_UNCONFIRMED` where nobody said yes,
 * `PASSPHRASE_WRONG` where the home asks for one.
 */
export async function ownersVerb<Answer>(
  { files }: Pick<Home, 'files'>,
  options: OwnerOptions,
  verb: { readonly question: string; readonly path: string; readonly body: object; readonly alone: () => Promise<Answer> },
): Promise<Answer> {
  const confirmation = confirmationOf({ files }, options, verb.question)
  if (confirmation.how === 'none') throw new SteleError('OWNER_UNCONFIRMED')
  try {
    const body = { ...verb.body, confirmation }
    return await askService<Answer>(files.home, verb.path, { method: 'POST', body, door: 'owner' })
  } catch (error) {
    if (!hasCode(error, 'SERVICE_UNREACHABLE')) throw error
  }
  assertConfirmed(files.passphrase, confirmation, 0)
  return verb.alone()
}

/** How the owner confirms something here and now: `none` where nobody is there to be asked. Throws `OWNER_UNCONFIRMED` for a no. */
export function confirmationOf({ files }: Pick<Home, 'files'>, options: OwnerOptions, question: string): Confirmation {
  if (existsSync(files.passphrase)) return { how: options.yes === true ? 'yes' : 'terminal', passphrase: passphraseOf(options) }
  if (options.yes === true) return { how: 'yes' }
  const answer = confirmAtTerminal(question)
  if (answer === false) throw new SteleError('OWNER_UNCONFIRMED')
  return { how: answer === true ? 'terminal' : 'none' }
}

/**
 * The same for whoever answers key by key at a terminal: the keys are the yes, and a passphrase is asked for once. Throws
 * `PASSPHRASE_WRONG`, `OWNER_UNCONFIRMED`.
 */
export function confirmationAtKeys({ files }: Pick<Home, 'files'>, options: OwnerOptions): Confirmation {
  const how = options.yes === true ? 'yes' : 'terminal'
  if (!existsSync(files.passphrase)) return { how }
  const confirmation = { how, passphrase: passphraseOf(options) } as const
  assertConfirmed(files.passphrase, confirmation, 0)
  return confirmation
}

function passphraseOf({ passphraseFile }: OwnerOptions): string {
  const file = passphraseFile ?? process.env['STELE_PASSPHRASE_FILE']
  if (file !== undefined && file !== '') return readPassphrase(file)
  const typed = askSecretAtTerminal('Passphrase of the owner: ')
  if (typed === undefined) throw new SteleError('OWNER_UNCONFIRMED')
  return typed
}

/** The first line of a file. */
export function readPassphrase(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
  } catch (cause) {
    throw new SteleError('FILE_UNREADABLE', { option: '--passphrase-file' }, { cause })
  }
}
