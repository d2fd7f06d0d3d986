// Which key was in force at which size, which epochs began where, and which branches they abandoned.
import { readVkey, type VerifierKey, verifyText } from './verify-checkpoint.js'

export interface Abandoned {
  /** The epoch that was in force before the new start. */
  readonly from: number
  /** The highest epoch that is abandoned, and the size that it had. */
  readonly epoch: number
  readonly size: number
  /** What the two branches share: smaller sizes must fit. */
  readonly shared: number
}

export interface KeyInForce {
  readonly epoch: number
  /** In force for checkpoints larger than this. */
  readonly above: number
  readonly key: VerifierKey
}

export interface KeyHistoryState {
  readonly keys: readonly KeyInForce[]
  readonly abandoned: readonly Abandoned[]
}

/** Follows `ledger.created`, `key.rotated`, `ledger.reanchored` and `ledger.restored`. */
export class KeyHistory {
  readonly #keys: KeyInForce[]
  readonly #abandoned: Abandoned[]

  constructor({ keys, abandoned }: KeyHistoryState = { keys: [], abandoned: [] }) {
    this.#keys = [...keys]
    this.#abandoned = [...abandoned]
  }

  get state(): KeyHistoryState {
    return { keys: this.#keys, abandoned: this.#abandoned }
  }

  /** Takes an entry that changes keys or epochs. Returns false where it names a key that does not follow from the one in force. */
  take(type: string, index: number, epoch: number, ledger: string, payload: Readonly<Record<string, unknown>>): boolean {
    if (type === 'ledger.created') return this.#start(payload['vkey'], index, epoch)
    if (type === 'key.rotated') return this.#rotate(index, epoch, ledger, payload)
    this.#abandon(payload['abandoned'], index)
    const before = this.#keys.at(-1)?.key
    const key = typeof payload['vkey'] === 'string' ? readVkey(payload['vkey']) : undefined
    if (key === undefined) return false
    this.#keys.push({ epoch, above: index, key })
    return before === undefined || before.publicKey === key.publicKey
  }

  /** The key for checkpoints of a size in an epoch; undefined for an epoch that never began. */
  inForce(epoch: number, size: number): VerifierKey | undefined {
    return this.#keys.filter((known) => known.epoch === epoch && known.above < size).at(-1)?.key
  }

  /** Whether a public key (64 hex characters) was ever in force. */
  knows(publicKey: string): boolean {
    return this.#keys.some(({ key }) => key.publicKey === publicKey)
  }

  get everInForce(): readonly VerifierKey[] {
    return this.#keys.map(({ key }) => key)
  }

  isEpochAbandoned(epoch: number): boolean {
    return this.#abandoned.some((branch) => branch.from <= epoch && epoch <= branch.epoch)
  }

  /** Whether a size lies on the branch of an epoch that a later one names as abandoned. */
  isAbandoned(epoch: number, size: number): boolean {
    return this.#abandoned.some(
      (branch) =>
        branch.from <= epoch && epoch <= branch.epoch && branch.shared < size && (epoch < branch.epoch || size <= branch.size),
    )
  }

  /** The epoch that a checkpoint name belongs to; undefined where it is none of a key that was in force. */
  epochOf(name: string): number | undefined {
    return this.#keys.find(({ key }) => key.name === name)?.epoch
  }

  #start(vkey: unknown, index: number, epoch: number): boolean {
    const key = typeof vkey === 'string' ? readVkey(vkey) : undefined
    if (key === undefined) return false
    // The first checkpoint has size 1: it covers the entry that names the key.
    this.#keys.push({ epoch, above: index, key })
    return true
  }

  #rotate(index: number, epoch: number, ledger: string, payload: Readonly<Record<string, unknown>>): boolean {
    const { oldVkey, newVkey, oldSignature, newSignature } = payload
    if (typeof oldVkey !== 'string' || typeof newVkey !== 'string') return false
    if (typeof oldSignature !== 'string' || typeof newSignature !== 'string') return false
    const inForce = this.#keys.at(-1)?.key
    const oldKey = readVkey(oldVkey)
    const newKey = readVkey(newVkey)
    if (inForce === undefined || oldKey === undefined || newKey === undefined) return false
    if (oldKey.publicKey !== inForce.publicKey || oldKey.name !== inForce.name) return false
    const text = `stele/key-rotated/v1\n${ledger}\n${index}\n${oldVkey}\n${newVkey}\n`
    if (!verifyText(text, Buffer.from(oldSignature, 'base64'), oldKey.publicKey)) return false
    if (!verifyText(text, Buffer.from(newSignature, 'base64'), newKey.publicKey)) return false
    this.#keys.push({ epoch, above: index, key: newKey })
    return true
  }

  #abandon(value: unknown, index: number): void {
    if (typeof value !== 'object' || value === null) return
    const { epoch, size } = value as { epoch?: unknown; size?: unknown }
    if (typeof epoch !== 'number' || typeof size !== 'number') return
    // A branch no longer than what the new epoch goes on from was a fork: where it began is not known.
    this.#abandoned.push({ from: this.#keys.at(-1)?.epoch ?? 0, epoch, size, shared: size > index ? index : 0 })
  }
}
