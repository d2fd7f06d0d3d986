// The evidence rule: whether what a user typed backs a claim that they decided something. Pure, and the same whenever it is asked again.
import { claimTokens, sharedTokens } from './content-tokens.js'
import { isStitched, nearestWords, shortened } from './nearest-words.js'
import type { PreparedEvidence } from './prepare-evidence.js'
import { type FoldedMessage, findQuote, matcherOf, type QuoteMatcher } from './quote-matcher.js'
import { isCutIn, placesOf } from './quote-places.js'
import type { EvidenceMessage, TypedMessages } from './typed-messages.js'

/**
 * Raised whenever the same claim could get another verdict on the same evidence, or another text be one. 1 were the rules before negations
 * counted: a ledger that was judged by them is kept in test/frozen.
 */
export const evidenceRuleVersion = 2
/** Quotes of one claim that are looked up; claims of one write that are judged. */
export const quotesMax = 32
export const claimsMax = 100
const sharedTokensMin = 2

export interface Claim {
  /** Those that stand in the claim's own part of its sentence, in order, without their marks. */
  readonly quotes: readonly { readonly text: string }[]
  /** The claim's own part of its sentence, without its quotes. */
  readonly rest: string
  readonly kind: 'approving' | 'rejecting' | 'instructing' | 'preference' | 'other'
  /** The claim is of what the user did not decide. */
  readonly negated: boolean
}

export type EvidenceReason =
  | 'no_quote'
  | 'quote_not_found'
  | 'quote_unrelated'
  | 'quote_negated'
  | 'quote_from_question'
  | 'quote_too_short'
  | 'too_many_claims'
  | 'words_unavailable'
  | 'unreadable_arguments'
  | 'internal_error'

export interface EvidenceVerdict {
  readonly outcome: 'supported' | 'unsupported' | 'unchecked'
  readonly reason: EvidenceReason | null
  /** Of `quote_not_found`: what there is instead. */
  readonly detail: 'cut_word' | 'other_session' | 'stitched' | null
  /** The quote that backs the claim, or the one that says most about why none does; as it was handed in. */
  readonly quote: string | null
  /** The index of the message that backs the claim. */
  readonly message: number | null
  readonly matchedIn: 'this-session' | 'profile' | 'stored-text' | null
  /** Of that message. */
  readonly sender: string | null
  /** Where a quote backs nothing: the user's sentence it stands in, or else the one nearest to it, of this session. */
  readonly nearest: string | null
}

/** One verdict for each claim, in order; a single one where there are too many to judge. */
export function judgeClaims(claims: readonly Claim[], evidence: PreparedEvidence): EvidenceVerdict[] {
  if (claims.length > claimsMax) return [{ ...unbacked, outcome: 'unchecked', reason: 'too_many_claims' }]
  return claims.map((claim) => judgeClaim(claim, evidence))
}

/** A claim is backed by the first of its quotes that counts. */
export function judgeClaim(claim: Claim, evidence: PreparedEvidence): EvidenceVerdict {
  const asked = { claim, tokens: claimTokens(claim.rest), evidence }
  const failures: Failure[] = []
  for (const { text } of claim.quotes.slice(0, quotesMax)) {
    const quote = matcherOf(text)
    if (quote.folded === '') continue
    const found = quote.short ? judgeShort(quote, asked) : judgeLong(quote, asked)
    if (found.backs) return backed(quote, found)
    failures.push(found)
  }
  const telling = failures.sort((one, other) => tellingOrder(one) - tellingOrder(other))[0]
  return telling === undefined ? { ...unbacked, reason: 'no_quote' } : told(telling, asked)
}

interface Asked {
  readonly claim: Claim
  readonly tokens: ReadonlySet<string>
  readonly evidence: PreparedEvidence
}

interface Backing {
  readonly backs: true
  readonly matchedIn: 'this-session' | 'profile' | 'stored-text'
  readonly message: EvidenceMessage | undefined
}

interface Failure {
  readonly backs: false
  readonly quote: QuoteMatcher
  readonly reason: EvidenceReason
  readonly detail: EvidenceVerdict['detail']
  /** The user's sentence that the quote was found in. */
  readonly nearest: string | null
}

/**
 * Which failure of several quotes is told. Words that could not be read come first, since with them nothing is decided; then words that
 * say otherwise, words that only ask, words about something else, too few words, and words that are nowhere.
 */
const tellingReasons: readonly EvidenceReason[] = [
  'words_unavailable',
  'quote_negated',
  'quote_from_question',
  'quote_unrelated',
  'quote_too_short',
  'quote_not_found',
]
const tellingDetails: readonly EvidenceVerdict['detail'][] = ['other_session', 'cut_word', null]

function tellingOrder({ reason, detail }: Failure): number {
  return tellingReasons.indexOf(reason) * tellingDetails.length + tellingDetails.indexOf(detail)
}

/** Of a claim of which nothing more is known. */
export const unbacked: EvidenceVerdict = {
  outcome: 'unsupported',
  reason: null,
  detail: null,
  quote: null,
  message: null,
  matchedIn: null,
  sender: null,
  nearest: null,
}

function backed(quote: QuoteMatcher, { matchedIn, message }: Backing): EvidenceVerdict {
  const by = message === undefined ? {} : { message: message.index, sender: message.sender }
  return { ...unbacked, outcome: 'supported', quote: quote.text, matchedIn, ...by }
}

function told({ quote, reason, detail, nearest }: Failure, { tokens, evidence }: Asked): EvidenceVerdict {
  const outcome = reason === 'words_unavailable' ? 'unchecked' : 'unsupported'
  const nowhere = reason === 'quote_not_found' && detail === null
  const sought = reason === 'quote_unrelated' ? tokens : quote.tokens
  return {
    ...unbacked,
    outcome,
    reason,
    // Of all quotes only this one's pieces are looked for.
    detail: nowhere && isStitched(quote.folded, foldedOf(evidence.here)) ? 'stitched' : detail,
    quote: quote.text,
    nearest: nearest === null ? nearestWords(sought, foldedOf(evidence.here)) : shortened(nearest),
  }
}

function* foldedOf(messages: TypedMessages): Generator<FoldedMessage> {
  for (const place of messages.messages.keys()) yield messages.folded(place)
}

function failure(
  quote: QuoteMatcher,
  reason: EvidenceReason,
  nearest: string | null = null,
  detail: Failure['detail'] = null,
): Failure {
  return { backs: false, quote, reason, detail, nearest }
}

/** A quote of few words: the user's whole message, in this session, among the last three. It need not be about the claim. */
function judgeShort(quote: QuoteMatcher, { claim, evidence }: Asked): Backing | Failure {
  let failed: Failure | undefined
  for (const message of evidence.last) {
    if (message.text === undefined) continue
    const folded = evidence.here.folded(evidence.here.messages.indexOf(message))
    if (folded.whole !== quote.folded) continue
    if (folded.sentences.some(({ question }) => question)) failed ??= failure(quote, 'quote_from_question', message.text)
    else if (deniesApproval(quote, claim)) failed = failure(quote, 'quote_negated', message.text)
    else return { backs: true, matchedIn: 'this-session', message }
  }
  if (failed !== undefined) return failed
  if (evidence.unavailable || evidence.last.some(({ text }) => text === undefined)) return failure(quote, 'words_unavailable')
  const { sound, negated, asking } = placesOf(quote, evidence.here)
  const typed = sound?.typed ?? negated ?? asking
  if (typed !== undefined) return failure(quote, 'quote_too_short', typed)
  if (evidence.forgotten || isWholeMessage(quote, evidence.elsewhere)) return failure(quote, 'quote_too_short')
  return failure(quote, 'quote_not_found', null, isCutIn(quote, evidence.here) ? 'cut_word' : null)
}

function isWholeMessage({ folded }: QuoteMatcher, among: TypedMessages): boolean {
  return among.mayHold(folded).some((place) => among.folded(place).whole === folded)
}

/** A quote of four words or more: verbatim in this session, else in the profile, else quoted already in the text that is edited. */
function judgeLong(quote: QuoteMatcher, asked: Asked): Backing | Failure {
  const { claim, tokens, evidence } = asked
  const about = sharedTokens(quote.tokens, tokens, sharedTokensMin) >= sharedTokensMin
  const denies = deniesApproval(quote, claim)
  const counts = about && !denies
  const inSession = judgePlaces(quote, 'this-session', asked, about)
  if (inSession?.backs === true) return inSession
  const inProfile = inSession === undefined ? judgePlaces(quote, 'profile', asked, about) : undefined
  if (evidence.profile && inProfile?.backs === true) return inProfile
  const inStored = evidence.stored.some((text) => standsQuoted(text, quote.folded))
  if (inStored && counts) return { backs: true, matchedIn: 'stored-text', message: undefined }
  if (inSession !== undefined) return inSession
  if (evidence.profile && inProfile !== undefined) return inProfile
  // Whatever the words are that cannot be read, a quote that says otherwise or speaks of something else would not count.
  const unread = evidence.unavailable || evidence.forgotten
  if ((inStored || unread) && !counts) return failure(quote, denies ? 'quote_negated' : 'quote_unrelated')
  if (unread) return failure(quote, 'words_unavailable')
  return failure(quote, 'quote_not_found', null, inProfile !== undefined ? 'other_session' : detailOf(quote, evidence))
}

function detailOf(quote: QuoteMatcher, { here, elsewhere, profile }: PreparedEvidence): Failure['detail'] {
  if (isCutIn(quote, here) || (profile && isCutIn(quote, elsewhere))) return 'cut_word'
  return null
}

/** Why the places where a quote stands do not count, or what counts; undefined where it stands nowhere. */
function judgePlaces(
  quote: QuoteMatcher,
  matchedIn: 'this-session' | 'profile',
  { claim, evidence }: Asked,
  about: boolean,
): Backing | Failure | undefined {
  const { sound, negated, asking } = placesOf(quote, matchedIn === 'profile' ? evidence.elsewhere : evidence.here)
  if (sound !== undefined) {
    if (deniesApproval(quote, claim)) return failure(quote, 'quote_negated', sound.typed)
    return about ? { backs: true, matchedIn, message: sound.message } : failure(quote, 'quote_unrelated')
  }
  if (negated !== undefined) return failure(quote, 'quote_negated', negated)
  return asking === undefined ? undefined : failure(quote, 'quote_from_question', asking)
}

/** A quote that starts with a negation backs no approval that is not negated itself. */
function deniesApproval(quote: QuoteMatcher, { kind, negated }: Claim): boolean {
  return kind === 'approving' && !negated && quote.startsWithNegation
}

const opens = '"\'「『'
const closes = '"\'」』'
const passedOver = new Set('.,;:!?。、।؟،؛ ')

/** Whether a stored text quotes these words: other words of it are the agent's own. */
function standsQuoted(stored: string, quote: string): boolean {
  return findQuote(stored, quote).some(({ start, end, cutsWord }) => {
    let from = start
    while (stored.charAt(from - 1) === ' ') from -= 1
    let to = end
    while (passedOver.has(stored.charAt(to))) to += 1
    const [open, close] = [stored.charAt(from - 1), stored.charAt(to)]
    return !cutsWord && open !== '' && close !== '' && opens.indexOf(open) === closes.indexOf(close) && opens.includes(open)
  })
}
