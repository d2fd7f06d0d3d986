// Takes a broken end off the store when its owner starts anew: first saved beside it, then dropped in the batch of the new epoch.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { toHex } from '../foundation/digest.js'
import { allOf, bytesToNumber, type KeyRange, numberedFrom, readSessionKey, treeLevelFrom } from './row-keys.js'
import type { Store } from './store.js'

/** Writes every header, payload and words row from `index` on, one JSON object a line, and waits for the disk. Returns how many. */
export async function saveAbandoned(store: Store, index: number, file: string): Promise<number> {
  const descriptor = openSync(file, 'w', 0o600)
  let saved = 0
  try {
    for (const tag of ['h', 'p', 'w'] as const) {
      for await (const rows of store.range(numberedFrom(tag, index))) {
        for (const { key, value } of rows) {
          const line = { row: tag, index: bytesToNumber(key, 1), base64: Buffer.from(value).toString('base64') }
          writeSync(descriptor, `${JSON.stringify(line)}\n`)
          saved += 1
        }
      }
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return saved
}

/** The keys of every row that speaks of an entry from `index` on. Checkpoints stay: they tell of the abandoned branch. */
export async function abandonedKeys(store: Store, index: number): Promise<Uint8Array[]> {
  const keys: Uint8Array[] = []
  for (const tag of ['h', 'p', 'w'] as const) await addKeys(store, numberedFrom(tag, index), keys)
  for (let level = 0; level < 53; level += 1) {
    // A subtree stays as long as all its leaves do.
    await addKeys(store, treeLevelFrom(level, Math.floor(index / 2 ** level)), keys)
  }
  const kept = new Set<string>()
  for await (const rows of store.range(allOf('s'))) {
    for (const { key } of rows) {
      const session = readSessionKey(key)
      if (session.index >= index) keys.push(key)
      else kept.add(session.handle)
    }
  }
  for await (const rows of store.range(allOf('i'))) {
    // A handle without entries would make its session go on without ever having started.
    for (const { key, value } of rows) if (!kept.has(`s${toHex(value)}`)) keys.push(key)
  }
  for await (const rows of store.range(allOf('d'))) {
    for (const { key, value } of rows) if (bytesToNumber(value) >= index) keys.push(key)
  }
  return keys
}

async function addKeys(store: Store, range: KeyRange, keys: Uint8Array[]): Promise<void> {
  for await (const rows of store.range(range)) for (const { key } of rows) keys.push(key)
}
