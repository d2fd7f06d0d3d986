// stele checkpoint: the signed head, for keeping somewhere else.
import { writeFileSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import { readHome } from '../ledger/read-home.js'
import { askServiceText } from '../service/ask-service.js'
import { openHome } from '../service/open-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { programName } from './program-version.js'
import { print, printData } from './terminal.js'

interface CheckpointOptions extends SharedOptions {
  readonly out?: string
}

export function checkpointCommand() {
  return newCommand('checkpoint', 'sign the head of the ledger and print it', [
    'stele checkpoint',
    'stele checkpoint --out /mnt/elsewhere/head.txt',
  ])
    .option('--out <file>', 'write it to a file')
    .action(async (options: CheckpointOptions) => {
      const note = await signedHead(options)
      if (options.out !== undefined) writeOut(options.out, note)
      if (options.json) await printData(`${JSON.stringify({ checkpoint: note, size: Number(note.split('\n')[1]) })}\n`)
      else if (options.out === undefined) await printData(note)
      else print(`Wrote the head of ${note.split('\n')[1]} entries to ${options.out}`)
    })
}

/** The newest checkpoint, after making one that covers every entry: by the service where one runs. */
export async function signedHead(options: SharedOptions): Promise<string> {
  const home = homeOf(options)
  const asked = await askServiceText(home.files.home, '/v1/checkpoint')
  if (asked !== undefined) return asked
  const ledger = await openHome(home, programName)
  // Closing signs whatever no checkpoint covers yet.
  await ledger.close()
  const note = await readHome(home.files, (reader) => reader.newestCheckpoint())
  if (note === undefined) throw new SteleError('STORE_UNREADABLE', { reason: 'no checkpoint' })
  return note
}

export function writeOut(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 })
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { option: '--out' }, { cause })
  }
}
