// How a service fares, as it says itself.
import type { GateModes } from '../gates/gate.js'

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
  readonly hosts: { readonly attached: number; readonly alive: number }
  /** Files that wait in the spool. */
  readonly spooled: number
}
