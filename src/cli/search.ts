// stele search: entries that hold words, newest first, as `stele log` shows them.
import type { Entry, Header } from '../events/entry.js'
import { askViews } from '../service/views-of-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { entryLine } from './log.js'
import { invalidOption, timeSince, wholeNumber } from './options.js'
import { printData, printError, printStyled } from './terminal.js'

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
  ])
    .argument('<words...>', 'an entry must hold all of them; case does not matter')
    .option('--since <time>', 'ISO 8601, or a span such as 30d or 2h', timeSince('--since'))
    .option('--limit <count>', `at most so many entries (default ${limitDefault})`, wholeNumber('--limit'))
    .action(async (words: readonly string[], options: SearchOptions) => {
      const asked = words.join(' ')
      if (asked === '' || asked.length > charactersMax) throw invalidOption('<words>', `1 to ${charactersMax} characters`)
      let found = 0
      for await (const line of linesWith(asked, options)) {
        found += 1
        if (options.json) await printData(`${line}\n`)
        else printStyled(entryLine(entryOf(line)))
      }
      // Nothing found is an answer.
      if (found === 0 && !options.quiet) printError('No entry holds these words; what is forgotten is not found.')
    })
}

async function* linesWith(words: string, options: SearchOptions): AsyncGenerator<string> {
  const home = homeOf(options)
  let left = options.limit ?? limitDefault
  for (let below: number | null | undefined; left > 0 && below !== null; ) {
    const { since } = options
    const page = await askViews(home, { ask: 'search', words, limit: Math.min(left, pageMax), below, since })
    yield* page.lines
    left -= page.lines.length
    below = page.below
  }
}

function entryOf(line: string): Entry {
  const { data, words, ...header } = JSON.parse(line) as Header & { data: Entry['payload']; words: Entry['words'] }
  return { header, payload: data, words }
}
