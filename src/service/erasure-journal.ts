// What is to be forgotten, written down before it begins: whoever opens the home next finishes what is here. A file each, 0600.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import type { SelectedWords, WordsSelection } from '../ledger/words-selection.js'

export interface JournalledErasure {
  readonly id: string
  readonly selected: WordsSelection['by']
  readonly by: 'owner' | 'terminal' | 'retention'
  readonly reason: string
  /** Entries of the ledger when it was asked for: its own entry comes later. */
  readonly size: number
  /** The epoch in which its indices mean what they mean. */
  readonly epoch: number
  readonly words: SelectedWords
  /** When it is due, where nobody confirmed it; null for at once. */
  readonly due: string | null
  /** Index of the `erasure.asked`; null where it does not wait. */
  readonly asked: number | null
  /** Index of its `payload.erased`; null while it has none that is known. */
  readonly entry: number | null
}

/** An erasure that nobody confirmed, or that is not finished, as `status` shows it. */
export interface WaitingErasure {
  readonly id: string
  readonly selected: WordsSelection['by']
  readonly entries: number
  /** Null for one that has begun. */
  readonly due: string | null
}

/** Those of a home, whoever has it. */
export function waitingErasures(folder: string): WaitingErasure[] {
  return new ErasureJournal(folder).all().map(waitingErasure)
}

export function waitingErasure({ id, selected, words, due, entry }: JournalledErasure): WaitingErasure {
  return { id, selected, entries: words.entries, due: entry === null ? due : null }
}

const nameShape = /^[0-9a-f]{16}\.json$/

export class ErasureJournal {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Oldest first by when they were asked for. */
  all(): JournalledErasure[] {
    const found = namesIn(this.#folder).flatMap((name) => readOne(join(this.#folder, name)))
    return found.sort((one, other) => one.size - other.size)
  }

  add(erasure: Omit<JournalledErasure, 'id'>): JournalledErasure {
    const added = { ...erasure, id: randomBytes(8).toString('hex') }
    this.save(added)
    return added
  }

  /** On disk when this returns. */
  save(erasure: JournalledErasure): void {
    const file = join(this.#folder, `${erasure.id}.json`)
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      writeFileSync(`${file}.new`, `${JSON.stringify(erasure)}\n`, { mode: 0o600, flush: true })
      renameSync(`${file}.new`, file)
      syncFolder(this.#folder)
    } catch (cause) {
      throw new SteleError('FILE_UNWRITABLE', { folder: 'erasures' }, { cause })
    }
  }

  remove({ id }: Pick<JournalledErasure, 'id'>): void {
    rmSync(join(this.#folder, `${id}.json`), { force: true })
  }
}

/** Else a power cut could take the name of a file whose erasure is in the ledger already. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const open = openSync(folder, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}

/** A file that is not whole was never begun on: it is written before anything is done. */
function readOne(file: string): JournalledErasure[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isJournalled(value) ? [value] : []
  } catch {
    return []
  }
}

function isJournalled(value: unknown): value is JournalledErasure {
  const { id, size, epoch, words, due, asked, entry } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Partial<JournalledErasure>
  return (
    typeof id === 'string' &&
    typeof size === 'number' &&
    typeof epoch === 'number' &&
    Array.isArray(words?.ranges) &&
    words.ranges.every(isRange) &&
    Array.isArray(words.hostSessions) &&
    (due === null || (typeof due === 'string' && !Number.isNaN(Date.parse(due)))) &&
    isIndexOrNull(asked) &&
    isIndexOrNull(entry)
  )
}

const isIndexOrNull = (value: unknown): boolean => value === null || Number.isSafeInteger(value)

function isRange(value: unknown): boolean {
  const [first, last] = Array.isArray(value) ? (value as unknown[]) : []
  return Number.isSafeInteger(first) && Number.isSafeInteger(last) && 0 <= Number(first) && Number(first) <= Number(last)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => nameShape.test(name))
  } catch {
    return []
  }
}
