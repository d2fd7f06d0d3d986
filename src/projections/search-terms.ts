// The words that a text is found by. The same for what is kept and for what is asked, so that the two meet.
import { readSalted } from '../events/entry.js'

/** A longer run is known by its beginning. */
const characterMax = 64
/** Of one entry. A text with more different words than these is found by the first so many. */
export const searchTermsMax = 20_000

const run = /[\p{L}\p{N}\p{M}]+/gu
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const cjkOrNot =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu
/** No writing piles up so many; bringing long piles into order takes time that grows with their square. */
const pileOfMarks = /(\p{M}{16})\p{M}+/gu

/**
 * In the order in which they first stand: runs of letters and digits in lower case; of scripts without blanks every character, and every
 * two neighbours. How a letter is put together out of code points makes no difference. Takes time that grows with the text.
 */
export function searchTermsOf(texts: Iterable<string>): Set<string> {
  const terms = new Set<string>()
  for (const text of texts) {
    for (const [found] of folded(text).matchAll(run)) {
      for (const term of termsOfRun(found)) {
        if (terms.size >= searchTermsMax) return terms
        terms.add(term)
      }
    }
  }
  return terms
}

/** Those of every text within the words of an entry, as the ledger stores them; none for words that cannot be read (any more). */
export function searchTermsIn(wordsRow: Uint8Array): Set<string> {
  let words: unknown
  try {
    words = JSON.parse(readSalted(wordsRow).text)
  } catch {
    return new Set()
  }
  return searchTermsOf(textsIn(words))
}

function folded(text: string): string {
  return text.replace(pileOfMarks, '$1').normalize('NFKC').toLowerCase()
}

function* termsOfRun(found: string): Generator<string> {
  if (!cjk.test(found)) {
    yield beginningOf(found)
    return
  }
  for (const [part] of found.matchAll(cjkOrNot)) {
    if (cjk.test(part)) yield* neighbours(part)
    else yield beginningOf(part)
  }
}

function beginningOf(found: string): string {
  return found.length <= characterMax ? found : [...found.slice(0, 2 * characterMax)].slice(0, characterMax).join('')
}

function* neighbours(text: string): Generator<string> {
  let before = ''
  for (const character of text) {
    if (before !== '') yield before + character
    yield character
    before = character
  }
}

/** Every text within the words of an entry, whatever its place and however deep. */
function* textsIn(words: unknown): Generator<string> {
  const left: unknown[] = [words]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') yield value
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value).reverse()) left.push(item)
  }
}
