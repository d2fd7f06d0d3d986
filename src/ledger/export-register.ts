// Where exports with words were written, so that what is forgotten later is forgotten there too. A file for each, named by its path, so
// that processes that export at the same time do not lose each other's.
import {
  closeSync,
  createWriteStream,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sha256, toHex } from '../foundation/digest.js'
import { SteleError } from '../foundation/stele-error.js'
import type { HomeFiles } from './home-files.js'
import { linesOfFile } from './lines-of-file.js'

export interface CoveredExports {
  /** Files that lost words. */
  readonly changed: number
  /** Files that are not where they were written. */
  readonly missing: number
}

/** What an export is written to until it is whole. */
export const partialOf = (file: string): string => `${file}.partial`

export class ExportRegister {
  readonly #folder: string

  constructor({ exports: folder }: Pick<HomeFiles, 'exports'>) {
    this.#folder = folder
  }

  /** Before its first word is written. Throws `FILE_UNWRITABLE`. */
  remember(file: string): void {
    const path = resolve(file)
    const place = this.#placeOf(path)
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      writeFileSync(`${place}.${process.pid}.new`, `${JSON.stringify(path)}\n`, { mode: 0o600, flush: true })
      renameSync(`${place}.${process.pid}.new`, place)
    } catch (cause) {
      throw new SteleError('FILE_UNWRITABLE', { folder: 'exports' }, { cause })
    }
  }

  /**
   * Takes words out of the exports that are still where they were written, and says instead that they are withheld: such an export
   * verifies, with a note. What is not whole is removed: its writer is gone, or its snapshot is. Throws `FILE_UNWRITABLE` for one that
   * cannot be changed.
   */
  async cover(ledger: string, isForgotten: (index: number) => boolean): Promise<CoveredExports> {
    let changed = 0
    let missing = 0
    for (const file of this.#known()) {
      // In this order: what is not whole becomes whole by a rename.
      if (isPartOfExport(partialOf(file), ledger)) {
        rmSync(partialOf(file), { force: true })
        changed += 1
      }
      if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) {
        if (await withholdWords(file, ledger, isForgotten)) changed += 1
        continue
      }
      missing += 1
      // Where its folder is gone too, a disk may be elsewhere just now.
      if (statSync(dirname(file), { throwIfNoEntry: false }) !== undefined) rmSync(this.#placeOf(file), { force: true })
    }
    return { changed, missing }
  }

  #placeOf(path: string): string {
    return join(this.#folder, `${toHex(sha256(Buffer.from(path))).slice(0, 32)}.json`)
  }

  #known(): string[] {
    return namesIn(this.#folder).flatMap((name) => {
      try {
        const path: unknown = JSON.parse(readFileSync(join(this.#folder, name), 'utf8'))
        return typeof path === 'string' ? [path] : []
      } catch {
        return []
      }
    })
  }
}

/** What else may bear such a name is left alone. */
function isPartOfExport(file: string, ledger: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false
  const begin = Buffer.alloc(64)
  const open = openSync(file, 'r')
  try {
    const length = readSync(open, begin, 0, begin.length, 0)
    return length === 0 || begin.toString('latin1', 0, length).startsWith(`{"v":1,"ledger":"${ledger}"`)
  } finally {
    closeSync(open)
  }
}

interface ExportedLine {
  readonly ledger?: unknown
  readonly index?: unknown
  readonly words?: unknown
  readonly wordsSalt?: unknown
  readonly raw?: { readonly words?: unknown } & Record<string, unknown>
}

async function withholdWords(file: string, ledger: string, isForgotten: (index: number) => boolean): Promise<boolean> {
  // Another export may take its place meanwhile; then that one is looked at.
  for (;;) {
    const before = fingerprintOf(file)
    // One name for all: what a killed rewrite has left is written over by the next.
    const draft = `${file}.stele-new`
    let changed = false
    const lines = async function* (): AsyncGenerator<Buffer> {
      for await (const line of linesOfFile(file)) {
        const without = lineWithout(line, ledger, isForgotten)
        changed ||= without !== line
        yield without
      }
    }
    try {
      await pipeline(Readable.from(lines()), createWriteStream(draft, { mode: 0o600, flush: true }))
      if (fingerprintOf(file) !== before) continue
      if (changed) renameSync(draft, file)
      return changed
    } catch (cause) {
      throw new SteleError('FILE_UNWRITABLE', { file: 'an export' }, { cause })
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
}

function fingerprintOf(file: string): string {
  const { ino, size, mtimeMs } = statSync(file)
  return `${ino} ${size} ${mtimeMs}`
}

/** The line itself where it is none of ours, or holds nothing that is to go. */
function lineWithout(line: Buffer, ledger: string, isForgotten: (index: number) => boolean): Buffer {
  if (!line.includes('"wordsSalt"')) return line
  let entry: ExportedLine
  try {
    entry = JSON.parse(line.toString()) as ExportedLine
  } catch {
    return line
  }
  if (entry.ledger !== ledger || typeof entry.index !== 'number' || entry.words === undefined || !isForgotten(entry.index))
    return line
  const { words: _, wordsSalt: __, raw, ...facts } = entry
  const { words: ___, ...rawFacts } = raw ?? {}
  return Buffer.from(`${JSON.stringify({ ...facts, withheld: true, raw: rawFacts })}\n`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}
