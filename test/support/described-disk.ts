// A disk that is told instead of looked at, for what this machine has not: a volume that folds letter case, short names of Windows.
import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import type { FileSource, FileThere } from '../../src/hooks/file-look.js'
import type { DescribedDisk } from './capability-table.js'

/** `tree` is a folder of the real disk: a folding volume holds all that lies in it, by any letter case. Else nothing is there but short names. */
export function describedDisk({ style, foldsCase, shortNames = {} }: DescribedDisk, tree: string): FileSource {
  return style === 'posix' && foldsCase ? foldingTree(tree) : onlyShortNames(shortNames)
}

function foldingTree(tree: string): FileSource {
  const real = (path: string): string => trueName(path, tree)
  return {
    lstat: async (path): Promise<FileThere> => {
      const found = lstatSync(real(path))
      const kind = found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file'
      return { kind, identity: `${found.dev}:${found.ino}` }
    },
    readlink: async (path) => readlinkSync(real(path)),
    realpath: async (path) => real(path),
  }
}

/** Each name as it stands in its folder; throws `ENOENT` where no spelling of it does. */
function trueName(path: string, tree: string): string {
  const [asked, top] = [path, tree].map((text) => `${text.toLowerCase().replace(/\/$/, '')}/`) as [string, string]
  if (top.startsWith(asked)) return tree.slice(0, path.length)
  if (!asked.startsWith(top)) throw missing(path)
  const names = path.slice(tree.length + 1).split('/')
  return names.reduce((folder, name) => {
    const found = readdirSync(folder).find((there) => there.toLowerCase() === name.toLowerCase())
    if (found === undefined) throw missing(path)
    return `${folder}/${found}`
  }, tree)
}

/** Each short name with the folders above it and above the long one. */
function onlyShortNames(shortNames: Readonly<Record<string, string>>): FileSource {
  const long = new Map<string, string>()
  for (const [short, name] of Object.entries(shortNames)) for (const path of [short, name]) addWithFolders(long, path)
  for (const [short, name] of Object.entries(shortNames)) long.set(short.toLowerCase(), name)
  const find = (path: string): string => {
    const found = long.get(path.toLowerCase())
    if (found === undefined) throw missing(path)
    return found
  }
  return {
    lstat: async (path) => ({ kind: 'folder', identity: find(path).toLowerCase() }),
    readlink: async (path) => {
      throw missing(path)
    },
    realpath: async (path) => find(path),
  }
}

function addWithFolders(long: Map<string, string>, path: string): void {
  const names = path.split('\\')
  for (let count = 2; count <= names.length; count++) {
    const folder = names.slice(0, count).join('\\')
    long.set(folder.toLowerCase(), folder)
  }
}

function missing(path: string): Error {
  return Object.assign(new Error(path), { code: 'ENOENT' })
}
