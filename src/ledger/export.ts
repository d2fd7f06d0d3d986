// The ledger as JSON lines (docs/format.md, "Export"): the fields for a reader, and beside them the exact strings for a verifier.
import { readHeader, readSalted } from '../events/entry.js'
import { leafHash, toHex } from '../foundation/digest.js'
import type { LedgerReader, StoredEntry } from './ledger-reader.js'

export interface ExportOptions {
  /** Leaves the words out and says so. */
  readonly factsOnly?: boolean
}

/** Which `payload.erased` names an index, for those that some erasure names. */
export type ErasedBy = (index: number) => number | undefined

/** One line, without its line feed. */
export function exportLine(
  { header, payload, words }: StoredEntry,
  erasedBy: ErasedBy,
  { factsOnly = false }: ExportOptions = {},
): string {
  const fields = readHeader(header)
  const facts = readSalted(payload)
  const data = JSON.parse(facts.text) as Record<string, unknown>
  const said = words === undefined || factsOnly ? undefined : readSalted(words)
  const absent =
    data['words'] === undefined || said !== undefined ? {} : factsOnly ? { withheld: true } : absentWords(erasedBy(fields.index))
  const { v, ledger, epoch, index, time, type, version, session, payload: commitment, prev } = fields
  return JSON.stringify({
    ...{ v, ledger, epoch, index, time, type, version, session, payload: commitment, prev },
    hash: toHex(leafHash(header)),
    salt: facts.salt,
    data,
    ...(said === undefined ? absent : { wordsSalt: said.salt, words: JSON.parse(said.text) as unknown }),
    raw: { header: Buffer.from(header).toString(), payload: facts.text, ...(said === undefined ? {} : { words: said.text }) },
  })
}

function absentWords(erasure: number | undefined): { erased?: number } {
  return erasure === undefined ? {} : { erased: erasure }
}

export function checkpointLine(note: string): string {
  return JSON.stringify({ checkpoint: note })
}

/** The entries [0, size) in order, then the checkpoint of exactly that size. */
export async function* exportLines(
  reader: LedgerReader,
  size: number,
  note: string,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const erasedBy = await readErasures(reader, size)
  for await (const stored of reader.storedEntries(0, size)) yield exportLine(stored, erasedBy, options)
  yield checkpointLine(note)
}

interface NamedRange {
  readonly by: number
  readonly first: number
  readonly last: number
  /** The highest index that this range or one before it reaches. */
  reach: number
}

/** Reads every erasure of a ledger. The first that names an index is the one that is told. */
export async function readErasures(reader: LedgerReader, size: number): Promise<ErasedBy> {
  const ranges: NamedRange[] = []
  for await (const { index, payload } of reader.storedEntriesOfType('payload.erased', size)) {
    const { entries } = JSON.parse(readSalted(payload).text) as { entries: [number, number][] }
    for (const [first, last] of entries) ranges.push({ by: index, first, last, reach: last })
  }
  ranges.sort((one, other) => one.first - other.first)
  let reach = -1
  for (const range of ranges) {
    reach = Math.max(reach, range.last)
    range.reach = reach
  }
  return (index) => firstToName(ranges, index)
}

/** Ranges seldom overlap: from the last that begins at or before an index only a few steps lead back. */
function firstToName(ranges: readonly NamedRange[], index: number): number | undefined {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((ranges[middle]?.first ?? 0) <= index) low = middle + 1
    else high = middle
  }
  let by: number | undefined
  for (let at = low - 1; at >= 0; at -= 1) {
    const range = ranges[at]
    if (range === undefined || range.reach < index) break
    if (range.last >= index) by = Math.min(by ?? range.by, range.by)
  }
  return by
}
