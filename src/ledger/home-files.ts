// Where everything lies in a home, and its private files: the signing key and the digest key.
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'

export interface HomeFiles {
  readonly home: string
  readonly store: string
  /** Views: a folder that may be deleted at any time. */
  readonly views: string
  readonly snapshots: string
  readonly quarantine: string
  readonly key: string
  readonly digestKey: string
  readonly checkpoints: string
  readonly highWater: string
  readonly config: string
  /** Grants to copy and edit; never in force itself. */
  readonly allowlistExample: string
  /** Where a full verification remembers how far it came, under a MAC. */
  readonly verified: string
  readonly spool: string
  /** Erasures under way or waiting, a file each. */
  readonly erasures: string
  /** Where exports were written, a file each, so that erasures find them. */
  readonly exports: string
  readonly log: string
  /** Room that is given back when the disk is full. */
  readonly reserve: string
  /** Hash of the owner's passphrase, where there is one. */
  readonly passphrase: string
}

export function homeFiles(home: string): HomeFiles {
  return {
    home,
    store: join(home, 'store'),
    views: join(home, 'views'),
    snapshots: join(home, 'snapshots'),
    quarantine: join(home, 'quarantine'),
    key: join(home, 'key'),
    digestKey: join(home, 'digest-key'),
    checkpoints: join(home, 'checkpoints.txt'),
    highWater: join(home, 'high-water'),
    config: join(home, 'config.yaml'),
    allowlistExample: join(home, 'allowlist.example.yaml'),
    verified: join(home, 'verified'),
    spool: join(home, 'spool'),
    erasures: join(home, 'erasures'),
    exports: join(home, 'exports'),
    log: join(home, 'service.log'),
    reserve: join(home, 'reserve'),
    passphrase: join(home, 'owner-passphrase'),
  }
}

export function makePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { folder: basename(folder) }, { cause })
  }
}

/** Refuses a home that others can reach into: they could read the key, or put another store in its place. */
export function assertPrivate(files: HomeFiles): void {
  if (process.platform === 'win32') return
  for (const path of [files.home, files.key, files.digestKey]) {
    const mode = modeOf(path)
    if (mode !== undefined && (mode & 0o077) !== 0) throw new SteleError('HOME_NOT_PRIVATE', { mode: mode.toString(8) })
  }
}

/** Writes a file of 0600 unless it is there with something in it. After a crash it is there whole, or not at all. */
export function writePrivateOnce(file: string, content: string | Uint8Array): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  try {
    writeFileSync(`${file}.new`, content, { mode: 0o600, flush: true })
    chmodSync(`${file}.new`, 0o600)
    renameSync(`${file}.new`, file)
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { file: basename(file) }, { cause })
  }
}

/** The 32 bytes that every keyed digest is made with. */
export function readDigestKey(files: HomeFiles): Uint8Array {
  const bytes = readPrivate(files.digestKey, 'digest-key')
  if (bytes.length !== 32) throw new SteleError('KEY_UNREADABLE', { file: 'digest-key' })
  return bytes
}

export function readKeyPem(files: HomeFiles): string {
  return readPrivate(files.key, 'key').toString()
}

function readPrivate(file: string, name: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new SteleError('KEY_UNREADABLE', { file: name }, { cause })
  }
}

function modeOf(path: string): number | undefined {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return undefined
  }
}
