// Finds values under names that say that they are secrets, wherever such names stand in a text: `NAME=value`, `name: "two words"`, JSON with or
// without escaped quotes, `name => value`, `<name>value</name>`, `--name value`. One walk from left to right; nothing is looked at twice.
import { looksRandom } from './looks-random.js'
import { isMarker, markerEnd } from './markers.js'
import { endsInName, type NameKind, nameKind, wordsOf } from './name-kind.js'
import { isNoSecret, isPath, isSentenceWord } from './no-secret.js'

/** A stretch of a text: its first place, and the place behind its last. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

export interface AssignedValue extends Stretch {
  /** `command-flag` where the name is one of a command line and nothing but a blank stands between. */
  readonly how: 'assigned-value' | 'command-flag'
}

/** Parts of names that may make one a secret's. What is found is judged by its whole words. */
const partOfName =
  /pass|pwd|pw\b|token|secret|credential|cookie|auth|key|sig|bearer|mnemonic|phrase|wort|\bpat|_pat|jwt|sessid|jsession|密码|口令/gi
/** Without one of these nothing is assigned. */
const assigns = /[=:>：]|--?[a-z]|\s["']|\s(?:is|was|ist|是)\s/i

const valueCharactersMax = 16_384
const blanksMax = 64
/** So much of a value says whether it is one. */
const judgedCharactersMax = 512

/** Values under secret names, in order, none within another. */
export function assignedValues(text: string): AssignedValue[] {
  if (!assigns.test(text)) return []
  const found: AssignedValue[] = []
  const parts = new RegExp(partOfName)
  const ends = new BareEnds(text)
  let done = 0
  for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
    let start = part.index
    while (start > done && isNameCharacter(text.charCodeAt(start - 1))) start -= 1
    // The letter of an escaped line break, where a text stands in JSON.
    if (text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? '') && start < part.index) start += 1
    let end = parts.lastIndex
    while (end < text.length && isNameCharacter(text.charCodeAt(end))) end += 1
    parts.lastIndex = end
    done = end
    const name = text.slice(start, end)
    const kind = nameKind(/^keys?$/i.test(name) ? wholeName(text, start, end) : name)
    if (kind === undefined) continue
    const value = valueBehind({ text, start, end, name, kind, ends })
    if (value === undefined) continue
    found.push(value)
    parts.lastIndex = Math.max(end, value.to)
    done = parts.lastIndex
  }
  return found
}

/** `API key`: the word before says whose key it is. */
function wholeName(text: string, start: number, end: number): string {
  const before = /\b(api|access|secret|private|encryption|master|signing|auth|account|shared) $/i.exec(
    text.slice(Math.max(0, start - 16), start),
  )
  return `${before?.[1] ?? ''}_${text.slice(start, end)}`
}

interface NameInText {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly name: string
  readonly kind: NameKind
  readonly ends: BareEnds
}

interface Sign {
  /** Where the value may begin. */
  readonly at: number
  readonly style: 'equals' | 'colon' | 'element' | 'flag' | 'spoken'
  /** Blanks stand around the sign. */
  readonly spaced: boolean
  readonly nameQuoted: boolean
}

interface Value extends Stretch {
  readonly quoted: boolean
}

function valueBehind(named: NameInText): AssignedValue | undefined {
  const { text } = named
  const sign = signBehind(named)
  if (sign === undefined) return undefined
  const value = sign.style === 'element' ? elementValue(text, sign.at) : valueAt(named, sign)
  if (value === undefined || value.to <= value.from) return undefined
  return isSecretHere(named, sign, value)
    ? { from: value.from, to: value.to, how: sign.style === 'flag' ? 'command-flag' : 'assigned-value' }
    : undefined
}

function signBehind({ text, start, end, name, kind }: NameInText): Sign | undefined {
  const quote = quoteAt(text, end)
  const nameQuoted = quote !== undefined
  // `case 'pw':`, and the middle of a choice.
  if (nameQuoted && /(?:\?|\bcase)\s{0,4}$/.test(text.slice(Math.max(0, start - 9), start - 1))) return undefined
  let at = quote ?? end
  if (nameQuoted && text[at] === ']') at += 1
  if (text[at] === '?' || (text[at] === '!' && text[at + 1] === ':')) at += 1
  const blank = skipBlanks(text, at, nameQuoted)
  const sign = text[blank]
  const next = text[blank + 1]
  const style = (style: Sign['style'], behind: number): Sign | undefined => {
    const value = skipBlanks(text, behind, nameQuoted)
    // `pw :8080`
    if (style === 'colon' && !nameQuoted && blank > at && value === behind) return undefined
    return { at: value, style, spaced: blank > at || value > behind, nameQuoted }
  }
  if (sign === '=' && next === '>') return style('equals', blank + 2)
  if (sign === '=') return next === '=' || next === '~' ? undefined : style('equals', blank + 1)
  if (sign === ':' && next === '=') return style('equals', blank + 2)
  // `std::token::kind`, `token://`
  if (sign === ':') return next === ':' || (next === '/' && text[blank + 2] === '/') ? undefined : style('colon', blank + 1)
  if (sign === '：') return style('colon', blank + 1)
  if (sign === '>' && blank === end && text[start - 1] === '<') return style('element', blank + 1)
  if (blank === at || nameQuoted) return undefined
  if (isFlag(name)) return { at: blank, style: 'flag', spaced: true, nameQuoted }
  if (kind === 'perhaps') return undefined
  if (kind === 'password' && quoteAt(text, blank) !== undefined) return { at: blank, style: 'spoken', spaced: true, nameQuoted }
  const is = /(?:is|was|ist|是)[:\s]\s{0,8}/iy
  is.lastIndex = blank
  return is.test(text) ? { at: is.lastIndex, style: 'spoken', spaced: true, nameQuoted } : undefined
}

/** One dash alone begins a bundle of letters as well: `-psecret` is another thing. */
function isFlag(name: string): boolean {
  return (
    /^--[A-Za-z]/.test(name) ||
    /^-(?:pass(?:word|wd|phrase)?|token|secret|api-?key|auth|pwd|[a-z]{2,16}-[a-z-]{2,32})$/i.test(name)
  )
}

/** Between the tags; an element within is none. */
function elementValue(text: string, at: number): Value | undefined {
  const to = text.slice(at, at + valueCharactersMax).indexOf('<')
  return to <= 0 || text[at + to + 1] !== '/' ? undefined : { from: at, to: at + to, quoted: true }
}

const typedBefore =
  /(?:string|str|String|bytes|any|&(?:'static )?str|SecretStr|Optional\[str\])(?: \| \w{1,20}){0,3}\s{0,8}=(?![=>])\s{0,8}/y

function valueAt(named: NameInText, { at: first, style, nameQuoted }: Sign): Value | undefined {
  const { text } = named
  let at = first
  if (style === 'colon' && !nameQuoted) {
    typedBefore.lastIndex = at
    if (typedBefore.test(text)) at = typedBefore.lastIndex
  }
  // b'…', f"…", @"…"
  const prefix = /(?:[bfruBFRU]{1,2}|[@$])(?=["'])/y
  prefix.lastIndex = at
  if (prefix.test(text)) at = prefix.lastIndex
  const opened = quoteAt(text, at)
  if (opened !== undefined) {
    // The name stands inside of quotes, and this is their end: `'Password: ', stream`.
    if (!nameQuoted && /^(?:[,)\];+|%\s]|$)/.test(text.slice(opened, opened + 1))) return undefined
    return quotedValue(named, at, opened)
  }
  if (style === 'colon' && /^[|>][+-]?[ \t]*\n/.test(text.slice(at, at + 8))) return blockValue(text, at)
  return bareValue(named, at)
}

/** Where a quote that begins at a place ends, with the backslashes before it; undefined where there is none. */
function quoteAt(text: string, at: number): number | undefined {
  let place = at
  while (text[place] === '\\' && place - at < 8) place += 1
  const sign = text[place]
  return sign === '"' || sign === "'" || (sign === '`' && place === at) ? place + 1 : undefined
}

/**
 * To the quote that closes it: the same sign behind as many backslashes. Where there is none, to the end of the line; only a variable of a
 * shell may go over several.
 */
function quotedValue({ text, name }: NameInText, at: number, from: number): Value {
  const sign = text[from - 1] ?? ''
  const depth = from - 1 - at
  const most = Math.min(text.length, from + valueCharactersMax)
  const limit = text[at - 1] === '=' && name === name.toUpperCase() ? most : lineEnd(text, from, most)
  for (let place = text.indexOf(sign, from); place >= 0 && place < limit; place = text.indexOf(sign, place + 1)) {
    let before = place
    while (before > from && text[before - 1] === '\\') before -= 1
    const slashes = place - before
    // An escaped quote inside stands behind an odd number more.
    if (slashes <= depth || (depth === 0 && slashes % 2 === 0))
      return { from, to: slashes >= depth ? place - depth : before, quoted: true }
  }
  return { from, to: lineEnd(text, from, limit), quoted: true }
}

/** The lines below that stand further in, as YAML writes long values. */
function blockValue(text: string, at: number): Value | undefined {
  const block = /[|>][+-]?[ \t]*((?:\n[ \t]+[^\n]{1,512}){1,64})/y
  block.lastIndex = at
  const lines = block.exec(text)?.[1]
  if (lines === undefined) return undefined
  const to = block.lastIndex
  const from = to - lines.trimStart().length
  return { from, to, quoted: true }
}

const endOfBare = /[\s&"'<>;,})\]`|\\]/g

/** Where values without quotes end. What one name has looked through, the next one does not look through again. */
class BareEnds {
  readonly #text: string
  #from = 0
  #to = -1

  constructor(text: string) {
    this.#text = text
  }

  behind(at: number): number {
    if (at < this.#from || at > this.#to) {
      endOfBare.lastIndex = at
      this.#from = at
      this.#to = endOfBare.exec(this.#text)?.index ?? this.#text.length
    }
    return this.#to
  }
}
const assignmentLine = /^(?:export |declare -x |set )?[A-Za-z_]\w{0,127}=/

function bareValue({ text, name, ends }: NameInText, at: number): Value {
  const line = dumpedLine(text, at)
  if (line !== undefined) return { from: at, to: line, quoted: false }
  const field = name === name.toUpperCase() ? undefined : connectionField(text, at)
  if (field !== undefined) return { from: at, to: field, quoted: false }
  let place = at
  for (let marker = markerEnd(text, place); marker !== undefined; marker = markerEnd(text, place)) place = marker
  // A reference is one word, whatever stands in its brackets.
  const reference = /\$\{\{?[^}\n]{0,256}\}\}?|\$\([^)\n]{0,256}\)|\{\{[^}\n]{0,256}\}\}/y
  reference.lastIndex = place
  if (reference.test(text)) place = reference.lastIndex
  return { from: at, to: ends.behind(place), quoted: false }
}

/** `Pwd=two words;Server=…`: fields of a connection string end with a semicolon. */
function connectionField(text: string, at: number): number | undefined {
  if (text[at - 1] !== '=') return undefined
  const field = /[^;"'\r\n]{1,256}(?=;[A-Za-z][A-Za-z ]{0,40}=)/y
  field.lastIndex = at
  return field.test(text) ? field.lastIndex : undefined
}

/** In a listing of variables, as `env` prints them, a value goes to the end of its line. Undefined where this is none. */
function dumpedLine(text: string, at: number): number | undefined {
  if (text[at - 1] !== '=') return undefined
  const back = text.slice(Math.max(0, at - 160), at)
  const start = at - back.length + back.lastIndexOf('\n') + 1
  if ((start > 0 && text[start - 1] !== '\n') || !assignmentLine.test(text.slice(start, at))) return undefined
  const end = lineEnd(text, at, Math.min(text.length, at + valueCharactersMax))
  const below = assignmentLine.test(text.slice(end + 1, end + 160))
  const above = text.slice(Math.max(0, start - 512), Math.max(0, start - 1))
  return below || assignmentLine.test(above.slice(above.lastIndexOf('\n') + 1)) ? end : undefined
}

function lineEnd(text: string, from: number, limit: number): number {
  const found = text.slice(from, limit).search(/[\r\n]/)
  return found < 0 ? limit : from + found
}

/** What the place of a value says of it, beside its name. */
function isSecretHere(
  { text, name, kind }: NameInText,
  { style, spaced, nameQuoted }: Sign,
  { from, to, quoted }: Value,
): boolean {
  const value = text.slice(from, Math.min(to, from + judgedCharactersMax)).trim()
  if (value === '' || isMarker(value) || isNoSecret(value) || name.endsWith(`.${value}`) || name === value) return false
  if (endsInName(name)) return quoted && /\S\s+\S/.test(value)
  if (kind !== 'password' && isPath(value)) return false
  if (/^-?[0-9]+(?:[._][0-9]+)*(?:ms|s|m|h|d|k|kb|mb|gb|%)?$/i.test(value))
    return kind === 'password' ? /^[0-9]{4,}$/.test(value) : kind === 'secret' && /^[0-9]{6,}$/.test(value)
  if (kind === 'perhaps') return looksRandom(value.replace(/^Bearer |^Basic /i, ''))
  // A form says `Password: Password`, a program hands on `token=token`.
  const isShouted = name === name.toUpperCase() && style === 'equals' && !spaced
  if (!isShouted && isNameItself(value)) return false
  if (style === 'spoken') return kind === 'secret' ? looksRandom(value) : isSpokenPassword(value)
  // A sentence with a name of a program in it.
  if (quoted && text[from - 1] === '`' && style === 'colon' && !/[0-9]/.test(value)) return false
  if (quoted) return !(nameQuoted && kind === 'secret' && isLabel(name, value))
  if (/^[[{(]/.test(value)) return false
  switch (style) {
    case 'flag':
      return !value.startsWith('-') && !/^id=/.test(value) && !isSentenceWord(value)
    case 'colon': {
      if (isSentenceWord(value)) return false
      const plain = /^[a-z]+$|^[A-Z]?[a-z]+[.,]?$/.test(value)
      const goesOn = /^[ \t]+[a-z]/.test(text.slice(to, to + 16))
      // `secret: Uint8Array`, `passphrase: hasPassphrase }`
      if (spaced && isIdentifier(value) && (kind !== 'password' || /^\s*[,)}\];|=]/.test(text.slice(to, to + 16)))) return false
      if (kind === 'password') return !(plain && goesOn)
      if (!spaced) return !plain
      return !plain || (value.length >= 6 && wordsOf(name).at(-1) === 'secret' && /^(?:$|[\r\n])/.test(text.slice(to, to + 1)))
    }
    default:
      if (!spaced) return true
      // `token = nextToken`: a program, unless people choose such words.
      if (kind !== 'password') return !/^[A-Za-z_][A-Za-z_.]*$/.test(value) && !isIdentifier(value) && !value.startsWith('/')
      if (/^[A-Za-z]+(?:[_.][A-Za-z]+)+$/.test(value)) return false
      return !/^[A-Za-z]+$/.test(value) || /^[ \t]*(?:$|[\r\n#;]|\/\/)/.test(text.slice(to, to + 32))
  }
}

/** Words put together as programs do: `hasPassphrase`, `Uint8Array`. */
function isIdentifier(value: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(value) && /[a-z][0-9]{0,3}[A-Z]/.test(value) && !looksRandom(value)
}

/** `the password is hunter2`, `WITH PASSWORD 'hunter2'` */
function isSpokenPassword(value: string): boolean {
  if (isSentenceWord(value) || isNameOfACoding(value) || value.length < 6) return false
  return /[0-9]/.test(value) && /[A-Za-z!@#$%^&*_-]/.test(value)
}

function isNameItself(value: string): boolean {
  return /^[A-Za-z_][\w-]*$/.test(value) && !looksRandom(value) && nameKind(value) !== undefined
}

/** `"token": "Token"` in a file of labels. */
function isLabel(name: string, value: string): boolean {
  return wordsOf(name).join(' ') === value.toLowerCase()
}

function isNameOfACoding(value: string): boolean {
  return /^(?:base(?:16|32|58|64)|sha-?[0-9]+|md5|utf-?(?:8|16)|argon2(?:id?)?|pbkdf2|oauth2|ed25519|aes-?[0-9]+)\b/i.test(value)
}

function skipBlanks(text: string, at: number, lines: boolean): number {
  let place = at
  const limit = at + blanksMax
  while (
    place < limit &&
    (text[place] === ' ' || text[place] === '\t' || (lines && (text[place] === '\n' || text[place] === '\r')))
  )
    place += 1
  return place
}

function isNameCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  )
}
