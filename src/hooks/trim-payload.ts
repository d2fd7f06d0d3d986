// Takes the weight out of a payload before it is sent: a conversation rides on every hook and is megabytes long. Spliced in the text, since
// reading and writing it again would change numbers and names on the way. Light: the shell hook loads it before anything else.
import { createHash } from 'node:crypto'

/** Of a payload beyond this only the size is taken. */
export const payloadBytesMax = 16 * 1024 * 1024
/** A longer member of `extra` is replaced, where nobody has said another bound (`limits.fieldBytes`). */
export const fieldBytesDefault = 256 * 1024

/** A member of `extra` that is always replaced; and members that hold one more copy of it. */
const conversationName = 'conversation_history'
const requestNames: ReadonlySet<string> = new Set(['request', 'original_request'])
const conversationInRequest: ReadonlySet<string> = new Set(['messages', 'input'])
/** What a person typed is sent whole. */
const wholeName = 'user_message'

interface Span {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** The text with heavy members of `extra` replaced by `{count, bytes, digest}`; a text that is no JSON object stays as it is. */
export function trimPayload(text: string, fieldBytes: number): string {
  const extra = membersOf(text, 0)?.find(({ name }) => name === 'extra')
  if (extra === undefined) return text
  return replaced(text, membersOf(text, extra.from), (name, value) => {
    if (name === wholeName) return value
    if (name === conversationName) return standIn(value).text
    const light = requestNames.has(name)
      ? replaced(value, membersOf(value, 0), (inner, copy) => (conversationInRequest.has(inner) ? standIn(copy).text : copy))
      : value
    // Compact JSON is no longer than what a host writes, so most members need no second look.
    if (Buffer.byteLength(light) <= fieldBytes) return light
    const stand = standIn(light)
    return stand.bytes > fieldBytes ? stand.text : light
  })
}

function replaced(text: string, members: readonly Span[] = [], replace: (name: string, value: string) => string): string {
  let result = ''
  let done = 0
  for (const { name, from, to } of members) {
    result += text.slice(done, from) + replace(name, text.slice(from, to))
    done = to
  }
  return result + text.slice(done)
}

/** What stands for a value, and the bytes of its compact JSON; a value that cannot be read stands for itself. */
function standIn(value: string): { text: string; bytes: number } {
  try {
    const read: unknown = JSON.parse(value)
    const compact = JSON.stringify(read)
    const count = typeof read === 'object' && read !== null ? Object.keys(read).length : 0
    const bytes = Buffer.byteLength(compact)
    const digest = createHash('sha256').update(compact).digest('hex')
    return { text: JSON.stringify({ count, bytes, digest }), bytes }
  } catch {
    return { text: value, bytes: 0 }
  }
}

/** The members of the object that begins at a place, or undefined where there is none. Values are skipped, not judged. */
function membersOf(text: string, at: number): Span[] | undefined {
  let place = skipBlank(text, at)
  if (text[place] !== '{') return undefined
  const members: Span[] = []
  place = skipBlank(text, place + 1)
  while (text[place] === '"') {
    const nameEnd = skipString(text, place)
    const name = text.slice(place + 1, nameEnd - 1)
    const colon = skipBlank(text, nameEnd)
    if (text[colon] !== ':') return undefined
    const from = skipBlank(text, colon + 1)
    const to = skipValue(text, from)
    if (to === from) return undefined
    members.push({ name, from, to })
    place = skipBlank(text, to)
    if (text[place] !== ',') break
    place = skipBlank(text, place + 1)
  }
  return text[place] === '}' ? members : undefined
}

function skipBlank(text: string, at: number): number {
  let place = at
  while (place < text.length && ' \n\r\t'.includes(text.charAt(place))) place += 1
  return place
}

/** To behind the closing quote. */
function skipString(text: string, at: number): number {
  let place = at + 1
  for (;;) {
    const quote = text.indexOf('"', place)
    if (quote === -1) return text.length
    let escapes = 0
    while (text[quote - 1 - escapes] === '\\') escapes += 1
    if (escapes % 2 === 0) return quote + 1
    place = quote + 1
  }
}

function skipValue(text: string, at: number): number {
  let depth = 0
  let place = at
  while (place < text.length) {
    const sign = text.charAt(place)
    if (sign === '"') {
      place = skipString(text, place)
      if (depth === 0) return place
      continue
    }
    if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') {
      if (depth === 0) return place
      depth -= 1
      if (depth === 0) return place + 1
    } else if (depth === 0 && (sign === ',' || ' \n\r\t'.includes(sign))) return place
    place += 1
  }
  return place
}
