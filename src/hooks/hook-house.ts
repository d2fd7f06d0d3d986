// Everything that a payload meets on its way, and how it comes and goes: what the hook path is handed by whoever runs it.
import type { NewEvent } from '../events/event-catalog.js'
import type { ProposedAccess } from '../gates/capability/access.js'
import type {
  CapabilityInForce,
  GateContext,
  GateDefinition,
  GateModes,
  JudgedEntry,
  ProvenanceSettings,
  Verdict,
} from '../gates/gate.js'
import type { EntryPlace } from '../ledger/chain-writer.js'
import type { Ledger } from '../ledger/ledger.js'
import type { LedgerReader } from '../ledger/ledger-reader.js'
import type { SaidElsewhere } from '../projections/said-words.js'
import type { Redactor } from '../redaction/redact.js'
import type { Attaches, Signature, Speaker } from './attach.js'
import type { Directive } from './directive.js'
import type { StoredRead } from './hermes/memory-writes.js'
import type { FoundFiles } from './hermes/stored-after.js'
import type { HookPayload, KeptArguments } from './hook.js'
import type { JevStage } from './jev/jev-stage.js'
import type { RateBound, RateLimits } from './rate-bound.js'
import type { SessionMemory } from './session-memory.js'

/** Where in the ledger the events of a payload will stand. */
export type Place = EntryPlace

/** The part of the ledger that a hook needs. */
export type HookLedger = Pick<
  Ledger,
  'appendMade' | 'erasures' | 'firstUnder' | 'sessionHandle' | 'hasForgotten' | 'knownSession' | 'digest' | 'size'
> & {
  readonly reader: Pick<LedgerReader, 'entries' | 'sessionEntries'>
}

export interface HookSettings extends RateLimits {
  readonly modes: GateModes
  /** `evidence` is undefined where it follows from the mode and from who has attached. */
  readonly provenance: Pick<ProvenanceSettings, 'search' | 'scope'> & { readonly evidence: 'any' | 'attached' | undefined }
  readonly capability: CapabilityInForce
  /** Days that what was typed backs anything; 0 for ever. */
  readonly messagesDays: number
  /** A write with more text than this, judged and stored together, is judged apart. */
  readonly judgedBytes: number
  readonly keep: KeptArguments
}

/**
 * What is done with long texts beside the service's own thread, so that other hooks have their answers meanwhile. Throws where it could not
 * be done, and `LEDGER_CLOSED` where the service ends.
 */
export interface LongTexts {
  /** What the gate of this name says. */
  judge(gate: string, write: JudgedEntry<'write.proposed'>, context: GateContext): Promise<Verdict | undefined>
  /** What each of the texts quotes. */
  quotes(texts: readonly string[]): Promise<readonly string[]>
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
  /** With the secrets that are known at this moment. */
  redactor(): Redactor
  /** What a call would reach on this machine; on another one, by its spelling alone. */
  proposedAccess(payload: HookPayload, isRemote: boolean): Promise<ProposedAccess>
  /** What lies stored where a call would write. */
  storedBefore(payload: HookPayload): Promise<StoredRead>
  /** What the files that a call names hold now; undefined where there is nothing to look at. */
  storedAfter(payload: HookPayload): Promise<FoundFiles | undefined>
  /** Messages of other sessions that may hold one of these quotes. Throws where they cannot be looked up. */
  saidElsewhere(quotes: readonly string[], session: string): Promise<readonly SaidElsewhere[]>
  readonly longTexts: LongTexts
  /** Asks a decision model, where the owner turned it on. */
  readonly stage: JevStage
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** The events of a payload are on disk, and it is about to be answered. Must not throw, and waits for nothing. */
  recorded(events: readonly NewEvent[], about: RecordedAbout): void
  /** Brings in what waits in the spool, and resolves when it is on disk. */
  takeSpool(): Promise<void>
}

export interface RecordedAbout {
  /** Index of the first of the events. */
  readonly index: number
  readonly profile: string | null | undefined
  /** It waited in the spool: what it tells of is long over. */
  readonly late: boolean
}

/** One payload as it came. */
export interface HookCall {
  readonly bytes: Uint8Array
  /** Where `bytes` is only the beginning, what was sent in all. */
  readonly bytesTotal: number
  readonly signature: Signature
  /** It waited in the spool: the host has long gone on. */
  readonly late: boolean
  /** The name of its file there, by which it is known to have been taken; without one, it is known by its bytes. */
  readonly spooledAs?: string
}

export interface HookAnswer {
  readonly directive: Directive
  /** Who spoke: an answer to an attached host is signed. */
  readonly speaker: Speaker
}

/** Sessions of `stele doctor`. Only such a session can hold entries that are left out of reports. */
export const probeSessionPrefix = 'stele-doctor-'
