// Reads files and folders of the host for one call, within bounds: regular files only, so much of them, and for so long. What lies in the host's
// folders is written by others. It must not wait for a pipe and must not throw: what cannot be read is told.
import { constants, type Dirent, type Stats } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'

export type StoreProblem =
  | 'home_unknown'
  | 'profile_unknown'
  | 'config_unreadable'
  | 'not_a_file'
  | 'not_readable'
  | 'not_text'
  | 'too_large'
  | 'too_many'
  | 'too_slow'
  | 'outside'

export interface ReadingLimits {
  /** Of one file. */
  readonly fileBytesMax: number
  /** Of all files of a call. */
  readonly bytesMax: number
  readonly foldersMax: number
  readonly timeoutMs: number
}

/** Twice what the host writes into its largest file, and less than what its hook would wait for. */
export const readingLimits: ReadingLimits = {
  fileBytesMax: 2 * 1024 * 1024,
  bytesMax: 8 * 1024 * 1024,
  foldersMax: 20_000,
  timeoutMs: 500,
}

export type ReadFile = { readonly text: string | undefined } | { readonly problem: StoreProblem }
export type ReadFolder = { readonly entries: readonly Dirent[] } | { readonly problem: StoreProblem }

export class StoreReading {
  readonly #limits: ReadingLimits
  readonly #end: number
  #bytesLeft: number
  #foldersLeft: number

  constructor(limits: ReadingLimits = readingLimits) {
    this.#limits = limits
    this.#end = performance.now() + limits.timeoutMs
    this.#bytesLeft = limits.bytesMax
    this.#foldersLeft = limits.foldersMax
  }

  /** The text with line feeds alone, as the host reads it; undefined where there is no such file. */
  async file(path: string, ownBytesMax = this.#limits.fileBytesMax): Promise<ReadFile> {
    const bytesMax = Math.min(ownBytesMax, this.#limits.fileBytesMax, this.#bytesLeft)
    const read = await this.#inTime(() => readRegularFile(path, bytesMax))
    if ('problem' in read || read.bytes === undefined) return 'problem' in read ? read : { text: undefined }
    this.#bytesLeft -= read.bytes.length
    try {
      return { text: asRead(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes)) }
    } catch {
      return { problem: 'not_text' }
    }
  }

  /** By name; empty where there is no such folder. */
  async folder(path: string): Promise<ReadFolder> {
    if (this.#foldersLeft === 0) return { problem: 'too_many' }
    this.#foldersLeft -= 1
    return this.#inTime(async (): Promise<ReadFolder> => {
      try {
        const entries = await readdir(path, { withFileTypes: true })
        return { entries: entries.sort((one, other) => (one.name < other.name ? -1 : 1)) }
      } catch (error) {
        return isMissing(error) ? { entries: [] } : { problem: 'not_readable' }
      }
    })
  }

  /** What has not ended in time goes on unheard. */
  async #inTime<Result extends object>(work: () => Promise<Result>): Promise<Result | { readonly problem: StoreProblem }> {
    const leftMs = this.#end - performance.now()
    if (leftMs <= 0) return { problem: 'too_slow' }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<{ readonly problem: StoreProblem }>((resolve) => {
      timer = setTimeout(() => resolve({ problem: 'too_slow' }), leftMs)
    })
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A text as it is read again from a file that holds it: without a byte-order mark, and with line feeds alone. */
export function asRead(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}

type ReadBytes = { readonly bytes: Buffer | undefined } | { readonly problem: StoreProblem }

async function readRegularFile(path: string, bytesMax: number): Promise<ReadBytes> {
  let file: FileHandle | undefined
  try {
    const refused = refusal(await stat(path), bytesMax)
    if (refused !== undefined) return { problem: refused }
    // Another thing may stand there by now: a pipe is not waited for.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const refusedNow = refusal(await file.stat(), bytesMax)
    if (refusedNow !== undefined) return { problem: refusedNow }
    return await readBounded(file, bytesMax)
  } catch (error) {
    return isMissing(error) ? { bytes: undefined } : { problem: 'not_readable' }
  } finally {
    await file?.close().catch(() => undefined)
  }
}

/** By its end and not by its size: it may grow meanwhile. */
async function readBounded(file: FileHandle, bytesMax: number): Promise<ReadBytes> {
  const parts: Buffer[] = []
  for (let length = 0; ; ) {
    const part = Buffer.allocUnsafe(partBytes)
    const { bytesRead } = await file.read(part, 0, partBytes)
    if (bytesRead === 0) return { bytes: Buffer.concat(parts, length) }
    length += bytesRead
    if (length > bytesMax) return { problem: 'too_large' }
    parts.push(part.subarray(0, bytesRead))
  }
}

const partBytes = 64 * 1024

function refusal(stats: Stats, bytesMax: number): StoreProblem | undefined {
  if (!stats.isFile()) return 'not_a_file'
  return stats.size > bytesMax ? 'too_large' : undefined
}

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR'
}
