// stele search: entries that hold words or have fields, newest first, as `stele log` shows them, with what was asked for marked on a terminal.
import type { Entry, Header } from '../events/entry.js'
import { terminalLine } from '../foundation/terminal-text.js'
import { searchFieldNames, splitSearch } from '../service/search-fields.js'
import { askViews } from '../service/views-of-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { entryLine } from './log.js'
import { invalidOption, timeSince, wholeNumber } from './options.js'
import { printData, printError, printStyled, styled } from './terminal.js'

interface SearchOptions extends SharedOptions {
  readonly limit?: number
  readonly since?: string
}

const limitDefault = 50
/** What a service takes at once. */
const pageMax = 1000
const charactersMax = 1000

export function searchCommand() {
  return newCommand('search', 'find entries by the words in them, newest first', [
    'stele search friday release',
    'stele search "the api key" --since 30d --limit 5',
    'stele search 周五 --json',
    'stele search tool:terminal verdict:deny --since 7d',
    'stele search type:message.captured release',
  ])
    .argument('<words...>', `an entry must hold all of them; case does not matter. Fields: ${searchFieldNames.join(', ')}`)
    .option('--since <time>', 'ISO 8601, or a span such as 30d or 2h', timeSince('--since'))
    .option('--limit <count>', `at most so many entries (default ${limitDefault})`, wholeNumber('--limit'))
    .action(async (words: readonly string[], options: SearchOptions) => {
      const asked = words.join(' ')
      if (asked === '' || asked.length > charactersMax) throw invalidOption('<words>', `1 to ${charactersMax} characters`)
      const split = splitSearch(words)
      const mark = marker(split.words)
      let found = 0
      for await (const line of linesWith(split, options)) {
        found += 1
        if (options.json) await printData(`${line}\n`)
        else printStyled(shownLine(entryOf(line), mark))
      }
      // Nothing found is an answer.
      if (found === 0 && !options.quiet) printError('No entry holds these words; what is forgotten is not found.')
    })
}

/** Puts a colour on what was asked for, in a text that is escaped; and finds where it stands. */
interface Marker {
  readonly find: (text: string) => number
  readonly colour: (text: string) => string
}

function marker(words: string): Marker {
  const asked = words.split(/\s+/u).filter((word) => word !== '')
  const literal = asked.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
  if (literal === '') return { find: () => 0, colour: (text) => text }
  const pattern = new RegExp(literal, 'giu')
  return {
    find: (text) => text.search(pattern),
    colour: (text) => text.replace(pattern, (found) => styled('yellow', found)),
  }
}

/** Where the line is too short to show what was found, a piece of the words that hold it stands behind. */
function shownLine(entry: Entry, { find, colour }: Marker): string {
  let isShown = true
  const line = entryLine(entry, (said) => {
    isShown = find(said) >= 0
    return colour(said)
  })
  if (isShown) return line
  for (const text of textsIn(entry.words)) {
    const at = find(text)
    if (at < 0) continue
    const piece = text.slice(Math.max(0, at - aroundCharacters), at + 2 * aroundCharacters).toWellFormed()
    return `${line}\n${' '.repeat(7)}… ${colour(terminalLine(piece, 3 * aroundCharacters))} …`
  }
  return line
}

const aroundCharacters = 40

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) yield* textsIn(member)
}

interface AskedFor {
  readonly words: string
  readonly fields: string
}

async function* linesWith({ words, fields }: AskedFor, options: SearchOptions): AsyncGenerator<string> {
  const home = homeOf(options)
  let left = options.limit ?? limitDefault
  for (let below: number | null | undefined; left > 0 && below !== null; ) {
    const { since } = options
    const page = await askViews(home, {
      ...{ ask: 'search', words, limit: Math.min(left, pageMax), below, since },
      ...(fields === '' ? {} : { fields }),
    })
    yield* page.lines
    left -= page.lines.length
    below = page.below
  }
}

function entryOf(line: string): Entry {
  const { data, words, ...header } = JSON.parse(line) as Header & { data: Entry['payload']; words: Entry['words'] }
  return { header, payload: data, words }
}
