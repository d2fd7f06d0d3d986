// What the user did type that comes nearest to a quote which backs nothing, and whether such a quote is put together from pieces that
// stand apart. Both only tell the model and the owner more: no verdict hangs on them, so they look at a bounded part.
import { cjkCharacter } from './cjk-character.js'
import { contentTokens, sharedTokens } from './content-tokens.js'
import { type FoldedMessage, standsWhole } from './quote-matcher.js'

const messagesMax = 200
const sentencesMax = 200
const sentenceUnitsMax = 1_000
const sharedMin = 2
const shownMax = 160
const unitsForEachShown = 8

/** The sentence that shares most content tokens, of the newest message among equals, as it was typed; null where none shares two. */
export function nearestWords(tokens: ReadonlySet<string>, newestFirst: Iterable<FoldedMessage>): string | null {
  let nearest: FoldedMessage | undefined
  let most = sharedMin - 1
  let seen = 0
  for (const message of newestFirst) {
    seen += 1
    if (seen > messagesMax) break
    const shared = sharedTokens(tokens, message.tokens)
    if (shared > most) {
      most = shared
      nearest = message
    }
  }
  let shown: string | null = null
  let shownShares = 0
  for (const { start, end, typed } of nearest?.sentences.slice(0, sentencesMax) ?? []) {
    const shared = sharedTokens(
      tokens,
      contentTokens(nearest?.folded.slice(start, Math.min(end, start + sentenceUnitsMax)) ?? ''),
    )
    if (shared > shownShares) {
      shownShares = shared
      shown = typed
    }
  }
  return shown === null ? null : shortened(shown)
}

/** On one line, cut where it is long. */
export function shortened(words: string, most = shownMax): string {
  // Much more than is shown, and little of a message without an end.
  const characters = [
    ...words
      .trim()
      .slice(0, most * unitsForEachShown)
      .replace(/\s+/gu, ' '),
  ]
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`
}

const piecesMax = 4
const pieceWordsMin = 2
const quoteWordsMax = 60
const quoteUnitsMax = 2_000
const searchedUnitsMax = 128 * 1024
const wordCharacter = `(?!${cjkCharacter})[\\p{L}\\p{N}\\p{M}_]`
const word = new RegExp(`${cjkCharacter}|${wordCharacter}(?:['./-]?${wordCharacter})*`, 'gu')

/** Whether a folded quote falls into two to four pieces of two words or more that all stand in these messages. */
export function isStitched(quote: string, newestFirst: Iterable<FoldedMessage>): boolean {
  if (quote.length > quoteUnitsMax) return false
  const words = [...quote.matchAll(word)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }))
  if (words.length < 2 * pieceWordsMin || words.length > quoteWordsMax) return false
  const texts = beginningOf(newestFirst)
  const typed = (from: number, to: number) => {
    const piece = quote.slice(words[from]?.start, words[to - 1]?.end)
    return texts.some((text) => standsWhole(text, piece))
  }
  const pieces = new Array<number>(words.length + 1).fill(Number.POSITIVE_INFINITY)
  pieces[0] = 0
  for (let from = 0; from < words.length; from += 1) {
    const before = pieces[from] ?? piecesMax
    if (before >= piecesMax) continue
    for (let to = from + pieceWordsMin; to <= words.length && typed(from, to); to += 1) {
      pieces[to] = Math.min(pieces[to] ?? piecesMax, before + 1)
    }
  }
  return (pieces[words.length] ?? piecesMax + 1) <= piecesMax
}

function beginningOf(newestFirst: Iterable<FoldedMessage>): string[] {
  const texts: string[] = []
  let units = 0
  for (const { folded } of newestFirst) {
    if (units >= searchedUnitsMax) break
    texts.push(folded.slice(0, searchedUnitsMax - units))
    units += folded.length
  }
  return texts
}
