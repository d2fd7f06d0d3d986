// The policies that were in force by a point of the history, by the digest that decisions name them with.
import type { Policy } from '../gates/capability/allowlist.js'
import type { FoldedEntry } from '../projections/projection.js'

export class PoliciesSoFar {
  /** Undefined where the words are forgotten. */
  readonly #texts = new Map<string, string | undefined>()
  #newest: string | undefined
  #read: { readonly digest: string; readonly policy: Policy } | undefined

  add({ facts, words }: FoldedEntry<'policy.activated'>): void {
    this.#texts.set(facts.digest, words?.policy)
    this.#newest = facts.digest
  }

  /** The digest of the one that came into force last. */
  get newest(): string | undefined {
    return this.#newest
  }

  /** Undefined where none of this digest came into force. */
  of(digest: string): Policy | 'forgotten' | undefined {
    if (this.#read?.digest === digest) return this.#read.policy
    if (!this.#texts.has(digest)) return undefined
    const text = this.#texts.get(digest)
    if (text === undefined) return 'forgotten'
    // As the service wrote it down; who doubts what stands in the ledger verifies it.
    const policy = JSON.parse(text) as Policy
    this.#read = { digest, policy }
    return policy
  }
}
