// What of a claim is the same wherever it is saved: its words as they are folded to compare, without the mark of a list before it, without a
// quote that stands in brackets behind or within it as evidence, and without what ends it. Any other quote is part of what it says.
import { foldQuote } from './fold-quote.js'
import { foldedText } from './folded-text.js'
import { quotedSpans } from './quoted-spans.js'

const listMark = /^(?:[-*+•–—>#\s]|\d{1,3}[.)](?=\s))+/
const opens = new Set(['(', '[', '（'])
const closes = new Set([')', ']', '）'])

/** Empty where nothing is left. */
export function claimKey(claim: string): string {
  const { text } = foldedText(claim)
  const kept: string[] = []
  let done = 0
  for (const { from, to } of quotedSpans(text)) {
    if (from <= done || !opens.has(text.charAt(from - 1)) || !closes.has(text.charAt(to))) continue
    kept.push(text.slice(done, from - 1))
    done = to + 1
  }
  kept.push(text.slice(done))
  const bare = kept.map((piece) => piece.trimEnd()).join('')
  return foldQuote(bare.replace(listMark, ''))
}
