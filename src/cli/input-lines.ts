// Lines of JSON on standard input, each read as it comes: what `--batch -` of several commands share.
import { SteleError } from '../foundation/stele-error.js'

export type JsonObjectRead = Readonly<Record<string, unknown>>

export interface InputLine {
  readonly value: JsonObjectRead
  /** Throws `OPTION_INVALID` with the number of the line. */
  wrong(allowed: string): SteleError
}

/**
 * What is made of each line of a stream of UTF-8, a batch for each of its chunks, in order. Empty lines are passed over. Throws
 * `JSON_UNREADABLE` or what `make` throws, after what came before has been handed out.
 */
export async function* inputLines<Made>(
  input: AsyncIterable<Uint8Array>,
  make: (line: InputLine) => Made | Promise<Made>,
): AsyncGenerator<readonly Made[]> {
  let number = 0
  for await (const lines of linesOf(input, () => number + 1)) {
    const made: Made[] = []
    for (const line of lines) {
      number += 1
      if (line.trim() === '') continue
      try {
        made.push(await make(inputLine(line, number)))
      } catch (error) {
        yield made
        throw error
      }
    }
    if (made.length > 0) yield made
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

function inputLine(line: string, number: number): InputLine {
  const wrong = (allowed: string) => new SteleError('OPTION_INVALID', { option: '--batch', line: number, allowed })
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new SteleError('JSON_UNREADABLE', { reason: 'syntax', line: number }, { cause })
  }
  if (!isObject(value)) throw wrong('a JSON object a line')
  return { value, wrong }
}

export function isObject(value: unknown): value is JsonObjectRead {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}
