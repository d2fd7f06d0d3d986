// Whether a value that stands behind a secret name is a secret: judged by its place, its sign and its shape, beside what the name says.
import { fitsKind, looksChosen } from './looks-chosen.js'
import { looksRandom } from './looks-random.js'
import { isMarker } from './markers.js'
import { endsInName, type NameKind, nameKind, wordsOf } from './name-kind.js'
import { isLongPath, isNoSecret, isPath, isSentenceWord } from './no-secret.js'
import type { NameInText, Sign, Value } from './value-at.js'

/** So much of a value says whether it is one. */
const judgedCharactersMax = 512

/** What the place of a value says of it, beside its name. */
export function isSecretHere(named: NameInText, { style, spaced, nameQuoted }: Sign, { from, to, quoted }: Value): boolean {
  const { text, name } = named
  const kind = kindHere(named, style)
  const value = text.slice(from, Math.min(to, from + judgedCharactersMax)).trim()
  if (
    value === '' ||
    isMarker(value) ||
    isNoSecret(value) ||
    name.endsWith(`.${value}`) ||
    name === value ||
    value.startsWith('--')
  )
    return false
  if (endsInName(name)) return quoted && style !== 'argument' && /\S\s+\S/.test(value)
  if (kind === 'password' ? isLongPath(value) : isPath(value)) return false
  if (/^-?[0-9]+(?:[._][0-9]+)*(?:ms|s|m|h|d|k|kb|mb|gb|%)?$/i.test(value)) return isNumberOne(kind, value, style)
  if (style === 'spoken' && !quoted && /[,;:.!?]$/.test(value) && !/[0-9]/.test(value)) return false
  if (kind !== 'password' && kind !== 'secret') return fitsKind(kind, value)
  // A form says `Password: Password`, a program hands on `token=token`.
  const isShouted = name === name.toUpperCase() && style === 'equals' && !spaced
  if (!isShouted && isNameItself(value)) return false
  if (style === 'spoken') return isSpoken(kind, value, quoted)
  if (style === 'argument') return looksRandom(value)
  // A sentence with a name of a program in it.
  if (quoted && text[from - 1] === '`' && style === 'colon' && !/[0-9]/.test(value)) return false
  if (quoted) return !(nameQuoted && kind === 'secret' && isLabel(name, value))
  if (/^[[{(]/.test(value)) return false
  const behind = text.slice(to, to + 32)
  switch (style) {
    case 'flag':
      return !value.startsWith('-') && !/^id=/.test(value) && !isSentenceWord(value)
    case 'colon':
      return isBehindColon(kind, { value, spaced, name, behind })
    default:
      if (!spaced) return true
      // `token = nextToken`: a program, unless people choose such words.
      if (kind !== 'password') return !/^[A-Za-z_][A-Za-z_.]*$/.test(value) && !isIdentifier(value) && !value.startsWith('/')
      if (/^[A-Za-z]+(?:[_.][A-Za-z]+)+$/.test(value)) return false
      return !/^[A-Za-z]+$/.test(value) || /^[ \t]*(?:$|[\r\n#;]|\/\/)/.test(behind)
  }
}

/** A flag of a command, or a user right before, says more than the name alone. */
function kindHere({ text, start, name, kind }: NameInText, style: Sign['style']): NameKind {
  const last = wordsOf(name).at(-1)
  if (style === 'flag' && last === 'bearer') return 'secret'
  if (kind !== 'chosen') return kind
  const isBesideUser =
    /(?:\b|_)(?:user(?:name)?|login|e?mail)["']?\s{0,4}(?:[:=]|\s)\s{0,4}["']?[\w.@+-]{1,64}["']?[\s,;/]{1,8}["']?$/i
  return style === 'flag' || isBesideUser.test(text.slice(Math.max(0, start - 96), start)) ? 'password' : kind
}

function isNumberOne(kind: NameKind, value: string, style: Sign['style']): boolean {
  if (kind === 'password') return style === 'spoken' ? /^[0-9]{6,}$/.test(value) : /^[0-9]{4,}$/.test(value)
  if (kind === 'code') return fitsKind(kind, value)
  return kind === 'secret' && style !== 'spoken' && /^[0-9]{6,}$/.test(value)
}

/** `the password is hunter2`, `token a1b2c3…`, `WITH PASSWORD 'swordfish'` */
function isSpoken(kind: NameKind, value: string, quoted: boolean): boolean {
  if (isSentenceWord(value) || /^(?:sha[0-9]{1,3}|md5)[:-]/i.test(value)) return false
  if (kind === 'secret') return looksRandom(value)
  return looksChosen(value) || (quoted && /^[^\s:]{4,64}$/.test(value) && !/^[A-Z][a-z]+$/.test(value))
}

interface BehindColon {
  readonly value: string
  readonly spaced: boolean
  readonly name: string
  readonly behind: string
}

function isBehindColon(kind: NameKind, { value, spaced, name, behind }: BehindColon): boolean {
  if (isSentenceWord(value)) return false
  const plain = /^[a-z]+$|^[A-Z]?[a-z]+[.,]?$/.test(value)
  const goesOn = /^[ \t]+[a-z]/.test(behind.slice(0, 16))
  // `secret: Uint8Array`, `passphrase: hasPassphrase }`
  if (spaced && isIdentifier(value) && (kind !== 'password' || /^\s*[,)}\];|=]/.test(behind.slice(0, 16)))) return false
  if (/^[A-Z]\w*(?:\.[A-Z]\w*)+$/.test(value)) return false
  if (kind === 'password') return !(plain && goesOn)
  if (!spaced) return !plain
  return (
    !plain ||
    /^x-/i.test(name) ||
    (value.length >= 6 && wordsOf(name).at(-1) === 'secret' && /^(?:$|[\r\n])/.test(behind.slice(0, 1)))
  )
}

/** Words put together as programs do: `hasPassphrase`, `Uint8Array`. */
function isIdentifier(value: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(value) && /[a-z][0-9]{0,3}[A-Z]/.test(value) && !looksRandom(value)
}

function isNameItself(value: string): boolean {
  return /^[A-Za-z_][\w-]*$/.test(value) && !looksRandom(value) && nameKind(value) !== undefined
}

/** `"token": "Token"` in a file of labels. */
function isLabel(name: string, value: string): boolean {
  return wordsOf(name).join(' ') === value.toLowerCase()
}
