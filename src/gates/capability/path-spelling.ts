// From a path as a call spells it to the absolute path that it names by spelling alone. No file is looked at: what only the file system
// knows (links, short names, who `~somebody` is) is told as a problem and not guessed.
import type { PathStyle } from './allowlist.js'
import { trimmedText } from './trimmed-text.js'
import { windowsSpelling } from './windows-spelling.js'

export interface PathSpelling {
  /** Absolute, without `.`, `..`, doubled and trailing slashes; null where it cannot be said. */
  readonly typed: string | null
  /** Absolute, its `..` still in it: a file system follows links before it climbs. Null where `typed` is. */
  readonly walk: string | null
  /** `unreadable`: no path at all. `unresolved`: a path that spelling alone does not place. */
  readonly problem?: 'unreadable' | 'unresolved'
  /** It holds names that may be short forms of longer ones; whoever sees the files can tell. */
  readonly short?: true
}

export interface SpellingPlace {
  readonly style: PathStyle
  /** What a relative path starts from; null where nobody says. */
  readonly cwd: string | null
  /** What `~` stands for. */
  readonly home: string | null
}

/** `address`: the tool takes URLs here, so `file:` is one and not a folder's name. */
export type SpellingKind = 'path' | 'address'

/** No file system takes a longer one, however it is written; nor, but for Windows, one that is longer without its dots. */
const longestSpelling = 32_767
const longestPath = 4096

export function pathSpelling(asked: string, place: SpellingPlace, kind: SpellingKind = 'path'): PathSpelling {
  const text = kind === 'address' && isFileAddress(asked) ? fileAddressPath(asked, place.style) : asked
  if (text === undefined) return unplaced('unresolved')
  if (text === '' || text.length > longestSpelling || text.includes('\0') || !text.isWellFormed()) return unplaced('unreadable')
  const expanded = expandHome(text, place)
  if (expanded === undefined) return unplaced('unresolved')
  return place.style === 'windows' ? windowsSpelling(expanded, place.cwd) : posixSpelling(expanded, place.cwd)
}

/** What a tool that takes URLs would read from this machine. */
export function isFileAddress(text: string): boolean {
  return /^(?:view-source:)?file:/i.test(addressText(text))
}

/** Two names are one where Unicode says that they are the same text. */
export function composedName(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC')
}

/** As a volume compares names that does not tell upper from lower case. */
export function foldedName(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  // Upper case first: it is what brings `ß` and `ss`, `ſ` and `s` together. A sigma at the end of a word is a sigma.
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
}

function unplaced(problem: 'unreadable' | 'unresolved'): PathSpelling {
  return { typed: null, walk: null, problem }
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}

function posixSpelling(text: string, cwd: string | null): PathSpelling {
  const walk = text.startsWith('/') ? text : cwd?.startsWith('/') === true ? `${cwd}/${text}` : undefined
  if (walk === undefined) return unplaced('unresolved')
  const kept: string[] = []
  for (const segment of walk.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const typed = `/${kept.join('/')}`
  return typed.length > longestPath ? unplaced('unreadable') : { typed, walk }
}

/** `~` and `~/…` only: who another user is, and where they live, is not in the spelling. */
function expandHome(text: string, { home, style }: SpellingPlace): string | undefined {
  if (!text.startsWith('~')) return text
  const next = text[1]
  if (next !== undefined && next !== '/' && !(style === 'windows' && next === '\\')) return undefined
  return home === null || home === '' ? undefined : home + text.slice(1)
}

/** As a browser reads an address: blanks around it and line breaks within it do not count. */
function addressText(text: string): string {
  return trimmedText(text, (character) => character <= ' ').replace(/[\t\n\r]/g, '')
}

/** The path in a `file:` address; undefined where readers of addresses would disagree about it. */
function fileAddressPath(address: string, style: PathStyle): string | undefined {
  const rest = addressText(address)
    .replace(/^(?:view-source:)?file:/i, '')
    .replaceAll('\\', '/')
  if (/[?#]/.test(rest)) return undefined
  const [, host, path] = /^(?:\/\/([^/]*))?(\/.*)?$/s.exec(rest) ?? []
  const decoded = percentDecoded(path ?? '')
  if (decoded === undefined || decoded === '') return undefined
  const isLocal = host === undefined || host === '' || host.toLowerCase() === 'localhost'
  if (style === 'windows') return isLocal ? decoded.replace(/^\/+(?=[a-z][:|])/i, '').replace('|', ':') : `\\\\${host}${decoded}`
  return isLocal ? decoded : undefined
}

/** Undefined for broken escapes, and for an escaped slash, which some take for a slash and some do not. */
function percentDecoded(text: string): string | undefined {
  if (/%(?:2f|5c)/i.test(text)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
