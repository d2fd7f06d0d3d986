// Brings the views of a home up to the ledger and reads them back. It is handed the ledger's entries and never opens a ledger itself.
// A step is one write of parts and positions together, so after a crash the next run goes on from there.
import { hash } from 'node:crypto'
import { type Entry, readHeader, readSalted } from '../events/entry.js'
import { leafHash, toHex } from '../foundation/digest.js'
import { holdsIndex, type IndexPairs } from '../foundation/index-pairs.js'
import { SteleError } from '../foundation/stele-error.js'
import { carriedKey, foldSeen, type KeptProjection, type SeenEntry, seenEntry } from './projection.js'
import { isViewName, projectionCatalog, type ViewName, viewNames } from './projection-catalog.js'
import { searchTermsIn } from './search-terms.js'
import type { PartsQuery, TermRow, ViewMark, ViewStore } from './view-store.js'

/** The rows of an entry, as the ledger hands them out. */
export interface StoredRows {
  readonly index: number
  readonly header: Uint8Array
  readonly payload: Uint8Array
  readonly words: Uint8Array | undefined
}

/** What is read of a ledger: all of it as it is now, or as it was at some size. */
export interface LedgerSource {
  readonly ledgerId: string
  readonly size: number
  storedEntry(index: number): Promise<StoredRows>
  storedEntries(from: number, to: number): AsyncIterable<StoredRows>
}

export interface CatchUpOptions {
  /** Asked between steps; what has been done by then stays. */
  readonly stop?: () => boolean
  /** Entries that are in every view, of how many. */
  readonly onProgress?: (position: number, size: number) => void
}

export interface ViewState {
  readonly name: string
  readonly version: number
  readonly position: number
}

interface StepOfEntries {
  readonly seen: readonly SeenEntry[]
  readonly terms: readonly TermRow[]
  /** Hash of the last of them. */
  readonly head: string
}

/** A step ends after so many entries, or so many bytes of them. */
const entriesPerStep = 500
const bytesPerStep = 4 * 1024 * 1024
/** Parts that are held between steps. */
const partsHeldMax = 8192

/** The index of words; it has a position like a view. */
const wordIndexName = 'words'
const wordIndexVersion = 1

const indexNames: readonly string[] = [...viewNames, wordIndexName]

/** Whether it is the name of a view that is kept, or of the index of words. */
export function isIndexName(name: string): boolean {
  return indexNames.includes(name)
}

/** Throws `STORE_UNREADABLE` with `store: views` where the views are damaged, and what reading the ledger throws. */
export class ProjectionRunner {
  readonly #store: ViewStore
  /** Under which words are kept in the index: 32 bytes, a secret of the home. */
  readonly #secret: Uint8Array
  readonly #held = new Map<string, unknown>()
  readonly #terms = new Map<string, string>()

  constructor(store: ViewStore, secret: Uint8Array) {
    this.#store = store
    this.#secret = secret
  }

  /** How far each view is over this ledger. A view of another version, or of another ledger, is at 0. */
  async state(source: LedgerSource): Promise<ViewState[]> {
    const heads = new Map<number, string>()
    const states: ViewState[] = []
    for (const name of indexNames) {
      const version = versionOf(name)
      const mark = await this.#store.mark(name)
      const isGood = mark !== undefined && mark.version === version && (await isOf(source, mark, heads))
      states.push({ name, version, position: isGood ? mark.position : 0 })
    }
    return states
  }

  /** Folds what is not in the views yet. Resolves to whether they hold all of the source by then. */
  async catchUp(source: LedgerSource, { stop = () => false, onProgress = () => {} }: CatchUpOptions = {}): Promise<boolean> {
    const positions = await this.#positions(source)
    let position = Math.min(...positions.values())
    if (position >= source.size) return true
    const indexed = positions.get(wordIndexName) ?? 0
    const readOn = (): Promise<StepOfEntries> => {
      const step = this.#read(source, position, indexed)
      // That it failed is told to whoever awaits it, which is after the writing.
      step.catch(() => {})
      return step
    }
    let reading = readOn()
    try {
      for (;;) {
        if (stop()) return false
        const step = await reading
        position += step.seen.length
        // The next entries are read while these are written.
        if (position < source.size) reading = readOn()
        await this.#keep(source, positions, position, step)
        onProgress(position, source.size)
        if (position >= source.size) return true
      }
    } catch (error) {
      // What is held may have been folded further than what is kept.
      this.#held.clear()
      throw error
    } finally {
      // Whoever lends the source may close it now.
      await reading.catch(() => {})
    }
  }

  /** Begins a view anew, or all of them; `catchUp` does the rest. */
  async drop(name?: string): Promise<void> {
    this.#held.clear()
    for (const one of name === undefined ? indexNames : [name]) {
      if (one === wordIndexName) await this.#store.clearTerms(one)
      else await this.#store.clear(one)
    }
  }

  parts(name: ViewName, query?: PartsQuery): AsyncGenerator<[string, unknown]> {
    return this.#store.allParts(name, query)
  }

  /** Indices of entries whose words may hold all of the terms, newest first. The words decide, and they may be gone. */
  async *candidates(terms: readonly string[], below: number): AsyncGenerator<number> {
    const [first, ...others] = terms.map((term) => this.#store.indicesOf(this.#digestOf(term), below))
    if (first === undefined) return
    const next = await Promise.all(others.map((one) => one.next()))
    try {
      for await (const index of first) {
        let inAll = true
        for (const [at, other] of others.entries()) {
          let seen = next[at]
          while (seen !== undefined && seen.done !== true && seen.value > index) seen = await other.next()
          if (seen === undefined || seen.done === true) return
          next[at] = seen
          inAll &&= seen.value === index
        }
        if (inAll) yield index
      }
    } finally {
      for (const one of others) await one.return(undefined)
    }
  }

  /** Takes entries out of the index of words. `ranges` are pairs of indices, both ends included, ascending. */
  forget(ranges: IndexPairs): Promise<number> {
    return this.#store.forgetTerms((index) => holdsIndex(ranges, index))
  }

  /** Where each view is over this ledger; one that was made over another, or by another version, is begun anew. */
  async #positions(source: LedgerSource): Promise<Map<string, number>> {
    const positions = new Map<string, number>()
    const heads = new Map<number, string>()
    for (const name of indexNames) {
      const mark = await this.#store.mark(name)
      if (mark !== undefined && mark.version === versionOf(name) && (await isOf(source, mark, heads))) {
        positions.set(name, mark.position)
        continue
      }
      await this.drop(name)
      positions.set(name, 0)
    }
    return positions
  }

  /** Reads so many entries as one step takes, at least one. */
  async #read(source: LedgerSource, from: number, indexed: number): Promise<StepOfEntries> {
    const seen: SeenEntry[] = []
    const terms: TermRow[] = []
    let bytes = 0
    let last: Uint8Array | undefined
    for await (const rows of source.storedEntries(from, Math.min(source.size, from + entriesPerStep))) {
      const entry = readInOrder(rows, from + seen.length)
      if (rows.index >= indexed) this.#addTerms(terms, rows)
      seen.push(entry)
      last = rows.header
      bytes += rows.header.length + rows.payload.length + (rows.words?.length ?? 0)
      if (bytes > bytesPerStep) break
    }
    if (last === undefined) throw new SteleError('LEDGER_ENTRY_MISSING', { index: from })
    return { seen, terms, head: toHex(leafHash(last)) }
  }

  async #keep(
    source: LedgerSource,
    positions: Map<string, number>,
    to: number,
    { seen, terms, head }: StepOfEntries,
  ): Promise<void> {
    const changed = new Map<string, Map<string, unknown>>()
    for (const name of viewNames) {
      const fresh = seen.filter(({ index }) => index >= (positions.get(name) ?? 0))
      if (fresh.length > 0) changed.set(name, await this.#foldAll(name, fresh))
    }
    const marks = new Map<string, ViewMark>()
    for (const [name, position] of positions) {
      if (position >= to) continue
      marks.set(name, { version: versionOf(name), position: to, ledger: source.ledgerId, head })
      positions.set(name, to)
    }
    await this.#store.write({ marks, parts: changed, terms })
    this.#letGo()
  }

  async #foldAll(name: ViewName, fresh: readonly SeenEntry[]): Promise<Map<string, unknown>> {
    const projection: KeptProjection = keptProjection(name)
    const { carried } = projection
    const keys = fresh.map((entry) => projection.partOf(entry))
    const wanted = carried === undefined ? keys : [...keys, carriedKey]
    await this.#hold(name, [...new Set(wanted.filter((key) => key !== undefined))])
    const changed = new Map<string, unknown>()
    const before = (key: string): unknown => changed.get(key) ?? this.#held.get(`${name}\0${key}`)
    for (const [at, entry] of fresh.entries()) {
      if (carried !== undefined) changed.set(carriedKey, foldSeen(carried, before(carriedKey) ?? carried.initial(), entry))
      const key = keys[at]
      if (key === undefined) continue
      changed.set(key, foldSeen(projection, before(key) ?? projection.initial(), entry, changed.get(carriedKey)))
    }
    for (const [key, part] of changed) this.#held.set(`${name}\0${key}`, part)
    return changed
  }

  async #hold(name: ViewName, keys: readonly string[]): Promise<void> {
    const missing = keys.filter((key) => !this.#held.has(`${name}\0${key}`))
    const parts = await this.#store.parts(name, missing)
    for (const [at, key] of missing.entries()) if (parts[at] !== undefined) this.#held.set(`${name}\0${key}`, parts[at])
  }

  #letGo(): void {
    if (this.#held.size > partsHeldMax) this.#held.clear()
    if (this.#terms.size > termsHeldMax) this.#terms.clear()
  }

  #addTerms(rows: TermRow[], { index, words }: StoredRows): void {
    if (words === undefined) return
    for (const term of searchTermsIn(words)) rows.push({ term: this.#digestOf(term), index })
  }

  /** Eight bytes of SHA-256 over the secret and the word: to whoever lacks the secret they say nothing. */
  #digestOf(term: string): string {
    const known = this.#terms.get(term)
    if (known !== undefined) return known
    const digest = hash('sha256', Buffer.concat([this.#secret, Buffer.from(`stele/word/v1\n${term}`)]), 'binary').slice(0, 8)
    this.#terms.set(term, digest)
    return digest
  }
}

/** Digests of words that came lately: most words come again. */
const termsHeldMax = 20_000

/** The parts of a view as it stood when the ledger had so many entries, made from the ledger alone: all of it from the first entry on. */
export async function viewAsOf(
  name: ViewName,
  entries: AsyncIterable<StoredRows>,
  onProgress: (position: number) => void = () => {},
): Promise<Map<string, unknown>> {
  const projection: KeptProjection = keptProjection(name)
  const { carried } = projection
  const parts = new Map<string, unknown>()
  let position = 0
  for await (const rows of entries) {
    const seen = readInOrder(rows, position)
    if (carried !== undefined) parts.set(carriedKey, foldSeen(carried, parts.get(carriedKey) ?? carried.initial(), seen))
    const key = projection.partOf(seen)
    if (key !== undefined)
      parts.set(key, foldSeen(projection, parts.get(key) ?? projection.initial(), seen, parts.get(carriedKey)))
    position += 1
    if (position % entriesPerStep === 0) onProgress(position)
  }
  return new Map([...parts].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * An entry for folds that are kept. Its words are left out: what a view held of them would outlive their erasure. A payload that is no
 * JSON is one that fits no schema. Throws `LEDGER_ENTRY_MISSING` where another index was expected, `LEDGER_ENTRY_ALTERED` for a header
 * that cannot be read.
 */
function readInOrder({ index, header: headerRow, payload: payloadRow }: StoredRows, expected: number): SeenEntry {
  if (index !== expected) throw new SteleError('LEDGER_ENTRY_MISSING', { index: expected })
  const bytes = headerRow.length + payloadRow.length
  const header = jsonOr(undefined, () => readHeader(headerRow))
  if (header === undefined) throw new SteleError('LEDGER_ENTRY_ALTERED', { index })
  const { time, session, type } = header
  // An entry that no fold speaks of need not be held against its schema.
  const payload = spokenOf.has(type) ? jsonOr(undefined, () => factsIn(payloadRow)) : undefined
  if (payload === undefined) return { index, time, session, type, bytes, facts: undefined, words: undefined }
  return seenEntry({ header, payload, words: undefined }, bytes)
}

/** Types of which any view speaks. */
const spokenOf = new Set(
  viewNames.flatMap((name) => {
    const { on, carried } = keptProjection(name)
    return [...Object.keys(on), ...Object.keys(carried?.on ?? {})]
  }),
)

function factsIn(payloadRow: Uint8Array): Entry['payload'] {
  return JSON.parse(readSalted(payloadRow).text) as Entry['payload']
}

function jsonOr<Read, Else>(otherwise: Else, read: () => Read): Read | Else {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** Parts of all views are plain JSON; which shape they have is between a projection and its readers. */
function keptProjection(name: ViewName): KeptProjection {
  return projectionCatalog[name] as KeptProjection
}

function versionOf(name: string): number {
  return isViewName(name) ? projectionCatalog[name].version : wordIndexVersion
}

/** Whether a view was made over this ledger: as far as it goes, the last entry is the same. */
async function isOf(source: LedgerSource, mark: ViewMark, heads: Map<number, string>): Promise<boolean> {
  const { ledger, position, head } = mark
  if (ledger !== source.ledgerId || position > source.size) return false
  if (position === 0) return true
  const known = heads.get(position) ?? toHex(leafHash((await source.storedEntry(position - 1)).header))
  heads.set(position, known)
  return known === head
}
