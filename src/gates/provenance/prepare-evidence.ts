// What may back a claim, made ready once for all claims of a write.
import { foldText } from './fold-quote.js'
import { type Candidates, type EvidenceMessage, TypedMessages } from './typed-messages.js'

/** A short quote has to be one of so many last messages. */
const lastMessages = 3

export interface Evidence {
  /** Oldest first; those of the sessions before compression count as this session's. */
  readonly messages: readonly EvidenceMessage[]
  /** Other sessions are looked at when this one has the words nowhere. */
  readonly profile: boolean
  /** The text that is edited, as it was before, and what of it stays. */
  readonly stored: readonly string[]
  /** Only words that an attached host passed on. */
  readonly attestedOnly: boolean
  /** What was typed could not be read. */
  readonly unavailable: boolean
}

export interface PreparedEvidence {
  readonly here: TypedMessages
  readonly elsewhere: TypedMessages
  /** The last three of this session, newest first; their words may be forgotten. */
  readonly last: readonly EvidenceMessage[]
  readonly stored: readonly string[]
  readonly profile: boolean
  readonly unavailable: boolean
  /** Words of this session are forgotten. */
  readonly forgotten: boolean
}

/** Once for a write, so that all its claims share the folding. `candidates` narrows other sessions, as an index of words can. */
export function prepareEvidence(evidence: Evidence, candidates?: Candidates): PreparedEvidence {
  const counted = evidence.messages.filter(({ attested }) => attested || !evidence.attestedOnly)
  const here = counted.filter(({ session }) => session === 'this')
  return {
    here: new TypedMessages(here),
    elsewhere: new TypedMessages(
      counted.filter(({ session }) => session === 'other'),
      candidates,
    ),
    last: here.slice(-lastMessages).reverse(),
    stored: evidence.stored.map(foldText),
    profile: evidence.profile,
    unavailable: evidence.unavailable,
    forgotten: here.some(({ text }) => text === undefined),
  }
}
