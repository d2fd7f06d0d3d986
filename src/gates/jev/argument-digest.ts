// Ties a proposal to the exact arguments of a call: their canonical text, within a bound, and its digest. The arguments themselves are kept
// nowhere.

/** UTF-8 bytes of the canonical text, were nothing in it escaped for being beyond ASCII. */
export const argumentBytesMax = 65_536
const depthMax = 256

/** A digest of a text as hex, 64 characters: made by the caller, keyed wherever it is kept or shown. */
export type DigestText = (text: string) => string

/** Undefined where the arguments are no plain JSON object, or too large: then nothing can be bound to them. */
export function argumentDigest(given: unknown, digestOf: DigestText): string | undefined {
  const text = argumentText(given)
  return text === undefined ? undefined : digestOf(text)
}

/**
 * The canonical text: names sorted, one blank behind each `:` and `,`, all beyond ASCII as `\u` and four hex digits. The work is bounded: reading stops where
 * the text gets too large.
 */
export function argumentText(given: unknown): string | undefined {
  if (!isPlainObject(given)) return undefined
  const writing: Writing = { pieces: [], bytesLeft: argumentBytesMax }
  try {
    write(given, 0, writing)
  } catch {
    // `NotDigestible`, or whatever a getter of somebody throws.
    return undefined
  }
  return writing.pieces.join('')
}

class NotDigestible extends Error {}

interface Writing {
  readonly pieces: string[]
  bytesLeft: number
}

function write(value: unknown, depth: number, writing: Writing): void {
  if (depth > depthMax) throw new NotDigestible()
  if (value === null || typeof value === 'boolean') put(String(value), writing)
  else if (typeof value === 'string') putText(value, writing)
  else if (typeof value === 'number' && Number.isFinite(value)) put(JSON.stringify(value), writing)
  else if (Array.isArray(value)) writeList(value, depth, writing)
  else if (isPlainObject(value)) writeMembers(value, depth, writing)
  else throw new NotDigestible()
}

function writeList(list: readonly unknown[], depth: number, writing: Writing): void {
  put('[', writing)
  for (let at = 0; at < list.length; at += 1) {
    if (at > 0) put(', ', writing)
    write(list[at], depth + 1, writing)
  }
  put(']', writing)
}

function writeMembers(members: Readonly<Record<string, unknown>>, depth: number, writing: Writing): void {
  const names = Object.keys(members)
  // Each takes six at least: `"": 0,`. Sorting millions of them first would be work without bound.
  if (names.length * 6 > argumentBytesMax + 6) throw new NotDigestible()
  if (Object.getOwnPropertySymbols(members).length > 0) throw new NotDigestible()
  put('{', writing)
  for (const [at, name] of names.sort().entries()) {
    if (at > 0) put(', ', writing)
    putText(name, writing)
    put(': ', writing)
    write(members[name], depth + 1, writing)
  }
  put('}', writing)
}

function put(ascii: string, writing: Writing): void {
  writing.bytesLeft -= ascii.length
  if (writing.bytesLeft < 0) throw new NotDigestible()
  writing.pieces.push(ascii)
}

function putText(text: string, writing: Writing): void {
  if (text.length > writing.bytesLeft) throw new NotDigestible()
  const quoted = JSON.stringify(text)
  // What stays readable counts as the bytes that it would be.
  writing.bytesLeft -= Buffer.byteLength(quoted)
  if (writing.bytesLeft < 0) throw new NotDigestible()
  writing.pieces.push(quoted.replace(/[^\u0020-\u007e]/g, escaped))
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  try {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const prototype: unknown = Object.getPrototypeOf(value)
    return prototype === null || prototype === Object.prototype
  } catch {
    return false
  }
}
