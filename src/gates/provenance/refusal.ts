// What the model is told when a write is refused: which gate, which claim, how to mend it, and that nothing was written. Our own words;
// the claim, the quote and the user's nearest words are cut where they are long.
import { claimsMax, type EvidenceVerdict } from './evidence-rule.js'
import { shortened } from './nearest-words.js'

export interface Refusal {
  /** Null where no single claim is the reason. */
  readonly claim: string | null
  readonly reason: NonNullable<EvidenceVerdict['reason']>
  readonly detail: EvidenceVerdict['detail']
  readonly quote: string | null
  readonly nearest: string | null
}

/** From this refusal of one target in one turn on, the model is told to stop. */
const stopFrom = 3
const claimShownMax = 300

const gate = 'Stele, provenance gate:'
const mend =
  'If the user did say it, put their exact words beside it in "…"; if not, word it as a suggestion of yours or as an open question.'
const nothingWritten = 'Nothing was written.'
const stop = 'This write has been refused too often in this turn: stop retrying it and ask the user.'

export interface RefusalOptions {
  /** Refusals of this target in this turn, this one included. */
  readonly timesInTurn: number
  /** Further claims of the write that fail. */
  readonly others?: number
  /** False where the write goes on all the same. */
  readonly refused?: boolean
}

export function refusalText(refusal: Refusal, { timesInTurn, others = 0, refused = true }: RefusalOptions): string {
  const sentences = [`${gate} ${whatIsWrong(refusal)}`, ...whyNot(refusal), ...(others === 0 ? [] : [alsoOthers(others)])]
  if (refusal.claim !== null) sentences.push(mend)
  if (refused) sentences.push(nothingWritten)
  if (timesInTurn >= stopFrom) sentences.push(stop)
  return sentences.join(' ')
}

function whatIsWrong({ claim, reason }: Refusal): string {
  if (reason === 'too_many_claims')
    return `this write says more than ${claimsMax} times that the user decided something, which is too much to check; split it.`
  if (reason === 'unreadable_arguments')
    return 'the arguments of this call cannot be read, so what it would write cannot be checked.'
  if (reason === 'internal_error' || claim === null)
    return 'this write could not be checked, because of an error of the gate itself.'
  return reason === 'words_unavailable'
    ? `this write says that the user decided something (${inMarks(claim)}), and whether they did cannot be checked.`
    : `this write says that the user decided something (${inMarks(claim)}), and nothing that the user typed backs it.`
}

function whyNot({ reason, detail, quote, nearest }: Refusal): string[] {
  const quoted = quote === null ? 'The quoted words' : `The quoted words (${inMarks(quote)})`
  const typed = nearest === null ? [] : [`The nearest that the user typed: ${inMarks(nearest)}.`]
  switch (reason) {
    case 'quote_unrelated':
      return [`${quoted} share no key words with the decision.`]
    case 'quote_negated':
      return [`${quoted} follow a negation in what the user typed, or begin with one, so they say the opposite.`]
    case 'quote_from_question':
      return [`${quoted} are from a question of the user's, and a question decides nothing.`]
    case 'quote_too_short':
      return [
        `${quoted} are too few: under four words, or four Chinese characters, count only where they are the whole of one of the user's last three messages. Quote more of what the user typed.`,
      ]
    case 'quote_not_found':
      return [`${quoted} ${notFound(detail)}`, ...typed]
    case 'words_unavailable':
      return ["The user's words that could show it are erased or cannot be read."]
    default:
      return []
  }
}

function notFound(detail: EvidenceVerdict['detail']): string {
  switch (detail) {
    case 'cut_word':
      return 'cut a word of the user in half; quote whole words.'
    case 'other_session':
      return "were typed in another session, and only this session's words count."
    case 'stitched':
      return 'are put together from places that stand apart in what the user typed; quote one place as it is.'
    case null:
      return 'stand nowhere in what the user typed.'
  }
}

function alsoOthers(others: number): string {
  return others === 1 ? 'One more claim in it has the same need.' : `${others} more claims in it have the same need.`
}

/** In straight marks, as the quotes that are asked for. */
function inMarks(words: string): string {
  return `"${shortened(words, claimShownMax)}"`
}
