// What new starts have left behind in the quarantine holds words of a branch that no selection reaches: they go with every erasure.
// What proves that branch, its headers and payloads, stays.
import { createWriteStream, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SteleError } from '../foundation/stele-error.js'
import type { HomeFiles } from './home-files.js'
import { linesOfFile } from './lines-of-file.js'

/** The indices under which such words lay in the store: its files may hold them still. */
export async function abandonedWords(files: HomeFiles): Promise<number[]> {
  const indices = new Set<number>()
  for (const file of abandonedFiles(files)) {
    for await (const line of linesOfFile(file)) {
      const index = isWordsRow(line) ? indexOf(line) : undefined
      if (index !== undefined) indices.add(index)
    }
  }
  return [...indices].sort((one, other) => one - other)
}

/** Returns how many files lost words. Throws `FILE_UNWRITABLE`. After a crash a file is as it was, or without words. */
export async function dropAbandonedWords(files: HomeFiles): Promise<number> {
  let changed = 0
  for (const file of abandonedFiles(files)) if (await dropWords(file)) changed += 1
  return changed
}

async function dropWords(file: string): Promise<boolean> {
  const draft = `${file}.new`
  let dropped = false
  const kept = async function* (): AsyncGenerator<Buffer> {
    for await (const line of linesOfFile(file)) {
      if (isWordsRow(line)) dropped = true
      else yield line
    }
  }
  try {
    await pipeline(Readable.from(kept()), createWriteStream(draft, { mode: 0o600, flush: true }))
    if (dropped) renameSync(draft, file)
    return dropped
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { folder: 'quarantine' }, { cause })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

const beginOfWords = Buffer.from('{"row":"w"')

const isWordsRow = (line: Buffer): boolean => line.subarray(0, beginOfWords.length).equals(beginOfWords)

/** Undefined for a line that was not written to its end. */
function indexOf(line: Buffer): number | undefined {
  const found = /^\{"row":"w","index":([0-9]{1,15}),/.exec(line.toString('latin1', 0, 64))?.[1]
  return found === undefined ? undefined : Number(found)
}

function abandonedFiles({ quarantine }: HomeFiles): string[] {
  try {
    return readdirSync(quarantine, { withFileTypes: true })
      .filter((one) => one.isFile() && one.name.startsWith('abandoned-'))
      .map(({ name }) => join(quarantine, name))
  } catch {
    return []
  }
}
