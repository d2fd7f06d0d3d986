// The plugin's copy in Hermes' plugins folder: compared with the package, put in and taken out as a whole.
// It must not touch a folder of that name that is not ours.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import { readPluginManifest } from './hermes-config.js'

/** Contents under their paths inside the folder, with slashes. */
export type PluginFiles = ReadonlyMap<string, Buffer>

export interface HermesPlugin {
  readonly folder: string
  /** `same` as the package, `differs` from it, or something else lies there: `foreign`. */
  readonly state: 'absent' | 'same' | 'differs' | 'foreign'
  readonly version: string | undefined
}

const unpacked = /^(?:\.|__pycache__$|tests?$|test_)|\.pyc$/

/** What the plugin consists of: the package's files, and how the plugin starts the service. */
export function readPackagedPlugin(source: string, command: readonly string[]): PluginFiles {
  const files = filesIn(source)
  if (!files.has('plugin.yaml')) throw new SteleError('FILE_UNREADABLE', { folder: 'plugins/hermes' })
  return new Map([...files, ['stele.json', Buffer.from(`${JSON.stringify({ command }, null, 2)}\n`)]])
}

export function lookAtHermesPlugin(hermesHome: string, wanted: PluginFiles): HermesPlugin {
  const folder = pluginFolder(hermesHome)
  const kind = kindOf(folder)
  if (kind !== 'folder') return { folder, state: kind === 'nothing' ? 'absent' : 'foreign', version: undefined }
  const found = filesIn(folder)
  const manifest = readPluginManifest(found.get('plugin.yaml')?.toString() ?? '')
  if (manifest?.name !== 'stele') return { folder, state: 'foreign', version: undefined }
  const same = found.size === wanted.size && [...wanted].every(([path, content]) => found.get(path)?.equals(content))
  return { folder, state: same ? 'same' : 'differs', version: manifest.version }
}

/** Puts the files in place of a former copy, all of them or none. */
export function placeHermesPlugin(hermesHome: string, files: PluginFiles): void {
  changeFolder(hermesHome, (folder, staging) => {
    const next = join(staging, 'new')
    for (const [path, content] of files) {
      const file = join(next, path)
      makeReadableFolder(dirname(file))
      writeFileSync(file, content, { flush: true })
      // Nothing in it is secret, and Hermes may run as another user.
      chmodSync(file, 0o644)
    }
    const former = join(staging, 'old')
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) renameSync(folder, former)
    try {
      renameSync(next, folder)
    } catch (error) {
      if (lstatSync(former, { throwIfNoEntry: false }) !== undefined) renameSync(former, folder)
      throw error
    }
  })
}

export function removeHermesPlugin(hermesHome: string): void {
  changeFolder(hermesHome, (folder, staging) => renameSync(folder, join(staging, 'old')))
}

function kindOf(path: string): 'nothing' | 'folder' | 'other' {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return 'nothing'
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? 'folder' : 'other'
  } catch (cause) {
    throw new SteleError('FILE_UNREADABLE', { folder: 'plugins/stele' }, { cause })
  }
}

function pluginFolder(hermesHome: string): string {
  return join(hermesHome, 'plugins', 'stele')
}

/**
 * Works in a folder on the same disk. Hermes looks for plugins two folders deep, in hidden ones too: what a crash leaves behind
 * must lie deeper.
 */
function changeFolder(hermesHome: string, change: (folder: string, staging: string) => void): void {
  const folder = pluginFolder(hermesHome)
  const staging = join(dirname(folder), '.stele-install')
  try {
    makeReadableFolder(dirname(folder))
    rmSync(staging, { recursive: true, force: true })
    mkdirSync(join(staging, 'files'), { recursive: true })
    change(folder, join(staging, 'files'))
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { folder: 'plugins/stele' }, { cause })
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function makeReadableFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  makeReadableFolder(dirname(folder))
  mkdirSync(folder)
  chmodSync(folder, 0o755)
}

/** Regular files only, without tests and what Python leaves behind. */
function filesIn(folder: string, inside = ''): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  try {
    for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
      const path = posix.join(inside, entry.name)
      if (unpacked.test(entry.name)) continue
      if (entry.isDirectory()) for (const [deeper, content] of filesIn(folder, path)) files.set(deeper, content)
      else if (entry.isFile()) files.set(path, readFileSync(join(folder, path)))
    }
  } catch (cause) {
    if (cause instanceof SteleError) throw cause
    throw new SteleError('FILE_UNREADABLE', { folder: 'plugins/stele' }, { cause })
  }
  return files
}
