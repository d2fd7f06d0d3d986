// stele export: the ledger as JSON lines, for a verifier elsewhere.

import { createWriteStream, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SteleError } from '../foundation/stele-error.js'
import { exportLines } from '../ledger/export.js'
import { ExportRegister, partialOf } from '../ledger/export-register.js'
import { type AssertStillThere, readHome } from '../ledger/read-home.js'
import { signedHead } from './checkpoint.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { print, printData, progressBar } from './terminal.js'

interface ExportOptions extends SharedOptions {
  readonly out?: string
  readonly facts?: boolean
}

export function exportCommand() {
  return newCommand('export', 'write the ledger as JSON lines with a signed head at the end', [
    'stele export --out ledger.jsonl',
    'stele export --facts | gzip > facts.jsonl.gz',
    'python3 examples/verify_export.py ledger.jsonl',
  ])
    .option('--out <file>', 'write to a file instead of standard output')
    .option('--facts', 'leave the words out')
    .action(async (options: ExportOptions) => {
      const { files } = homeOf(options)
      const note = await signedHead(options)
      const size = Number(note.split('\n')[1])
      const bar = progressBar('exporting', options.quiet === true)
      try {
        await readHome(files, (reader, _, assertStillThere) => {
          const lines = exportLines(reader, size, note, { factsOnly: options.facts === true })
          const counted = countedLines(lines, size, assertStillThere, (written) => bar.update(written, size))
          if (options.out === undefined) return printLines(counted)
          const out = placeOf(options.out)
          if (out === undefined) return writeLines(counted, options.out)
          // Before its first word, so that an erasure finds it whatever becomes of us.
          if (options.facts !== true) new ExportRegister(files).remember(out)
          return writeWhole(counted, out, assertStillThere)
        })
      } finally {
        bar.stop()
      }
      if (options.out === undefined) return
      if (options.json) await printData(`${JSON.stringify({ out: options.out, size })}\n`)
      else if (!options.quiet) print(`Wrote ${size} entries and the signed head to ${options.out}`)
    })
}

async function* countedLines(
  lines: AsyncIterable<string>,
  size: number,
  assertStillThere: AssertStillThere,
  told: (written: number) => void,
): AsyncGenerator<string> {
  let written = 0
  for await (const line of lines) {
    // What holds words that were forgotten meanwhile does not get its signed head.
    if (written === size) assertStillThere()
    yield `${line}\n`
    written += 1
    if (written % 512 === 0) told(written)
  }
}

/** Where a file is to be; undefined for a device, a pipe and the like, which is written to as it is. */
function placeOf(out: string): string | undefined {
  const there = statSync(out, { throwIfNoEntry: false })
  if (there === undefined) return resolve(out)
  return there.isFile() ? realpathSync(out) : undefined
}

/** The file is there whole, or as it was. Nothing that holds forgotten words stays. */
async function writeWhole(lines: AsyncIterable<string>, file: string, assertStillThere: AssertStillThere): Promise<void> {
  const partial = partialOf(file)
  try {
    await writeLines(lines, partial)
    assertStillThere()
    renameSync(partial, file)
  } catch (cause) {
    rmSync(partial, { force: true })
    throw cause instanceof SteleError ? cause : new SteleError('FILE_UNWRITABLE', { option: '--out' }, { cause })
  }
}

async function printLines(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) await printData(line)
}

async function writeLines(lines: AsyncIterable<string>, file: string): Promise<void> {
  try {
    await pipeline(Readable.from(lines), createWriteStream(file, { mode: 0o600 }))
  } catch (cause) {
    if (cause instanceof SteleError) throw cause
    throw new SteleError('FILE_UNWRITABLE', { option: '--out' }, { cause })
  }
}
