// The semantic stage of a running service: its client, made anew where the settings or the key change, and its settings as the hook path takes
// them. Where the owner has not turned it on, or there is no key, nothing is asked and no text leaves the machine.
import { statSync } from 'node:fs'
import type { JevEngine } from '../gates/jev/engine.js'
import { jevRequestsOf } from '../gates/jev/jev-requests.js'
import type { TelemetryEvent } from '../gates/jev/telemetry.js'
import type { JevStageSettings } from '../hooks/jev/stage-house.js'
import type { LedgerReader } from '../ledger/ledger-reader.js'
import {
  type JevConfig,
  riskSettingsOf,
  sanitizeSettingsOf,
  shapingSettingsOf,
  turnCacheSettingsOf,
  verificationSettingsOf,
} from '../outbound/config.js'
import type { SentToday } from '../outbound/daily-budget.js'
import { type JevClient, type JevClientState, makeJevClient } from '../outbound/jev-client.js'
import type { Redactor } from '../redaction/redact.js'
import { type ConfigPlaces, configFileOf } from './config.js'
import { type JevKey, readJevKey } from './jev-key.js'
import type { ServiceLog } from './service-log.js'

export interface JevInForceOptions {
  readonly places: ConfigPlaces
  readonly config: () => JevConfig
  readonly redactor: () => Redactor
  /** What the ledger says was sent on this day before. */
  readonly sentBefore: SentToday | undefined
  readonly log: ServiceLog
}

/** As the status tells it: nothing of the key but whether it is there. */
export interface JevStatus {
  readonly enabled: boolean
  readonly mode: 'shadow' | 'enforce'
  /** Turned on, and with a key that can be one: hooks ask. */
  readonly active: boolean
  readonly api_key_configured: boolean
  readonly turn_classifier: boolean
  readonly tool_shaping: boolean
  readonly risk_gate: boolean
  readonly verify: boolean
  readonly model: string
  readonly base_url: string
  readonly telemetry_scope: 'current process only'
  readonly client: Omit<JevClientState, 'baseUrl' | 'model'> | null
  readonly telemetry: { readonly counts: Readonly<Record<string, number>>; readonly recent: readonly TelemetryEvent[] }
}

export class JevInForce {
  readonly #options: JevInForceOptions
  #client: JevClient | undefined
  #madeFor = ''
  #sent: SentToday | undefined
  #isClosed = false
  #key: JevKey = { state: 'missing' }
  #keyFingerprint: string | undefined

  constructor(options: JevInForceOptions) {
    this.#options = options
    this.#sent = options.sentBefore
  }

  /** Undefined where the stage is off or has no key. */
  engine(): JevEngine | undefined {
    const jev = this.#options.config()
    const key = jev.enabled && !this.#isClosed ? this.#keyNow() : undefined
    if (key?.key === undefined) {
      this.#letGo()
      return undefined
    }
    const { baseUrl, decisionModel, timeoutSeconds, maxWorkers, requestsPerDay } = jev
    const wanted = JSON.stringify([key.key, baseUrl, decisionModel, timeoutSeconds, maxWorkers, requestsPerDay])
    if (this.#client === undefined || wanted !== this.#madeFor) {
      this.#letGo()
      this.#madeFor = wanted
      this.#client = this.#made(key.key, jev)
    }
    return this.#client
  }

  settings(): JevStageSettings {
    const jev = this.#options.config()
    return {
      mode: jev.mode,
      model: jev.decisionModel,
      classifies: jev.turnClassifierEnabled,
      risk: riskSettingsOf(jev),
      shaping: shapingSettingsOf(jev),
      verification: verificationSettingsOf(jev),
      cache: turnCacheSettingsOf(jev),
      sanitize: { ...sanitizeSettingsOf(jev), redactor: this.#options.redactor() },
      telemetry: { enabled: jev.telemetryEnabled, eventsMax: jev.telemetryMaxEvents },
    }
  }

  status(telemetry: JevStatus['telemetry']): JevStatus {
    const jev = this.#options.config()
    const active = this.engine() !== undefined
    const client = this.#client?.state()
    return {
      enabled: jev.enabled,
      mode: jev.mode,
      active,
      api_key_configured: this.#keyNow().state === 'present',
      turn_classifier: jev.turnClassifierEnabled,
      tool_shaping: jev.toolShapingEnabled,
      risk_gate: jev.riskGateEnabled,
      verify: jev.verifyEnabled,
      model: jev.decisionModel,
      base_url: jev.baseUrl,
      telemetry_scope: 'current process only',
      client: client === undefined ? null : withoutAddress(client),
      telemetry,
    }
  }

  /** Calls off what is under way, and asks nothing any more. */
  close(): void {
    this.#isClosed = true
    this.#letGo()
  }

  #made(apiKey: string, { baseUrl, decisionModel, timeoutSeconds, maxWorkers, requestsPerDay }: JevConfig): JevClient {
    return makeJevClient({
      ...{ apiKey, baseUrl, model: decisionModel, requestsPerDay, workersMax: maxWorkers },
      timeoutMs: timeoutSeconds * 1000,
      ...(this.#sent === undefined ? {} : { sentToday: this.#sent }),
      modelChanged: ({ asked, before, answered }) => this.#options.log.write('jev_model_changed', { asked, before, answered }),
    })
  }

  #letGo(): void {
    if (this.#client === undefined) return
    // What was sent today counts for the next one too.
    this.#sent = this.#client.state().sentToday
    this.#client.close()
    this.#client = undefined
  }

  /** The file is read again when it has changed; one that cannot be read changes nothing. */
  #keyNow(): JevKey {
    const { places } = this.#options
    const file = configFileOf(places, '.env')
    const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
    const fingerprint = stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`
    if (fingerprint === this.#keyFingerprint) return this.#key
    try {
      this.#key = readJevKey(places)
      this.#keyFingerprint = fingerprint
    } catch (error) {
      this.#options.log.fail('jev_key_unread', error)
    }
    return this.#key
  }
}

function withoutAddress({ baseUrl: _, model: __, ...state }: JevClientState): Omit<JevClientState, 'baseUrl' | 'model'> {
  return state
}

/** Requests of a day in UTC, from the newest entries back to its beginning. */
export async function sentTodayOf(entries: ReturnType<LedgerReader['entries']>, nowMs: number): Promise<SentToday> {
  const day = new Date(nowMs).toISOString().slice(0, 10)
  let requests = 0
  for await (const { header, payload } of entries) {
    if (header.time.slice(0, 10) < day) break
    requests += jevRequestsOf(header.type, payload)
  }
  return { day, requests }
}
