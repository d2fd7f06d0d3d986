// Looks for words, or for other traces of them, in every file of a home: tables and logs unpacked, whatever folder they lie in.
import { createHash } from 'node:crypto'
import { copyFileSync, type Dirent, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { decodeStore, findWordRuns } from './decode-store.js'
import { temporaryFolder } from './temporary-folder.js'

/** Runs of six words of the texts, each with the folder and the file in which it stands. The stores may be in use. */
export function findWordRunsInHome(home: string, texts: readonly string[]): string[] {
  return foldersIn(home).flatMap((folder) => {
    const copy = copyOf(folder)
    return findWordRuns(copy, texts).map((found) => join(relative(home, folder), found))
  })
}

/** Digests of the texts, plain ones that anybody could make to confirm a guess, in the forms in which programs write them. */
export function findPlainDigestsInHome(home: string, texts: readonly string[]): string[] {
  const needles = texts.flatMap((text) =>
    ['sha256', 'sha1', 'md5', 'sha512'].flatMap((name) => {
      const digest = createHash(name).update(text).digest()
      const hex = digest.toString('hex')
      // A beginning is enough to confirm a guess.
      const forms = [hex.slice(0, 16), hex.toUpperCase().slice(0, 16), digest.toString('base64').slice(0, 12)]
      return [...forms, digest.toString('base64url').slice(0, 12), digest.subarray(0, 8)].map((needle) => ({
        name,
        text,
        needle,
      }))
    }),
  )
  return foldersIn(home).flatMap((folder) =>
    piecesIn(copyOf(folder)).flatMap(({ file, bytes }) =>
      needles
        .filter(({ needle }) => bytes.includes(needle))
        .map(({ name, text }) => `${join(relative(home, folder), file)}: ${name} of ${text.slice(0, 30)}`),
    ),
  )
}

function piecesIn(folder: string): { file: string; bytes: Buffer }[] {
  const isStore = existsSync(join(folder, 'CURRENT'))
  const rows = isStore
    ? decodeStore(folder).map(({ file, key, value }) => ({ file, bytes: Buffer.concat([Buffer.from(key, 'hex'), value]) }))
    : []
  const plain = readdirSync(folder)
    .filter((file) => !isStore || !/\.(ldb|sst|log)$/.test(file))
    .map((file) => ({ file, bytes: readFileSync(join(folder, file)) }))
  return [...rows, ...plain]
}

/** Every folder of a home, itself among them. */
function foldersIn(folder: string): string[] {
  const within = entriesOf(folder).filter((one) => one.isDirectory())
  return [folder, ...within.flatMap(({ name }) => foldersIn(join(folder, name)))]
}

/** A folder that was cleared away meanwhile, as the quarantine is by a verification, holds nothing. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** The plain files of one folder. Those of a store that is in use come and go: a copy is one moment of it, or is made again. */
function copyOf(folder: string): string {
  const copy = join(temporaryFolder(), 'copy')
  mkdirSync(copy)
  for (const one of entriesOf(folder)) {
    if (!one.isFile() || one.name === 'LOCK') continue
    try {
      copyFileSync(join(folder, one.name), join(copy, one.name))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
  return copy
}
