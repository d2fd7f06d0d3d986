// stele export: the ledger as JSON lines, for a verifier elsewhere.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
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
      const write =
        options.out === undefined ? { line: (text: string) => printData(text), end: async () => {} } : fileWriter(options.out)
      const bar = progressBar('exporting', options.quiet === true)
      let written = 0
      await readHome(homeOf(options).files, async (reader) => {
        for await (const line of exportLines(reader, size, note, { factsOnly: options.facts === true })) {
          await write.line(`${line}\n`)
          written += 1
          if (written % 512 === 0) bar.update(written, size)
        }
      })
      await write.end()
      bar.stop()
      if (options.out === undefined) return
      if (options.json) await printData(`${JSON.stringify({ out: options.out, size })}\n`)
      else if (!options.quiet) print(`Wrote ${size} entries and the signed head to ${options.out}`)
    })
}

function fileWriter(file: string): { line(text: string): Promise<void>; end(): Promise<void> } {
  const stream = createWriteStream(file, { mode: 0o600 })
  const failed = once(stream, 'error').then(([cause]) => {
    throw new SteleError('FILE_UNWRITABLE', { option: '--out' }, { cause })
  })
  // Raced against below; where nothing fails it never settles.
  failed.catch(() => {})
  return {
    line: async (text) => {
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), failed])
    },
    end: async () => {
      stream.end()
      await Promise.race([once(stream, 'close'), failed])
    },
  }
}
