// The lines of `stele check --batch -`: each a text with what a user typed, each judged as it comes, nothing else read.
import { type CheckedText, checkText, type TextToCheck } from '../gates/provenance/check-text.js'
import { type InputLine, inputLines, isAbsent, isObject } from './input-lines.js'

/** Judges the lines of a stream as they come. Throws as `inputLines` does. */
export function checkLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CheckedText[]> {
  return inputLines(input, (line) => checkText(textToCheck(line)))
}

/** Members that are not named here are let be. */
function textToCheck({ value, wrong }: InputLine): TextToCheck {
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

function isOneOf<Name extends string>(names: readonly Name[], value: unknown): value is Name {
  return names.some((name) => name === value)
}
