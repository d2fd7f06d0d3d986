// Takes in what waited in the spool: payloads that a host could not deliver, each a file of one line, in the order of their names.
// A file is deleted when what it says is on disk; after a crash in between it is taken again and known to be the same.
import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { payloadBytesMax } from '../hooks/read-payload.js'
import { readSpooledLine, type SpooledLine } from '../hooks/spooled-line.js'

/** What holds no line: it leaves its mark as its bytes, or as their number where they are too many or cannot be read. */
export interface UnreadableSpool {
  readonly unreadable: Buffer
  readonly bytesTotal: number
}

export type SpooledFile = SpooledLine | UnreadableSpool

export interface SpoolOptions {
  readonly folder: string
  /** How long a line waits for its attach, in milliseconds. */
  readonly waitMs: () => number
  /** Whether the service knows the attach of a line by now. */
  readonly knows: (attach: string) => boolean
  /** Resolves when it is on disk; where it throws, the file stays and everything behind it waits. */
  readonly take: (file: SpooledFile, name: string) => Promise<void>
  readonly now: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number
}

/** A payload of the greatest size, written as a string within JSON. */
const fileBytesMax = 4 * payloadBytesMax

const halfLeftMs = 60 * 60 * 1000
/** Nobody is so long at a file without writing to it. */
const halfWritingMs = 3000

const nameShape = /^[0-9]{13}-[0-9a-f]{8}-[0-9]{8,}\.json$/

export class Spool {
  readonly #options: SpoolOptions
  /** When a line was first seen to wait for its attach: however old a file is, its host can attach only now. */
  readonly #waiting = new Map<string, { readonly attach: string; readonly seenMs: number }>()
  #taking: Promise<void> | undefined
  #wanted = false
  /** How many want everything taken in now, whoever may attach in a moment. */
  #hurried = 0

  constructor(options: SpoolOptions) {
    this.#options = options
    mkdirSync(options.folder, { recursive: true, mode: 0o700 })
    this.#removeHalves()
  }

  /** Takes in all that is there now. Calls that meet share one pass, and one more for what has come meanwhile. */
  async takeAll(): Promise<void> {
    if (this.#taking !== undefined) {
      this.#wanted = true
      return this.#taking
    }
    this.#taking = this.#passes()
    try {
      await this.#taking
    } finally {
      this.#taking = undefined
    }
  }

  /**
   * Takes in all that is there, lines too whose host may attach in a moment, and removes what its writer left half written: where words
   * are to be forgotten, none may wait outside the ledger.
   */
  async emptyOut(): Promise<void> {
    this.#hurried += 1
    try {
      const halves = this.#halves()
      if (halves.size > 0) await sleep(halfWritingMs)
      for (const [name, state] of this.#halves())
        if (halves.get(name) === state) rmSync(join(this.#options.folder, name), { force: true, recursive: true })
      await this.takeAll()
    } finally {
      this.#hurried -= 1
    }
  }

  /** Files that wait, for `status`. */
  waiting(): number {
    return this.#names().length
  }

  async #passes(): Promise<void> {
    do {
      this.#wanted = false
      const names = this.#names()
      const left = new Set(names)
      for (const name of this.#waiting.keys()) if (!left.has(name)) this.#waiting.delete(name)
      for (const name of names) await this.#takeOne(name)
    } while (this.#wanted)
  }

  async #takeOne(name: string): Promise<void> {
    const { folder, take } = this.#options
    const file = join(folder, name)
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return
    const known = this.#waiting.get(name)
    // Read once: a long one is not parsed again only to see that it waits.
    if (known !== undefined && this.#waits(name, known.attach)) return
    const bytes = stat.isFile() && stat.size <= fileBytesMax ? readWhole(file) : Buffer.alloc(0)
    const line = readSpooledLine(bytes)
    if (line === undefined) {
      await take({ unreadable: bytes, bytesTotal: stat.size }, name)
    } else {
      if (this.#waits(name, line.signature.attach)) return
      await take(line, name)
    }
    rmSync(file, { force: true, recursive: true })
  }

  /** Its host may attach in a moment, and only then can it be checked. */
  #waits(name: string, attach: string): boolean {
    const { knows, monotonic, waitMs } = this.#options
    if (this.#hurried > 0) return false
    if (attach === '' || knows(attach)) return false
    const seenMs = this.#waiting.get(name)?.seenMs ?? monotonic()
    this.#waiting.set(name, { attach, seenMs })
    return monotonic() - seenMs < waitMs()
  }

  /** Files whose writer ended before they were whole; one that is being written just now is younger. */
  #removeHalves(): void {
    for (const name of readdirSync(this.#options.folder).filter((one) => one.endsWith('.tmp'))) {
      const file = join(this.#options.folder, name)
      const ageMs = this.#options.now() - (lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)
      if (ageMs > halfLeftMs) rmSync(file, { force: true, recursive: true })
    }
  }

  /** Names of files that are not whole, each with what changes while it is being written. */
  #halves(): ReadonlyMap<string, string> {
    const names = namesIn(this.#options.folder).filter((name) => name.endsWith('.tmp'))
    return new Map(
      names.map((name) => {
        const stat = lstatSync(join(this.#options.folder, name), { throwIfNoEntry: false })
        return [name, `${stat?.ino} ${stat?.size} ${stat?.mtimeMs}`]
      }),
    )
  }

  #names(): string[] {
    return namesIn(this.#options.folder)
      .filter((name) => nameShape.test(name))
      .sort()
  }
}

/** No bytes where it cannot be read: then it leaves its size. Never waits for the writer of a pipe, never follows a link. */
function readWhole(file: string): Buffer {
  let open: number | undefined
  try {
    open = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    return readFileSync(open)
  } catch {
    return Buffer.alloc(0)
  } finally {
    if (open !== undefined) closeSync(open)
  }
}

/** A folder that somebody removed holds nothing. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
