// What a projection is: a pure fold of the ledger, keyed by event name. It never throws, counts facts only, and may find the words gone.

import type { Entry } from '../events/entry.js'
import { checkPayload, type EventType, type Facts, type NewEvent, upcastPayload, type Words } from '../events/event-catalog.js'

/** An entry of a known type, as a fold sees it. */
export interface FoldedEntry<Type extends EventType> {
  readonly index: number
  readonly time: string
  /** The session's handle; empty where the entry belongs to none. */
  readonly session: string
  readonly facts: Facts<Type>
  readonly words: Words<Type> | undefined
}

export interface Projection<View> {
  readonly name: string
  /** Raised when a fold changes; the view is then made anew. */
  readonly version: number
  readonly initial: () => View
  /** A step owns the view that it is handed: it may change it in place, and returns what holds from then on. */
  readonly on: { readonly [Type in EventType]?: (view: View, entry: FoldedEntry<Type>) => View }
}

/** The view one entry further. Entries of types that the fold does not speak of leave it as it is. */
export function fold<View>(projection: Projection<View>, view: View, { header, payload, words }: Entry): View {
  const steps = projection.on as Readonly<Record<string, Step<View> | undefined>>
  const step = Object.hasOwn(steps, header.type) ? steps[header.type] : undefined
  if (step === undefined) return view
  // History cannot be refused: an entry that fits no schema we know is told by `verify`, and passed over here.
  if (checkPayload(header.type, header.version, payload).verdict !== 'fits') return view
  return step(view, {
    index: header.index,
    time: header.time,
    session: header.session,
    facts: upcastPayload(header.type, header.version, payload),
    words,
  })
}

/** The same for an event that is about to become an entry: it fits its schema, so nothing is checked again. */
export function foldNew<View>(projection: Projection<View>, view: View, event: NewEvent, { index, time }: EntryPlace): View {
  const step = (projection.on as Readonly<Record<string, Step<View> | undefined>>)[event.type]
  const { session = '', facts, words } = event
  return step === undefined ? view : step(view, { index, time, session, facts, words })
}

interface EntryPlace {
  readonly index: number
  readonly time: string
}

type Step<View> = (view: View, entry: { index: number; time: string; session: string; facts: unknown; words: unknown }) => View
