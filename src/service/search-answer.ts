// Finds entries by the words in them. The index only says where to look; the words themselves decide, and what is forgotten is not found.
import { readHeader } from '../events/entry.js'
import { SteleError } from '../foundation/stele-error.js'
import { exportLine } from '../ledger/export.js'
import type { LedgerReader, StoredEntry } from '../ledger/ledger-reader.js'
import type { Store } from '../ledger/store.js'
import type { ProjectionRunner } from '../projections/projection-runner.js'
import { searchTermsIn, searchTermsOf } from '../projections/search-terms.js'
import { type DeskProgress, type SearchAnswer, type SearchQuestion, wholeTime } from './view-questions.js'

/** A ledger that is open for reading, and its views. */
export interface ReadLedger {
  readonly store: Store
  readonly reader: LedgerReader
  readonly ledgerId: string
  /** Entries that were there when it was opened; more may have come. */
  readonly size: number
  /** The keyed digest of a host's session id. */
  readonly sessionDigest: (session: string) => string
  /**
   * Runs a task on the views, brought up to the ledger as it is by then. Nothing is folded meanwhile, so they hold exactly `size`
   * entries. Undefined where views cannot be kept.
   */
  readonly onViews: <Result>(
    onProgress: DeskProgress,
    task: (views: ProjectionRunner, size: number) => Promise<Result>,
  ) => Promise<Result | undefined>
}

/** So many words say where to look; the others are held against what is found there. */
const lookedUpMax = 16

/** Entries that hold every one of the words, newest first. */
export async function searchAnswer(
  { reader, size, onViews }: ReadLedger,
  question: SearchQuestion,
  onProgress: DeskProgress,
): Promise<SearchAnswer> {
  const terms = [...searchTermsOf([question.words])]
  if (terms.length === 0) return { lines: [], below: null }
  const end = Math.min(question.below ?? size, size)
  // Long ones are rare ones.
  const lookedUp = [...terms].sort((one, other) => other.length - one.length).slice(0, lookedUpMax)
  const kept = await onViews(onProgress, (views) => answerFrom(those(reader, views.candidates(lookedUp, end)), terms, question))
  return kept ?? answerFrom(newestFirst(reader, end), terms, question)
}

async function answerFrom(
  entries: AsyncIterable<StoredEntry>,
  terms: readonly string[],
  { limit, since }: SearchQuestion,
): Promise<SearchAnswer> {
  const sinceTime = since === undefined ? '' : wholeTime(since)
  const lines: string[] = []
  let bytes = 0
  for await (const stored of entries) {
    if (readHeader(stored.header).time < sinceTime || !holds(stored, terms)) continue
    if (lines.length === limit || bytes > bytesMax) return { lines, below: stored.index + 1 }
    // Only entries with words are found, so no erasure need be looked up.
    lines.push(lineOf(stored))
    bytes += stored.payload.length + (stored.words?.length ?? 0)
  }
  return { lines, below: null }
}

/** An answer ends early where entries are long. */
const bytesMax = 8 * 1024 * 1024

function lineOf(stored: StoredEntry): string {
  try {
    return exportLine(stored, () => undefined)
  } catch (cause) {
    throw new SteleError('LEDGER_ENTRY_ALTERED', { index: stored.index }, { cause })
  }
}

function holds({ words }: StoredEntry, terms: readonly string[]): boolean {
  if (words === undefined) return false
  const of = searchTermsIn(words)
  return terms.every((term) => of.has(term))
}

async function* those(reader: LedgerReader, indices: AsyncIterable<number>): AsyncGenerator<StoredEntry> {
  for await (const index of indices) yield reader.storedEntry(index)
}

const pageEntries = 256

async function* newestFirst(reader: LedgerReader, end: number): AsyncGenerator<StoredEntry> {
  for (let to = end; to > 0; to -= pageEntries) {
    const page: StoredEntry[] = []
    for await (const stored of reader.storedEntries(Math.max(0, to - pageEntries), to)) page.push(stored)
    yield* page.reverse()
  }
}
