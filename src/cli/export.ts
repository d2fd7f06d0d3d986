// stele export: the ledger as JSON lines, for a verifier elsewhere.

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SteleError } from '../foundation/stele-error.js'
import { exportLines } from '../ledger/export.js'
import { readHome } from '../ledger/read-home.js'
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
      const note = await signedHead(options)
      const size = Number(note.split('\n')[1])
      const bar = progressBar('exporting', options.quiet === true)
      try {
        await readHome(homeOf(options).files, (reader) => {
          const lines = exportLines(reader, size, note, { factsOnly: options.facts === true })
          const counted = countedLines(lines, (written) => bar.update(written, size))
          return options.out === undefined ? printLines(counted) : writeLines(counted, options.out)
        })
      } finally {
        bar.stop()
      }
      if (options.out === undefined) return
      if (options.json) await printData(`${JSON.stringify({ out: options.out, size })}\n`)
      else if (!options.quiet) print(`Wrote ${size} entries and the signed head to ${options.out}`)
    })
}

async function* countedLines(lines: AsyncIterable<string>, told: (written: number) => void): AsyncGenerator<string> {
  let written = 0
  for await (const line of lines) {
    yield `${line}\n`
    written += 1
    if (written % 512 === 0) told(written)
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
