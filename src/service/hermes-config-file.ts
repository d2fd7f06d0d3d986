// The file config.yaml of a Hermes home: read as UTF-8, written whole or not at all, with a backup beside it whenever it changes.
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'

export interface HermesConfigFile {
  /** In the Hermes home; it may be a symbolic link, and stays one. */
  readonly path: string
  /** Undefined where there is no such file. */
  readonly text: string | undefined
  readonly bytes: Buffer
}

const backupPattern = /^config\.yaml\.stele-backup-\d{8}T\d{9}Z$/
// The first one shows the file before Stele ever touched it; the newest ones undo what was done last.
const backupsKept = 5

export function readHermesConfigFile(hermesHome: string): HermesConfigFile {
  const path = join(hermesHome, 'config.yaml')
  let bytes: Buffer
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { path, text: undefined, bytes: Buffer.alloc(0) }
    bytes = readFileSync(path)
  } catch (cause) {
    throw new SteleError('FILE_UNREADABLE', { file: 'config.yaml' }, { cause })
  }
  return { path, text: decoded(bytes), bytes }
}

/** Replaces the file, or removes it where the text is undefined. Returns where the bytes lie that were there before, if any were. */
export function writeHermesConfigFile(
  { path, text: former, bytes }: HermesConfigFile,
  text: string | undefined,
): string | undefined {
  try {
    const target = former === undefined ? path : realpathSync(path)
    const mode = former === undefined ? 0o600 : statSync(target).mode & 0o7777
    const backup = former === undefined ? undefined : keepBackup(path, bytes, mode)
    // Hermes writes this file too. What it wrote since we read it must not be lost.
    if (former === undefined ? existsSync(path) : !readFileSync(path).equals(bytes))
      throw new SteleError('FILE_UNWRITABLE', { file: 'config.yaml', reason: 'somebody else has just written it' })
    if (text === undefined) rmSync(path)
    else replaceFile(target, text, mode)
    return backup
  } catch (cause) {
    if (cause instanceof SteleError) throw cause
    throw new SteleError('FILE_UNWRITABLE', { file: 'config.yaml' }, { cause })
  }
}

/** The texts of the backups, the newest first; what cannot be read is left out. */
export function backupTexts(hermesHome: string): string[] {
  return backupNames(hermesHome)
    .reverse()
    .flatMap((name) => {
      try {
        return [decoded(readFileSync(join(hermesHome, name)))]
      } catch {
        return []
      }
    })
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new SteleError('HERMES_CONFIG_UNREADABLE', { line: firstBadLine(bytes), reason: 'not UTF-8' }, { cause })
  }
}

function firstBadLine(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n')
  const bad = lines.findIndex((line) => {
    const words = Buffer.from(line, 'latin1')
    return !Buffer.from(words.toString('utf8'), 'utf8').equals(words)
  })
  return bad + 1
}

function replaceFile(target: string, text: string, mode: number): void {
  const next = `${target}.stele-new`
  try {
    writeFileSync(next, text, { mode: 0o600, flush: true })
    chmodSync(next, mode)
    const owner = statSync(target, { throwIfNoEntry: false })
    const ours = statSync(next)
    if (owner !== undefined && (owner.uid !== ours.uid || owner.gid !== ours.gid)) chownSync(next, owner.uid, owner.gid)
    renameSync(next, target)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}

/** The same bytes are kept once. */
function keepBackup(path: string, bytes: Buffer, mode: number): string {
  const folder = join(path, '..')
  const same = backupNames(folder).find((name) => readFileSync(join(folder, name)).equals(bytes))
  if (same !== undefined) return join(folder, same)
  let time = Date.now()
  while (existsSync(backupPath(path, time))) time++
  const backup = backupPath(path, time)
  writeFileSync(backup, bytes, { mode: 0o600, flag: 'wx', flush: true })
  chmodSync(backup, mode)
  const names = backupNames(folder)
  for (const name of names.slice(1, Math.max(1, names.length - backupsKept + 1))) rmSync(join(folder, name))
  return backup
}

function backupPath(path: string, time: number): string {
  return `${path}.stele-backup-${new Date(time).toISOString().replace(/[-:.]/g, '')}`
}

/** The oldest first. */
function backupNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => backupPattern.test(name))
    .sort()
}
