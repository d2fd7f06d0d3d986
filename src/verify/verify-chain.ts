// Walks the entries once and says of each what the format page says: whose bytes fit what was kept, and what follows from what.
// It holds one entry back, since whether a header was altered shows at the entry behind it.
import { type BodyPosition, EntryBodyCheck, startsEpoch } from './entry-body.js'
import { EntryOrder } from './entry-order.js'
import type { FindingList } from './findings.js'
import { leafHash, zeroHash } from './hash.js'
import type { PlacedEntry } from './placed-entry.js'
import { readStoredHeader, type StoredHeader } from './stored-header.js'
import { TreeCheck } from './verify-tree.js'

/** What was true after some entries: where a later verification can go on. Plain JSON. */
export interface ChainPosition {
  readonly ledger: string
  readonly size: number
  readonly epoch: number
  /** Hash of the last entry, 64 hex characters. */
  readonly head: string
  /** Right edge of the tree, hex or null a level. */
  readonly edge: readonly (string | null)[]
  readonly body: BodyPosition
}

/** Hashes and roots at a size that some mark or checkpoint speaks of. */
export interface AtSize {
  readonly hash: string
  readonly computedRoot: string
  readonly keptRoot: string
}

export interface ChainCheckOptions {
  readonly findings: FindingList
  readonly storedNode?: (level: number, position: number) => Buffer | undefined
  /** Sizes at which roots are wanted. */
  readonly wantedSizes: ReadonlySet<number>
  /** Payloads and words of lower indices are not judged. */
  readonly judgeFrom: number
  readonly position?: ChainPosition
}

interface Seen {
  readonly entry: PlacedEntry
  readonly number: number
  readonly header: StoredHeader | undefined
  readonly hash: Buffer
  readonly hex: string
  /** Fact A: the kept leaf hash is the hash of the bytes. */
  readonly keptFits: boolean
  /** Hashes of repetitions of the same number, which the entry behind may name as well. */
  readonly also: string[]
  foreign: boolean
  /** A finding about the chain names this entry already. */
  told: boolean
}

export class ChainCheck {
  readonly #options: ChainCheckOptions
  readonly #findings: FindingList
  readonly #order: EntryOrder
  readonly #tree: TreeCheck
  /** What the entries carry; it also knows keys, erasures and sessions. */
  readonly body: EntryBodyCheck
  readonly atSize = new Map<number, AtSize>()
  #pending: Seen | undefined
  #ledger: string
  #epoch: number
  #head: string
  #treeWhole = true
  #epochUncertain = false
  /** An entry of another format version was met; nothing behind it is judged. */
  stopped = false
  /** The header of the last entry that was judged has a finding. */
  lastFaulty = false

  constructor(options: ChainCheckOptions) {
    const { position } = options
    this.#options = options
    this.#findings = options.findings
    this.#order = new EntryOrder(position?.size)
    this.#tree = new TreeCheck({
      ...(options.storedNode === undefined ? {} : { storedNode: options.storedNode }),
      onAltered: (index) =>
        this.#findings.addChainFault(
          'tree_altered',
          index,
          `a node of the tree over entry ${index} is not the hash of its children`,
        ),
      edge: (position?.edge ?? []).map((hash) => (hash === null ? undefined : Buffer.from(hash, 'hex'))),
      size: position?.size ?? 0,
    })
    this.body = new EntryBodyCheck(options.findings, options.judgeFrom, position?.body)
    this.#ledger = position?.ledger ?? ''
    this.#epoch = position?.epoch ?? 0
    this.#head = position?.head ?? zeroHash
    if (position !== undefined) this.#noteSize(this.#head)
  }

  /** Number of entries known of: one more than the highest index. */
  get size(): number {
    return this.#order.due
  }

  get ledger(): string {
    return this.#ledger
  }

  get epoch(): number {
    return this.#epoch
  }

  /** Hash of the last entry that was read. */
  get head(): string {
    return this.#pending?.hex ?? this.#head
  }

  /** Root over the computed hashes; undefined where leaves are missing. */
  get root(): string | undefined {
    return this.#treeWhole ? this.#tree.roots().computed.toString('hex') : undefined
  }

  take(entry: PlacedEntry): void {
    if (this.stopped) return
    if (entry.unreadable !== undefined) this.#takeHole(entry)
    else this.#takeSeen(this.#see(entry))
  }

  /**
   * Judges the last entry. `headSays` tells whether the head or a checkpoint of exactly this size names a hash or a root
   * (both hex) as the last; undefined where there is nothing that could.
   */
  finish(headSays: (hash: string, root: string | undefined) => boolean | undefined): void {
    const last = this.#pending
    if (last !== undefined && !this.stopped) {
      const rootWithLast = this.#treeWhole ? this.#rootWith(last) : undefined
      this.#settle(undefined, headSays(last.hex, rootWithLast))
    }
    for (const { first, last: end } of this.#order.missing()) {
      this.#findings.addChainFault(
        'entry_missing',
        first,
        first === end ? `entry ${first} is missing` : `entries ${first} to ${end} are missing`,
      )
    }
    for (const index of this.#order.disturbed()) {
      this.#findings.addChainFault('link_broken', index, `entry ${index} stands where a lower number was due`)
    }
    this.body.finish()
  }

  /** Where a later verification can go on; only of a ledger without findings. */
  position(): ChainPosition {
    const edge = this.#tree.edge().map((hash) => hash?.toString('hex') ?? null)
    return { ledger: this.#ledger, size: this.size, epoch: this.#epoch, head: this.#head, edge, body: this.body.position() }
  }

  #takeHole(entry: PlacedEntry): void {
    const at = entry.place ?? this.#order.due
    this.#settle(undefined)
    this.#pending = undefined
    this.#treeWhole = false
    this.#uncertain()
    this.#order.passHole()
    this.#findings.addChainFault('store_unreadable', at, `what stands at entry ${at} cannot be read (${entry.unreadable})`)
  }

  #see(entry: PlacedEntry): Seen {
    const bytes = entry.header ?? Buffer.alloc(0)
    const hash = leafHash(bytes)
    const keptFits = entry.kept?.equals(hash) ?? false
    const agrees = entry.disagrees?.has('header') !== true
    const header = entry.header !== undefined && agrees ? readStoredHeader(bytes) : undefined
    // Only bytes that fit what was kept may say which entry they are; else it is the one that is due at this place.
    const number = (keptFits ? header?.index : undefined) ?? entry.place ?? this.#order.due
    return { entry, number, header, hash, hex: hash.toString('hex'), keptFits, also: [], foreign: false, told: false }
  }

  #takeSeen(seen: Seen): void {
    const step = this.#order.take(seen.number)
    if (step === 'duplicate' && this.#takesPlaceOfStranger(seen)) return
    if (step === 'duplicate') {
      this.#findings.addChainFault('entry_duplicated', seen.number, `entry ${seen.number} is there more than once`)
      if (this.#pending?.number === seen.number) this.#pending.also.push(seen.hex)
      return
    }
    const follows = step === 'next' && (this.#pending === undefined || this.#pending.number === seen.number - 1)
    this.#settle(follows ? seen : undefined)
    if (step !== 'next') {
      this.#treeWhole = false
      this.#uncertain()
    }
    this.#pending = this.stopped ? undefined : seen
  }

  /** An entry of another ledger was put in before the one whose number it bears: the stranger is told, and this one goes on. */
  #takesPlaceOfStranger(seen: Seen): boolean {
    const stranger = this.#pending
    if (stranger?.number !== seen.number || !stranger.keptFits || stranger.header === undefined) return false
    if (this.#ledger === '' || stranger.header.ledger === this.#ledger || stranger.header.v !== 1) return false
    this.#findings.addChainFault('entry_foreign', stranger.number, `entry ${stranger.number} belongs to another ledger`)
    this.#pending = { ...seen, told: true }
    return true
  }

  /** Judges the entry that was held back, with the one that stands right behind it, or with what the head says of the last. */
  #settle(next: Seen | undefined, headSays?: boolean): void {
    const seen = this.#pending
    if (seen === undefined) {
      this.#judgeFirstLink(next)
      return
    }
    const faulty = this.#judgeHeader(seen, next, headSays)
    if (this.stopped) return
    this.lastFaulty = faulty || !seen.keptFits
    this.#growTree(seen, faulty || seen.told)
    if (!faulty && seen.header !== undefined) this.#takeBody(seen, seen.header)
    else this.#passFaulty(seen)
    if (next !== undefined) this.#judgeLink(seen, next)
    this.#head = seen.hex
  }

  /** Returns whether the header has a finding, after which nothing else of the entry can be trusted. */
  #judgeHeader(seen: Seen, next: Seen | undefined, headSays: boolean | undefined): boolean {
    const { number, header } = seen
    if (header === undefined) {
      this.#findings.addChainFault('header_altered', number, `the header of entry ${number} is not what was written`)
      return true
    }
    if (!seen.keptFits) {
      const linkFits = next?.keptFits ? next.header?.prev === seen.hex : headSays
      if (linkFits !== true) {
        this.#findings.addChainFault('header_altered', number, `the header of entry ${number} is not what was written`)
        return true
      }
      this.#findings.addChainFault('tree_altered', number, `the hash kept for entry ${number} is not the hash of its header`)
      return false
    }
    if (header.v !== 1) {
      this.#findings.addChainFault(
        'version_unknown',
        number,
        `entry ${number} has format version ${header.v}, which this verifier does not know`,
      )
      this.stopped = true
      return true
    }
    if (!seen.foreign && this.#isForeign(header)) seen.foreign = true
    if (seen.foreign) {
      this.#findings.addChainFault(
        'entry_foreign',
        number,
        `entry ${number} belongs to another ledger, or to an epoch that nothing started`,
      )
      return true
    }
    return false
  }

  #isForeign(header: StoredHeader): boolean {
    if (this.#ledger !== '' && header.ledger !== this.#ledger) return true
    // An entry that could not be trusted may have started an epoch; what follows it is not foreign for that.
    if (this.#epochUncertain && header.epoch > this.#epoch) return false
    return startsEpoch(header.type) ? header.epoch <= this.#epoch : header.epoch !== this.#epoch
  }

  /** Something here cannot be trusted, and might have named a key or started an epoch. */
  #uncertain(): void {
    this.body.keysUncertain = true
    this.#epochUncertain = true
  }

  /** What an entry with a finding still does to those behind it. One of another ledger does nothing. */
  #passFaulty({ entry, header, number }: Seen): void {
    if (header !== undefined && header.ledger !== this.#ledger && this.#ledger !== '') return
    this.#uncertain()
    this.body.takeFaulty(entry, number)
  }

  #judgeLink(seen: Seen, next: Seen): void {
    if (!seen.keptFits || !next.keptFits || seen.header === undefined || next.header === undefined) return
    if (next.header.v === 1 && this.#isForeign(next.header)) next.foreign = true
    if (seen.foreign || next.foreign) return
    if (next.header.prev === seen.hex || seen.also.includes(next.header.prev)) return
    next.told = true
    this.#findings.addChainFault('link_broken', next.number, `entry ${next.number} does not follow the entry before it`)
  }

  /** The first entry follows nothing, or what an earlier verification ended with. */
  #judgeFirstLink(next: Seen | undefined): void {
    if (next === undefined || !next.keptFits || next.header === undefined || next.number !== this.#tree.size) return
    if (next.header.prev !== this.#head && !this.#isForeign(next.header)) {
      this.#findings.addChainFault('link_broken', next.number, `entry ${next.number} does not follow the entry before it`)
    }
  }

  #growTree(seen: Seen, told: boolean): void {
    if (!this.#treeWhole) return
    this.#tree.add(leafOf(seen, told))
    this.#noteSize(seen.hex)
  }

  /** Keeps hash and roots where some mark or checkpoint speaks of this size. */
  #noteSize(hash: string): void {
    const { size } = this.#tree
    if (!this.#options.wantedSizes.has(size)) return
    const { computed, kept } = this.#tree.roots()
    this.atSize.set(size, { hash, computedRoot: computed.toString('hex'), keptRoot: kept.toString('hex') })
  }

  #rootWith(seen: Seen): string {
    const tree = new TreeCheck({ edge: this.#tree.edge(), size: this.#tree.size, onAltered: () => {} })
    tree.add(leafOf(seen, false))
    return tree.roots().computed.toString('hex')
  }

  #takeBody({ entry, number }: Seen, header: StoredHeader): void {
    if (this.#ledger === '') this.#ledger = header.ledger
    this.body.take(entry, number, header)
    if (header.epoch === this.#epoch) return
    this.#epoch = header.epoch
    this.#epochUncertain = false
  }
}

function leafOf(seen: Seen, told: boolean) {
  const kept = seen.keptFits || seen.entry.kept === undefined ? seen.hash : seen.entry.kept
  return { computed: seen.hash, kept, told: told || !seen.keptFits }
}
