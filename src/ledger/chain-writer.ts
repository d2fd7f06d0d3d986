// Turns committed drafts into the rows of the next entries. It holds the chain's state as far as batches have been built,
// which runs ahead of what is on disk; after a failed write it must not be used again.

import { type CommittedDraft, commitDraft, sealHeader } from '../events/entry.js'
import { definitionOf } from '../events/event-catalog.js'
import { assert } from '../foundation/assert.js'
import { leafHash, toHex } from '../foundation/digest.js'
import { addLeaf } from './merkle.js'
import type { RedactedEvent } from './redacted-event.js'
import { headerKey, metaKey, payloadKey, sessionKey, wordsKey } from './row-keys.js'
import type { Row } from './store.js'
import type { ChainState } from './tail-walk.js'

/** What the writer takes from the world; handed in, so that a simulation can bend it. */
export interface World {
  /** The wall clock as read: milliseconds since 1970. */
  now(): number
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number
  /** 32 lower-case hex characters of chance. */
  salt(): string
}

/** Where an entry will stand. */
export interface EntryPlace {
  readonly index: number
  /** As its header will say it. */
  readonly time: string
}

/** A step back of more than this is recorded. */
const clockSlackMs = 1000

/** Commits to an event of the catalogue. An event that does not fit its own schema is a mistake of ours. */
export function commitEvent(event: RedactedEvent, world: World): CommittedDraft {
  const definition = definitionOf(event.type)
  assert(definition !== undefined, 'an event is of a type of the catalogue')
  assert(definition.facts.safeParse(event.facts).success, `the facts of ${event.type} fit its schema`)
  const words = 'words' in event ? event.words : undefined
  assert(words === undefined || definition.words?.safeParse(words).success === true, `the words of ${event.type} fit its schema`)
  const { type, session = '', facts } = event
  return commitDraft(
    { type, version: definition.version, session, facts, words },
    world.salt(),
    words === undefined ? '' : world.salt(),
  )
}

export class ChainWriter {
  readonly #world: World
  #state: ChainState
  /** Monotonic time at the last entry, once this process has written one. */
  #lastMonotonic: number | undefined
  #toldMs = Number.NaN
  #told = ''

  constructor(state: ChainState, world: World) {
    this.#state = state
    this.#world = world
  }

  /** The state after everything that was built so far. */
  get state(): ChainState {
    return this.#state
  }

  /** Adds the rows of some entries at the end of the chain. Returns the index of the first. */
  add(drafts: readonly CommittedDraft[], rows: Row[]): number {
    return this.addMade(() => ({ drafts, result: undefined }), rows).place.index
  }

  /**
   * The same with entries that are made knowing their place: the index and time that the first will have. Where `make` throws,
   * nothing was added.
   */
  addMade<Result>(
    make: (place: EntryPlace) => { readonly drafts: readonly CommittedDraft[]; readonly result: Result },
    rows: Row[],
  ): { place: EntryPlace; result: Result } {
    const now = this.#world.now()
    const steps: Row[] = []
    const [before, monotonicBefore] = [this.#state, this.#lastMonotonic]
    const unwritten = (): void => {
      this.#state = before
      this.#lastMonotonic = monotonicBefore
    }
    this.#recordStep(now, steps)
    const place = { index: this.#state.size, time: this.#timeText(now) }
    let made: { readonly drafts: readonly CommittedDraft[]; readonly result: Result }
    try {
      made = make(place)
    } catch (error) {
      unwritten()
      throw error
    }
    // A step of the clock is told with the entry that shows it.
    if (made.drafts.length === 0) unwritten()
    else rows.push(...steps)
    for (const draft of made.drafts) this.#addOne(draft, now, rows)
    return { place, result: made.result }
  }

  /**
   * Adds the first entry of a higher epoch; from here on entries belong to it. A step of the clock is told behind it, since nothing
   * may stand between a new start and what it goes on from. Returns its index.
   */
  startEpoch(epoch: number, first: CommittedDraft, rows: Row[]): number {
    assert(epoch > this.#state.epoch, 'epochs only go up')
    const { size: index, lastTimeMs } = this.#state
    this.#state = { ...this.#state, epoch, lastTimeMs: undefined }
    this.add([first], rows)
    this.#tellStep(lastTimeMs, this.#world.now(), null, rows)
    return index
  }

  /** Adds the rows that name the head: once a batch, last. */
  addHead(rows: Row[]): void {
    const { ledger, epoch, size, head } = this.#state
    rows.push({ key: metaKey('ledger'), value: Buffer.from(ledger) })
    rows.push({ key: metaKey('epoch'), value: Buffer.from(String(epoch)) })
    rows.push({ key: metaKey('size'), value: Buffer.from(String(size)) })
    rows.push({ key: metaKey('head'), value: Buffer.from(head) })
  }

  #recordStep(now: number, rows: Row[]): void {
    const monotonic = this.#world.monotonic()
    const elapsedMs = this.#lastMonotonic === undefined ? null : Math.max(0, Math.round(monotonic - this.#lastMonotonic))
    this.#tellStep(this.#state.lastTimeMs, now, elapsedMs, rows)
    this.#lastMonotonic = monotonic
  }

  #tellStep(last: number | undefined, now: number, elapsedMs: number | null, rows: Row[]): void {
    if (last === undefined || now >= last - clockSlackMs) return
    const facts = { from: timeText(last), to: timeText(now), elapsedMs }
    this.#addOne(commitEvent({ type: 'clock.stepped', facts }, this.#world), now, rows)
  }

  /** Entries of one millisecond share its text. */
  #timeText(ms: number): string {
    if (ms !== this.#toldMs) {
      this.#toldMs = ms
      this.#told = timeText(ms)
    }
    return this.#told
  }

  #addOne(draft: CommittedDraft, now: number, rows: Row[]): void {
    const { ledger, epoch, size: index, head: prev, edge } = this.#state
    const header = sealHeader(draft, { ledger, epoch, index, time: this.#timeText(now), prev })
    const hash = leafHash(header)
    rows.push({ key: headerKey(index), value: header })
    rows.push({ key: payloadKey(index), value: draft.payloadRow })
    if (draft.wordsRow !== undefined) rows.push({ key: wordsKey(index), value: draft.wordsRow })
    if (draft.session !== '') rows.push({ key: sessionKey(draft.session, index), value: noValue })
    const nextEdge = addLeaf(edge, index, hash, rows)
    this.#state = { ledger, epoch, size: index + 1, head: toHex(hash), lastTimeMs: now, edge: nextEdge }
  }
}

const noValue = new Uint8Array(0)
const yearMax = Date.UTC(10_000, 0, 1) - 1

function timeText(ms: number): string {
  // Four digits of year are the format's; a clock beyond them is as wrong as it can be and is held there.
  return new Date(Math.min(Math.max(Math.trunc(ms), 0), yearMax)).toISOString()
}
