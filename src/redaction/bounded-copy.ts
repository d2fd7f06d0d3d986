// Copies strange data into plain JSON within fixed bounds of depth and work, whatever it is made of: no getter, cycle or size gets further.
import type { JsonValue } from '../foundation/canonical-json.js'
import { charactersIn } from './cut-text.js'
import type { FieldLength } from './input-metadata.js'
import { schemaNames } from './input-metadata.js'

export const copyLimits = {
  /** The root is at depth 0. */
  depth: 5,
  fields: 32,
  items: 16,
  /** A longer text goes whole: a secret is not cut in half. */
  textCharacters: 65_536,
  /** Values and names looked at. */
  work: 512,
  /** Of all names and texts together. */
  characters: 131_072,
} as const

/** What stands in the place of what cannot be handed on. */
export const lossMarkers = {
  unsupported: '[unsupported]',
  oversized: '[oversized field omitted]',
  depth: '[depth limit]',
  work: '[work limit]',
  size: '[size limit]',
} as const

/** What got lost on the way; shared by all passes over one state. */
export interface Losses {
  isLost: boolean
  readonly paths: string[]
  readonly lengths: FieldLength[]
}

/** Beyond the first fields short texts are copied too: one of them may be the name that makes another one a secret. They are dropped later. */
const contextMax = 512
const contextCharactersMax = 128

interface Copying {
  readonly losses: Losses
  workLeft: number
  charactersLeft: number
  contextLeft: number
}

/** Plain JSON of the given data. What is beyond `fields` in an object is still there where it is a short text; the caller drops it. */
export function boundedCopy(given: unknown, losses: Losses): JsonValue {
  const copying: Copying = {
    losses,
    workLeft: copyLimits.work,
    charactersLeft: copyLimits.characters,
    contextLeft: contextMax,
  }
  return copyValue(given, 0, '', copying)
}

export function lose(losses: Losses, path: string): void {
  losses.isLost = true
  const named = path === '' ? 'state' : path
  if (!losses.paths.includes(named)) losses.paths.push(named)
}

/** The path of a member: fixed names at the top, positions elsewhere. */
export function memberPath(parent: string, depth: number, name: string, at: number): string {
  if (depth === 0 && schemaNames.has(name)) return name
  return `${parent === '' ? 'state' : parent}.field[${at}]`
}

function copyValue(given: unknown, depth: number, path: string, copying: Copying): JsonValue {
  const { losses } = copying
  copying.workLeft -= 1
  if (copying.workLeft < 0) {
    lose(losses, path)
    return lossMarkers.work
  }
  if (depth > copyLimits.depth) {
    lose(losses, path)
    return lossMarkers.depth
  }
  if (given === null || typeof given === 'boolean') return given
  if (typeof given === 'number') {
    if (Number.isFinite(given)) return given
    lose(losses, path)
    return null
  }
  if (typeof given === 'string') return copyText(given, path, copying)
  const kind = kindOf(given)
  if (kind === 'list') return copyList(given as readonly unknown[], depth, path, copying)
  if (kind === 'members') return copyMembers(given as Readonly<Record<string, unknown>>, depth, path, copying)
  lose(losses, path)
  return lossMarkers.unsupported
}

function copyText(given: string, path: string, copying: Copying): string {
  const { losses } = copying
  if (given.length > copyLimits.textCharacters) {
    const characters = charactersIn(given)
    if (characters > copyLimits.textCharacters) {
      lose(losses, path)
      losses.lengths.push({ field: path === '' ? 'state' : path, original_chars: characters, processed_chars: 0 })
      return lossMarkers.oversized
    }
  }
  copying.charactersLeft -= given.length
  if (copying.charactersLeft < 0) {
    // All that follows is beyond it too.
    copying.workLeft = 0
    lose(losses, path)
    return lossMarkers.work
  }
  if (given.isWellFormed()) return given
  lose(losses, path)
  return given.toWellFormed()
}

function copyList(given: readonly unknown[], depth: number, path: string, copying: Copying): JsonValue[] {
  const length = attempt(() => given.length) ?? 0
  if (length > copyLimits.items) lose(copying.losses, path)
  const copied: JsonValue[] = []
  for (let at = 0; at < Math.min(length, copyLimits.items); at += 1)
    copied.push(
      copyValue(
        attempt(() => given[at]),
        depth + 1,
        `${path === '' ? 'state' : path}[${at}]`,
        copying,
      ),
    )
  return copied
}

function copyMembers(given: Readonly<Record<string, unknown>>, depth: number, path: string, copying: Copying): JsonValue {
  const { losses } = copying
  const names = attempt(() => Object.keys(given))
  if (names === undefined) {
    lose(losses, path)
    return lossMarkers.unsupported
  }
  if (names.length > copyLimits.fields) lose(losses, path)
  if (attempt(() => Object.getOwnPropertySymbols(given).length) !== 0) lose(losses, path)
  const copied: Record<string, JsonValue> = {}
  for (const [at, name] of names.slice(0, copyLimits.fields).entries()) {
    copying.workLeft -= 1
    copying.charactersLeft -= name.length
    if (copying.workLeft < 0 || copying.charactersLeft < 0 || name.length > copyLimits.textCharacters) {
      copying.workLeft = Math.min(copying.workLeft, 0)
      lose(losses, path)
      return copied
    }
    const member = memberPath(path, depth, name, at)
    if (!name.isWellFormed()) lose(losses, member)
    setOwn(
      copied,
      name.toWellFormed(),
      copyValue(
        attempt(() => given[name]),
        depth + 1,
        member,
        copying,
      ),
    )
  }
  for (const name of names.slice(copyLimits.fields)) {
    copying.contextLeft -= 1
    if (copying.contextLeft < 0) break
    const value = attempt(() => given[name])
    const isContext = typeof value === 'string' && value.length <= contextCharactersMax && name.length <= contextCharactersMax
    setOwn(copied, name.toWellFormed(), isContext ? value.toWellFormed() : null)
  }
  return copied
}

function kindOf(given: unknown): 'list' | 'members' | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  if (attempt(() => Array.isArray(given)) === true) return 'list'
  const prototype = attempt(() => Object.getPrototypeOf(given) as unknown)
  return prototype === null || prototype === Object.prototype ? 'members' : undefined
}

/** A getter or a proxy may throw; then there is nothing. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Plain assignment to `__proto__` would set the prototype and lose the member. */
export function setOwn(members: Record<string, JsonValue>, name: string, value: JsonValue): void {
  Object.defineProperty(members, name, { value, enumerable: true, writable: true, configurable: true })
}
