// What an entry carries: its payload and words against their commitments, the keys and erasures they name, its session and time.
import { checkPayload } from '../events/event-catalog.js'
import { readCanonicalForm } from './canonical-form.js'
import type { FindingList } from './findings.js'
import { payloadCommitment, wordsCommitment } from './hash.js'
import { countOf, differenceOf, erasedRanges, type IndexRanges, IndexRuns, intersectionOf, unionOf } from './index-ranges.js'
import { KeyHistory, type KeyHistoryState } from './key-history.js'
import type { PlacedEntry } from './placed-entry.js'
import { type IndexSum, SessionIndexSummer } from './session-index.js'
import type { StoredHeader } from './stored-header.js'

/** What was true of payloads and words after some entries. Plain JSON. */
export interface BodyPosition {
  readonly time: string
  readonly keys: KeyHistoryState
  readonly missing: IndexRanges
  readonly erased: IndexRanges
  readonly present: IndexRanges
  readonly sessions: IndexSum
}

export class EntryBodyCheck {
  readonly #findings: FindingList
  /** Payloads and words of lower indices are not judged, but for those that others depend on. */
  readonly #judgeFrom: number
  readonly keys: KeyHistory
  /** An entry that names a key could not be trusted: which keys were in force later is not known. */
  keysUncertain = false
  readonly #sessions: SessionIndexSummer
  readonly #missing: IndexRuns
  readonly #present: IndexRuns
  readonly #erasures = new Map<number, IndexRanges>()
  readonly #erasedBefore: IndexRanges
  /** Entries of an export by the erasure that their line names. */
  readonly #pointed = new Map<number, IndexRuns>()
  #withheld: number | undefined
  #time: string

  constructor(findings: FindingList, judgeFrom: number, position?: BodyPosition) {
    this.#findings = findings
    this.#judgeFrom = judgeFrom
    this.keys = new KeyHistory(position?.keys)
    this.#sessions = new SessionIndexSummer(position?.sessions)
    this.#missing = new IndexRuns(position?.missing)
    this.#present = new IndexRuns(position?.present)
    this.#erasedBefore = position?.erased ?? []
    this.#time = position?.time ?? ''
  }

  get sessionSum(): IndexSum {
    return this.#sessions.sum
  }

  /** Entries whose words are gone and named by an erasure. */
  get erased(): number {
    return countOf(intersectionOf(this.#missing.runs, this.#named()))
  }

  position(): BodyPosition {
    return {
      time: this.#time,
      keys: this.keys.state,
      missing: this.#missing.runs,
      erased: this.#named(),
      present: this.#present.runs,
      sessions: this.#sessions.sum,
    }
  }

  /** Judges an entry whose header is what was written. */
  take(entry: PlacedEntry, number: number, header: StoredHeader): void {
    if (header.session !== '') this.#sessions.add(header.session, number)
    this.#judgeTime(header, number)
    const namesKeys = header.type.startsWith('ledger.') || header.type.startsWith('key.')
    if (number < this.#judgeFrom && !namesKeys && header.type !== 'payload.erased') return

    const { sound, value } = this.#judgePayload(entry, number, header)
    if (header.type === 'payload.erased') this.#erasures.set(number, erasedRanges(value?.['entries'], number))
    if (namesKeys) this.#takeKeys(number, header, sound ? value : undefined)
    if (!sound || value === undefined) return
    this.#judgeWords(entry, number, value['words'])
    const { verdict, where } = checkPayload(header.type, header.version, value)
    if (verdict !== 'fits') this.#findings.note(verdict, number, `entry ${number}: ${where}`)
  }

  /** An erasure whose header was altered still names what it names: its own alteration is the finding. */
  takeFaulty(entry: PlacedEntry, number: number): void {
    const payload = entry.payload === undefined ? undefined : objectIn(entry.payload)
    if (payload === undefined || !('entries' in payload) || !('by' in payload)) return
    this.#erasures.set(number, erasedRanges(payload['entries'], number))
  }

  /** Says which words are gone without an erasure, once all erasures are known. */
  finish(): void {
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

  #takeKeys(number: number, header: StoredHeader, payload: Record<string, unknown> | undefined): void {
    if (payload === undefined) {
      this.keysUncertain = true
      return
    }
    const follows = this.keys.take(header.type, number, header.epoch, header.ledger, payload)
    if (follows || this.keysUncertain) return
    this.#findings.add('key_unknown', number, `entry ${number} names a key that does not follow from the one in force`)
  }

  #judgeTime({ time, type }: StoredHeader, number: number): void {
    if (time < this.#time && type !== 'clock.stepped' && !startsEpoch(type) && Date.parse(this.#time) - Date.parse(time) > 1000) {
      this.#findings.note('clock_backwards', number, `entry ${number} is dated more than a second before the entry before it`)
    }
    this.#time = time
  }

  #judgePayload(
    entry: PlacedEntry,
    number: number,
    header: StoredHeader,
  ): { sound: boolean; value: Record<string, unknown> | undefined } {
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

  #judgeWords(entry: PlacedEntry, number: number, committed: unknown): void {
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

  #tellMissing(ranges: IndexRanges): void {
    for (const [first, last] of ranges) {
      for (let index = first; index <= last; index += 1) {
        this.#findings.add('words_missing', index, `the words of entry ${index} are missing, and no erasure names them`)
      }
    }
  }
}

export function startsEpoch(type: string): boolean {
  return type === 'ledger.reanchored' || type === 'ledger.restored'
}

const saltLength = 32

/** The JSON object behind the salt of a stored row; undefined where it is not canonical, or no object. */
function objectIn(row: Buffer): Record<string, unknown> | undefined {
  const value = readCanonicalForm(row.subarray(saltLength))?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}
