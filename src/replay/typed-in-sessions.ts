// What was typed in each session by a point of the history. A bounded number of sessions is held: one that was let go of, or has ended, is
// read again when something in it is judged, so memory does not grow with the ledger.
import { chainedContext, type GateContextView, gateContext, readOwnContext } from '../projections/gate-context.js'
import { foldSeen, type SeenEntry } from '../projections/projection.js'
import type { History } from './history.js'

export interface TypedInSessionsOptions {
  readonly sessionsMax: number
  /** UTF-16 units of the messages that are held together. */
  readonly unitsMax: number
}

const bounds: TypedInSessionsOptions = { sessionsMax: 1024, unitsMax: 16 * 1024 * 1024 }

interface HeldSession {
  view: GateContextView
  units: number
}

export class TypedInSessions {
  readonly #history: Pick<History, 'sessionEntries'>
  readonly #options: TypedInSessionsOptions
  /** The one that was looked at last is the last. */
  readonly #held = new Map<string, HeldSession>()
  #units = 0
  /** Every entry below it was followed. */
  #next = 0

  constructor(history: Pick<History, 'sessionEntries'>, options: Partial<TypedInSessionsOptions> = {}) {
    this.#history = history
    this.#options = { ...bounds, ...options }
  }

  get heldSessions(): number {
    return this.#held.size
  }

  /** Every entry of the ledger, in order. */
  follow(seen: SeenEntry): void {
    const { index, session, type, facts, words } = seen
    this.#next = index + 1
    if (session === '') return
    if (type === 'session.ended') {
      this.#letGo(session)
      return
    }
    // With its first entry it is known from its beginning.
    if (type === 'session.started' && !this.#held.has(session)) this.#hold(session, { view: gateContext.initial(), units: 0 })
    const held = this.#held.get(session)
    if (held === undefined || facts === undefined) return
    held.view = foldSeen(gateContext, held.view, seen)
    if (type !== 'message.captured') return
    this.#count(held, typeof words?.['text'] === 'string' ? words['text'].length : 0)
    this.#bound()
  }

  /** What was typed below an index that was followed, in the session and those that it goes on from. */
  async of(session: string, below: number): Promise<GateContextView> {
    if (session === '') return gateContext.initial()
    const view = await chainedContext((one) => this.#own(one), session)
    return { ...view, messages: view.messages.filter(({ index }) => index < below) }
  }

  async #own(session: string): Promise<GateContextView> {
    const held = this.#held.get(session)
    if (held !== undefined) {
      this.#held.delete(session)
      this.#held.set(session, held)
      return held.view
    }
    const view = await readOwnContext(this.#history.sessionEntries(session), this.#next)
    const read = { view, units: 0 }
    this.#hold(session, read)
    this.#count(
      read,
      view.messages.reduce((sum, { text = '' }) => sum + text.length, 0),
    )
    this.#bound()
    return view
  }

  #hold(session: string, held: HeldSession): void {
    this.#held.set(session, held)
    this.#bound()
  }

  #count(held: HeldSession, units: number): void {
    held.units += units
    this.#units += units
  }

  #bound(): void {
    for (const session of this.#held.keys()) {
      const { sessionsMax, unitsMax } = this.#options
      // One alone is held whatever its size: it is being judged in.
      if (this.#held.size <= 1 || (this.#held.size <= sessionsMax && this.#units <= unitsMax)) return
      this.#letGo(session)
    }
  }

  #letGo(session: string): void {
    this.#units -= this.#held.get(session)?.units ?? 0
    this.#held.delete(session)
  }
}
