// Walks the entries once and says of each what the format page says: whose bytes fit what was kept, what follows, and what was committed to.
// It holds one entry back, since whether a header was altered shows at the entry behind it.
import { checkPayload } from '../events/event-catalog.js'
import { readCanonicalForm } from './canonical-form.js'
import { EntryOrder } from './entry-order.js'
import type { FindingList } from './findings.js'
import { leafHash, payloadCommitment, wordsCommitment, zeroHash } from './hash.js'
import { countOf, differenceOf, erasedRanges, type IndexRanges, IndexRuns, intersectionOf, unionOf } from './index-ranges.js'
import { KeyHistory, type KeyHistoryState } from './key-history.js'
import type { PlacedEntry } from './placed-entry.js'
import { type IndexSum, SessionIndexSummer } from './session-index.js'
import { readStoredHeader, type StoredHeader } from './stored-header.js'
import { TreeCheck } from './verify-tree.js'

/** What was true after some entries: where a later verification can go on. Plain JSON. */
export interface ChainPosition {
  readonly ledger: string
  readonly size: number
  readonly epoch: number
  /** Hash of the last entry, 64 hex characters. */
  readonly head: string
  readonly time: string
  /** Right edge of the tree, hex or null a level. */
  readonly edge: readonly (string | null)[]
  readonly keys: KeyHistoryState
  readonly missing: IndexRanges
  readonly erased: IndexRanges
  readonly present: IndexRanges
  readonly sessions: IndexSum
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
  readonly keys: KeyHistory
  readonly #sessions: SessionIndexSummer
  readonly #missing: IndexRuns
  readonly #present: IndexRuns
  readonly #erasures = new Map<number, IndexRanges>()
  readonly #erasedBefore: IndexRanges
  /** Entries of an export by the erasure that their line names. */
  readonly #pointed = new Map<number, IndexRuns>()
  readonly atSize = new Map<number, AtSize>()
  #pending: Seen | undefined
  #ledger: string
  #epoch: number
  #head: string
  #time: string
  #treeWhole = true
  #epochUncertain = false
  #withheld: number | undefined
  /** An entry of another format version was met; nothing behind it is judged. */
  stopped = false
  /** An entry that names a key could not be trusted: which keys were in force later is not known. */
  keysUncertain = false

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
    this.keys = new KeyHistory(position?.keys)
    this.#sessions = new SessionIndexSummer(position?.sessions)
    this.#missing = new IndexRuns(position?.missing)
    this.#present = new IndexRuns(position?.present)
    this.#erasedBefore = position?.erased ?? []
    this.#ledger = position?.ledger ?? ''
    this.#epoch = position?.epoch ?? 0
    this.#head = position?.head ?? zeroHash
    this.#time = position?.time ?? ''
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

  get sessionSum(): IndexSum {
    return this.#sessions.sum
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
    this.#judgeForgotten()
  }

  /** Entries whose words are gone and named by an erasure. */
  get erased(): number {
    return countOf(intersectionOf(this.#missing.runs, this.#named()))
  }

  /** Where a later verification can go on; only of a ledger without findings. */
  position(): ChainPosition {
    return {
      ledger: this.#ledger,
      size: this.size,
      epoch: this.#epoch,
      head: this.#head,
      time: this.#time,
      edge: this.#tree.edge().map((hash) => hash?.toString('hex') ?? null),
      keys: this.keys.state,
      missing: this.#missing.runs,
      erased: this.#named(),
      present: this.#present.runs,
      sessions: this.#sessions.sum,
    }
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
    this.#growTree(seen, faulty || seen.told)
    if (!faulty && seen.header !== undefined) this.#judgeBody(seen, seen.header)
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
    this.keysUncertain = true
    this.#epochUncertain = true
  }

  /** What an entry with a finding still does to those behind it. */
  #passFaulty({ entry, header, number }: Seen): void {
    if (header !== undefined && header.ledger !== this.#ledger && this.#ledger !== '') return
    this.#uncertain()
    // An erasure whose header was altered still names what it names: its own alteration is the finding.
    const payload = entry.payload === undefined ? undefined : objectIn(entry.payload)
    if (payload !== undefined && 'entries' in payload && 'by' in payload)
      this.#erasures.set(number, erasedRanges(payload['entries'], number))
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

  #judgeBody(seen: Seen, header: StoredHeader): void {
    const { number } = seen
    if (this.#ledger === '') this.#ledger = header.ledger
    if (header.session !== '') this.#sessions.add(header.session, number)
    this.#judgeTime(header, number)
    const changesKeys = header.type.startsWith('ledger.') || header.type.startsWith('key.')
    if (number < this.#options.judgeFrom && !changesKeys && header.type !== 'payload.erased') return

    const payload = this.#judgePayload(seen, header)
    if (header.type === 'payload.erased') this.#erasures.set(number, erasedRanges(payload.value?.['entries'], number))
    if (header.epoch !== this.#epoch) {
      this.#epoch = header.epoch
      this.#epochUncertain = false
    }
    if (changesKeys && !payload.sound) this.keysUncertain = true
    if (!payload.sound || payload.value === undefined) return
    const follows = !changesKeys || this.keys.take(header.type, number, header.epoch, header.ledger, payload.value)
    if (!follows && !this.keysUncertain) {
      this.#findings.add('key_unknown', number, `entry ${number} names a key that does not follow from the one in force`)
    }
    this.#judgeWords(seen, payload.value['words'])
    const { verdict, where } = checkPayload(header.type, header.version, payload.value)
    if (verdict !== 'fits') this.#findings.note(verdict, number, `entry ${number}: ${where}`)
  }

  #judgeTime({ time, type }: StoredHeader, number: number): void {
    if (time < this.#time && type !== 'clock.stepped' && !startsEpoch(type) && Date.parse(this.#time) - Date.parse(time) > 1000) {
      this.#findings.note('clock_backwards', number, `entry ${number} is dated more than a second before the entry before it`)
    }
    this.#time = time
  }

  #judgePayload({ entry, number }: Seen, header: StoredHeader): { sound: boolean; value: Record<string, unknown> | undefined } {
    if (entry.payload === undefined) {
      this.#findings.add('payload_missing', number, `the payload of entry ${number} is missing`)
      return { sound: false, value: undefined }
    }
    const value = objectIn(entry.payload)
    const sound =
      entry.disagrees?.has('payload') !== true && payloadCommitment(entry.payload) === header.payload && value !== undefined
    if (!sound) this.#findings.add('payload_altered', number, `the payload of entry ${number} is not what was written`)
    return { sound, value }
  }

  #judgeWords({ entry, number }: Seen, committed: unknown): void {
    const altered = () => this.#findings.add('words_altered', number, `the words of entry ${number} are not what was written`)
    if (entry.words !== undefined || entry.disagrees?.has('words')) {
      const fits = entry.words !== undefined && !entry.disagrees?.has('words') && wordsCommitment(entry.words) === committed
      if (!fits || objectIn(entry.words) === undefined) altered()
      this.#present.add(number)
      return
    }
    if (committed === undefined) {
      if (entry.absent !== undefined)
        this.#findings.add('words_missing', number, `entry ${number} tells of words that it never had`)
      return
    }
    if (entry.absent === 'withheld') {
      this.#withheld ??= number
      return
    }
    this.#missing.add(number)
    if (entry.place !== undefined) return
    const runs = this.#pointed.get(entry.absent ?? -1) ?? new IndexRuns()
    runs.add(number)
    this.#pointed.set(entry.absent ?? -1, runs)
  }

  #named(): IndexRanges {
    return unionOf([...this.#erasedBefore, ...[...this.#erasures.values()].flat()])
  }

  #judgeForgotten(): void {
    const named = this.#named()
    this.#tellMissing(differenceOf(this.#missing.runs, named))
    for (const [erasure, runs] of this.#pointed) {
      // A line that names the wrong erasure hides which one it was; what no erasure names at all is told already.
      this.#tellMissing(intersectionOf(differenceOf(runs.runs, this.#erasures.get(erasure) ?? []), named))
    }
    for (const [first] of intersectionOf(this.#present.runs, named)) {
      this.#findings.note('erasure_unfinished', first, `the words of entry ${first} are still there, though an erasure names it`)
    }
    if (this.#withheld !== undefined) this.#findings.note('words_withheld', this.#withheld, 'the export was made without words')
  }

  #tellMissing(ranges: IndexRanges): void {
    for (const [first, last] of ranges) {
      for (let index = first; index <= last; index += 1) {
        this.#findings.add('words_missing', index, `the words of entry ${index} are missing, and no erasure names them`)
      }
    }
  }
}

function startsEpoch(type: string): boolean {
  return type === 'ledger.reanchored' || type === 'ledger.restored'
}

function leafOf(seen: Seen, told: boolean) {
  const kept = seen.keptFits || seen.entry.kept === undefined ? seen.hash : seen.entry.kept
  return { computed: seen.hash, kept, told: told || !seen.keptFits }
}

const saltLength = 32

/** The JSON object behind the salt of a stored row; undefined where it is not canonical, or no object. */
function objectIn(row: Buffer): Record<string, unknown> | undefined {
  const value = readCanonicalForm(row.subarray(saltLength))?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}
