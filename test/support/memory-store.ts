// A store that keeps its rows in memory, for tests of what stands above it; it passes the same contract as the one on disk.
import type { RangeOptions, Row, Store } from '../../src/ledger/store.js'

export interface MemoryStore extends Store {
  /** Every row in key order, as copies. */
  rows(): Row[]
  /** What the next write does instead of writing; afterwards writing works again. */
  failNextWrite(error: unknown): void
  /** How many writes were taken. */
  readonly writes: number
}

/** A new store with some rows in it. */
export function memoryStore(rows: readonly Row[] = []): MemoryStore {
  const kept = new Map<string, Row>()
  let failure: { readonly error: unknown } | undefined
  let writes = 0
  let closed = false
  const reading = new Set<Promise<void>>()
  // One hex digit for each half of a byte: the order of these texts is the order of the bytes.
  const nameOf = (key: Uint8Array): string => Buffer.from(key).toString('hex')
  const put = ({ key, value }: Row): void => {
    kept.set(nameOf(key), { key: Uint8Array.from(key), value: Uint8Array.from(value) })
  }
  const get = (key: Uint8Array): Uint8Array | undefined => {
    if (closed) throw new Error('the store is closed')
    const row = kept.get(nameOf(key))
    return row === undefined ? undefined : Uint8Array.from(row.value)
  }
  for (const row of rows) put(row)
  return {
    get: async (key) => get(key),
    getNow: get,
    getMany: async (keys) => keys.map(get),
    range: (options) => chunksOf(rowsIn([...kept.values()], options), reading),
    approximate: async ({ from, to }) =>
      rowsIn([...kept.values()], { from, to }).reduce((bytes, { key, value }) => bytes + key.length + value.length, 0),
    write: async (puts, deletes = []) => {
      if (closed) throw new Error('the store is closed')
      if (failure !== undefined) {
        const { error } = failure
        failure = undefined
        throw error
      }
      for (const key of deletes) kept.delete(nameOf(key))
      for (const row of puts) put(row)
      writes += 1
    },
    // It keeps one version of a row, so there is never anything to clear away.
    compact: async () => {},
    drained: async () => {
      await Promise.all(reading)
    },
    close: async () => {
      closed = true
    },
    rows: () => rowsIn([...kept.values()], { from: new Uint8Array(0), to: Uint8Array.of(0xff) }),
    failNextWrite: (error) => {
      failure = { error }
    },
    get writes() {
      return writes
    },
  }
}

function rowsIn(rows: Row[], { from, to, reverse = false, limit = -1 }: RangeOptions): Row[] {
  const inside = rows.filter(({ key }) => Buffer.compare(key, from) >= 0 && Buffer.compare(key, to) < 0)
  inside.sort((one, other) => Buffer.compare(one.key, other.key))
  if (reverse) inside.reverse()
  return limit < 0 ? inside : inside.slice(0, limit)
}

const chunkRows = 100

async function* chunksOf(rows: readonly Row[], reading: Set<Promise<void>>): AsyncGenerator<readonly Row[]> {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  reading.add(ended)
  try {
    for (let at = 0; at < rows.length; at += chunkRows) yield rows.slice(at, at + chunkRows)
  } finally {
    reading.delete(ended)
    end()
  }
}
