// What must go when words are forgotten: their rows, and the way from a host's session id to its handle.

import { readHeader, readSalted } from '../events/entry.js'
import { bytesToNumber, headerKey, hostSessionKey, wordsKey } from './row-keys.js'
import type { Store } from './store.js'

export interface ErasurePlan {
  readonly deletes: readonly Uint8Array[]
  /** Bytes of the words' rows, salts included. */
  readonly bytes: number
}

/** Reads which rows the words of some entries are. `sessionDigest` is the keyed digest of a host's session id. */
export async function planErasure(
  store: Store,
  ranges: readonly (readonly [number, number])[],
  sessionDigest: (session: string) => string,
): Promise<ErasurePlan> {
  const deletes: Uint8Array[] = []
  let bytes = 0
  for (const [first, last] of ranges) {
    for await (const rows of store.range({ from: wordsKey(first), to: wordsKey(last + 1) })) {
      for (const { key, value } of rows) {
        deletes.push(key)
        bytes += value.length
        const session = await hostSessionOf(store, bytesToNumber(key, 1), value)
        if (session !== undefined) deletes.push(hostSessionKey(sessionDigest(session)))
      }
    }
  }
  return { deletes, bytes }
}

async function hostSessionOf(store: Store, index: number, wordsRow: Uint8Array): Promise<string | undefined> {
  const header = await store.get(headerKey(index))
  if (header === undefined || readHeader(header).type !== 'session.started') return undefined
  const { session } = JSON.parse(readSalted(wordsRow).text) as { session?: unknown }
  return typeof session === 'string' ? session : undefined
}
