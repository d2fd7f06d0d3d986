// What is known of the sessions that are spoken of just now, so that not every payload reads its session's past again.
// A session is held while a payload of it is under way; a session's context is changed only in the writer's turn.
import type { Entry } from '../events/entry.js'
import type { EntryPlace } from '../ledger/chain-writer.js'
import type { RedactedEvent } from '../ledger/redacted-event.js'
import type { GateContextView } from '../projections/gate-context.js'
import { fold } from '../projections/projection.js'
import { entriesForContext, type SessionContext, sessionContext, withoutPlaces } from '../projections/session-context.js'
import type { SessionOrigin } from './lineage.js'

export interface HeldSession {
  /** Everything of the session that was built so far, on disk or about to be. */
  context: SessionContext
  /** What its beginning says of where it runs; undefined until somebody asked. */
  origin: SessionOrigin | undefined
  /** What was typed in it, and what was refused: undefined until a gate needs it. */
  said: GateContextView | undefined
  /** The session that it went on from when `said` was read: told later, that one's words are still to be read. */
  saidFrom: string | undefined
  /** How many erasures there had been when `said` was read: after another it is read once more. */
  saidErasures: number
  /** While it is read: when that is done, and what was built since it began. */
  reading: SaidReading | undefined
}

export interface SaidReading {
  readonly done: Promise<void>
  readonly built: { readonly events: readonly RedactedEvent[]; readonly place: EntryPlace }[]
}

interface Remembered {
  readonly loading: Promise<HeldSession>
  holders: number
}

const nothingSaid = { origin: undefined, said: undefined, saidFrom: undefined, saidErasures: 0, reading: undefined }
const rememberedMax = 1024
/** So many are read within a hook's patience. */
const entriesReadMax = 32_768

export class SessionMemory {
  readonly #entriesOf: (handle: string, newest: number) => AsyncIterable<Entry>
  readonly #sessions = new Map<string, Remembered>()

  constructor(entriesOf: (handle: string, newest: number) => AsyncIterable<Entry>) {
    this.#entriesOf = entriesOf
  }

  /** Runs a task that may change what is known of a session; it stays the same object for all who hold it together. */
  async holding<Result>(handle: string, task: (session: HeldSession) => Promise<Result>): Promise<Result> {
    if (handle === '') return task({ context: sessionContext.initial(), ...nothingSaid })
    const remembered = this.#sessions.get(handle) ?? { loading: this.#load(handle), holders: 0 }
    // Newest last: what was not asked for longest is forgotten first.
    this.#sessions.delete(handle)
    this.#sessions.set(handle, remembered)
    remembered.holders += 1
    try {
      return await task(await remembered.loading)
    } finally {
      remembered.holders -= 1
      this.#forgetOldest()
    }
  }

  /** The same with a second session beside it; none where its handle is empty. */
  holdingBoth<Result>(
    handle: string,
    other: string,
    task: (session: HeldSession, other: HeldSession) => Promise<Result>,
  ): Promise<Result> {
    return this.holding(other, (second) => this.holding(handle, (first) => task(first, second)))
  }

  /** The ledger was opened anew: what was built may not be what is there. */
  forgetAll(): void {
    this.#sessions.clear()
  }

  /** Words were forgotten. Whoever holds a session goes on with it; what was typed in it is read again when it is needed. */
  forgetWords(): void {
    for (const { loading } of this.#sessions.values()) {
      loading.then(
        (session) => {
          session.said = undefined
          session.context = withoutPlaces(session.context)
        },
        () => {},
      )
    }
  }

  async #load(handle: string): Promise<HeldSession> {
    try {
      // What others brought in may stand in front of what the session's own host said, however much that is: then more is read.
      for (let newest = entriesForContext; ; newest *= 8) {
        let context = sessionContext.initial()
        let count = 0
        let spoken = false
        let disturbed = false
        for await (const entry of this.#entriesOf(handle, newest)) {
          context = fold(sessionContext, context, entry)
          count += 1
          spoken ||= 'source' in entry.payload
          disturbed ||= entry.header.type === 'hook.foreign' || entry.payload['late'] === true
        }
        if (count < newest) return { context, ...nothingSaid }
        if (newest >= entriesReadMax) return { context: { ...context, linked: true }, ...nothingSaid }
        // Without an owner it is one of shell hooks, unless what would say otherwise is hidden by others or by what came late.
        // A session is linked at its beginning, so where that was not read it is taken to be.
        if (spoken && (context.owner !== undefined || !disturbed))
          return { context: { ...context, linked: true }, ...nothingSaid }
      }
    } catch (error) {
      this.#sessions.delete(handle)
      throw error
    }
  }

  #forgetOldest(): void {
    for (const [handle, { holders }] of this.#sessions) {
      if (this.#sessions.size <= rememberedMax) return
      if (holders === 0) this.#sessions.delete(handle)
    }
  }
}
