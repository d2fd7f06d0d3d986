// What the places of settings share: their names, a value as one of them gives it, and how a mistake there is told.
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'

export type ConfigPlace = 'environment' | '.env' | 'Hermes config.yaml' | 'config.yaml'

/** A value as its place gives it, not judged yet. */
export interface PlacedValue {
  readonly key: string
  readonly value: unknown
  readonly place: ConfigPlace
  /** What the place calls it, where that is not the key. */
  readonly name?: string
  readonly line?: number
}

interface Mistake {
  readonly place: ConfigPlace
  readonly key?: string | undefined
  readonly name?: string | undefined
  readonly line?: number | undefined
  readonly reason?: string
  readonly allowed?: string
  readonly nearest?: string | undefined
}

/** Names key, place, line and what is allowed; never the value, which may be a secret. */
export function configInvalid({ place, key, name, line, reason, allowed, nearest }: Mistake): SteleError {
  const details = Object.entries({ key, name, place, line, reason, nearest, allowed })
  const given = details.filter((detail): detail is [string, string | number] => detail[1] !== undefined)
  return new SteleError('CONFIG_INVALID', Object.fromEntries(given))
}

/** No settings come near it, and Hermes' own are far below. */
const fileBytesMax = 256 * 1024

/** Undefined where there is no such file. One that is there and cannot be read is an error, never all defaults. */
export function readConfigFile(place: ConfigPlace, file: string): Buffer | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined
  let isLarge: boolean
  try {
    const found = statSync(file)
    isLarge = found.isFile() && found.size > fileBytesMax
    // Reading a pipe would wait for its writer, for ever.
    if (found.isFile() && !isLarge) return readFileSync(file)
  } catch (cause) {
    throw new SteleError('FILE_UNREADABLE', { file: place }, { cause })
  }
  if (isLarge) throw configInvalid({ place, reason: 'larger than 256 KiB' })
  throw new SteleError('FILE_UNREADABLE', { file: place })
}
