// What a gate is: a pure function from an entry and what was known by then to a verdict. One record a gate, keyed by event name.
import type { EventType, Facts, Words } from '../events/event-catalog.js'

/** The entry that is judged, as the ledger keeps it; its words may be gone when it is judged again. */
export interface JudgedEntry<Type extends EventType> {
  readonly index: number
  readonly facts: Facts<Type>
  readonly words: Words<Type> | undefined
}

export type GateModes = {
  readonly provenance: 'off' | 'observe' | 'block'
  readonly capability: 'off' | 'observe' | 'enforce'
}

export interface GateContext {
  /** Every entry below this index is known. */
  readonly asOf: number
  readonly modes: GateModes
}

export interface Verdict {
  readonly verdict: 'allow' | 'deny' | 'ask'
  /** A stable name of the reason. */
  readonly code: string
  /** The reason for a person; empty where the code says all. */
  readonly reason: string
  /** The mode that the gate was in. */
  readonly mode: string
  /** Whether the host is held to it. */
  readonly enforced: boolean
}

export interface GateDefinition {
  readonly name: string
  /** Raised whenever the same entry could get another verdict. */
  readonly version: number
  readonly on: {
    readonly [Type in EventType]?: (entry: JudgedEntry<Type>, context: GateContext) => Verdict | undefined
  }
}
