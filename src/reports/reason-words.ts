// The reasons of a judged claim in words, for everything that shows them to a person. What another version of Stele has written shows as it is.
import type { Facts } from '../events/event-catalog.js'

type ClaimFacts = Facts<'claim.judged'>

export const reasonWords: Readonly<Record<NonNullable<ClaimFacts['reason']>, string>> = {
  no_quote: 'no quote of the user stands beside it',
  quote_not_found: 'the quoted words stand nowhere in what the user typed',
  quote_unrelated: 'the quoted words share no key words with the claim',
  quote_negated: 'the quoted words follow a negation, or begin with one, and so say the opposite',
  quote_from_question: 'the quoted words are from a question, and a question decides nothing',
  quote_too_short: 'the quoted words are too few to count outside of a whole recent message',
  too_many_claims: 'more claims in one write than are checked',
  unreadable_arguments: 'the arguments of the call cannot be read',
  internal_error: 'an error of the gate itself',
  words_unavailable: 'the words that could show it are forgotten or cannot be read',
}

export const detailWords: Readonly<Record<NonNullable<ClaimFacts['detail']>, string>> = {
  cut_word: 'the quote cuts a word in half',
  other_session: 'they were typed in another session',
  stitched: 'they are put together from places that stand apart',
}

/** `null` is of a claim that is backed. */
export function reasonText(reason: string | null, detail: string | null): string {
  if (reason === null) return ''
  const why = wordsIn(reasonWords, reason)
  return detail === null ? why : `${why}: ${detailText(detail)}`
}

export function detailText(detail: string): string {
  return wordsIn(detailWords, detail)
}

function wordsIn(words: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(words, name) ? words[name] : undefined) ?? name
}
