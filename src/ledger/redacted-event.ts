// The only events that the ledger takes: their words have been through the redactor. Ids and paths stay as they came, and so do the command
// words of a command: by these things are found and judged.
import { argumentKind } from '../events/argument-kind.js'
import { definitionOf, type EventType, type Facts, type NewEvent, type Words } from '../events/event-catalog.js'
import { commandWords } from '../redaction/command-words.js'
import { nameKind } from '../redaction/name-kind.js'
import type { Redacted, Redactor } from '../redaction/redact.js'

/** An event that may be written. One without words needs no redactor. */
export type RedactedEvent = {
  [Type in EventType]: {
    readonly type: Type
    readonly session?: string
    readonly facts: Facts<Type>
    readonly words?: Redacted<Words<Type>>
  }
}[EventType]

/** The event without the secrets in its words, and how many were taken out. Without any its words are the same object. */
export function redactEvent(event: NewEvent, redactor: Redactor): { readonly event: RedactedEvent; readonly count: number } {
  if (event.words === undefined) return { event: event as RedactedEvent, count: 0 }
  const { ids = [], paths = [] } = definitionOf(event.type) ?? {}
  const taking = new Taking(redactor, new Set(ids), new Set(paths))
  const words = Object.fromEntries(Object.entries(event.words).map(([name, value]) => [name, taking.word(name, value)]))
  return { event: (taking.count === 0 ? event : { ...event, words }) as RedactedEvent, count: taking.count }
}

interface Argument {
  readonly name: string
  readonly value?: unknown
}

class Taking {
  readonly #redactor: Redactor
  readonly #ids: ReadonlySet<string>
  readonly #paths: ReadonlySet<string>
  count = 0

  constructor(redactor: Redactor, ids: ReadonlySet<string>, paths: ReadonlySet<string>) {
    this.#redactor = redactor
    this.#ids = ids
    this.#paths = paths
  }

  /** A word, or a member of the objects in a list, which is then named with the list. */
  word(name: string, value: unknown): unknown {
    if (this.#ids.has(name)) return value
    if (this.#paths.has(name)) return this.#path(value)
    if (typeof value === 'string') return this.#counted(this.#redactor.text(value))
    if (!Array.isArray(value)) return this.#value(value)
    return value.map((member: unknown) =>
      typeof member === 'object' && member !== null ? this.#member(name, member) : this.word(name, member),
    )
  }

  #member(list: string, member: object): unknown {
    if (list === 'arguments') return this.#argument(member as Argument)
    return Object.fromEntries(Object.entries(member).map(([name, value]) => [name, this.word(`${list}.${name}`, value)]))
  }

  /** Size and digest stay those of what the host gave. */
  #argument(argument: Argument): unknown {
    const { name, value } = argument
    const kept = { ...argument, name: this.#counted(this.#redactor.text(name)) }
    return value === undefined ? kept : { ...kept, value: this.#argumentValue(name, value) }
  }

  #argumentValue(name: string, value: unknown): unknown {
    const kind = nameKind(name) === undefined ? argumentKind(name) : 'other'
    if (kind === 'path') return this.#path(value)
    if (kind === 'command' && typeof value === 'string')
      return this.#counted(this.#redactor.text(value, { commandWords: commandWords(value) }))
    const { value: kept, count } = this.#redactor.named(name, value)
    this.count += count
    return kept
  }

  /** A path as it is. What is none, an address or a text of many lines, goes the way of every text. */
  #path(value: unknown): unknown {
    if (typeof value === 'string') return isPathText(value) ? value : this.#counted(this.#redactor.text(value))
    if (Array.isArray(value)) return value.map((member: unknown) => this.#path(member))
    return this.#value(value)
  }

  #value(value: unknown): unknown {
    const { value: kept, count } = this.#redactor.value(value)
    this.count += count
    return kept
  }

  #counted({ text, count }: { readonly text: string; readonly count: number }): string {
    this.count += count
    return text
  }
}

/** As long as a system's longest. */
const pathCharactersMax = 4096

function isPathText(text: string): boolean {
  return text.length <= pathCharactersMax && !text.includes('://') && !/[\r\n]/.test(text)
}
