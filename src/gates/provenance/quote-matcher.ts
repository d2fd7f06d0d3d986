// Finds where a quote stands in what a user typed: verbatim under the folding of fold-quote.ts, and cutting no word in half.
import { oneCjkCharacter } from './cjk-character.js'
import { contentTokens, lengthInWords } from './content-tokens.js'
import { foldQuote, foldText } from './fold-quote.js'
import { holdsNegation, type NegationPlace, negationPlaces, startsWithNegation } from './negation.js'
import { type UserSentence, userSentencesOf } from './user-sentences.js'

/** A shorter quote counts only as a whole message. */
const shortUnder = 4
/** Of one quote in one message. */
export const placesMax = 256
const tokenUnitsMax = 4_000

/** A quote made ready to be looked for. */
export interface QuoteMatcher {
  /** As it was handed in. */
  readonly text: string
  /** Folded, without trailing punctuation. Empty where nothing is left to look for. */
  readonly folded: string
  readonly short: boolean
  readonly tokens: ReadonlySet<string>
  readonly holdsNegation: boolean
  readonly startsWithNegation: boolean
}

export function matcherOf(text: string): QuoteMatcher {
  const folded = foldQuote(text)
  return {
    text,
    folded,
    short: lengthInWords(folded, shortUnder) < shortUnder,
    tokens: contentTokens(folded),
    holdsNegation: holdsNegation(folded),
    startsWithNegation: startsWithNegation(folded),
  }
}

/** A message folded once and kept; its sentences are told apart when a quote is first found in it. */
export class FoldedMessage {
  readonly text: string
  readonly folded: string
  #sentences: readonly UserSentence[] | undefined
  #negations: readonly NegationPlace[] | undefined
  #tokens: ReadonlySet<string> | undefined
  #whole: string | undefined

  constructor(text: string) {
    this.text = text
    this.folded = foldText(text)
  }

  /** As a short quote would have to read to be the whole of it. */
  get whole(): string {
    this.#whole ??= foldQuote(this.text)
    return this.#whole
  }

  /** The content tokens of its beginning. */
  get tokens(): ReadonlySet<string> {
    this.#tokens ??= contentTokens(this.folded.slice(0, tokenUnitsMax))
    return this.#tokens
  }

  get negations(): readonly NegationPlace[] {
    this.#negations ??= negationPlaces(this.folded)
    return this.#negations
  }

  get sentences(): readonly UserSentence[] {
    this.#sentences ??= userSentencesOf(this.text)
    return this.#sentences
  }

  /** The sentences that a span of the folded text touches, in order. */
  sentencesBetween(start: number, end: number): readonly UserSentence[] {
    const all = this.sentences
    let low = 0
    let high = all.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((all[middle]?.end ?? 0) <= start) low = middle + 1
      else high = middle
    }
    let behind = low
    while ((all[behind]?.start ?? end) < end) behind += 1
    return all.slice(low, behind)
  }
}

export interface QuotePlace {
  /** In the folded text; `end` is behind the last character. */
  readonly start: number
  readonly end: number
  readonly cutsWord: boolean
}

/** All places where a folded quote stands in a folded text, overlapping ones too; those that cut a word are told apart. */
export function findQuote(folded: string, quote: string): QuotePlace[] {
  const places: QuotePlace[] = []
  if (quote === '') return places
  for (let start = folded.indexOf(quote); start !== -1 && places.length < placesMax; start = folded.indexOf(quote, start + 1)) {
    const end = start + quote.length
    places.push({ start, end, cutsWord: isInWord(folded, start) || isInWord(folded, end) })
  }
  return places
}

/** Whether a quote stands in a folded text without cutting a word; looks no further than it must. */
export function standsWhole(folded: string, quote: string): boolean {
  if (quote === '') return false
  let looked = 0
  for (let start = folded.indexOf(quote); start !== -1 && looked < placesMax; start = folded.indexOf(quote, start + 1)) {
    if (!isInWord(folded, start) && !isInWord(folded, start + quote.length)) return true
    looked += 1
  }
  return false
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u
const mark = /^\p{M}/u
const digit = /\p{Nd}/u
const joiners = "-‐_./'"
const numberJoiners = ',:'

/** Whether a place lies inside a word, also one that is joined by a hyphen, underscore, full stop, slash or apostrophe, or a number. */
function isInWord(text: string, at: number): boolean {
  if (at === 0 || at === text.length) return false
  const left = characterBefore(text, at)
  const right = characterAt(text, at)
  // Within one character, or between a letter and its marks.
  if (isLowSurrogate(text.charCodeAt(at)) || mark.test(right)) return true
  if (isWord(left) && isWord(right)) return true
  if (isWord(right) && joins(characterBefore(text, at - left.length), left, right)) return true
  return isWord(left) && joins(left, right, characterAt(text, at + right.length))
}

function joins(before: string, joiner: string, behind: string): boolean {
  if (joiner === '') return false
  if (joiners.includes(joiner)) return isWord(before) && isWord(behind)
  return numberJoiners.includes(joiner) && digit.test(before) && digit.test(behind)
}

/** Scripts without blanks have no words that could be cut. */
function isWord(character: string): boolean {
  return wordCharacter.test(character) && !oneCjkCharacter.test(character)
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function characterBefore(text: string, at: number): string {
  return at <= 0 ? '' : text.slice(isLowSurrogate(text.charCodeAt(at - 1)) ? Math.max(at - 2, 0) : at - 1, at)
}
