// The settings that hold at this moment. Files are looked at before every decision. What protects more is in force at once; what
// protects less waits for the owner, and stays waiting over a restart, since the ledger says what was in force.
import { statSync } from 'node:fs'
import { configEvents } from '../events/config.js'
import type { Entry } from '../events/entry.js'
import { asName, nameSchema } from '../events/event-definition.js'
import { SteleError } from '../foundation/stele-error.js'
import type { RedactedEvent } from '../ledger/redacted-event.js'
import { type Config, type ConfigPlaces, configFiles, readConfig, settingOf } from './config.js'
import { loosened, tightenedOnly } from './loosening.js'

export interface WaitingSetting {
  readonly key: string
  readonly from: string
  readonly to: string
}

export interface SettingsOptions {
  readonly places: ConfigPlaces
  /** What the ledger says was in force last; undefined for a new ledger. */
  readonly before: Protection | undefined
  /** Version of the service that starts. */
  readonly version: string
  readonly record: (events: readonly RedactedEvent[]) => Promise<void>
  /** Called whenever other settings have come into force. */
  readonly changed: (config: Config) => void
}

/** The settings that protect, as `config.activated` writes them out. */
export interface Protection {
  readonly provenanceMode: Config['provenance']['mode']
  readonly capabilityMode: Config['capability']['mode']
  readonly captureArguments: Config['capture']['arguments']
  readonly reload: Config['reload']
  readonly retention?: Config['retention'] | undefined
  readonly jev?: Pick<Config['jev'], 'enabled' | 'mode' | 'baseUrl'> | undefined
}

export class SettingsInForce {
  readonly #options: SettingsOptions
  #config: Config
  /** What the files ask for, as read last. */
  #asked: Config
  #from: Readonly<Record<string, string>>
  #fingerprint: string
  #rejected: SteleError | undefined
  /** What follows from changes and is not on disk yet: where it cannot be recorded now, it is the next time. */
  readonly #unrecorded: RedactedEvent[] = []
  /** The settings that were told last. */
  #told: Config
  /** Taking up and accepting, one after the other. */
  #refreshing: Promise<void> | undefined

  /** Throws `CONFIG_INVALID`: a service does not start with settings that it cannot read. */
  constructor(options: SettingsOptions) {
    this.#options = options
    this.#fingerprint = this.#look()
    const { config, from } = readConfig(options.places)
    this.#asked = config
    this.#from = from
    this.#config = options.before === undefined ? config : keepTight(withProtection(config, options.before), config)
    this.#told = this.#config
  }

  get config(): Config {
    return this.#config
  }

  /** Where each value comes from. */
  get from(): Readonly<Record<string, string>> {
    return this.#from
  }

  /** Settings that were asked for and protect less than what is in force. */
  get waiting(): readonly WaitingSetting[] {
    return loosened(this.#config, this.#asked)
  }

  /** Why the files as they are now cannot be used; undefined where they can. */
  get rejected(): SteleError | undefined {
    return this.#rejected
  }

  /** The entries with which a service begins. */
  firstEvents(): RedactedEvent[] {
    const program = nameSchema.safeParse(this.#options.version).success ? this.#options.version : 'unnamed'
    return [started(this.#config, program), ...this.waiting.map((one) => loosenedEvent(one, false))]
  }

  /** Takes up files that have changed. Resolves when what follows from that is on disk. */
  async refresh(): Promise<void> {
    // Somebody else's look may have been before the change that matters here.
    while (this.#refreshing !== undefined) await this.#refreshing
    const isDone = this.#unrecorded.length === 0 && this.#told === this.#config && this.#look() === this.#fingerprint
    if (isDone) return
    this.#refreshing ??= this.#alone(() => this.#takeUp())
    await this.#refreshing
  }

  /** The owner wants what waits, or of it one key. Throws `CONFIG_NOTHING_WAITS`. */
  async accept(key?: string): Promise<readonly WaitingSetting[]> {
    await this.refresh()
    while (this.#refreshing !== undefined) await this.#refreshing
    const accepted = this.waiting.filter((one) => key === undefined || one.key === key || this.#follows(one.key, key))
    if (accepted.length === 0) throw new SteleError('CONFIG_NOTHING_WAITS')
    const wanted = accepted.map((one) => one.key)
    const next = tightenedOnly(this.#config, this.#asked, wanted)
    const changed = differences(this.#config, next, Object.keys(this.#from))
    this.#refreshing = this.#alone(async () => {
      await this.#options.record([...accepted.map((one) => loosenedEvent(one, true)), activated('accepted', changed, next)])
      this.#config = next
      this.#tell()
    })
    await this.#refreshing
    return accepted
  }

  /** Whether a setting is set nowhere itself and has its value from another. */
  #follows(one: string, other: string): boolean {
    return other === 'retention.days' && one.startsWith('retention.') && this.#from[one] === 'default'
  }

  #alone(task: () => Promise<void>): Promise<void> {
    return task().finally(() => {
      this.#refreshing = undefined
    })
  }

  async #takeUp(): Promise<void> {
    if (this.#look() !== this.#fingerprint) this.#readAnew()
    // In force at once, also where it cannot be recorded just now.
    this.#tell()
    const events = [...this.#unrecorded]
    if (events.length === 0) return
    await this.#options.record(events)
    this.#unrecorded.splice(0, events.length)
  }

  #tell(): void {
    if (this.#told === this.#config) return
    try {
      this.#options.changed(this.#config)
      this.#told = this.#config
    } catch {
      // What holds does not hang on its being told: that is tried again with the next look.
    }
  }

  #readAnew(): void {
    this.#fingerprint = this.#look()
    let read: ReturnType<typeof readConfig>
    try {
      read = readConfig(this.#options.places)
    } catch (error) {
      if (!(error instanceof SteleError)) throw error
      this.#rejected = error
      this.#unrecorded.push(rejectedEvent(error))
      return
    }
    this.#rejected = undefined
    const waitedBefore = this.waiting
    const next = keepTight(this.#config, read.config)
    const changed = differences(this.#config, next, Object.keys(this.#from))
    this.#asked = read.config
    this.#from = read.from
    if (changed.length > 0) this.#config = next
    const nowWaiting = this.waiting.filter((one) => !waitedBefore.some((other) => other.key === one.key && other.to === one.to))
    this.#unrecorded.push(...nowWaiting.map((one) => loosenedEvent(one, false)))
    if (changed.length > 0) this.#unrecorded.push(activated('changed', changed, next))
  }

  #look(): string {
    return configFiles(this.#options.places)
      .map((file) => {
        const stat = statSync(file, { throwIfNoEntry: false })
        return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`
      })
      .join('\n')
  }
}

/** What the newest `config.activated` says; undefined where there is none among the entries. */
export async function protectionBefore(newestFirst: AsyncIterable<Entry>): Promise<Protection | undefined> {
  for await (const { header, payload } of newestFirst) {
    if (header.type !== 'config.activated') continue
    const read = configEvents['config.activated'].facts.safeParse(payload)
    if (read.success) return read.data
  }
  return undefined
}

/** `reload: auto` was the owner's own wish once it is in force. */
function keepTight(before: Config, asked: Config): Config {
  return before.reload === 'auto' ? asked : tightenedOnly(before, asked)
}

function withProtection(config: Config, before: Protection): Config {
  return {
    ...config,
    provenance: { ...config.provenance, mode: before.provenanceMode },
    capability: { ...config.capability, mode: before.capabilityMode },
    capture: { ...config.capture, arguments: before.captureArguments },
    reload: before.reload,
    retention: before.retention ?? config.retention,
    // A ledger that knows nothing of it is of a time when nothing was sent.
    jev: { ...config.jev, ...(before.jev ?? { enabled: false }) },
  }
}

function started(config: Config, program: string): RedactedEvent {
  return { type: 'config.activated', facts: { why: 'started', changed: [], ...inForce(config), program } }
}

function activated(why: 'changed' | 'accepted', changed: readonly string[], config: Config): RedactedEvent {
  return { type: 'config.activated', facts: { why, changed: [...changed], ...inForce(config) } }
}

function inForce(config: Config) {
  return {
    provenanceMode: config.provenance.mode,
    capabilityMode: config.capability.mode,
    captureArguments: config.capture.arguments,
    reload: config.reload,
    retention: config.retention,
    jev: { enabled: config.jev.enabled, mode: config.jev.mode, baseUrl: config.jev.baseUrl },
  }
}

function loosenedEvent({ key, from, to }: WaitingSetting, accepted: boolean): RedactedEvent {
  return { type: 'config.loosened', facts: { key, from: valueName(from), to: valueName(to), accepted } }
}

function rejectedEvent({ details }: SteleError): RedactedEvent {
  const { key = '', file = '', place = file, line } = details
  const facts = { key: asName(String(key)), place: valueName(String(place).replaceAll(' ', '-')) }
  return { type: 'config.rejected', facts: typeof line === 'number' && line > 0 ? { ...facts, line } : facts }
}

/** Values are words of ours, numbers or paths; a path is told as such. */
function valueName(text: string): string {
  return nameSchema.safeParse(text).success ? text : 'a-value'
}

/** Keys whose value in force differs. The address is taken at a start, so another one is not in force yet. */
function differences(before: Config, after: Config, keys: readonly string[]): string[] {
  return keys.filter((key) => key !== 'service.listen' && settingOf(before, key) !== settingOf(after, key))
}
