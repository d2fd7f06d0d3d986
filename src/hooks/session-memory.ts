// What is known of the sessions that are spoken of just now, so that not every payload reads its session's past again.
// A session is held while a payload of it is under way; a session's context is changed only in the writer's turn.
import type { Entry } from '../events/entry.js'
import { fold } from '../projections/projection.js'
import { entriesForContext, type SessionContext, sessionContext } from '../projections/session-context.js'

export interface HeldSession {
  /** Everything of the session that was built so far, on disk or about to be. */
  context: SessionContext
}

interface Remembered {
  readonly loading: Promise<HeldSession>
  holders: number
}

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
    if (handle === '') return task({ context: sessionContext.initial() })
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

  /** The ledger was opened anew, or words were forgotten: what was built may not be what is there. */
  forgetAll(): void {
    this.#sessions.clear()
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
        if (count < newest) return { context }
        if (newest >= entriesReadMax) return { context: { ...context, linked: true } }
        // Without an owner it is one of shell hooks, unless what would say otherwise is hidden by others or by what came late.
        // A session is linked at its beginning, so where that was not read it is taken to be.
        if (spoken && (context.owner !== undefined || !disturbed)) return { context: { ...context, linked: true } }
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
