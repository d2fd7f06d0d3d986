// Writes what a command has made to the file that `--out` names; only its owner may read it.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SteleError } from '../foundation/stele-error.js'

/** Throws `FILE_UNWRITABLE`. */
export async function writeOut(text: string, file: string): Promise<void> {
  try {
    await pipeline(Readable.from([text]), createWriteStream(file, { mode: 0o600 }))
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { option: '--out' }, { cause })
  }
}
