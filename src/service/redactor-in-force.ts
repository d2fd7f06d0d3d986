// The redactor of a running service: it knows the secrets of the service's own environment and of the host's `.env`, and the owner's patterns.
// The values stay in memory: they are shown to nobody, logged nowhere and kept in no file.
import { statSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'
import { knownValues } from '../redaction/known-values.js'
import { ownPatterns } from '../redaction/own-pattern.js'
import { makeRedactor, type Redactor } from '../redaction/redact.js'
import { type ConfigPlaces, configFileOf, jevKeyVariable } from './config.js'
import { readEnvVariables } from './config-variables.js'

export class RedactorInForce {
  readonly #envFile: string | undefined
  /** What was known at the start stays known: somebody may still say what has been replaced since. */
  readonly #atStart: readonly string[]
  #fingerprint: string | undefined
  #inFile: readonly string[] = []
  #patterns: string | undefined
  #redactor: Redactor

  constructor(places: ConfigPlaces, patterns: string | undefined) {
    this.#envFile = configFileOf(places, '.env')
    this.#lookAtFile()
    this.#atStart = [...secretsIn(Object.entries(places.environment)), ...this.#inFile]
    this.#patterns = patterns
    this.#redactor = this.#made()
  }

  /** With what the file says now. One that cannot be read changes nothing. */
  redactor(patterns: string | undefined): Redactor {
    if (this.#lookAtFile() || patterns !== this.#patterns) {
      this.#patterns = patterns
      this.#redactor = this.#made()
    }
    return this.#redactor
  }

  #made(): Redactor {
    return makeRedactor({ knownValues: [...this.#atStart, ...this.#inFile], ownPatterns: ownPatterns(this.#patterns) })
  }

  /** True where the file has changed and could be read. */
  #lookAtFile(): boolean {
    if (this.#envFile === undefined) return false
    const stat = statSync(this.#envFile, { throwIfNoEntry: false })
    const fingerprint = stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`
    if (fingerprint === this.#fingerprint) return false
    try {
      this.#inFile = secretsIn(readEnvVariables(this.#envFile))
      // Only now: one that could not be read just now is looked at again.
      this.#fingerprint = fingerprint
      return true
    } catch (error) {
      if (error instanceof SteleError) return false
      throw error
    }
  }
}

/** What is secret by its name and look, and the key that goes out with each request, whatever it looks like. */
function secretsIn(variables: readonly (readonly [name: string, value: string | undefined])[]): string[] {
  const keys = variables.flatMap(([name, value = '']) => (name === jevKeyVariable && value.trim() !== '' ? [value.trim()] : []))
  return [...knownValues(variables), ...keys]
}
