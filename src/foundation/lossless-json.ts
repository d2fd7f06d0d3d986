// The door for JSON from a host: read without loss, or refused. What it yields always has a canonical form.
// It must not be replaced by JSON.parse, which rounds large integers and lets a name stand twice
// (docs/decisions/0002-a-reader-of-our-own.md).
import { type JsonObject, type JsonValue, depthMax as writtenDepthMax } from './canonical-json.js'
import { SteleError } from './stele-error.js'

export interface LosslessJson {
  readonly value: JsonValue
  /** How many integers were carried as `{"$int"}` and lone surrogates as U+FFFD. */
  readonly repaired: number
}

/** Less than can be written: what a host sends becomes a part of something larger, which must still have a canonical form. */
const depthMax = writtenDepthMax - 64

export type UnreadableReason = 'empty' | 'not_utf8' | 'syntax' | 'name_twice' | 'number_overflow' | 'too_deep' | 'too_many'

export interface ReadingLimits {
  /** A text of more values than this is refused: what is done with each of them afterwards would keep others waiting. */
  readonly valuesMax?: number
}

/**
 * Reads one JSON value from UTF-8 bytes (RFC 8259); a leading byte-order mark is skipped.
 * Throws `JSON_UNREADABLE` with a reason and the character offset, never with the text.
 */
export function parseLosslessBytes(bytes: Uint8Array, limits: ReadingLimits = {}): LosslessJson {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new SteleError('JSON_UNREADABLE', { reason: 'not_utf8' }, { cause })
  }
  return parseLossless(text, limits)
}

/** The same for text that is decoded already. */
export function parseLossless(text: string, { valuesMax = Number.POSITIVE_INFINITY }: ReadingLimits = {}): LosslessJson {
  const reader: Reader = { text, at: 0, repaired: 0, valuesLeft: valuesMax }
  skipSpace(reader)
  if (reader.at === text.length) unreadable(reader, 'empty')
  const value = readValue(reader, 0)
  skipSpace(reader)
  if (reader.at !== text.length) unreadable(reader, 'syntax')
  return { value, repaired: reader.repaired }
}

interface Reader {
  readonly text: string
  at: number
  repaired: number
  valuesLeft: number
}

function readValue(reader: Reader, depth: number): JsonValue {
  reader.valuesLeft -= 1
  if (reader.valuesLeft < 0) unreadable(reader, 'too_many')
  const first = reader.text.charCodeAt(reader.at)
  switch (first) {
    case 0x22:
      return readString(reader)
    case 0x7b:
      return readObject(reader, depth)
    case 0x5b:
      return readArray(reader, depth)
    case 0x74:
      return readWord(reader, 'true', true)
    case 0x66:
      return readWord(reader, 'false', false)
    case 0x6e:
      return readWord(reader, 'null', null)
    default:
      return readNumber(reader)
  }
}

function readObject(reader: Reader, depth: number): JsonObject {
  if (depth >= depthMax) unreadable(reader, 'too_deep')
  const object: JsonObject = {}
  reader.at += 1
  skipSpace(reader)
  if (take(reader, 0x7d)) return object
  for (;;) {
    if (reader.text.charCodeAt(reader.at) !== 0x22) unreadable(reader, 'syntax')
    const name = escapedName(readString(reader))
    if (Object.hasOwn(object, name)) unreadable(reader, 'name_twice')
    skipSpace(reader)
    if (!take(reader, 0x3a)) unreadable(reader, 'syntax')
    skipSpace(reader)
    setOwn(object, name, readValue(reader, depth + 1))
    skipSpace(reader)
    if (take(reader, 0x7d)) return object
    if (!take(reader, 0x2c)) unreadable(reader, 'syntax')
    skipSpace(reader)
  }
}

function readArray(reader: Reader, depth: number): JsonValue[] {
  if (depth >= depthMax) unreadable(reader, 'too_deep')
  const array: JsonValue[] = []
  reader.at += 1
  skipSpace(reader)
  if (take(reader, 0x5d)) return array
  for (;;) {
    array.push(readValue(reader, depth + 1))
    skipSpace(reader)
    if (take(reader, 0x5d)) return array
    if (!take(reader, 0x2c)) unreadable(reader, 'syntax')
    skipSpace(reader)
  }
}

/** A host's own `$int` must not be taken for ours: names of the form `$…$int` get one more `$` in front. */
function escapedName(name: string): string {
  return name.startsWith('$') && /^\$+int$/.test(name) ? `$${name}` : name
}

/** Plain assignment to `__proto__` would set the prototype and lose the member. */
function setOwn(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  else object[name] = value
}

function readString(reader: Reader): string {
  const { text, at: start } = reader
  let isEscaped = false
  reader.at += 1
  for (;;) {
    const code = text.charCodeAt(reader.at)
    if (code === 0x22) break
    if (code === 0x5c) {
      reader.at += escapeLength(reader)
      isEscaped = true
    } else if (code >= 0x20) reader.at += 1
    // A control character, or the end of the text.
    else unreadable(reader, 'syntax')
  }
  reader.at += 1
  // Nothing is left in it that JSON.parse could refuse, lose or round, and piece by piece it would take many times as long.
  return wellFormed(reader, isEscaped ? String(JSON.parse(text.slice(start, reader.at))) : text.slice(start + 1, reader.at - 1))
}

const shortEscapes = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)))

function escapeLength(reader: Reader): number {
  const { text, at } = reader
  const letter = text.charCodeAt(at + 1)
  if (shortEscapes.has(letter)) return 2
  if (letter !== 0x75) unreadable(reader, 'syntax')
  for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHexDigit(text.charCodeAt(digit))) unreadable(reader, 'syntax')
  return 6
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)
}

function wellFormed(reader: Reader, text: string): string {
  if (text.isWellFormed()) return text
  const whole = text.toWellFormed()
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) !== whole.charCodeAt(at)) reader.repaired += 1
  return whole
}

const numberToken = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y

function readNumber(reader: Reader): JsonValue {
  numberToken.lastIndex = reader.at
  const match = numberToken.exec(reader.text)
  if (match === null) unreadable(reader, 'syntax')
  const [token, fraction, exponent] = match
  const value = Number(token)
  if (!Number.isFinite(value)) {
    // An integer too long for a double is still carried; only a fraction or exponent can overflow.
    if (fraction !== undefined || exponent !== undefined) unreadable(reader, 'number_overflow')
  }
  reader.at += token.length
  if (fraction === undefined && exponent === undefined && !Number.isSafeInteger(value)) {
    reader.repaired += 1
    return { $int: token }
  }
  return value
}

function readWord<T extends JsonValue>(reader: Reader, word: string, value: T): T {
  if (!reader.text.startsWith(word, reader.at)) unreadable(reader, 'syntax')
  reader.at += word.length
  return value
}

function take(reader: Reader, code: number): boolean {
  if (reader.text.charCodeAt(reader.at) !== code) return false
  reader.at += 1
  return true
}

function skipSpace(reader: Reader): void {
  for (;;) {
    const code = reader.text.charCodeAt(reader.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    reader.at += 1
  }
}

function unreadable(reader: Reader, reason: UnreadableReason): never {
  throw new SteleError('JSON_UNREADABLE', { reason, at: reader.at })
}
