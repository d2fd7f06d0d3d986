// Reads the memory file that a call is about to change, as it is at this moment. Another write may come between this and the host's own reading.
import { join } from 'node:path'
import type { MemoryTarget, StoredText } from '../../gates/provenance/stored-text.js'
import { type ReadFile, type StoreProblem, StoreReading } from './store-reading.js'

/** What was read. Where `unavailable` is said, something that the call touches could not be. */
export interface StoredRead {
  readonly stored: StoredText
  readonly unavailable?: StoreProblem
}

/** Hundreds of times what the host lets a memory hold; every operation of a call looks through all of it. */
const memoryBytesMax = 512 * 1024

const fileNames = { memory: 'MEMORY.md', user: 'USER.md' } as const

export async function memoryWrites(target: MemoryTarget, hermesHome: string, reading = new StoreReading()): Promise<StoredRead> {
  const read = await memoryFile(target, hermesHome, reading)
  if ('problem' in read) return { stored: { memory: new Map(), skills: new Map() }, unavailable: read.problem }
  const memory = new Map(read.text === undefined ? [] : [[target, read.text]])
  return { stored: { memory, skills: new Map() } }
}

export function memoryFile(target: MemoryTarget, hermesHome: string, reading: StoreReading): Promise<ReadFile> {
  return reading.file(memoryPath(target, hermesHome), memoryBytesMax)
}

export function memoryPath(target: MemoryTarget, hermesHome: string): string {
  return join(hermesHome, 'memories', fileNames[target])
}
