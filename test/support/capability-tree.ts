// Builds the folders, files and links that the table of allowlist cases speaks of, in a temporary folder, and says what this machine is.
import { chmodSync, existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readProjectFile } from '../../scripts/project-tree.js'
import type { RowCondition } from './capability-table.js'
import { filledIn } from './capability-table.js'
import { temporaryFolder } from './temporary-folder.js'

interface TreeDescription {
  readonly folders: readonly string[]
  readonly files: Readonly<Record<string, string>>
  readonly links: Readonly<Record<string, string>>
  /** Folder links; real junctions on Windows alone. */
  readonly junctions: Readonly<Record<string, string>>
  readonly hardLinks: Readonly<Record<string, string>>
  readonly unreadable: readonly string[]
}

export interface CapabilityTree {
  readonly root: string
  /** Rows that ask for anything else are left out here. */
  readonly conditions: ReadonlySet<RowCondition>
}

export const treeDescription = JSON.parse(readProjectFile('test/corpora/capability-tree.json')) as TreeDescription

export function buildCapabilityTree(): CapabilityTree {
  const root = temporaryFolder()
  const { folders, files, links, junctions, hardLinks, unreadable } = filledIn(treeDescription, root)
  const place = (path: string): string => {
    const whole = join(root, path)
    mkdirSync(dirname(whole), { recursive: true })
    return whole
  }
  for (const path of folders) mkdirSync(place(path), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(place(path), text)
  for (const [path, target] of Object.entries(links)) symlinkSync(target, place(path))
  for (const [path, target] of Object.entries(junctions)) symlinkSync(target, place(path), 'junction')
  for (const [path, target] of Object.entries(hardLinks)) linkSync(join(root, target), place(path))
  for (const path of unreadable) close(join(root, path))
  return { root, conditions: conditionsOf(root) }
}

/** Opened again at the end, so that the folder can be removed. */
function close(folder: string): void {
  process.prependOnceListener('exit', () => chmodSync(folder, 0o700))
  chmodSync(folder, 0o000)
}

function conditionsOf(root: string): Set<RowCondition> {
  const conditions = new Set<RowCondition>([existsSync(join(root, 'HOME')) ? 'folding' : 'exact'])
  if (process.platform !== 'win32') conditions.add('posix')
  if (process.platform === 'linux') conditions.add('linux')
  if (process.getuid?.() !== 0) conditions.add('not-root')
  return conditions
}
