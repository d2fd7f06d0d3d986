// How the bytes of a store divide among the kinds of its rows, by LevelDB's own estimate.
import { allOf } from './row-keys.js'
import type { Store } from './store.js'

/** Bytes in the tables, compressed as they lie there. The newest rows, a few MiB, stand only in the log and are not in it. */
export interface RowSizes {
  readonly headers: number
  readonly facts: number
  readonly words: number
  readonly tree: number
  /** Session → entries, host session → handle, and the ids by which repeated payloads are known. */
  readonly indexes: number
  readonly checkpoints: number
}

const tagsOfKind = {
  headers: ['h'],
  facts: ['p'],
  words: ['w'],
  tree: ['t'],
  indexes: ['s', 'i', 'd'],
  checkpoints: ['c'],
} as const satisfies Record<keyof RowSizes, readonly string[]>

/** Reads no rows: the estimate comes from the indexes of the tables. Throws `LEDGER_CLOSED` or `STORE_UNREADABLE`. */
export async function rowSizes(store: Store): Promise<RowSizes> {
  const bytesOf = async (kind: keyof RowSizes): Promise<number> => {
    let bytes = 0
    for (const tag of tagsOfKind[kind]) bytes += await store.approximate(allOf(tag))
    return bytes
  }
  return {
    headers: await bytesOf('headers'),
    facts: await bytesOf('facts'),
    words: await bytesOf('words'),
    tree: await bytesOf('tree'),
    indexes: await bytesOf('indexes'),
    checkpoints: await bytesOf('checkpoints'),
  }
}
