// Finds how far a value goes, once its place is known: between quotes, tags or braces, to the end of a field, a line or a word.
import { markerEnd } from './markers.js'
import type { NameKind } from './name-kind.js'
import type { Stretch } from './stretch.js'

export interface NameInText {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly name: string
  readonly kind: NameKind
  readonly ends: BareEnds
}

export interface Sign {
  /** Where the value may begin. */
  readonly at: number
  /** `argument`: the next one of a call. `spoken`: in a sentence. */
  readonly style: 'equals' | 'colon' | 'element' | 'flag' | 'spoken' | 'argument'
  /** Blanks stand around the sign. */
  readonly spaced: boolean
  readonly nameQuoted: boolean
}

export interface Value extends Stretch {
  readonly quoted: boolean
}

const valueCharactersMax = 16_384
const blanksMax = 64

/** Between the tags; an element within is none. */
export function elementValue(text: string, at: number): Value | undefined {
  const to = text.slice(at, at + valueCharactersMax).indexOf('<')
  return to <= 0 || text[at + to + 1] !== '/' ? undefined : { from: at, to: at + to, quoted: true }
}

const typedBefore =
  /(?:string|str|String|bytes|any|&(?:'static )?str|SecretStr|Optional\[str\])(?: \| \w{1,20}){0,3}\s{0,8}=(?![=>])\s{0,8}/y

export function valueAt(named: NameInText, sign: Sign): Value | undefined {
  const { text } = named
  const { at: first, style, nameQuoted } = sign
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
  return bareValue(named, sign, at)
}

/** Where a quote that begins at a place ends, with the backslashes before it; undefined where there is none. */
export function quoteAt(text: string, at: number): number | undefined {
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

const endOfBare = /[\s\0&"'<>;,})\]`|\\，。；、！]/g

/** Where values without quotes end. What one name has looked through, the next one does not look through again. */
export class BareEnds {
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

function bareValue(named: NameInText, { style, nameQuoted }: Sign, at: number): Value {
  const { text, name, ends } = named
  const line = dumpedLine(text, at)
  if (line !== undefined) return { from: at, to: line, quoted: false }
  const isUpper = name === name.toUpperCase()
  const field = isUpper ? undefined : connectionField(text, at)
  if (field !== undefined) return { from: at, to: field, quoted: false }
  const word = style === 'equals' && !nameQuoted && (isUpper || named.kind === 'password') ? shellWord(named, at) : undefined
  if (word !== undefined) return { from: at, to: word, quoted: false }
  let place = at
  for (let marker = markerEnd(text, place); marker !== undefined; marker = markerEnd(text, place)) place = marker
  // A reference is one word, whatever stands in its brackets.
  reference.lastIndex = place
  if (reference.test(text)) place = reference.lastIndex
  return { from: at, to: asWritten(text, at, ends.behind(place), name), quoted: false }
}

const reference =
  /[$#%]\{\{?[^}\n]{0,256}\}\}?|\$\([^)\n]{0,256}\)|\{\{[^}\n]{0,256}\}\}|<%[^%\n]{0,256}%>|@Microsoft\.KeyVault\([^)\n]{0,256}\)/y

/** In an address within an address `%26` is a `&`. Behind a name of a script without blanks its next letter ends the value. */
function asWritten(text: string, from: number, to: number, name: string): number {
  const isEscaped = /^%3d$/i.test(text.slice(from - 3, from))
  if (!isEscaped && !isUnspaced(name)) return to
  const end = text.slice(from, Math.min(to, from + 512)).search(isEscaped ? /%26|%23/ : /[\u3000-\u9fff\uac00-\ud7af]/)
  return end < 0 ? to : from + end
}

/** Chinese, Japanese and Korean. */
export function isUnspaced(name: string): boolean {
  return /[\u3040-\u9fff\uac00-\ud7af]/.test(name)
}

/** `"NAME=two words"`: the quote before the name closes the value. */
function shellWord({ text, start }: NameInText, at: number): number | undefined {
  const quote = text[start - 1]
  if ((quote !== '"' && quote !== "'") || text[start - 2] === '\\' || text[at - 1] !== '=') return undefined
  const word = /[^"'&=;,\\\s]{1,256}(?: [^"'&=;,\\\s]{1,64}){1,8}(?=["'])/y
  word.lastIndex = at
  return word.test(text) && text[word.lastIndex] === quote ? word.lastIndex : undefined
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

export function skipBlanks(text: string, at: number, lines: boolean): number {
  let place = at
  const limit = at + blanksMax
  while (place < limit && (isBlank(text[place]) || (lines && (text[place] === '\n' || text[place] === '\r')))) place += 1
  return place
}

function isBlank(sign: string | undefined): boolean {
  return sign === ' ' || sign === '\t' || sign === '\u00a0' || sign === '\u202f' || sign === '\u3000'
}
