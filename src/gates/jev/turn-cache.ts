// What is known of each turn while it lasts: its state, its classification, its observations. Bounded, by session and turn; the clock is handed
// in and must never go back.
//
// One flight a turn is the caller's to hold: `reserve` says who owns a new entry. The owner asks, and calls `settle` once, with the decision
// or with nothing, also at the deadline: what comes later is refused. Whoever gets `shared` waits for the owner's promise, which the caller
// keeps beside the entry, and asks nothing. Nothing here waits.
import type { Sanitized } from '../../redaction/sanitize.js'
import type { RiskDecision, TurnDecision } from './decisions.js'
import type { Observation } from './verification.js'

export interface Conversation {
  readonly prior_turn_seen: boolean
  readonly unresolved_task: boolean
  readonly ongoing_tool_workflow: boolean
}

export interface TurnEntry {
  readonly session: string
  readonly turn: string
  readonly createdAtMs: number
  readonly conversation: Conversation
  touchedAtMs: number
  /** Undefined until the owner has sanitized it. */
  state: Sanitized | undefined
  decision: TurnDecision | undefined
  isReady: boolean
  toolsStarted: boolean
  isCompleted: boolean
  /** Raised by whatever may have changed what was checked. */
  generation: number
  observations: readonly Observation[]
  /** Attempts to finish that were asked about. */
  readonly attempts: Set<number>
  /** Answers about calls of this turn, by digest of what was asked: the same question is not asked twice. */
  readonly answered: Map<string, RiskDecision>
}

export interface TurnCacheSettings {
  readonly turnsMax: number
  readonly ttlMs: number
  /** An open turn that nobody has touched for longer than this may make room for another. */
  readonly idleMs: number
}

export const turnCacheDefaults: TurnCacheSettings = { turnsMax: 256, ttlMs: 1_800_000, idleMs: 600_000 }

const answeredMax = 32

export type Reservation =
  | { readonly kind: 'owner'; readonly entry: TurnEntry; readonly evicted: TurnEntry | undefined }
  | { readonly kind: 'shared'; readonly entry: TurnEntry }
  /** Each place is taken by a turn that goes on. To be told, not swallowed. */
  | { readonly kind: 'refused' }

export interface TurnCache {
  /** Undefined where there is no session: then nothing happens. */
  reserve(session: unknown, turn: string, hostFirstTurn: boolean | null, nowMs: number): Reservation | undefined
  /** The turn's own entry; without a turn id the session's only open one, and none where there are more. */
  find(session: unknown, turn: unknown, nowMs: number): TurnEntry | undefined
  /** Whether it is still the entry of its turn, and the turn goes on. */
  isCurrent(entry: TurnEntry, nowMs: number): boolean
  /** True where the decision counts: once an entry, and only while it stands. */
  settle(entry: TurnEntry, decision: TurnDecision | undefined, nowMs: number): boolean
  complete(session: unknown, turn: unknown, nowMs: number): TurnEntry | undefined
  /** A turn that was broken off. */
  cancel(session: unknown, turn: unknown, nowMs: number): TurnEntry | undefined
  endSession(session: unknown): number
  size(nowMs: number): number
}

/** A turn that the host does not name gets a name of our own. `hex32` is chance, handed in. */
export function localTurnId(hex32: string): string {
  return `local-${hex32}`
}

export function makeTurnCache(settings: TurnCacheSettings = turnCacheDefaults): TurnCache {
  /** In the order in which they were reserved. */
  const entries = new Map<string, TurnEntry>()

  const purge = (nowMs: number): void => {
    for (const [name, entry] of entries) if (nowMs - entry.createdAtMs > settings.ttlMs) entries.delete(name)
  }

  const ofSession = (session: string): TurnEntry[] => [...entries.values()].filter((entry) => entry.session === session)

  /** Undefined where none may go. One whose question is under way stays, however old. */
  const oldestToGo = (nowMs: number): TurnEntry | undefined => {
    const all = [...entries.values()]
    const done = all.find((entry) => entry.isCompleted && entry.isReady)
    return done ?? all.find((entry) => entry.isReady && nowMs - entry.touchedAtMs > settings.idleMs)
  }

  const find: TurnCache['find'] = (session, turn, nowMs) => {
    purge(nowMs)
    if (!isId(session)) return undefined
    const entry = isId(turn) ? entries.get(nameOf(session, turn)) : onlyOpen(ofSession(session))
    if (entry !== undefined) entry.touchedAtMs = nowMs
    return entry
  }

  const isCurrent: TurnCache['isCurrent'] = (entry, nowMs) => {
    purge(nowMs)
    return entries.get(nameOf(entry.session, entry.turn)) === entry && !entry.isCompleted
  }

  return {
    find,
    isCurrent,
    reserve: (session, turn, hostFirstTurn, nowMs) => {
      purge(nowMs)
      if (!isId(session)) return undefined
      const known = entries.get(nameOf(session, turn))
      if (known !== undefined) {
        known.touchedAtMs = nowMs
        return { kind: 'shared', entry: known }
      }
      // Before room is made: a turn that has to go now was seen all the same.
      const conversation = conversationOf(ofSession(session), hostFirstTurn)
      let evicted: TurnEntry | undefined
      if (entries.size >= settings.turnsMax) {
        evicted = oldestToGo(nowMs)
        if (evicted === undefined) return { kind: 'refused' }
        entries.delete(nameOf(evicted.session, evicted.turn))
      }
      const entry = newEntry(session, turn, conversation, nowMs)
      entries.set(nameOf(session, turn), entry)
      return { kind: 'owner', entry, evicted }
    },
    settle: (entry, decision, nowMs) => {
      purge(nowMs)
      if (entry.isReady || entries.get(nameOf(entry.session, entry.turn)) !== entry) return false
      entry.isReady = true
      entry.decision = decision
      return true
    },
    complete: (session, turn, nowMs) => {
      const entry = find(session, turn, nowMs)
      if (entry !== undefined) entry.isCompleted = true
      return entry
    },
    cancel: (session, turn, nowMs) => {
      const entry = find(session, turn, nowMs)
      if (entry !== undefined) entries.delete(nameOf(entry.session, entry.turn))
      return entry
    },
    endSession: (session) => {
      const gone = isId(session) ? ofSession(session) : []
      for (const entry of gone) entries.delete(nameOf(entry.session, entry.turn))
      return gone.length
    },
    size: (nowMs) => {
      purge(nowMs)
      return entries.size
    },
  }
}

/** Keeps an answer about a call for the rest of the turn; the oldest goes where there are too many. */
export function rememberAnswer(entry: TurnEntry, digest: string, decision: RiskDecision): void {
  entry.answered.set(digest, decision)
  const [oldest] = entry.answered.keys()
  if (entry.answered.size > answeredMax && oldest !== undefined) entry.answered.delete(oldest)
}

function newEntry(session: string, turn: string, conversation: Conversation, nowMs: number): TurnEntry {
  return {
    session,
    turn,
    createdAtMs: nowMs,
    conversation,
    touchedAtMs: nowMs,
    state: undefined,
    decision: undefined,
    isReady: false,
    toolsStarted: false,
    isCompleted: false,
    generation: 0,
    observations: [],
    attempts: new Set(),
    answered: new Map(),
  }
}

function conversationOf(others: readonly TurnEntry[], hostFirstTurn: boolean | null): Conversation {
  return {
    prior_turn_seen: others.length > 0 || hostFirstTurn === false,
    unresolved_task: others.some(({ isCompleted }) => !isCompleted),
    ongoing_tool_workflow: others.some(({ toolsStarted }) => toolsStarted),
  }
}

function onlyOpen(entries: readonly TurnEntry[]): TurnEntry | undefined {
  const open = entries.filter(({ isCompleted }) => !isCompleted)
  return open.length === 1 ? open[0] : undefined
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function nameOf(session: string, turn: string): string {
  return JSON.stringify([session, turn])
}
