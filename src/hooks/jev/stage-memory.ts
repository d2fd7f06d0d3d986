// What the stage keeps of turns and calls while the service runs. Nothing of it is on disk: after a restart a turn that goes on is not known, and
// nothing is proposed for it.
import { canonicalJson } from '../../foundation/canonical-json.js'
import { makeProposalStore, type ProposalStore } from '../../gates/jev/proposal-store.js'
import { makeTurnCache, type TurnCache, type TurnEntry } from '../../gates/jev/turn-cache.js'
import type { JevStageSettings } from './stage-house.js'

/** Entries of the ledger that tell of a turn. */
export interface ToldOfTurn {
  /** The message that began it. */
  readonly about: number
  /** The classification, once it is told. */
  classified: number | undefined
  /** Resolves when its question is answered or over; whoever hears of the same turn again waits for it. */
  flight: Promise<void>
}

export interface StageMemory {
  readonly cache: TurnCache
  readonly proposals: ProposalStore
  readonly told: WeakMap<TurnEntry, ToldOfTurn>
  /** Calls of which a middleware has told, the newest of them. */
  readonly assessed: CallsSeen
}

/** So many calls are between their middleware and their hook at most. */
const callsMax = 4096

export class CallsSeen {
  readonly #names = new Set<string>()

  add(call: readonly unknown[]): void {
    const name = canonicalJson([...call].map((part) => part ?? null))
    this.#names.delete(name)
    this.#names.add(name)
    const [oldest] = this.#names
    if (this.#names.size > callsMax && oldest !== undefined) this.#names.delete(oldest)
  }

  /** Whether it was told of; only once. */
  take(call: readonly unknown[]): boolean {
    return this.#names.delete(canonicalJson([...call].map((part) => part ?? null)))
  }
}

/** Made anew where its bounds are set otherwise: turns that go on are unknown from then on. */
export class StageMemories {
  #bounds = ''
  #memory: StageMemory | undefined

  of({ cache }: Pick<JevStageSettings, 'cache'>): StageMemory {
    const bounds = canonicalJson({ ...cache })
    if (this.#memory === undefined || bounds !== this.#bounds) {
      this.#bounds = bounds
      const { turnsMax } = cache
      this.#memory = {
        cache: makeTurnCache(cache),
        proposals: makeProposalStore(turnsMax),
        told: new WeakMap(),
        assessed: new CallsSeen(),
      }
    }
    return this.#memory
  }
}
