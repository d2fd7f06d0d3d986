// Puts the hook path together for a running service: hosts, sessions, gates, bounds and the spool, over the ledger and the settings in force.
import { SteleError } from '../foundation/stele-error.js'
import { gateCatalog } from '../gates/gate-catalog.js'
import { Attaches } from '../hooks/attach.js'
import { handleHook } from '../hooks/handle-hook.js'
import type { HookHouse, HookSettings } from '../hooks/hook-house.js'
import { RateBound } from '../hooks/rate-bound.js'
import { SessionMemory } from '../hooks/session-memory.js'
import type { Config } from './config.js'
import type { KeptLedger } from './kept-ledger.js'
import { processWatch } from './process-watch.js'
import type { RedactorInForce } from './redactor-in-force.js'
import type { ServiceLog } from './service-log.js'
import { Spool, type SpooledFile } from './spool.js'

export interface HookHouseOptions {
  readonly kept: KeptLedger
  readonly spoolFolder: string
  readonly config: () => Config
  readonly secrets: RedactorInForce
  readonly log: ServiceLog
}

export interface RunningHookHouse {
  readonly house: HookHouse
  readonly spool: Spool
  /** What was built from the ledger may not be what is there: it was opened anew. */
  forget(): void
}

export function hookHouseOf({ kept, spoolFolder, config, secrets, log }: HookHouseOptions): RunningHookHouse {
  const sessions = new SessionMemory((handle, newest) => kept.ledger.reader.sessionEntries(handle, { newest }))
  const house: HookHouse = {
    get ledger() {
      return kept.ledger
    },
    attaches: new Attaches(() => kept.ledger, processWatch),
    sessions,
    gates: gateCatalog,
    unattachedRate: new RateBound(),
    attachRate: new RateBound(),
    settings: () => hookSettings(config()),
    redactor: () => secrets.redactor(config().redaction.patterns),
    now: () => performance.now(),
    takeSpool: () => spool.takeAll(),
  }
  const spool = new Spool({
    folder: spoolFolder,
    waitMs: () => config().limits.spoolWaitSeconds * 1000,
    knows: (attach) => house.attaches.knows(attach),
    take: async (file, name) => {
      await kept.ready()
      const call = { ...lateCall(file), spooledAs: name }
      try {
        await handleHook(house, call)
      } catch (error) {
        if (error instanceof SteleError) throw error
        // A mistake of ours: it leaves its size, and does not keep what lies behind it waiting for ever.
        log.fail('spooled_not_understood', error)
        await kept.ready()
        await handleHook(house, { ...call, bytes: new Uint8Array(0), signature: noSignature })
      }
    },
    now: () => Date.now(),
    monotonic: () => performance.now(),
  })
  return { house, spool, forget: () => sessions.forgetAll() }
}

export function hookSettings({ provenance, capability, capture, limits }: Config): HookSettings {
  const { hooksPerMinute, bytesPerMinute } = limits
  return {
    modes: { provenance: provenance.mode, capability: capability.mode },
    keep: capture.arguments,
    hooksPerMinute,
    bytesPerMinute,
  }
}

function lateCall(file: SpooledFile) {
  if ('signature' in file) return { bytes: file.body, bytesTotal: file.body.length, signature: file.signature, late: true }
  return { bytes: file.unreadable, bytesTotal: file.bytesTotal, signature: noSignature, late: true }
}

const noSignature = { attach: '', seq: '', mac: '' }
