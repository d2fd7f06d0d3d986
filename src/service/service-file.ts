// service.json: where the service listens, who it is, and the modes in force. It outlives the service, so that a plugin knows what to do
// when nobody answers (docs/service.md, "Finding it").
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import type { GateModes } from '../gates/gate.js'

export interface ServiceFile {
  readonly socket: string
  /** Null after an orderly stop. */
  readonly pid: number | null
  readonly version: string
  /** Base address on loopback, and the token for it; null where it is off. */
  readonly page: string | null
  readonly token: string | null
  readonly modes: GateModes
  /** The words that start this Stele. */
  readonly command: readonly string[]
  readonly started: string
  readonly fieldBytes: number
  /** How long a hook in which the decision model may be asked waits longer for it. */
  readonly stageMs: number
}

export const serviceFilePath = (home: string): string => join(home, 'service.json')

/** Replaces it as a whole: a reader finds the old one or the new one. */
export function writeServiceFile(home: string, content: ServiceFile): void {
  const file = serviceFilePath(home)
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
    chmodSync(`${file}.new`, 0o600)
    renameSync(`${file}.new`, file)
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { file: 'service.json' }, { cause })
  }
}

/** Undefined where there never was one. Throws `FILE_UNREADABLE` for one that cannot be read. */
export function readServiceFile(home: string): ServiceFile | undefined {
  try {
    return JSON.parse(readFileSync(serviceFilePath(home), 'utf8')) as ServiceFile
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new SteleError('FILE_UNREADABLE', { file: 'service.json' }, { cause })
  }
}

/** What stays the same in the file of one service. */
export type ServiceFacts = Pick<ServiceFile, 'socket' | 'version' | 'command' | 'started'> & { readonly token: string }

/** What it says of the settings in force. */
export type ToldSettings = Pick<ServiceFile, 'modes' | 'fieldBytes' | 'stageMs'>

/** The file as the service that runs keeps it. */
export class OwnServiceFile {
  readonly #home: string
  readonly #facts: ServiceFacts
  /** Base address on loopback, once it is listened on. */
  page: string | null = null

  constructor(home: string, facts: ServiceFacts) {
    this.#home = home
    this.#facts = facts
  }

  write(told: ToldSettings): void {
    const { page } = this
    const token = page === null ? null : this.#facts.token
    writeServiceFile(this.#home, { ...this.#facts, pid: process.pid, page, token, ...told })
  }

  /** For clients that find nobody from now on. */
  leave(told: ToldSettings): void {
    writeServiceFile(this.#home, { ...this.#facts, pid: null, page: null, token: null, ...told })
  }

  isReadable(): boolean {
    return this.#read() !== undefined
  }

  /** Whether it speaks of another service that runs, by its own word. */
  isAnothers(): boolean {
    const told = this.#read()
    return typeof told?.pid === 'number' && (told.pid !== process.pid || told.started !== this.#facts.started)
  }

  #read(): ServiceFile | undefined {
    try {
      return readServiceFile(this.#home)
    } catch {
      return undefined
    }
  }
}
