// What is kept: the entry, its header's canonical bytes and its commitments (docs/format.md, "An entry").
import { canonicalJson } from '../foundation/canonical-json.js'
import { payloadCommitment, wordsCommitment } from '../foundation/digest.js'

export const formatVersion = 1

/** The chained part of an entry: ten members, strings and integers only. */
export interface Header {
  readonly v: number
  readonly ledger: string
  readonly epoch: number
  readonly index: number
  readonly time: string
  readonly type: string
  readonly version: number
  readonly session: string
  readonly payload: string
  readonly prev: string
}

/** An entry as readers see it: the header, the facts, and the words where they are still kept. */
export interface Entry {
  readonly header: Header
  readonly payload: Readonly<Record<string, unknown>>
  readonly words: Readonly<Record<string, unknown>> | undefined
}

/** An event that is about to become an entry. Facts and words must have a canonical form. */
export interface Draft {
  readonly type: string
  readonly version: number
  readonly session: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly words: Readonly<Record<string, unknown>> | undefined
}

/** A draft with its commitments made: all of an entry that does not depend on its place in the chain. */
export interface CommittedDraft {
  readonly type: string
  readonly version: number
  readonly session: string
  /** Salt and canonical payload, as the `p` row holds them. */
  readonly payloadRow: Uint8Array
  /** Salt and canonical words, as the `w` row holds them. */
  readonly wordsRow: Uint8Array | undefined
  /** The payload commitment, 64 hex characters. */
  readonly payload: string
}

/** Where in the chain an entry is sealed. */
export interface Place {
  readonly ledger: string
  readonly epoch: number
  readonly index: number
  readonly time: string
  readonly prev: string
}

/**
 * Commits to the words, then to the payload that names them. The salts are 32 lower-case hex characters, fresh for each entry.
 * Throws `CANONICAL_JSON_REFUSED` where facts or words are not plain JSON.
 */
export function commitDraft(draft: Draft, salt: string, wordsSalt: string): CommittedDraft {
  const { type, version, session, words } = draft
  const wordsRow = words === undefined ? undefined : Buffer.from(wordsSalt + canonicalJson(words))
  const facts = wordsRow === undefined ? draft.facts : { ...draft.facts, words: wordsCommitment(wordsRow) }
  const payloadRow = Buffer.from(salt + canonicalJson(facts))
  return { type, version, session, payloadRow, wordsRow, payload: payloadCommitment(payloadRow) }
}

/** The canonical header bytes of a committed draft at its place; their leaf hash is what the next entry names. */
export function sealHeader(draft: CommittedDraft, place: Place): Uint8Array {
  const { type, version, session, payload } = draft
  return Buffer.from(canonicalHeader({ v: formatVersion, ...place, type, version, session, payload }), 'latin1')
}

/**
 * The canonical JSON of a header. A template will do: the names are in order, and no value holds a character that JSON escapes,
 * since ids and hashes are hex and types are `noun.participle`.
 */
export function canonicalHeader(header: Header): string {
  return (
    `{"epoch":${header.epoch},"index":${header.index},"ledger":"${header.ledger}","payload":"${header.payload}",` +
    `"prev":"${header.prev}","session":"${header.session}","time":"${header.time}","type":"${header.type}",` +
    `"v":${header.v},"version":${header.version}}`
  )
}

/** The header of stored canonical bytes. The caller knows that they are whole: what reads a store checks hashes first. */
export function readHeader(headerBytes: Uint8Array): Header {
  return JSON.parse(Buffer.from(headerBytes.buffer, headerBytes.byteOffset, headerBytes.byteLength).toString()) as Header
}

const saltLength = 32

/** Splits a stored `p` or `w` row into its salt and its canonical text. */
export function readSalted(row: Uint8Array): { salt: string; text: string } {
  const text = Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString()
  return { salt: text.slice(0, saltLength), text: text.slice(saltLength) }
}

/** The entry that three stored rows make. */
export function readEntry(headerBytes: Uint8Array, payloadRow: Uint8Array, wordsRow: Uint8Array | undefined): Entry {
  return {
    header: readHeader(headerBytes),
    payload: JSON.parse(readSalted(payloadRow).text) as Record<string, unknown>,
    words: wordsRow === undefined ? undefined : (JSON.parse(readSalted(wordsRow).text) as Record<string, unknown>),
  }
}

/** Whether stored rows are what a header and a payload commit to; the hash is compared by the caller. */
export function commitmentsHold(header: Header, payloadRow: Uint8Array, wordsRow: Uint8Array | undefined): boolean {
  // Over the bytes: bytes that are no UTF-8 would read as what they once were.
  if (payloadCommitment(payloadRow) !== header.payload) return false
  if (wordsRow === undefined) return true
  const committed = (JSON.parse(readSalted(payloadRow).text) as { words?: unknown }).words
  return committed === wordsCommitment(wordsRow)
}
