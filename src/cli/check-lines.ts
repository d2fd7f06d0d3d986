// The lines of `stele check --batch -`: each a text with what a user typed, each judged as it comes, nothing else read.
import { SteleError } from '../foundation/stele-error.js'
import { type CheckedText, checkText, type TextToCheck } from '../gates/provenance/check-text.js'

/**
 * Judges the lines of a stream of UTF-8, a batch for each of its chunks, in order. Empty lines are passed over. Throws `JSON_UNREADABLE` or
 * `OPTION_INVALID` with the number of the line, after what was judged before it has been handed out.
 */
export async function* checkLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CheckedText[]> {
  let number = 0
  for await (const lines of linesOf(input, () => number + 1)) {
    const checked: CheckedText[] = []
    for (const line of lines) {
      number += 1
      if (line.trim() === '') continue
      try {
        checked.push(checkText(textToCheck(line, number)))
      } catch (error) {
        yield checked
        throw error
      }
    }
    if (checked.length > 0) yield checked
  }
}

async function* linesOf(input: AsyncIterable<Uint8Array>, next: () => number): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch (cause) {
      throw new SteleError('JSON_UNREADABLE', { reason: 'not_utf8', line: next() }, { cause })
    }
  }
  // A line of many chunks is put together once.
  let begun: string[] = []
  for await (const bytes of input) {
    const [first = '', ...rest] = decoded(bytes).split('\n')
    begun.push(first)
    const last = rest.pop()
    if (last === undefined) continue
    yield [begun.join(''), ...rest]
    begun = [last]
  }
  yield [`${begun.join('')}${decoded()}`]
}

/** Members that are not named here are let be. */
function textToCheck(line: string, number: number): TextToCheck {
  const wrong = (allowed: string) => new SteleError('OPTION_INVALID', { option: '--batch', line: number, allowed })
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new SteleError('JSON_UNREADABLE', { reason: 'syntax', line: number }, { cause })
  }
  if (!isObject(value)) throw wrong('a JSON object a line')
  const { id, text, messages, search, scope, stored } = value
  if (typeof text !== 'string') throw wrong('`text`, a string')
  if (!isAbsent(id) && typeof id !== 'string' && typeof id !== 'number') throw wrong('`id`, a string or a number')
  if (!isAbsent(search) && !isOneOf(searches, search)) throw wrong(`\`search\`, ${searches.join(' or ')}`)
  if (!isAbsent(scope) && !isOneOf(scopes, scope)) throw wrong(`\`scope\`, ${scopes.join(' or ')}`)
  if (!isAbsent(stored) && typeof stored !== 'string') throw wrong('`stored`, a string')
  if (!isAbsent(messages) && !(Array.isArray(messages) && messages.every(isMessage)))
    throw wrong('`messages`, a list of {text, session?: this, parent or other, sender?: a string}')
  return {
    text,
    ...(isAbsent(id) ? {} : { id }),
    ...(isAbsent(messages) ? {} : { messages: messages.map(messageOf) }),
    ...(isAbsent(search) ? {} : { search }),
    ...(isAbsent(scope) ? {} : { scope }),
    ...(isAbsent(stored) ? {} : { stored }),
  }
}

const searches = ['session', 'profile'] as const
const scopes = ['decisions', 'decisions+preferences'] as const
const sessionKinds = ['this', 'parent', 'other'] as const

interface MessageRead {
  readonly text: string
  readonly session?: (typeof sessionKinds)[number] | null
  readonly sender?: string | null
}

function messageOf({ text, session, sender }: MessageRead): NonNullable<TextToCheck['messages']>[number] {
  return { text, ...(isAbsent(session) ? {} : { session }), ...(isAbsent(sender) ? {} : { sender }) }
}

function isMessage(value: unknown): value is MessageRead {
  if (!isObject(value)) return false
  const { text, session, sender } = value
  return (
    typeof text === 'string' &&
    (isAbsent(session) || isOneOf(sessionKinds, session)) &&
    (isAbsent(sender) || typeof sender === 'string')
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function isOneOf<Name extends string>(names: readonly Name[], value: unknown): value is Name {
  return names.some((name) => name === value)
}
