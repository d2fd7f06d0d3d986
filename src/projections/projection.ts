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

/** What is known of any entry, also of one whose type another version of Stele has made. */
export interface PlacedEntry {
  readonly index: number
  readonly time: string
  readonly session: string
  readonly type: string
  /** Bytes of its header and payload as they are stored; words do not count, so that forgetting changes nothing. */
  readonly bytes: number
}

/** A projection whose view is kept on disk, in parts that are folded each for itself: one a session, one a day. */
export interface KeptProjection<Part = unknown, Carried = unknown> extends Projection<Part> {
  /** The key of the part that an entry belongs to; undefined where it belongs to none. Keys survive every erasure: none is made of words. */
  readonly partOf: (entry: Pick<PlacedEntry, 'time' | 'session' | 'type'>) => string | undefined
  /**
   * What goes on from part to part: folded over every entry of the ledger before the part is, and kept beside the parts under `carriedKey`.
   * It is small: it is written with every step.
   */
  readonly carried?: Carrying<Carried>
  /** Runs for each entry of a part, before the step of its type. `carried` knows of the entry already; it is not changed here. */
  each?(part: Part, entry: PlacedEntry, carried: Carried): Part
}

export interface Carrying<Carried> extends Projection<Carried> {
  readonly each?: (carried: Carried, entry: PlacedEntry) => Carried
}

/** No key of a day or a session. */
export const carriedKey = 'ledger'

/** An entry read for folding: checked against its schema once, whatever number of folds see it. */
export interface SeenEntry extends PlacedEntry {
  /** As today's version says them; undefined where the entry fits no schema that we know. */
  readonly facts: Readonly<Record<string, unknown>> | undefined
  readonly words: Entry['words']
}

/** History cannot be refused: an entry that fits no schema we know is told by `verify`, and has no facts here. */
export function seenEntry({ header, payload, words }: Entry, bytes = 0): SeenEntry {
  const { index, time, session, type, version } = header
  const fits = checkPayload(type, version, payload).verdict === 'fits'
  return { index, time, session, type, bytes, facts: fits ? upcastPayload(type, version, payload) : undefined, words }
}

/** Whether an entry is of a type, and fits a schema of it that we know. */
export function isOf<Type extends EventType>(seen: SeenEntry, type: Type): seen is SeenEntry & FoldedEntry<Type> {
  return seen.type === type && seen.facts !== undefined
}

/** The part one entry further. Entries of types that the fold does not speak of leave it as `each` does. */
export function foldSeen<Part>(
  projection: Projection<Part> | KeptProjection<Part> | Carrying<Part>,
  part: Part,
  seen: SeenEntry,
  carried?: unknown,
): Part {
  const placed = 'each' in projection && projection.each !== undefined ? projection.each(part, seen, carried) : part
  const step = stepOf(projection, seen.type)
  if (step === undefined || seen.facts === undefined) return placed
  const { index, time, session, facts, words } = seen
  return step(placed, { index, time, session, facts, words })
}

/** The view one entry further. */
export function fold<View>(projection: Projection<View>, view: View, entry: Entry): View {
  return stepOf(projection, entry.header.type) === undefined ? view : foldSeen(projection, view, seenEntry(entry))
}

/** The same for an event that is about to become an entry: it fits its schema, so nothing is checked again. */
export function foldNew<View>(projection: Projection<View>, view: View, event: NewEvent, { index, time }: EntryPlace): View {
  const step = stepOf(projection, event.type)
  const { session = '', facts, words } = event
  return step === undefined ? view : step(view, { index, time, session, facts, words })
}

/** The same for events that will stand one behind the other, from a place on; of them all, those that are `of` the view. */
export function foldEvents<View>(
  projection: Projection<View>,
  view: View,
  events: readonly NewEvent[],
  { index, time }: EntryPlace,
  of: (event: NewEvent) => boolean = () => true,
): View {
  return events.reduce(
    (seen, event, at) => (of(event) ? foldNew(projection, seen, event, { index: index + at, time }) : seen),
    view,
  )
}

interface EntryPlace {
  readonly index: number
  readonly time: string
}

type Step<View> = (view: View, entry: { index: number; time: string; session: string; facts: unknown; words: unknown }) => View

function stepOf<View>({ on }: Projection<View>, type: string): Step<View> | undefined {
  const steps = on as Readonly<Record<string, Step<View> | undefined>>
  return Object.hasOwn(steps, type) ? steps[type] : undefined
}
