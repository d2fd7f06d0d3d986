// Reads one run of numbered rows in order, a chunk ahead of what is asked for, and gets past blocks that LevelDB cannot read.

/** The part of a `level` iterator that a cursor needs. */
export interface RowIterator {
  nextv(size: number): Promise<[Buffer, Buffer][]>
  close(): Promise<void>
}

/** Opens an iterator over the run, from a number on. */
export type OpenRows = (from: number) => RowIterator

const chunkRows = 1000
const skipMax = 2 ** 24

export class RowCursor {
  readonly #open: OpenRows
  readonly #keyBytes: number | undefined
  #iterator: RowIterator
  #rows: [Buffer, Buffer][] = []
  #at = 0
  /** The next chunk, on its way while this one is being worked on. */
  #coming: Promise<[Buffer, Buffer][]>
  #ended = false
  /** The number that the next row has at least. */
  #next: number
  readonly #unreadable: [number, number][] = []

  /** A row whose key has another length is none of the run: it is counted and passed over. */
  strangers = 0

  constructor(open: OpenRows, from: number, keyBytes?: number) {
    this.#open = open
    this.#keyBytes = keyBytes
    this.#next = from
    this.#iterator = open(from)
    this.#coming = this.#fetch()
  }

  /** Reads on until every row below `limit` is here. */
  async fill(limit: number): Promise<void> {
    if (this.#at > 0) {
      this.#rows = this.#rows.slice(this.#at)
      this.#at = 0
    }
    while (!this.#ended && this.#next < limit) await this.#fillChunk()
  }

  /** The number of the row that comes next; undefined where there is none among those that were filled in. */
  peek(): number | undefined {
    const row = this.#rows[this.#at]
    return row === undefined ? undefined : numberIn(row[0])
  }

  /** The row of a number, passing over those before it; undefined where there is none. */
  take(number: number): Buffer | undefined {
    for (;;) {
      const row = this.#rows[this.#at]
      const found = row === undefined ? Number.POSITIVE_INFINITY : numberIn(row[0])
      if (row === undefined || found > number) return undefined
      this.#at += 1
      if (found === number) return row[1]
    }
  }

  /** Whether a row of this number may be in a block that could not be read. */
  isUnreadable(number: number): boolean {
    return this.#unreadable.some(([first, last]) => first <= number && number <= last)
  }

  get unreadable(): readonly (readonly [number, number])[] {
    return this.#unreadable
  }

  async close(): Promise<void> {
    await this.#coming.catch(() => {})
    await this.#iterator.close()
  }

  async #fillChunk(): Promise<void> {
    try {
      const rows = await this.#coming
      if (rows.length === 0) this.#ended = true
      else this.#keep(rows)
    } catch {
      await this.#passBlock()
    }
    if (!this.#ended) this.#coming = this.#fetch()
  }

  #fetch(): Promise<[Buffer, Buffer][]> {
    const coming = this.#iterator.nextv(chunkRows)
    // Awaited by the next fill; until then a failure must not count as unhandled.
    coming.catch(() => {})
    return coming
  }

  #keep(rows: [Buffer, Buffer][]): void {
    for (const row of rows) {
      if (this.#keyBytes !== undefined && row[0].length !== this.#keyBytes) this.strangers += 1
      else {
        this.#rows.push(row)
        this.#next = numberIn(row[0]) + 1
      }
    }
  }

  /** A chunk failed: takes what can be read of it row by row, then looks for the next place that can be read. */
  async #passBlock(): Promise<void> {
    await this.#reopen(this.#next)
    for (;;) {
      const rows = await this.#iterator.nextv(1).catch(() => undefined)
      if (rows === undefined) break
      if (rows.length === 0) {
        this.#ended = true
        return
      }
      this.#keep(rows)
    }
    const first = this.#next
    const found = await this.#firstReadableBehind(first)
    this.#unreadable.push([first, found - 1])
    this.#next = found
    await this.#reopen(found)
  }

  /** The lowest number from which on a row, or the end, can be read again: doubling steps, then halves of the last one. */
  async #firstReadableBehind(bad: number): Promise<number> {
    let readable = bad + 1
    for (let step = 1; step <= skipMax && (await this.#rowFrom(readable)) === undefined; step *= 2) readable = bad + step
    let unreadable = bad
    while (unreadable + 1 < readable) {
      const middle = Math.floor((unreadable + readable) / 2)
      if ((await this.#rowFrom(middle)) === undefined) unreadable = middle
      else readable = middle
    }
    return readable
  }

  /** What can be read from a number on: one row or none; undefined where reading fails. */
  async #rowFrom(number: number): Promise<readonly unknown[] | undefined> {
    await this.#reopen(number)
    return this.#iterator.nextv(1).catch(() => undefined)
  }

  async #reopen(from: number): Promise<void> {
    await this.#iterator.close()
    this.#iterator = this.#open(from)
  }
}

/** The number is the last eight bytes of every key of a numbered run. */
function numberIn(key: Buffer): number {
  return key.readUInt32BE(key.length - 8) * 0x1_0000_0000 + key.readUInt32BE(key.length - 4)
}
