// What a gate is: a pure function from an entry and what was known by then to a verdict. One record a gate, keyed by event name.
import type { EventType, Facts, Words } from '../events/event-catalog.js'
import type { Policy } from './capability/allowlist.js'

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

/** How the provenance gate is to judge. */
export interface ProvenanceSettings {
  readonly search: 'session' | 'profile'
  readonly scope: 'decisions' | 'decisions+preferences'
  /** Only words that an attached host passed on back anything. */
  readonly attestedOnly: boolean
}

/** What a user typed, as the ledger keeps it. */
export interface SaidMessage {
  readonly index: number
  /** Undefined where it is forgotten, or older than words are kept. */
  readonly text: string | undefined
  /** `this` are also the sessions that this one goes on from after a compression. */
  readonly session: 'this' | 'other'
  /** Empty where the host names nobody. */
  readonly sender: string
  readonly attested: boolean
}

export interface SaidWords {
  /** Oldest first. */
  readonly messages: readonly SaidMessage[]
  /** What was typed could not be read. */
  readonly unavailable: boolean
  /** How many writes to each target were refused in this turn, by the target's digest. */
  readonly refused: Readonly<Record<string, { readonly count: number }>>
}

/** By which grants the capability gate judges at this moment. */
export interface CapabilityInForce {
  /** Undefined where there is none, or none that can be read: then nothing is granted. */
  readonly policy: Policy | undefined
  /** Of the policy, as its entry tells it. */
  readonly digest: string | undefined
  /** Why the mode cannot be confirmed, as a word; undefined where it can. */
  readonly unresolved: string | undefined
}

export interface GateContext {
  /** Every entry below this index is known. */
  readonly asOf: number
  /** When the entry that is judged was made, as ISO 8601 in UTC. */
  readonly time: string
  readonly modes: GateModes
  readonly provenance: ProvenanceSettings
  readonly said: SaidWords
  readonly capability: CapabilityInForce
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
  /** What was judged of a write, claim by claim, in order. */
  readonly claims?: readonly ClaimJudged[]
  /** What was judged of a call's paths: as it asked for them, and where they led. */
  readonly paths?: readonly JudgedPath[]
  /** Whose grants were looked at; empty where the host names no skill. */
  readonly skill?: string
  /** Digest of the policy that was judged by. */
  readonly policy?: string
}

export interface JudgedPath {
  readonly asked: string
  /** Null where that could not be said. */
  readonly resolved: string | null
}

/** One claim's verdict, as its entry will say it, but for where it stands and whether anybody is held to it. */
export interface ClaimJudged {
  readonly facts: Omit<Facts<'claim.judged'>, 'write' | 'verdict' | 'claimDigest' | 'probe'>
  readonly words: Words<'claim.judged'>
}

export interface GateDefinition {
  readonly name: string
  /** Raised whenever the same entry could get another verdict. */
  readonly version: number
  readonly on: {
    readonly [Type in EventType]?: (entry: JudgedEntry<Type>, context: GateContext) => Verdict | undefined
  }
  /** What holds where an entry could not be judged: a gate that enforces refuses. */
  readonly failed: (context: GateContext, entry: JudgedEntry<never>) => Verdict
}
