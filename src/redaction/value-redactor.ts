// Takes secrets out of plain JSON: out of its strings and names, out of members whose name says that they are secrets, out of values beside the
// name of one, and out of the words of a command that come one by one.
import { commandCookies, commandPasswords, commandUsers } from './command-passwords.js'
import { fitsKind, looksChosen } from './looks-chosen.js'
import { looksRandom } from './looks-random.js'
import { isMarker, markers } from './markers.js'
import { endsInName, type NameKind, nameKind } from './name-kind.js'
import { isLongPath, isNoSecret, isPath } from './no-secret.js'
import type { Stretch } from './stretch.js'

interface Counted {
  count: number
}

type Members = Readonly<Record<string, unknown>>

type TextRedactor = (text: string) => { readonly text: string; readonly count: number }

export interface ValueRedactor {
  /** The very same value where nothing was found. */
  value(value: unknown): { readonly value: unknown; readonly count: number }
  named(name: string, value: unknown): { readonly value: unknown; readonly count: number }
}

export function valueRedactor(text: TextRedactor): ValueRedactor {
  const walk = (value: unknown, counted: Counted): unknown => {
    if (typeof value === 'string') {
      const { text: kept, count } = text(value)
      counted.count += count
      return kept
    }
    if (Array.isArray(value)) {
      const words = withoutPasswords(value, counted)
      const members = words.map((member: unknown, at) => walkMember(words[at - 1], member, counted, words.length === 2))
      return members.every((member, at) => member === value[at]) ? value : members
    }
    return isMembers(value) ? walkMembers(value, counted) : value
  }

  /** Words of a command may come one by one: what stands behind `--password` is one. So may a name and its value, in a list of two. */
  const walkMember = (before: unknown, member: unknown, counted: Counted, isPair: boolean): unknown => {
    if (typeof before !== 'string' || typeof member !== 'string' || /^-/.test(member)) return walk(member, counted)
    const isFlag = /^--?[A-Za-z][\w-]{1,64}$/.test(before)
    const isNamed = isPair && /^[A-Za-z][\w.-]{1,64}$/.test(before) && (looksChosen(member) || looksRandom(member))
    const kind = isFlag || isNamed ? nameKind(before) : undefined
    // A flag's value is one word: what somebody would choose is enough.
    return kind === undefined || kind === 'perhaps'
      ? walk(member, counted)
      : walkSecret(kind === 'chosen' ? 'password' : kind, member, counted)
  }

  const walkMembers = (value: Members, counted: Counted): unknown => {
    let isChanged = false
    const taken = new Set<string>()
    const beside = nameBeside(value)
    const members = Object.entries(value).map(([name, member]): [string, unknown] => {
      let keptName: string = text(name).text
      if (keptName !== name) {
        counted.count += 1
        while (Object.hasOwn(value, keptName) || taken.has(keptName)) keptName += ' '
        taken.add(keptName)
      }
      const isBeside = typeof member === 'string' && beside !== undefined && valueNames.has(name.toLowerCase())
      const kept = isBeside ? walkSecret(beside, member, counted) : walkNamed(name, member, counted, value)
      isChanged ||= keptName !== name || kept !== member
      return [keptName, kept]
    })
    return isChanged ? Object.fromEntries(members) : value
  }

  /** A text that a name says to be a secret. One that only says where it is stays, unless something is found in it. */
  const walkSecret = (kind: NameKind, value: string, counted: Counted): unknown => {
    const fits = fitsKind(kind, value)
    if (fits && !isNoSecret(value) && !(kind === 'password' ? isLongPath(value) : isPath(value))) return whole(counted)
    const inner = { count: 0 }
    const kept = walk(value, inner)
    if (kept !== value && fits && !isMarker(String(kept))) return whole(counted)
    counted.count += inner.count
    return kept
  }

  const walkNamed = (name: string, value: unknown, counted: Counted, among?: Members): unknown => {
    const kind = isPrivateOfKey(name, among) ? 'secret' : kindAmong(name, among)
    if (kind === undefined || value === null || value === undefined || typeof value === 'boolean') return walk(value, counted)
    if (typeof value === 'number') {
      const isOne = kind === 'password' || (kind === 'secret' && Math.abs(value) >= 100_000) || (kind === 'code' && value >= 1000)
      return isOne ? whole(counted) : value
    }
    if (typeof value === 'string') {
      return endsInName(name) ? walk(value, counted) : walkSecret(kind, value, counted)
    }
    const isSure = kind === 'password' || kind === 'secret'
    if (isSure && !endsInName(name) && !isDescription(value)) return Object.keys(value).length === 0 ? value : whole(counted)
    if (!Array.isArray(value)) return walk(value, counted)
    const members = value.map((member) => walkNamed(name, member, counted))
    return members.every((member, at) => member === value[at]) ? value : members
  }

  const counting = (work: (counted: Counted) => unknown): { readonly value: unknown; readonly count: number } => {
    const counted = { count: 0 }
    return { value: work(counted), count: counted.count }
  }
  return {
    value: (value) => counting((counted) => walk(value, counted)),
    named: (name, value) => counting((counted) => walkNamed(name, value, counted)),
  }
}

function whole(counted: Counted): string {
  counted.count += 1
  return markers.secret
}

/** Members that name what another one holds. */
const nameNames: readonly string[] = [
  'name',
  'key',
  'field',
  'selector',
  'element',
  'label',
  'locator',
  'header',
  'variable',
  'id',
  'ref',
]
const valueNames: ReadonlySet<string> = new Set(['value', 'text', 'content', 'input', 'stringvalue', 'default'])

/** `{"name": "DB_PASSWORD", "value": "…"}`, `{"selector": "#password", "text": "…"}`, and cookies, which have a domain. */
function nameBeside(members: Members): NameKind | undefined {
  for (const [name, value] of Object.entries(members)) {
    if (typeof value !== 'string' || value.length > 128 || !nameNames.includes(name.toLowerCase())) continue
    const last = /[A-Za-z][\w.-]*(?=["'\]) ]*$)/.exec(value.replace(/ (?:field|input|box|textbox)$/i, ''))?.[0] ?? ''
    const kind = nameKind(last)
    if (kind !== undefined) return kind
    if (name === 'name' && 'domain' in members && /sess|sid|auth|token|remember/i.test(value)) return 'secret'
  }
  return undefined
}

function kindAmong(name: string, among: Members | undefined): NameKind | undefined {
  const kind = nameKind(name)
  if (kind !== 'chosen' || among === undefined) return kind
  return Object.keys(among).some((other) => /^(?:user(?:name)?|login|e?mail|host)$/i.test(other)) ? 'password' : kind
}

/** The private members of a JSON Web Key. */
function isPrivateOfKey(name: string, among: Members | undefined): boolean {
  return among?.['kty'] !== undefined && /^(?:d|p|q|dp|dq|qi|k)$/.test(name)
}

/** What a schema or a form says of a secret, or where one is. */
function isDescription(value: object): boolean {
  if (Array.isArray(value))
    return value.every((member) => typeof member === 'string' && (isNoSecret(member) || nameKind(member) !== undefined))
  const names = Object.keys(value)
  return names.some((name) => descriptions.has(name)) && names.every((name) => !/^(?:value|data|plain|secret)$/i.test(name))
}

const descriptions: ReadonlySet<string> = new Set([
  'type',
  '$ref',
  'anyOf',
  'oneOf',
  'allOf',
  'description',
  'secretKeyRef',
  'valueFrom',
  'fromEnv',
  'env',
  'required',
  'minLength',
  'format',
  'external',
])

/** A list of texts as one command: what its flags carry goes. The very same list where that is nothing. */
function withoutPasswords(given: readonly unknown[], counted: Counted): readonly unknown[] {
  if (given.length < 2 || given.length > 256 || !given.every((word) => typeof word === 'string' && word.length <= 4096))
    return given
  const words = given.map(String)
  // As long as they were, and one word each.
  const line = words.map((word) => word.replace(/[\s"'`\\;|&<>]/g, '_')).join(' ')
  const found: Stretch[] = [...commandPasswords(line), ...commandUsers(line), ...commandCookies(line)]
  if (found.length === 0) return given
  let start = 0
  return words.map((word) => {
    const inWord = found.find(({ from }) => from >= start && from < start + word.length)
    const at = inWord === undefined ? -1 : inWord.from - start
    start += word.length + 1
    if (at < 0 || isMarker(word.slice(at))) return word
    counted.count += 1
    return word.slice(0, at) + markers.secret
  })
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}
