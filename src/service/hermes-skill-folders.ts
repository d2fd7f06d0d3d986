// The folders beside its own in which a Hermes looks for skills, as its config.yaml names them at this moment.
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import { parseHermesConfig } from './hermes-config.js'
import { readHermesConfigFile } from './hermes-config-file.js'

/** Larger than any that a person writes, and read in the service's one thread. */
const configBytesMax = 1024 * 1024

export class HermesSkillFolders {
  readonly #environment: NodeJS.ProcessEnv
  readonly #known = new Map<string, { readonly fingerprint: string; readonly folders: readonly string[] | undefined }>()

  /** Names of variables in a path are filled in from this environment. The host's own may hold others. */
  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment
  }

  /** Absolute, in order, each once; undefined where the settings cannot be read. */
  of(hermesHome: string): readonly string[] | undefined {
    const fingerprint = fingerprintOf(join(hermesHome, 'config.yaml'))
    if (fingerprint === undefined) return undefined
    const known = this.#known.get(hermesHome)
    if (known?.fingerprint === fingerprint) return known.folders
    const folders = fingerprint === '' ? [] : this.#read(hermesHome)
    this.#known.set(hermesHome, { fingerprint, folders })
    return folders
  }

  #read(hermesHome: string): readonly string[] | undefined {
    try {
      const { text } = readHermesConfigFile(hermesHome)
      const skills = parseHermesConfig(text ?? '').data.get('skills')
      const given: unknown = skills instanceof Map ? skills.get('external_dirs') : undefined
      const list = typeof given === 'string' ? [given] : Array.isArray(given) ? given : []
      const named = list.map((entry) => String(entry).trim()).filter((entry) => entry !== '')
      const folders = new Set(named.map((entry) => resolve(hermesHome, this.#expanded(entry))))
      folders.delete(resolve(hermesHome, 'skills'))
      return [...folders]
    } catch (error) {
      if (error instanceof SteleError) return undefined
      throw error
    }
  }

  /** A variable that is not set stays as it is written. */
  #expanded(path: string): string {
    const filled = path.replace(
      /\$(?:(\w+)|\{([^}]*)\})/g,
      (all: string, bare: string | undefined, braced: string | undefined) => this.#environment[bare ?? braced ?? ''] ?? all,
    )
    const home = this.#environment['HOME'] ?? homedir()
    return filled === '~' || filled.startsWith('~/') ? join(home, filled.slice(1)) : filled
  }
}

/** Empty where there is no such file; undefined for one that is none, or is too large. */
function fingerprintOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return ''
    return stat.isFile() && stat.size <= configBytesMax ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : undefined
  } catch {
    return undefined
  }
}
