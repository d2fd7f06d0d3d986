// Settings as variables: in the environment, and in the .env file of the Hermes home, of which nothing else is kept.
import { editDistance } from '../foundation/edit-distance.js'
import { type ConfigPlace, configInvalid, type PlacedValue, readConfigFile } from './config-place.js'

/** Variable → key, the ones that count for less first. */
export type ConfigVariables = ReadonlyMap<string, string>

// Ours, and no settings: where the home is, how Stele is started, the owner's passphrase, and the tests' own.
const otherVariables = ['STELE_HOME', 'STELE_COMMAND', 'STELE_PASSPHRASE_FILE']
const testVariable = /^STELE_TEST_/

/** `STELE_` and the key in capitals, dots and humps as underscores. */
export function variableOf(key: string): string {
  const words = key.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('.', '_')
  return `STELE_${words.toUpperCase()}`
}

export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  variables: ConfigVariables,
): PlacedValue[] {
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && isUnknown(name, variables)) throw unknownVariable('environment', name, variables)
  return [...variables].flatMap(([name, key]) => {
    const value = environment[name]
    return value === undefined ? [] : [{ key, value, place: 'environment' as const, name }]
  })
}

/** Variables of other programs are passed over; ours are read strictly, since several programs read this file, each in its own way. */
export function readEnvFile(file: string, variables: ConfigVariables): PlacedValue[] {
  const place = '.env'
  const bytes = readConfigFile(place, file)
  const found = new Map<string, PlacedValue>()
  for (const assignment of bytes === undefined ? [] : assignments(new TextDecoder().decode(bytes))) {
    const { name, line } = assignment
    if (isUnknown(name, variables)) throw unknownVariable(place, name, variables, line)
    const key = variables.get(name)
    if (key === undefined) {
      const swallowed = lineOfOurs(assignment, variables)
      if (swallowed !== undefined)
        throw configInvalid({ place, line: swallowed, reason: 'inside the quotes of another variable' })
      continue
    }
    if (found.has(name)) throw configInvalid({ key, name, place, line, reason: 'stands twice' })
    const value = plainText(assignment)
    if (value === undefined)
      throw configInvalid({
        key,
        name,
        place,
        line,
        allowed: 'NAME=VALUE or NAME="VALUE", without quotes, \\, $ or ` in the value',
      })
    found.set(name, { key, value, place, name, line })
  }
  return [...variables.keys()].flatMap((name) => found.get(name) ?? [])
}

/**
 * Every variable of the file, whosever it is, as its host reads it: what is secret among them must be known. Empty where there is no such
 * file. Throws `FILE_UNREADABLE`, and `CONFIG_INVALID` where it is too large. Nothing of it may be shown or kept.
 */
export function readEnvVariables(file: string): readonly (readonly [name: string, value: string])[] {
  const bytes = readConfigFile('.env', file)
  if (bytes === undefined) return []
  return [...assignments(new TextDecoder().decode(bytes))].flatMap(({ name, quoted, rest }): [string, string][] =>
    rest === undefined ? [] : [[name, quoted ?? withoutComment(rest).trim()]],
  )
}

interface Assignment {
  readonly name: string
  readonly line: number
  /** What stands in quotes; undefined where nothing does. */
  readonly quoted: string | undefined
  /** The rest of the line, behind the equals sign or the closing quote; undefined without an equals sign. */
  readonly rest: string | undefined
}

// As the host reads it: `export` before, blanks around the sign, quotes that may go over several lines.
const statement = new RegExp(
  [
    /[^\S\n]*(?:export[^\S\n]+)?/, // before the name
    /(?:'([^'\n]+)'|([^\s=#'"]+))?/, // the name, in quotes or bare
    /([^\S\n]*=[^\S\n]*(?:'((?:\\[\s\S]|[^'\\])*)'|"((?:\\[\s\S]|[^"\\])*)")?)?/, // the sign, and what stands in quotes behind it
    /([^\n]*)\n?/, // the rest of the line
  ]
    .map(({ source }) => source)
    .join(''),
  'y',
)

function* assignments(written: string): Generator<Assignment> {
  const text = written.replace(/\r\n?/g, '\n')
  const reader = new RegExp(statement)
  for (let line = 1; reader.lastIndex < text.length; ) {
    const [whole = '', inQuotes, bare, sign, single, double, rest] = reader.exec(text) ?? []
    const name = inQuotes ?? bare
    if (name !== undefined) yield { name, line, quoted: single ?? double, rest: sign === undefined ? undefined : rest }
    line += whole.split('\n').length - 1
  }
}

/** The value, where every reader of such files would read the same; else undefined. */
function plainText({ quoted, rest }: Assignment): string | undefined {
  if (rest === undefined || (quoted !== undefined && !/^\s*(#.*)?$/.test(rest))) return undefined
  const value = quoted ?? withoutComment(rest).trim()
  return /['"\\$`\n\ufffd]/.test(value) ? undefined : value
}

/** A comment begins the line or stands behind a blank. Of the blanks only the last is looked at: there may be very many. */
function withoutComment(rest: string): string {
  const at = rest.search(/(?<=^|\s)#/)
  return at < 0 ? rest : rest.slice(0, at)
}

/** A quote that somebody forgot to close hides the lines below it, from the host too. */
function lineOfOurs({ quoted = '', line }: Assignment, variables: ConfigVariables): number | undefined {
  const below = quoted.split('\n').findIndex((text, at) => {
    const name = /^\s*(?:export\s+)?(\w+)\s*=/.exec(text)?.[1]
    return at > 0 && name !== undefined && (variables.has(name) || isUnknown(name, variables))
  })
  return below < 0 ? undefined : line + below
}

function isUnknown(name: string, variables: ConfigVariables): boolean {
  return name.startsWith('STELE_') && !variables.has(name) && !otherVariables.includes(name) && !testVariable.test(name)
}

function unknownVariable(place: ConfigPlace, name: string, variables: ConfigVariables, line?: number) {
  const ours = [...variables.keys(), ...otherVariables].filter((known) => known.startsWith('STELE_'))
  const distances = ours.map((known) => ({ known, distance: editDistance(name.slice(0, 64), known) }))
  const [nearest] = distances.sort((a, b) => a.distance - b.distance)
  return configInvalid({ key: name, place, line, reason: 'no such variable', nearest: nearest?.known })
}
