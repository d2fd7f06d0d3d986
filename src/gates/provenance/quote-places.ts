// What the places are worth where a quote stands among messages: found once for each quote, whatever claims are judged by it.
import { negationBefore, wordsBack, wordsIn } from './negation.js'
import { type FoldedMessage, findQuote, placesMax, type QuoteMatcher, type QuotePlace } from './quote-matcher.js'
import type { EvidenceMessage, TypedMessages } from './typed-messages.js'

/** Of the newest message with such a place each, the user's sentence as it was typed. */
export interface QuotePlaces {
  /** Neither behind a negation nor in a question. */
  readonly sound: { readonly message: EvidenceMessage | undefined; readonly typed: string } | undefined
  readonly negated: string | undefined
  readonly asking: string | undefined
}

const known = new WeakMap<TypedMessages, Map<string, QuotePlaces>>()

/** The places where a quote stands without cutting a word. After many that do not count no further ones are looked at. */
export function placesOf(quote: QuoteMatcher, among: TypedMessages): QuotePlaces {
  const ofMessages = known.get(among) ?? new Map<string, QuotePlaces>()
  known.set(among, ofMessages)
  const places = ofMessages.get(quote.folded) ?? lookFor(quote, among)
  ofMessages.set(quote.folded, places)
  return places
}

function lookFor(quote: QuoteMatcher, among: TypedMessages): QuotePlaces {
  let negated: string | undefined
  let asking: string | undefined
  let looked = 0
  for (const at of among.mayHold(quote.folded)) {
    const message = among.folded(at)
    for (const place of findQuote(message.folded, quote.folded)) {
      if (place.cutsWord) continue
      const sentences = message.sentencesBetween(place.start, place.end)
      const typed = sentences[0]?.typed ?? message.text
      if (!quote.holdsNegation && followsNegation(message, place)) negated ??= typed
      else if (sentences.some(({ question }) => question)) asking ??= typed
      else return { sound: { message: among.messages[at], typed }, negated, asking }
      looked += 1
    }
    if (looked >= placesMax) break
  }
  return { sound: undefined, negated, asking }
}

/** A negation earlier in the user's own sentence; of a list item also in the sentence over its list. */
function followsNegation(message: FoldedMessage, { start, end }: QuotePlace): boolean {
  const { folded, negations } = message
  const sentence = message.sentencesBetween(start, end)[0]
  if (sentence === undefined) return false
  if (negationBefore(folded, { from: sentence.start, to: start }, negations)) return true
  const { lead } = sentence
  if (lead === undefined) return false
  const words = wordsBack - wordsIn(folded.slice(sentence.start, start))
  return negationBefore(folded, { from: lead.start, to: lead.end, words }, negations)
}

/** Whether a quote stands anywhere cutting a word. */
export function isCutIn({ folded: quote }: QuoteMatcher, among: TypedMessages): boolean {
  return among.mayHold(quote).some((at) => findQuote(among.folded(at).folded, quote).some(({ cutsWord }) => cutsWord))
}
