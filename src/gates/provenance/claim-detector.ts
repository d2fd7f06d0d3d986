// Finds the sentences of a written text that say the user decided something. It knows nothing of evidence: only of which quotes are the
// user's own words it is told. Seed, "What is checked", sections 2 to 5.
import { chinese } from './chinese.js'
import { ClaimPattern, claimsOfSentenceMax, type FoundClaim } from './claim-pattern.js'
import { english } from './english.js'
import { foldedText } from './folded-text.js'
import type { ClaimKind } from './language-patterns.js'
import { markedForm } from './marked-form.js'
import { mayHoldOtherLanguage, otherLanguageOf } from './other-languages.js'
import { type QuotedSpan, quotedSpans } from './quoted-spans.js'
import { type Sentence, sentences } from './sentences.js'

export interface DetectedClaim {
  /** Its part of the sentence as it reads, folded: what a person is shown. */
  readonly text: string
  readonly sentence: string
  /** Where its own text lies in the sentence: its quote must be there. */
  readonly span: { readonly from: number; readonly to: number }
  /** What can be its evidence: quotes inside the span, among the first 32 of the sentence. */
  readonly quotes: readonly QuotedSpan[]
  /** What is said beside the quotes: the words that a quote must share. */
  readonly rest: string
  /** The wording, and whether the seed has it (1) or not (2). */
  readonly rule: string
  readonly tier: 1 | 2
  readonly kind: ClaimKind
  /** Whether what was decided is itself a "not": "decided not to ship". */
  readonly negated: boolean
  readonly language: 'en' | 'zh'
}

export interface Detection {
  /** In order; at most 101. */
  readonly claims: readonly DetectedClaim[]
  /** Sentences that tell of a decision of the user in a language that is not checked, or with more places than are looked at. */
  readonly notChecked: number
  /** Combining marks cut out of runs of more than 30. */
  readonly marksCut: number
}

export interface ClaimDetectorOptions {
  readonly scope: 'decisions' | 'decisions+preferences'
  /** Whether the user typed these words: what a quoted span holds, folded. */
  readonly isTyped: (quote: string) => boolean
}

/** A write with more is not judged claim by claim. */
const claimsOfWriteMax = 100

/** Every claim of a written text, as it stands in it; at most one more than a write may hold. */
export function detectClaims(text: string, { scope, isTyped }: ClaimDetectorOptions): Detection {
  const folded = foldedText(text)
  const patterns = [english, chinese].map((language) => new ClaimPattern(language, folded.text, scope))
  const inReach = patterns.filter((pattern) => pattern.mayHold(folded.text))
  const inOthers = mayHoldOtherLanguage(folded.text)
  const claims: DetectedClaim[] = []
  let notChecked = 0
  if (inReach.length === 0 && !inOthers) return { claims, notChecked, marksCut: folded.marksCut }
  const isInteresting = (line: string): boolean =>
    inReach.some((pattern) => pattern.mayHold(line)) || (inOthers && mayHoldOtherLanguage(line))
  for (const sentence of sentences(folded.text, isInteresting)) {
    if (claims.length > claimsOfWriteMax) break
    if (!isProse(sentence)) continue
    const { found, all } = claimsIn(sentence, inReach, isTyped)
    for (const claim of found) if (claims.length <= claimsOfWriteMax) claims.push(claim)
    if (!all) notChecked += 1
    else if (
      inOthers &&
      found.length === 0 &&
      isProse(sentence) &&
      otherLanguageOf(sentence.text.slice(0, unitsLookedAt)) !== undefined
    )
      notChecked += 1
  }
  return { claims, notChecked, marksCut: folded.marksCut }
}

/** Every wording that was looked at, with what makes it no claim: for tests that hold each row of the patterns to its examples. */
export function wordingsIn(text: string, scope: ClaimDetectorOptions['scope']): FoundClaim[] {
  const folded = foldedText(text).text
  const patterns = [english, chinese].map((language) => new ClaimPattern(language, folded, scope))
  return sentences(folded).flatMap((sentence) => wordingsOf(sentence, patterns).found)
}

/** Of a sentence in another language. */
const unitsLookedAt = 4000

function isProse({ form }: Sentence): boolean {
  return form !== 'code' && form !== 'table-row'
}

function wordingsOf(
  sentence: Sentence,
  patterns: readonly ClaimPattern[],
): { readonly found: FoundClaim[]; readonly all: boolean } {
  let form: string | undefined
  let all = true
  const found: FoundClaim[] = []
  for (const pattern of patterns) {
    if (!pattern.mayHold(sentence.text)) continue
    form ??= markedForm(sentence.text)
    all = pattern.find(sentence, form, found) && all
  }
  return { found: found.length > 1 ? apart(found) : found, all }
}

/** One wording may hold another: "as requested by the user" and "requested by the user". */
function apart(found: FoundClaim[]): FoundClaim[] {
  found.sort((one, other) => one.from - other.from || other.to - one.to)
  let until = 0
  return found.filter(({ from, to }) => {
    if (from < until) return false
    until = to
    return true
  })
}

function claimsIn(
  sentence: Sentence,
  patterns: readonly ClaimPattern[],
  isTyped: (quote: string) => boolean,
): { readonly found: DetectedClaim[]; readonly all: boolean } {
  const { found, all } = wordingsOf(sentence, patterns)
  if (found.every(({ exemption }) => exemption !== undefined)) return { found: [], all }
  const wordings = found.filter(({ exemption }) => exemption === undefined).slice(0, claimsOfSentenceMax)
  const quotes = quotedSpans(sentence.text)
  const typed = quotes.filter((quote) => isTyped(quote.text))
  const freed = typed.length === 0 ? undefined : exemptWithout(sentence, typed, patterns)
  const claims = wordings.filter(
    ({ from, to }) => freed?.has(from) !== true && !typed.some((quote) => holdsClaim(sentence.text, quote, from, to)),
  )
  return { found: claims.map((wording, place) => claimOf(sentence.text, quotes, claims, wording, place)), all }
}

/**
 * Where wordings begin that are no claims once the user's own words are taken out: "user confirmed: no" stays a key with its value
 * when a quote stands behind it.
 */
function exemptWithout(sentence: Sentence, typed: readonly QuotedSpan[], patterns: readonly ClaimPattern[]): Set<number> {
  let text = sentence.text
  for (const { from, to } of typed) text = text.slice(0, from) + ' '.repeat(to - from) + text.slice(to)
  const bare = text.replace(/\([ \t]*\)/g, (empty) => ' '.repeat(empty.length)).trimEnd()
  const head = sentence.first ? bare.slice(0, sentence.head.length) : sentence.head
  const { found } = wordingsOf({ ...sentence, text: bare, head }, patterns)
  return new Set(found.flatMap(({ from, exemption }) => (exemption === undefined ? [] : [from])))
}

/** A quote of the subject alone takes no claim away, nor one of subject and verb that goes on outside of it. */
function holdsClaim(sentence: string, quote: QuotedSpan, from: number, to: number): boolean {
  if (quote.from > from || quote.to < to) return false
  if (/[\p{L}\p{N}]/u.test(sentence.slice(to, quote.to - 1))) return true
  return !/^[ \t]*[\p{L}\p{N}]/u.test(sentence.slice(quote.to, quote.to + 40))
}

function claimOf(
  sentence: string,
  quotes: readonly QuotedSpan[],
  claims: readonly FoundClaim[],
  wording: FoundClaim,
  place: number,
): DetectedClaim {
  const { row, tier, negated, language } = wording
  const before = claims[place - 1]
  const behind = claims[place + 1]
  const from = startOf(sentence, wording, before)
  const to = behind === undefined ? sentence.length : startOf(sentence, behind, wording)
  const shown = before === undefined ? 0 : from
  return {
    text: sentence.slice(shown, to).trim(),
    sentence,
    span: { from, to },
    quotes: quotes.filter((quote) => quote.evidence && quote.from >= from && quote.to <= to),
    rest: withoutQuotes(sentence, quotes, shown, to),
    rule: row.id,
    tier,
    kind: row.kind,
    negated,
    language,
  }
}

/**
 * A claim begins with its subject. One that is told after what it is about ("X was approved by the user") begins with the clause
 * it closes.
 */
function startOf(sentence: string, { from, leads }: FoundClaim, before: FoundClaim | undefined): number {
  if (leads) return from
  if (before === undefined) return 0
  const clause = sentence.slice(before.to, from)
  const breaks = [...clause.slice(-200).matchAll(/[,;,。]|\band\b|\bbut\b/g)]
  const last = breaks.at(-1)
  return last === undefined ? from : from - Math.min(200, clause.length) + last.index
}

/** One-word spans stay: they name a thing rather than quote somebody. */
function withoutQuotes(sentence: string, quotes: readonly QuotedSpan[], from: number, to: number): string {
  let rest = ''
  let at = from
  for (const quote of quotes) {
    if (!quote.evidence || quote.from < at || quote.to > to || /^[\p{Script=Latin}\p{N}_./:@-]+$/u.test(quote.text)) continue
    rest += `${sentence.slice(at, quote.from)} `
    at = quote.to
  }
  return (rest + sentence.slice(at, to)).trim()
}
