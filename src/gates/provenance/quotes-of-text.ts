// What a text quotes, to be looked for among what was typed elsewhere.
import { foldedText } from './folded-text.js'
import { quotedSpans } from './quoted-spans.js'
import { sentences } from './sentences.js'

/** So much of a quote is looked for: a message that holds the quote holds that too. */
const charactersMax = 1000
const quotesMax = 256

/** Sentence by sentence, as claims are found: a mark that is never closed spoils no more than its own. Each once, in order. */
export function quotesOfText(text: string): string[] {
  const spans = sentences(foldedText(text).text).flatMap((sentence) => quotedSpans(sentence.text))
  return [...new Set(spans.map((span) => beginning(span.text)))].slice(0, quotesMax)
}

/** Up to the end of a word. */
function beginning(quote: string): string {
  if (quote.length <= charactersMax) return quote
  return quote
    .slice(0, charactersMax)
    .replace(/\s\S*$/u, '')
    .toWellFormed()
}
