// stele redact: a text without its secrets, as the ledger would keep it; or, with --check, only where they stand. A secret itself is never shown.
import { readFileSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import type { Hit } from '../redaction/redact.js'
import { RedactorInForce } from '../service/redactor-in-force.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { print, printData } from './terminal.js'

interface RedactOptions extends SharedOptions {
  readonly check?: boolean
}

interface FoundSecret {
  readonly line: number
  /** Of the pattern, as docs/redaction.md lists them. */
  readonly name: string
  /** UTF-16 code units. */
  readonly length: number
}

export function redactCommand() {
  return newCommand('redact', 'print a text without its secrets, or say where they are', [
    'stele redact --check notes.md',
    'env | stele redact --check -',
    'stele redact build.log > build-clean.log',
  ])
    .argument('<file>', 'the file, or - for standard input')
    .option('--check', 'say where secrets stand; exit code 1 where there are any')
    .action(async (file: string, options: RedactOptions) => {
      const { places, config } = homeOf(options)
      const { patterns } = config.redaction
      const text = readText(file)
      const redacted = new RedactorInForce(places, patterns).redactor(patterns).text(text)
      const found = placesOf(redacted.hits, text)
      if (options.check && found.length > 0) process.exitCode = 1
      const { count } = redacted
      if (options.json)
        return printData(`${JSON.stringify({ count, found, ...(options.check ? {} : { text: redacted.text }) })}\n`)
      if (!options.check) return printData(redacted.text)
      if (options.quiet) return
      for (const { line, name, length } of found) print(`line ${line}  ${name}  ${length} characters`)
      if (found.length === 0) print('nothing found')
    })
}

/** In the order in which they stand. */
function placesOf(hits: readonly Hit[], text: string): FoundSecret[] {
  let line = 1
  let done = 0
  return [...hits]
    .sort((a, b) => a.at - b.at)
    .map(({ at, name, length }) => {
      for (let end = text.indexOf('\n', done); end >= 0 && end < at; end = text.indexOf('\n', done)) {
        line += 1
        done = end + 1
      }
      return { line, name, length }
    })
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (cause) {
    throw new SteleError('FILE_UNREADABLE', { option: '<file>' }, { cause })
  }
}
