// stele show: one entry, whole.
import { readEntry } from '../events/entry.js'
import { leafHash, toHex } from '../foundation/digest.js'
import { exportLine, readErasures } from '../ledger/export.js'
import { readHome } from '../ledger/read-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { entryLine } from './log.js'
import { wholeNumber } from './options.js'
import { print, printData, printStyled } from './terminal.js'

export function showCommand() {
  return newCommand('show', 'show one entry whole', ['stele show 42', 'stele show 42 --json'])
    .argument('<index>', 'index of the entry', wholeNumber('<index>'))
    .action(async (index: number, options: SharedOptions) => {
      await readHome(homeOf(options).files, async (reader) => {
        const stored = await reader.storedEntry(index)
        const erasedBy = await readErasures(reader, await reader.size())
        if (options.json) return printData(`${exportLine(stored, erasedBy)}\n`)
        const entry = readEntry(stored.header, stored.payload, stored.words)
        const { session, version, epoch, prev } = entry.header
        printStyled(entryLine(entry))
        print(`hash    ${toHex(leafHash(stored.header))}\nprev    ${prev}`)
        print(`session ${session === '' ? 'none' : session}\nschema  ${entry.header.type}@${version}\nepoch   ${epoch}`)
        print(`facts   ${JSON.stringify(entry.payload, null, 2)}`)
        print(`words   ${wordsText(entry.words, entry.payload['words'], erasedBy(index))}`)
      })
    })
}

function wordsText(words: unknown, committed: unknown, erasedBy: number | undefined): string {
  if (words !== undefined) return JSON.stringify(words, null, 2)
  if (committed === undefined) return 'none'
  return erasedBy === undefined ? 'missing' : `forgotten (entry ${erasedBy})`
}
