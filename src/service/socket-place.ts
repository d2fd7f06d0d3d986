// Where the sockets of a home lie: in the home, or, since the path of a Unix socket is limited, in a private folder elsewhere.
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'

export interface SocketPlace {
  /** For hooks and readers. */
  readonly service: string
  /** For the owner's verbs. */
  readonly owner: string
}

/** Systems allow 104 bytes and more, with the zero at the end. */
const socketPathBytesMax = 100

/** The paths of a home's sockets; the folder elsewhere is made only when somebody serves. */
export function socketPlace(home: string, environment: NodeJS.ProcessEnv = process.env): SocketPlace {
  const folder = fits(home) ? home : folderElsewhere(home, environment)
  return { service: join(folder, 'service.sock'), owner: join(folder, 'owner.sock') }
}

/**
 * Where a client finds the sockets: where service.json says, since the service may have been started under another environment; but never
 * those of another home, as the service.json of a copied home would have it.
 */
export function knownSocketPlace(home: string, told: unknown, environment: NodeJS.ProcessEnv = process.env): SocketPlace {
  if (typeof told !== 'string') return socketPlace(home, environment)
  const folder = dirname(told)
  const isOfThisHome = folder !== home && basename(folder).startsWith(nameElsewhere(home))
  return isOfThisHome ? { service: told, owner: join(folder, 'owner.sock') } : socketPlace(home, environment)
}

/** Makes the folder of a socket where it is not the home. Throws `SOCKET_FOLDER_UNSAFE` where others could reach into it. */
export function makeSocketFolder(home: string, { service }: SocketPlace): void {
  const folder = dirname(service)
  if (folder === home) return
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { folder: 'runtime folder' }, { cause })
  }
  assertSafeFolder(folder)
  chmodSync(folder, 0o700)
}

/**
 * Refuses to speak through a folder of somebody else's, or one into which others can put a socket of their own. A client also trusts the
 * owner of the home that it speaks about.
 */
export function assertSafeFolder(folder: string, home?: string): void {
  if (process.platform === 'win32') return
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  const owners = [process.getuid?.(), home === undefined ? undefined : statSync(home, { throwIfNoEntry: false })?.uid]
  if (stat?.isDirectory() !== true || !owners.includes(stat.uid) || (stat.mode & 0o022) !== 0)
    throw new SteleError('SOCKET_FOLDER_UNSAFE')
}

function fits(home: string): boolean {
  return Buffer.byteLength(join(home, 'service.sock')) <= socketPathBytesMax
}

function folderElsewhere(home: string, environment: NodeJS.ProcessEnv): string {
  const name = nameElsewhere(home)
  const runtime = environment['XDG_RUNTIME_DIR']
  if (runtime !== undefined && runtime !== '' && fits(join(runtime, name))) return join(runtime, name)
  const short = fits(join(tmpdir(), name)) ? tmpdir() : '/tmp'
  return join(short, `${name}-${process.getuid?.() ?? 0}`)
}

function nameElsewhere(home: string): string {
  return `stele-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`
}
