// What is read when one looks back: entries in order, those of a session, and single ones. A reader of a ledger is one; so is an export.
import type { Entry } from '../events/entry.js'

export interface History {
  size(): Promise<number>
  /** In order of index. */
  entries(): AsyncIterable<Entry>
  /** Those of one session, in order. */
  sessionEntries(handle: string): AsyncIterable<Entry>
  /** Throws `ENTRY_UNKNOWN` for an index that is not there. */
  entry(index: number): Promise<Entry>
}
