// When a checkpoint is made, and what happens to it: signed, stored, written outside the store, handed to the anchors, thinned.
// After a crash in the middle the store may hold a note that checkpoints.txt lacks; both are signed by the same key, so nothing is wrong.

import { readHeader } from '../events/entry.js'
import { toHex } from '../foundation/digest.js'
import type { Anchor } from './anchor.js'
import { checkpointName, readCheckpointText, type SigningKey, signCheckpoint } from './checkpoint.js'
import { appendCheckpointLine, rewriteCheckpointLines } from './checkpoint-lines.js'
import { rootOf } from './merkle.js'
import { allOf, checkpointKey, headerKey } from './row-keys.js'
import type { Row, Store } from './store.js'
import { type ChainState, epochOf } from './tail-walk.js'

const entriesPerCheckpoint = 1024
const dayMs = 24 * 60 * 60 * 1000
const keptWholeMs = 7 * dayMs

export interface CheckpointMade {
  readonly note: string
  readonly size: number
  readonly root: string
  /** Who was asked to hold a copy, and whether they took it. */
  readonly anchors: readonly { readonly name: string; readonly taken: boolean }[]
}

export interface CheckpointKeeperOptions {
  readonly store: Store
  readonly key: SigningKey
  readonly origin: string
  readonly file: string
  readonly anchors: readonly Anchor[]
  /** Size of the newest checkpoint when the ledger was opened. */
  readonly size: number
}

export class CheckpointKeeper {
  readonly #options: CheckpointKeeperOptions
  #size: number
  /** UTC day of the last entry under the checkpoint before; thinning runs when it changes. */
  #day: number | undefined
  #newest: CheckpointMade | undefined

  constructor(options: CheckpointKeeperOptions) {
    this.#options = options
    this.#size = options.size
  }

  /** Whether enough entries came since the last one. */
  due(state: ChainState): boolean {
    return state.size - this.#size >= entriesPerCheckpoint
  }

  /** Whether there is anything that no checkpoint covers yet. */
  behind(state: ChainState): boolean {
    return state.size > this.#size
  }

  get newest(): CheckpointMade | undefined {
    return this.#newest
  }

  /** Signs the head of a state that is on disk. The state must be durable: two heads of one size must never be signed. */
  async make(state: ChainState): Promise<CheckpointMade> {
    const { store, key, origin, file, anchors } = this.#options
    const root = rootOf(state.edge)
    const note = signCheckpoint({ name: checkpointName(origin, state.ledger, state.epoch), size: state.size, root }, key)
    await store.write([{ key: checkpointKey(state.epoch, state.size), value: Buffer.from(note) }])
    appendCheckpointLine(file, note)
    const taken = await Promise.all(anchors.map((anchor) => anchor.take(note)))
    this.#size = state.size
    this.#newest = {
      note,
      size: state.size,
      root: toHex(root),
      anchors: anchors.map(({ name }, at) => ({ name, taken: taken[at] === true })),
    }
    await this.#thinOnceADay(state)
    return this.#newest
  }

  async #thinOnceADay(state: ChainState): Promise<void> {
    const now = state.lastTimeMs ?? 0
    const day = Math.floor(now / dayMs)
    const before = this.#day ?? (await this.#dayBefore(state))
    this.#day = day
    if (before !== undefined && day > before) await thinCheckpoints(this.#options.store, this.#options.file, now - keptWholeMs)
  }

  /** The day of the newest checkpoint below this one, for a process that has made none yet. */
  async #dayBefore(state: ChainState): Promise<number | undefined> {
    const range = { from: allOf('c').from, to: checkpointKey(state.epoch, state.size), reverse: true, limit: 1 }
    for await (const [row] of this.#options.store.range(range)) {
      const time = row === undefined ? undefined : await timeUnder(this.#options.store, row)
      if (time !== undefined) return Math.floor(time / dayMs)
    }
    return undefined
  }
}

/**
 * Of the checkpoints whose last entry is older than `before` (milliseconds since 1970), keeps the last of each UTC day.
 * Crash-safe: rows go in one batch, then the file is replaced; a file that keeps more than the store does no harm.
 */
export async function thinCheckpoints(store: Store, file: string, before: number): Promise<void> {
  const lastOfDay = new Map<string, Uint8Array>()
  const dropped: Uint8Array[] = []
  const droppedNotes = new Set<string>()
  for await (const rows of store.range(allOf('c'))) {
    for (const row of rows) {
      const time = await timeUnder(store, row)
      if (time === undefined || time >= before) continue
      const note = Buffer.from(row.value).toString()
      const day = `${epochOf(readCheckpointText(note)?.name ?? '')} ${Math.floor(time / dayMs)}`
      const earlier = lastOfDay.get(day)
      lastOfDay.set(day, row.key)
      if (earlier !== undefined) dropped.push(earlier)
    }
  }
  if (dropped.length === 0) return
  for (const note of await store.getMany(dropped)) if (note !== undefined) droppedNotes.add(Buffer.from(note).toString())
  await store.write([], dropped)
  rewriteCheckpointLines(file, (note) => !droppedNotes.has(note))
}

/** Time of the last entry under a checkpoint row; undefined where the row or the entry is not there (an abandoned branch). */
async function timeUnder(store: Store, row: Row): Promise<number | undefined> {
  const size = readCheckpointText(Buffer.from(row.value).toString())?.size
  const header = size === undefined || size === 0 ? undefined : await store.get(headerKey(size - 1))
  return header === undefined ? undefined : Date.parse(readHeader(header).time)
}
