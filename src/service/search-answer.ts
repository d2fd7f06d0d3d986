// Finds entries by the words in them. The index only says where to look; the words themselves decide, and what is forgotten is not found.
import { readHeader } from '../events/entry.js'
import { SteleError } from '../foundation/stele-error.js'
import { type ErasedBy, exportLine, readErasures } from '../ledger/export.js'
import type { LedgerReader, StoredEntry } from '../ledger/ledger-reader.js'
import type { Store } from '../ledger/store.js'
import type { ProjectionRunner } from '../projections/projection-runner.js'
import { searchTermsIn, searchTermsOf } from '../projections/search-terms.js'
import { hasFields, type SearchFields, searchFields } from './search-fields.js'
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

/** Entries that hold every one of the words, and have every one of the fields, newest first. Throws `SESSION_UNKNOWN`. */
export async function searchAnswer(
  ledger: ReadLedger,
  question: SearchQuestion,
  onProgress: DeskProgress,
): Promise<SearchAnswer> {
  const { reader, size, onViews } = ledger
  const terms = [...searchTermsOf([question.words])]
  const fields = await fieldsIn(ledger, question.fields)
  // Words of signs alone are words, and nothing holds them.
  if (terms.length === 0 && (fields === undefined || question.words.trim() !== '')) return { lines: [], below: null }
  const end = Math.min(question.below ?? size, size)
  const asked: Asked = { reader, terms, fields, question }
  if (terms.length === 0) return answerFrom(newestFirst(reader, end), asked)
  // Long ones are rare ones.
  const lookedUp = [...terms].sort((one, other) => other.length - one.length).slice(0, lookedUpMax)
  const kept = await onViews(onProgress, (views) => answerFrom(those(reader, views.candidates(lookedUp, end)), asked))
  return kept ?? answerFrom(newestFirst(reader, end), asked)
}

interface Asked {
  readonly reader: LedgerReader
  readonly terms: readonly string[]
  readonly fields: SearchFields | undefined
  readonly question: SearchQuestion
}

/** A session by its handle, whatever name it was asked by. */
async function fieldsIn({ reader, sessionDigest }: ReadLedger, lines = ''): Promise<SearchFields | undefined> {
  const fields = searchFields(lines)
  if (Object.keys(fields).length === 0) return undefined
  const { session } = fields
  if (session === undefined || /^s[0-9a-f]{16}$/.test(session)) return fields
  const handle = await reader.handleOf(sessionDigest(session))
  if (handle === undefined) throw new SteleError('SESSION_UNKNOWN')
  return { ...fields, session: handle }
}

async function answerFrom(
  entries: AsyncIterable<StoredEntry>,
  { reader, terms, fields, question: { limit, since } }: Asked,
): Promise<SearchAnswer> {
  const sinceTime = since === undefined ? '' : wholeTime(since)
  // Without fields no erasure need be looked up: only entries with words are found.
  let erasedBy: ErasedBy | undefined
  const lines: string[] = []
  let bytes = 0
  let lookedAt = 0
  for await (const stored of entries) {
    // Facts have no index: whoever asked says whether to go on.
    if (terms.length === 0 && lookedAt === lookedAtMax) return { lines, below: stored.index + 1 }
    lookedAt += 1
    if (readHeader(stored.header).time < sinceTime || !holds(stored, terms)) continue
    if (fields !== undefined && !(await hasFields(reader, stored, fields))) continue
    if (lines.length === limit || bytes > bytesMax) return { lines, below: stored.index + 1 }
    if (stored.words === undefined && hasHadWords(stored)) erasedBy ??= await readErasures(reader, await reader.size())
    lines.push(lineOf(stored, erasedBy))
    bytes += stored.payload.length + (stored.words?.length ?? 0)
  }
  return { lines, below: null }
}

/** So many entries are looked at for one answer where no words say where to look. */
const lookedAtMax = 20_000

/** An answer ends early where entries are long. */
const bytesMax = 8 * 1024 * 1024

function lineOf(stored: StoredEntry, erasedBy: ErasedBy = () => undefined): string {
  try {
    return exportLine(stored, erasedBy)
  } catch (cause) {
    throw new SteleError('LEDGER_ENTRY_ALTERED', { index: stored.index }, { cause })
  }
}

function hasHadWords({ payload }: StoredEntry): boolean {
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).includes('"words":"')
}

function holds({ words }: StoredEntry, terms: readonly string[]): boolean {
  if (terms.length === 0) return true
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
