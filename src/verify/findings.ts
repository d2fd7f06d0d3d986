// The words in which a verification speaks: findings make a ledger unsound, notes do not (docs/format.md, "What verification finds").

const findingCodes = [
  'header_altered',
  'link_broken',
  'tree_altered',
  'entry_missing',
  'entry_duplicated',
  'entry_foreign',
  'payload_altered',
  'payload_missing',
  'words_altered',
  'words_missing',
  'rolled_back',
  'truncated',
  'forked',
  'checkpoint_forged',
  'key_unknown',
  'head_altered',
  'index_altered',
  'mark_unreadable',
  'store_unreadable',
  'version_unknown',
] as const

export const noteCodes = [
  'clock_backwards',
  'type_unknown',
  'schema_mismatch',
  'erasure_unfinished',
  'words_withheld',
  'started_late',
  'not_covered',
] as const

export type FindingCode = (typeof findingCodes)[number]
export type NoteCode = (typeof noteCodes)[number]

export interface Finding<Code extends string = FindingCode> {
  readonly code: Code
  /** The entry that is meant; null where no single one is. */
  readonly index: number | null
  /** For a person; numbers and names, never words of an entry. */
  readonly message: string
}

export type Note = Finding<NoteCode>

/** A wholly broken store must not fill the memory: so many are listed, the rest is counted. */
const listedMax = 1000

export class FindingList {
  readonly findings: Finding[] = []
  readonly notes: Note[] = []
  leftOut = 0
  readonly #codes = new Set<FindingCode>()
  /** Smallest index that has a finding about the chain itself; checkpoints over it are explained by it. */
  #firstChainFault = Number.POSITIVE_INFINITY

  add(code: FindingCode, index: number | null, message: string): void {
    this.#codes.add(code)
    if (this.findings.length < listedMax) this.findings.push({ code, index, message })
    else this.leftOut += 1
  }

  /** A finding that also changes what the tree is made of: it explains every root over it. */
  addChainFault(code: FindingCode, index: number, message: string): void {
    this.#firstChainFault = Math.min(this.#firstChainFault, index)
    this.add(code, index, message)
  }

  note(code: NoteCode, index: number | null, message: string): void {
    if (this.notes.length < listedMax) this.notes.push({ code, index, message })
    else this.leftOut += 1
  }

  get sound(): boolean {
    return this.findings.length === 0
  }

  /** Whether a fault of the chain below a size explains that a root of that size does not fit. */
  explains(size: number): boolean {
    return this.#firstChainFault < size
  }

  has(code: FindingCode): boolean {
    return this.#codes.has(code)
  }
}
