// What a user typed, made ready once for all quotes of a write: messages are folded when they are first looked into, and many of them are
// sieved before they are searched.
import { MessageSieve } from './message-sieve.js'
import { FoldedMessage } from './quote-matcher.js'

export interface EvidenceMessage {
  /** The index of its entry. */
  readonly index: number
  /** Undefined where the words are forgotten. */
  readonly text: string | undefined
  /** `this` for those of sessions before compression too. */
  readonly session: 'this' | 'other'
  /** Empty where the host names nobody. */
  readonly sender: string
  readonly attested: boolean
}

/** The indices of messages of other sessions that may hold a quote; every one that does hold it has to be among them. */
export type Candidates = (quote: string) => Iterable<number>

/** Of so few each is searched. */
const unsievedMax = 8
const sievedUnitsMin = 4

export class TypedMessages {
  /** Newest first, those whose words are kept. */
  readonly messages: readonly EvidenceMessage[]
  readonly #folded: (FoldedMessage | undefined)[] = []
  readonly #candidates: Candidates | undefined
  #sieve: MessageSieve | undefined
  #lastAsked: { quote: string; places: readonly number[] } | undefined
  #places: Map<number, number> | undefined

  /** `messages` come oldest first. */
  constructor(messages: readonly EvidenceMessage[], candidates?: Candidates) {
    this.messages = messages.filter(({ text }) => text !== undefined).reverse()
    this.#candidates = candidates
  }

  folded(place: number): FoldedMessage {
    const folded = this.#folded[place] ?? new FoldedMessage(this.messages[place]?.text ?? '')
    this.#folded[place] = folded
    return folded
  }

  /** The places of those messages that may hold a folded quote, newest first. */
  mayHold(quote: string): readonly number[] {
    // One quote is asked for several times in a row.
    if (this.#lastAsked?.quote !== quote) this.#lastAsked = { quote, places: this.#placesThatMayHold(quote) }
    return this.#lastAsked.places
  }

  #placesThatMayHold(quote: string): readonly number[] {
    if (this.#candidates !== undefined) return this.#placesOf(this.#candidates(quote))
    if (this.messages.length <= unsievedMax || quote.length < sievedUnitsMin) return [...this.messages.keys()]
    this.#sieve ??= new MessageSieve(this.messages.map((_, place) => this.folded(place).folded))
    return this.#sieve.mayHold(quote)
  }

  #placesOf(indices: Iterable<number>): number[] {
    this.#places ??= new Map(this.messages.map(({ index }, place) => [index, place]))
    const places = new Set<number>()
    for (const index of indices) {
      const place = this.#places.get(index)
      if (place !== undefined) places.add(place)
    }
    return [...places].sort((one, other) => one - other)
  }
}
