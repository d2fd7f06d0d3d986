// Which memory and skill files a Hermes home holds just now: its two memories, and the main file of every skill. What lies in its folders is
// written by others; links to folders are not followed, and a walk ends at its bounds.
import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { skillFile } from '../../gates/provenance/stored-text.js'
import { memoryPath } from './memory-writes.js'
import { passedOver, supportFolders } from './skill-writes.js'
import { isMissing, type StoreReading } from './store-reading.js'

export interface HeldFile {
  readonly target: 'memory' | 'user' | 'skill'
  /** As a person would say it: `memory`, `user`, or where it lies from the home on. */
  readonly name: string
  readonly path: string
}

export interface HeldFiles {
  readonly files: readonly HeldFile[]
  /** False where a folder could not be read, or there was no time or room for more. */
  readonly isWhole: boolean
}

const depthMax = 8
const filesMax = 1000

export function memoryFiles(hermesHome: string): HeldFile[] {
  return (['memory', 'user'] as const).map((target) => ({ target, name: target, path: memoryPath(target, hermesHome) }))
}

export async function skillFilesHeld(hermesHome: string, external: readonly string[], reading: StoreReading): Promise<HeldFiles> {
  const files: HeldFile[] = []
  let isWhole = true
  const walk = async (folder: string, depthLeft: number): Promise<void> => {
    if (depthLeft === 0 || files.length >= filesMax) {
      isWhole = false
      return
    }
    const read = await reading.folder(folder)
    if ('problem' in read) {
      isWhole = false
      return
    }
    const isSkill = read.entries.some((entry) => entry.name === skillFile && !entry.isDirectory())
    if (isSkill) files.push(skillAt(join(folder, skillFile), hermesHome))
    for (const entry of read.entries) {
      if (!entry.isDirectory() || passedOver.has(entry.name) || (isSkill && supportFolders.has(entry.name))) continue
      await walk(join(folder, entry.name), depthLeft - 1)
    }
  }
  for (const root of [join(hermesHome, 'skills'), ...external]) await walk(root, depthMax)
  return { files, isWhole }
}

function skillAt(path: string, hermesHome: string): HeldFile {
  const name = relative(hermesHome, path)
  return { target: 'skill', name: name.startsWith('..') ? path : name, path }
}

/** What of a file changes whenever somebody writes it, also where its times are set back; empty where there is none, undefined where that is not told. */
export async function fileMark(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path)
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
  } catch (error) {
    return isMissing(error) ? '' : undefined
  }
}
