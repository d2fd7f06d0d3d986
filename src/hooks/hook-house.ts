// Everything that a payload meets on its way, and how it comes and goes: what the hook path is handed by whoever runs it.
import type { Entry } from '../events/entry.js'
import type { NewEvent } from '../events/event-catalog.js'
import type { DigestUse } from '../foundation/digest.js'
import type { GateDefinition, GateModes } from '../gates/gate.js'
import type { Attaches, Signature, Speaker } from './attach.js'
import type { Directive } from './directive.js'
import type { KeptArguments } from './hook.js'
import type { RateBound, RateLimits } from './rate-bound.js'
import type { SessionMemory } from './session-memory.js'

/** Where in the ledger the events of a payload will stand. */
export interface Place {
  readonly index: number
  readonly time: string
}

export interface Made<Result> {
  /** Of the first entry; null for a payload that came before and made none. */
  readonly index: number | null
  readonly duplicate: boolean
  readonly result: Result | undefined
}

/** The part of the ledger that a hook needs. */
export interface HookLedger {
  appendMade<Result>(
    make: (place: Place) => { events: readonly NewEvent[]; result: Result; leave?: readonly string[] },
    options: { entries: number; known?: readonly string[]; leave?: readonly string[] },
  ): Promise<Made<Result>>
  firstUnder(id: string): Promise<{ readonly index: number | null } | undefined>
  sessionHandle(hostSession: string): Promise<string>
  knownSession(hostSession: string): Promise<string | undefined>
  digest(use: DigestUse, data: string | Uint8Array): string
  readonly size: number
  readonly reader: { entries(options: { from: number; to: number }): AsyncIterable<Entry> }
}

export interface HookSettings extends RateLimits {
  readonly modes: GateModes
  readonly keep: KeptArguments
}

/** Everything that a payload meets on its way. */
export interface HookHouse {
  readonly ledger: HookLedger
  readonly attaches: Attaches
  readonly sessions: SessionMemory
  readonly gates: readonly GateDefinition[]
  /** What those who are no attached host may send together. */
  readonly unattachedRate: RateBound
  /** What all who attach may ask together. */
  readonly attachRate: RateBound
  /** What is in force at this moment. */
  settings(): HookSettings
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** Brings in what waits in the spool, and resolves when it is on disk. */
  takeSpool(): Promise<void>
}

/** One payload as it came. */
export interface HookCall {
  readonly bytes: Uint8Array
  /** Where `bytes` is only the beginning, what was sent in all. */
  readonly bytesTotal: number
  readonly signature: Signature
  /** It waited in the spool: the host has long gone on. */
  readonly late: boolean
}

export interface HookAnswer {
  readonly directive: Directive
  /** Who spoke: an answer to an attached host is signed. */
  readonly speaker: Speaker
}
