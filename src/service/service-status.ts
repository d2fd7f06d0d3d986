// How a service fares, as it says itself.
import type { PolicyChange } from '../gates/capability/policy-change.js'
import type { GateModes } from '../gates/gate.js'
import type { WaitingErasure } from './erasure-journal.js'
import type { HomeSize } from './home-size.js'
import type { JevStatus } from './jev-in-force.js'
import type { Exceeded } from './size-watch.js'

export interface SizeStatus extends HomeSize {
  /** `limits.homeBytes`; 0: none. */
  readonly budget: number
  /** What is beyond its budget. */
  readonly exceeded: readonly Exceeded[]
}

/** What was added in a day (UTC, as 2026-11-30). */
export interface DayOfGrowth {
  readonly day: string
  readonly entries: number
  readonly bytes: number
}

/** The grants of the capability gate. */
export interface PolicyStatus {
  readonly file: string
  /** Of what is in force; null where nothing is, and so nothing is granted. */
  readonly digest: string | null
  /** As the owner has taken it up last. */
  readonly text: string | null
  /** A grant lets a tool run any command: then nothing else is out of reach. */
  readonly everyCommand: boolean
  /** One that grants more and waits for the owner. */
  readonly waiting: { readonly text: string; readonly change: PolicyChange } | null
  /** Why the file as it is cannot be used; the last good one holds. */
  readonly rejected: (Readonly<Record<string, string | number | boolean | null>> & { readonly code: string }) | null
}

export interface ServiceStatus {
  /** Entries can be written, nothing was found at the start, and every setting that was asked for can be used. */
  readonly ok: boolean
  readonly home: string
  readonly pid: number
  readonly version: string
  readonly started: string
  /** Base address on loopback; null where it is off. */
  readonly page: string | null
  readonly ledger: { readonly id: string; readonly size: number; readonly epoch: number } | { readonly failed: string }
  /** The look at the store before the start; `done` is false while it goes on. */
  readonly checked: { readonly findings: readonly string[]; readonly done: boolean }
  readonly modes: GateModes
  readonly settings: {
    readonly waiting: readonly { readonly key: string; readonly from: string; readonly to: string }[]
    /** Why the settings as they are written cannot be used; the last good ones hold. */
    readonly rejected: (Readonly<Record<string, string | number | boolean | null>> & { readonly code: string }) | null
  }
  /** A service of an older version, which may still be running, says nothing of it. */
  readonly policy?: PolicyStatus
  /** The semantic stage. A service of an older version says nothing of it. */
  readonly jev?: JevStatus
  /** Erasures that wait for an hour to go by, or are not finished. */
  readonly erasures: readonly WaitingErasure[]
  readonly hosts: { readonly attached: number; readonly alive: number }
  /** Files that wait in the spool. */
  readonly spooled: number
  /** Some ten seconds old at most. A service of an older version, which may still be running, says nothing of it. */
  readonly size?: SizeStatus
  /** By day, oldest first; absent where nobody keeps count. */
  readonly growth?: readonly DayOfGrowth[]
}
