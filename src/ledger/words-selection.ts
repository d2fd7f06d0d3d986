// Which words an erasure means, and what they are: read from the rows, before anything is deleted. It changes nothing.
import { type Header, readHeader, readSalted } from '../events/entry.js'
import { type WordKind, wordKindOf } from '../events/word-kinds.js'
import { toHex } from '../foundation/digest.js'
import type { IndexPairs } from '../foundation/index-pairs.js'
import { allOf, bytesToNumber, headerKey, readSessionKey, sessionRange, wordsKey } from './row-keys.js'
import type { Row, Store } from './store.js'

export type WordsSelection =
  | { readonly by: 'index'; readonly indices: readonly number[] }
  | { readonly by: 'session'; readonly handle: string }
  | { readonly by: 'sender'; readonly sender: string }
  /** Words of entries before a time, by kind; null where that kind is kept. A policy's text is no kind. */
  | { readonly by: 'age'; readonly before: Readonly<Record<WordKind, string | null>>; readonly sweep?: Sweep }
  | { readonly by: 'all' }

/**
 * What is done again every day need not read everything, nor end everything at once. It ends where many entries on end are younger than
 * what goes and no later than `now`: a clock that was once ahead hides nothing behind it. And it takes no more than one erasure can say.
 */
export interface Sweep {
  readonly now: string
}

export interface SelectedWords {
  /** Pairs of indices, both ends included, ascending, disjoint. Of many, entries without words may lie inside. */
  readonly ranges: IndexPairs
  /** Entries that have words now. */
  readonly entries: number
  /** Bytes of the words' rows, salts included. */
  readonly bytes: number
  /** How many of each type. */
  readonly types: Readonly<Record<string, number>>
  /** Times of the first and the last; null where there are none. */
  readonly first: string | null
  readonly last: string | null
  /** Ids of host sessions whose way to their handle goes too, as keyed digests in hex. */
  readonly hostSessions: readonly string[]
}

export interface SelectOptions {
  /** Entries of the ledger: only words below are looked at. */
  readonly size: number
  /** The keyed digest of a host's session id. */
  readonly sessionDigest: (session: string) => string
  readonly onProgress?: (done: number, of: number) => void
}

/** Pairs are part of the ledger for ever: more than this are joined over entries that have no words. */
const exactRangesMax = 4096
/** And joined, more than this are too many for one entry. */
export const rangesMax = 200_000

/** Reads the words that a selection means. */
export async function selectWords(store: Store, selection: WordsSelection, options: SelectOptions): Promise<SelectedWords> {
  const chosen = new Chosen(options.sessionDigest)
  const mayEndEarly = selection.by === 'age' && selection.sweep !== undefined
  const rows = rowsOf(store, selection, options)
  for await (const { index, header, words, goes } of rows) {
    if (!goes) chosen.endRange()
    else if (mayEndEarly && chosen.pieces >= rangesMax) break
    else chosen.add(index, header, words)
  }
  if (selection.by === 'session') for (const way of await waysTo(store, selection.handle)) chosen.addHostSession(way)
  return chosen.selected()
}

/** A session whose start was forgotten while it went on has kept its way, and names no host's id any more. */
async function waysTo(store: Store, handle: string): Promise<string[]> {
  const ways: string[] = []
  for await (const rows of store.range(allOf('i'))) {
    for (const { key, value } of rows) if (`s${toHex(value)}` === handle) ways.push(toHex(key.subarray(1)))
  }
  return ways
}

interface WordsRow {
  readonly index: number
  /** Undefined where it is missing, or damaged. */
  readonly header: Header | undefined
  readonly words: Uint8Array
  readonly goes: boolean
}

/** Every entry that has words and lies between the first and the last that may be meant, in order. */
async function* rowsOf(store: Store, selection: WordsSelection, { size, onProgress }: SelectOptions): AsyncGenerator<WordsRow> {
  const { from, to, isChosen } = await narrowed(store, selection, size)
  const isYoung = youngOf(selection)
  let youngOnEnd = 0
  for await (const rows of store.range({ from: wordsKey(from), to: wordsKey(to) })) {
    const headers = await headersOf(store, rows)
    for (const [at, { key, value }] of rows.entries()) {
      const header = headers[at]
      const index = bytesToNumber(key, 1)
      yield { index, header, words: value, goes: isChosen(index, header, value) }
      youngOnEnd = header !== undefined && isYoung(header) ? youngOnEnd + 1 : 0
    }
    if (youngOnEnd > youngOnEndMax) return
    const last = rows.at(-1)
    if (last !== undefined) onProgress?.(bytesToNumber(last.key, 1) - from, to - from)
  }
}

const youngOnEndMax = 5000

/** Whether an entry shows that a sweep has come to what stays. */
function youngOf(selection: WordsSelection): (header: Header) => boolean {
  if (selection.by !== 'age' || selection.sweep === undefined) return () => false
  const latest = latestOf(selection.before)
  const { now } = selection.sweep
  return ({ time }) => time >= latest && time <= now
}

/** The latest time before which any kind goes. */
function latestOf(before: Readonly<Record<WordKind, string | null>>): string {
  return Object.values(before).reduce<string>((latest, time) => (time !== null && time > latest ? time : latest), '')
}

interface Narrowed {
  readonly from: number
  readonly to: number
  readonly isChosen: (index: number, header: Header | undefined, words: Uint8Array) => boolean
}

async function narrowed(store: Store, selection: WordsSelection, size: number): Promise<Narrowed> {
  switch (selection.by) {
    case 'index': {
      const indices = new Set(selection.indices)
      const inside = [...indices].filter((index) => index < size)
      return { ...spanOf(inside), isChosen: (index) => indices.has(index) }
    }
    case 'session': {
      const indices: number[] = []
      for await (const rows of store.range(sessionRange(selection.handle)))
        for (const { key } of rows) indices.push(readSessionKey(key).index)
      return { ...spanOf(indices.filter((index) => index < size)), isChosen: (_, header) => header?.session === selection.handle }
    }
    case 'sender':
      return { from: 0, to: size, isChosen: (_, __, words) => senderOf(words) === selection.sender }
    case 'age':
      return { from: 0, to: size, isChosen: (_, header) => header !== undefined && isOlder(header, selection.before) }
    case 'all':
      return { from: 0, to: size, isChosen: () => true }
  }
}

function spanOf(indices: readonly number[]): { from: number; to: number } {
  let from = Number.MAX_SAFE_INTEGER
  let to = 0
  for (const index of indices) {
    from = Math.min(from, index)
    to = Math.max(to, index + 1)
  }
  return from < to ? { from, to } : { from: 0, to: 0 }
}

async function headersOf(store: Store, rows: readonly Row[]): Promise<(Header | undefined)[]> {
  const headers = await store.getMany(rows.map(({ key }) => headerKey(bytesToNumber(key, 1))))
  return headers.map((header) => {
    try {
      return header === undefined ? undefined : readHeader(header)
    } catch {
      return undefined
    }
  })
}

/** The sender that words name: of a message its own, of a claim that of the message it was held against. */
function senderOf(words: Uint8Array): unknown {
  return wordsIn(words).sender
}

/** Damaged words say nothing, and can be forgotten all the same. */
function wordsIn(row: Uint8Array): { readonly sender?: unknown; readonly session?: unknown } {
  try {
    const words: unknown = JSON.parse(readSalted(row).text)
    return typeof words === 'object' && words !== null ? words : {}
  } catch {
    return {}
  }
}

function isOlder({ type, time }: Header, before: Readonly<Record<WordKind, string | null>>): boolean {
  const kind = wordKindOf(type)
  const cutOff = kind === undefined ? null : before[kind]
  return cutOff !== null && time < cutOff
}

/** Of an entry whose header is missing or damaged. */
const unknownType = 'unknown'

/** Gathers what is chosen. A range reaches over entries without words, and ends before words that stay. */
class Chosen {
  readonly #sessionDigest: (session: string) => string
  readonly #ranges: [number, number][] = []
  /** The same, joined where no words that stay lie between. */
  readonly #joined: [number, number][] = []
  readonly #types = new Map<string, number>()
  readonly #hostSessions = new Set<string>()
  #goesOn = false
  #entries = 0
  #bytes = 0
  #first: string | null = null
  #last: string | null = null

  constructor(sessionDigest: (session: string) => string) {
    this.#sessionDigest = sessionDigest
  }

  /** In how many ranges it can be said at least. */
  get pieces(): number {
    return this.#joined.length
  }

  add(index: number, header: Header | undefined, words: Uint8Array): void {
    const { type = unknownType, time } = header ?? {}
    addIndex(this.#ranges, index, this.#ranges.at(-1)?.[1] === index - 1)
    addIndex(this.#joined, index, this.#goesOn)
    this.#goesOn = true
    this.#types.set(type, (this.#types.get(type) ?? 0) + 1)
    this.#entries += 1
    this.#bytes += words.length
    if (time !== undefined && (this.#first === null || time < this.#first)) this.#first = time
    if (time !== undefined && (this.#last === null || time > this.#last)) this.#last = time
    if (type !== 'session.started') return
    const { session } = wordsIn(words)
    if (typeof session === 'string') this.addHostSession(this.#sessionDigest(session))
  }

  /** Its keyed digest, in hex. */
  addHostSession(digest: string): void {
    this.#hostSessions.add(digest)
  }

  /** Words stay here: the next that are chosen begin a range of their own. */
  endRange(): void {
    this.#goesOn = false
  }

  selected(): SelectedWords {
    return {
      ranges: this.#ranges.length > exactRangesMax ? this.#joined : this.#ranges,
      entries: this.#entries,
      bytes: this.#bytes,
      types: Object.fromEntries(this.#types),
      first: this.#first,
      last: this.#last,
      hostSessions: [...this.#hostSessions],
    }
  }
}

function addIndex(ranges: [number, number][], index: number, goesOn: boolean): void {
  const range = ranges.at(-1)
  if (range !== undefined && goesOn) range[1] = index
  else ranges.push([index, index])
}
