// Reads an export line by line (docs/format.md, "Export"): hashes will be taken over the `raw` strings, and the members beside them must agree.
import { createReadStream } from 'node:fs'
import { parseLossless } from '../foundation/lossless-json.js'
import { SteleError } from '../foundation/stele-error.js'
import type { Part, PlacedEntry } from './placed-entry.js'

export type ExportLine =
  | { readonly kind: 'entry'; readonly entry: PlacedEntry }
  | { readonly kind: 'checkpoint'; readonly note: string }
  /** A last line with its line end that is neither an entry nor a readable checkpoint. */
  | { readonly kind: 'checkpoint_unreadable' }
  /** The file ends without a checkpoint, or in the middle of a line. */
  | { readonly kind: 'cut_off' }

/** The lines of an export. The last one yielded is never an entry. Throws `FILE_UNREADABLE`. */
export async function* readExportLines(file: string): AsyncGenerator<ExportLine> {
  let last: { text: string; ended: boolean } | undefined
  for await (const line of linesOf(file)) {
    if (last !== undefined) yield { kind: 'entry', entry: readMiddle(last.text) }
    last = line
  }
  yield* readLast(last)
}

function readMiddle(text: string): PlacedEntry {
  const value = objectOf(text)
  if (value === undefined) return { place: undefined, unreadable: 'its line is not a JSON object' }
  if ('checkpoint' in value && !('raw' in value))
    return { place: undefined, unreadable: 'a checkpoint line stands in the middle' }
  return placedEntry(value, text)
}

function* readLast(last: { text: string; ended: boolean } | undefined): Generator<ExportLine> {
  const value = last === undefined ? undefined : objectOf(last.text)
  if (last === undefined || (value === undefined && !last.ended)) yield { kind: 'cut_off' }
  else if (value === undefined) yield { kind: 'checkpoint_unreadable' }
  else if (typeof value['checkpoint'] === 'string' && Object.keys(value).length === 1)
    yield { kind: 'checkpoint', note: value['checkpoint'] }
  else if (!looksLikeEntry(value)) yield { kind: 'checkpoint_unreadable' }
  else {
    yield { kind: 'entry', entry: placedEntry(value, last.text) }
    yield { kind: 'cut_off' }
  }
}

function looksLikeEntry(value: Record<string, unknown>): boolean {
  return ['raw', 'hash', 'index', 'prev'].filter((name) => Object.hasOwn(value, name)).length >= 2
}

const headerNames = new Set(['v', 'ledger', 'epoch', 'index', 'time', 'type', 'version', 'session', 'payload', 'prev'])
const otherNames = new Set(['hash', 'salt', 'data', 'wordsSalt', 'words', 'erased', 'withheld', 'raw'])

function placedEntry(line: Record<string, unknown>, text: string): PlacedEntry {
  const raw = isObject(line['raw']) ? line['raw'] : {}
  const disagrees = new Set<Part>()
  if (!headerAgrees(line, raw) || hasNameTwice(line, text)) disagrees.add('header')
  const payload = saltedRow(line['salt'], raw['payload'])
  if (payload === undefined || !sameJson(raw['payload'], line['data'])) disagrees.add('payload')
  const words = saltedRow(line['wordsSalt'], raw['words'])
  const anyWords = 'words' in line || 'words' in raw
  // A salt of words that are not there belongs to nothing in the line.
  if (!anyWords && 'wordsSalt' in line) disagrees.add('header')
  if (anyWords && (words === undefined || !sameJson(raw['words'], line['words']))) disagrees.add('words')
  return {
    place: undefined,
    header: typeof raw['header'] === 'string' ? Buffer.from(raw['header']) : undefined,
    kept: hashOf(line['hash']),
    // With neither member there is no payload; with one of them there is one that disagrees.
    payload: payload ?? (raw['payload'] === undefined && line['data'] === undefined ? undefined : Buffer.alloc(0)),
    words,
    disagrees,
    absent: absentOf(line),
  }
}

/** A member that stands twice says one thing to one reader and another to the next. */
function hasNameTwice(line: Record<string, unknown>, text: string): boolean {
  // As it was written, a line has the length of what it says; only another one is worth reading closely.
  if (JSON.stringify(line).length === text.length) return false
  try {
    parseLossless(text)
    return false
  } catch (error) {
    return error instanceof SteleError && error.details['reason'] === 'name_twice'
  }
}

function headerAgrees(line: Record<string, unknown>, raw: Record<string, unknown>): boolean {
  const strangers = Object.keys(line).some((name) => !headerNames.has(name) && !otherNames.has(name))
  if (strangers || Object.keys(raw).some((name) => name !== 'header' && name !== 'payload' && name !== 'words')) return false
  const header = typeof raw['header'] === 'string' ? objectOf(raw['header']) : undefined
  return header !== undefined && [...headerNames].every((name) => Object.hasOwn(header, name) && header[name] === line[name])
}

function absentOf(line: Record<string, unknown>): PlacedEntry['absent'] {
  if (line['withheld'] === true) return 'withheld'
  return typeof line['erased'] === 'number' ? line['erased'] : undefined
}

function saltedRow(salt: unknown, text: unknown): Buffer | undefined {
  if (typeof salt !== 'string' || typeof text !== 'string' || !/^[0-9a-f]{32}$/.test(salt)) return undefined
  return Buffer.from(salt + text)
}

function hashOf(value: unknown): Buffer | undefined {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? Buffer.from(value, 'hex') : undefined
}

function sameJson(text: unknown, beside: unknown): boolean {
  if (typeof text !== 'string') return false
  try {
    return sameValue(JSON.parse(text), beside)
  } catch {
    return false
  }
}

function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => sameValue(item, other[at]))
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameValue(one[name], other[name]))
  )
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Lines at line feeds only: what Unicode calls a line separator can stand in a JSON string. Bytes that are not UTF-8 become U+FFFD. */
async function* linesOf(file: string): AsyncGenerator<{ text: string; ended: boolean }> {
  let rest: Buffer[] = []
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      let start = 0
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
        rest.push(chunk.subarray(start, end))
        yield { text: Buffer.concat(rest).toString(), ended: true }
        rest = []
        start = end + 1
      }
      rest.push(chunk.subarray(start))
    }
  } catch (cause) {
    throw new SteleError('FILE_UNREADABLE', { file: 'export' }, { cause })
  }
  const text = Buffer.concat(rest).toString()
  if (text !== '') yield { text, ended: false }
}
