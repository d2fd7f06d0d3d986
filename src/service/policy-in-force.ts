// The allowlist that holds at this moment. Its file is looked at before every decision. What grants less is in force at once; what grants
// more waits for the owner while the gate enforces, and until then only what both grant is granted. The ledger says what was in force: it
// holds over a restart, also where the file is gone or cannot be used. Where a folder in it did not answer in time, it is looked for again.
import { statSync } from 'node:fs'
import type { Entry } from '../events/entry.js'
import type { Facts } from '../events/event-catalog.js'
import { asName } from '../events/event-definition.js'
import { policyEvents } from '../events/policy.js'
import { canonicalJson } from '../foundation/canonical-json.js'
import { SteleError } from '../foundation/stele-error.js'
import type { Allowlist, Policy } from '../gates/capability/allowlist.js'
import { allowlistText, type PolicyChange, policyChange } from '../gates/capability/policy-change.js'
import { type RedactedEvent, redactEvent } from '../ledger/redacted-event.js'
import type { Redactor } from '../redaction/redact.js'
import { type FollowedPolicy, pathStyle } from './policy-file.js'
import type { FoundPlaces } from './protected-places.js'

/** An allowlist as it was written, and what it comes to on this machine. */
export interface ReadPolicyText {
  readonly text: string
  readonly allowlist: Allowlist
}

export interface PolicyOptions {
  /** The file of grants, as the settings have it now. */
  readonly file: () => string
  /** Whether what grants more has to wait: the gate enforces, and the owner has not said that files do. */
  readonly guards: () => boolean
  /** Throws `FILE_UNREADABLE`. */
  readonly bytesOf: (file: string) => Uint8Array
  /** Throws `POLICY_INVALID`. */
  readonly read: (bytes: Uint8Array) => Promise<FollowedPolicy>
  /** Replaces the file of grants. */
  readonly write: (file: string, text: string) => void
  readonly protectedPlaces: (file: string) => Promise<FoundPlaces>
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** What the ledger says was taken up last; undefined where nothing ever was. */
  readonly before: ReadPolicyText | undefined
  /** Keyed, use `file`. */
  readonly digest: (text: string) => string
  readonly redactor: () => Redactor
  readonly record: (events: readonly RedactedEvent[]) => Promise<void>
}

export interface PolicyStanding {
  /** Undefined where there is none: then nothing is granted. */
  readonly policy: Policy | undefined
  readonly digest: string | undefined
}

export interface WaitingPolicy {
  readonly text: string
  /** From what is in force; against nothing at all where nothing is. */
  readonly change: PolicyChange
}

/** How long what did not answer is left alone: each time twice as long as before. */
const firstRetryMs = 1000
const lastRetryMs = 60_000

interface Retry {
  readonly waitMs: number
  readonly atMs: number
}

const nothingGranted: Allowlist = { version: 1, skills: [], requireApproval: [], deny: { tools: [], paths: [], commands: [] } }

export class PolicyInForce {
  readonly #options: PolicyOptions
  #accepted: ReadPolicyText | undefined
  /** What the file asks for beyond that. */
  #asked: ReadPolicyText | undefined
  #standing: PolicyStanding = { policy: undefined, digest: undefined }
  #rejected: SteleError | undefined
  #fingerprint = ''
  /** Something did not answer when it was last looked for. */
  #isLate = false
  #retry: Retry | undefined
  /** What follows from a change and is not on disk yet: where it cannot be recorded now, it is the next time. */
  readonly #unrecorded: RedactedEvent[] = []
  #busy: Promise<unknown> = Promise.resolve()

  private constructor(options: PolicyOptions) {
    this.#options = options
    this.#accepted = options.before
  }

  /** Reads the file and records what is in force. A first allowlist is taken up as it is: nothing was protected before it. */
  static async open(options: PolicyOptions): Promise<PolicyInForce> {
    const policy = new PolicyInForce(options)
    await policy.#alone(() => policy.#takeUp(true))
    return policy
  }

  get standing(): PolicyStanding {
    return this.#standing
  }

  get waiting(): WaitingPolicy | undefined {
    if (this.#asked === undefined) return undefined
    const { text, allowlist } = this.#asked
    return { text, change: policyChange(this.#accepted?.allowlist ?? nothingGranted, allowlist, pathStyle) }
  }

  /** The text of what the owner has taken up. */
  get text(): string | undefined {
    return this.#accepted?.text
  }

  /** Why the file as it is now cannot be used; undefined where it can. */
  get rejected(): SteleError | undefined {
    return this.#rejected
  }

  /** Takes up a file that has changed. Resolves when what follows from that is on disk. */
  async refresh(): Promise<void> {
    if (this.#isCurrent()) return
    await this.#alone(async () => {
      if (!this.#isCurrent()) await this.#takeUp(false)
    })
  }

  /** The owner wants this text, or without one what waits. In force once that is on disk. Throws `POLICY_INVALID`, `POLICY_NOTHING_WAITS`. */
  use(text?: string): Promise<PolicyStanding> {
    return this.#alone(async () => {
      const wanted = text === undefined ? this.#asked : await this.#readText(Buffer.from(text))
      if (wanted === undefined) throw new SteleError('POLICY_NOTHING_WAITS')
      const standing = await this.#standingOf([wanted.allowlist])
      // The file first: should we end here, it waits like every file that grants more.
      this.#options.write(this.#options.file(), wanted.text)
      await this.#options.record([this.#activated('used', wanted.text, standing)])
      this.#accepted = wanted
      this.#asked = undefined
      this.#standing = standing
      this.#retryLater()
      return standing
    })
  }

  #isCurrent(): boolean {
    return this.#unrecorded.length === 0 && this.#look() === this.#fingerprint && !this.#isRetryDue()
  }

  #isRetryDue(): boolean {
    return this.#retry !== undefined && this.#options.now() >= this.#retry.atMs
  }

  async #takeUp(isFirst: boolean): Promise<void> {
    const fingerprint = this.#look()
    const isSame = fingerprint === this.#fingerprint
    if (!isSame || this.#isRetryDue()) {
      await this.#readAnew(isFirst ? 'started' : isSame ? 'found' : 'edited')
      this.#fingerprint = fingerprint
    }
    const events = [...this.#unrecorded]
    if (events.length === 0) return
    await this.#options.record(events)
    this.#unrecorded.splice(0, events.length)
  }

  async #readAnew(how: 'started' | 'edited' | 'found'): Promise<void> {
    const before = { digest: this.#standing.digest, asked: this.#asked?.text }
    const isFirst = how === 'started'
    this.#isLate = false
    const read = await this.#readFile(how)
    if (read === undefined) {
      // The last good one stays.
    } else if (this.#mayHoldAtOnce(read.allowlist, isFirst)) {
      this.#accepted = read
      this.#asked = undefined
    } else {
      this.#asked = read
    }
    const both = [this.#accepted, this.#asked].flatMap((one) => (one === undefined ? [] : [one.allowlist]))
    this.#standing = this.#accepted === undefined ? { policy: undefined, digest: undefined } : await this.#standingOf(both)
    const isNews = isFirst || this.#standing.digest !== before.digest || this.#asked?.text !== before.asked
    if (isNews && this.#accepted !== undefined) this.#unrecorded.push(this.#activated(how, this.#accepted.text, this.#standing))
    this.#retryLater(how === 'found' ? this.#retry?.waitMs : undefined)
  }

  #retryLater(waitedMs = firstRetryMs / 2): void {
    const waitMs = Math.min(waitedMs * 2, lastRetryMs)
    this.#retry = this.#isLate ? { waitMs, atMs: this.#options.now() + waitMs } : undefined
  }

  async #readText(bytes: Uint8Array): Promise<ReadPolicyText> {
    const { allowlist, isLate } = await this.#options.read(bytes)
    this.#isLate ||= isLate
    return { text: Buffer.from(bytes).toString('utf8'), allowlist }
  }

  async #readFile(how: 'started' | 'edited' | 'found'): Promise<ReadPolicyText | undefined> {
    const { file, bytesOf } = this.#options
    try {
      const read = await this.#readText(bytesOf(file()))
      this.#rejected = undefined
      return read
    } catch (error) {
      if (!(error instanceof SteleError)) throw error
      // Where there has never been one there is nothing that somebody took away.
      const isMissing = error.code === 'FILE_UNREADABLE' && this.#accepted === undefined
      this.#rejected = isMissing ? undefined : error
      // The same file is told once.
      if (!isMissing && how !== 'found') this.#unrecorded.push(rejectedEvent(error))
      return undefined
    }
  }

  #mayHoldAtOnce(asked: Allowlist, isFirst: boolean): boolean {
    const accepted = this.#accepted
    if (accepted === undefined) return isFirst || !this.#options.guards()
    if (!this.#options.guards()) return true
    return (
      allowlistText(accepted.allowlist) === allowlistText(asked) || policyChange(accepted.allowlist, asked, pathStyle).isNarrower
    )
  }

  async #standingOf(allowlists: readonly Allowlist[]): Promise<PolicyStanding> {
    const { digest, file, protectedPlaces } = this.#options
    const { places, isLate } = await protectedPlaces(file())
    this.#isLate ||= isLate
    const policy: Policy = { allowlists, protected: places, pathStyle }
    return { policy, digest: digest(canonicalJson(policy)) }
  }

  #activated(how: Facts<'policy.activated'>['how'], text: string, { policy, digest }: PolicyStanding): RedactedEvent {
    const waiting = how === 'used' || this.#asked === undefined ? {} : { waiting: this.#options.digest(this.#asked.text) }
    return redactEvent(
      {
        type: 'policy.activated',
        facts: { policy: 'allowlist', digest: digest ?? '', how, ...waiting },
        words: { text, policy: canonicalJson(policy) },
      },
      this.#options.redactor(),
    ).event
  }

  /** Of what decides: the file, and whether what grants more has to wait. */
  #look(): string {
    const { file, guards } = this.#options
    const path = file()
    return `${path}\n${fileSeen(path)}\n${guards()}`
  }

  #alone<Result>(task: () => Promise<Result>): Promise<Result> {
    const own = this.#busy.then(task)
    this.#busy = own.catch(() => {})
    return own
  }
}

/** What tells whether a file is another by now. One that cannot be looked at is one that cannot be read, and is told as such. */
function fileSeen(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true })
    return found === undefined ? 'none' : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ')
  } catch (error) {
    return `unseen ${error instanceof Error && 'code' in error ? error.code : ''}`
  }
}

function rejectedEvent({ code, details }: SteleError): RedactedEvent {
  const { line, column, code: problem } = details
  const facts = {
    policy: 'allowlist',
    code: asName(typeof problem === 'string' ? problem : code.toLowerCase()),
    line: typeof line === 'number' ? line : 1,
    column: typeof column === 'number' ? column : 1,
  }
  return { type: 'policy.rejected', facts }
}

/** The text of the newest policy whose digest begins so. Throws `POLICY_UNKNOWN`, also where its words are forgotten. */
export async function policyTextOf(newestFirst: AsyncIterable<Entry>, digest: string): Promise<string> {
  for await (const { header, payload, words } of newestFirst) {
    if (header.type !== 'policy.activated' || !String(payload['digest']).startsWith(digest)) continue
    const text = words?.['text']
    if (typeof text === 'string') return text
  }
  throw new SteleError('POLICY_UNKNOWN')
}

/**
 * What was taken up last, from the newest entry of it. Each start of a service says so again behind its settings, so that nothing before
 * the last start that was followed by a call need be read: one that nothing followed may have ended before it had said so. Undefined where
 * nothing ever was, or its words are forgotten.
 */
export async function policyBefore(newestFirst: AsyncIterable<Entry>): Promise<ReadPolicyText | undefined> {
  let wasCalled = false
  for await (const { header, payload, words } of newestFirst) {
    wasCalled ||= header.session !== ''
    if (wasCalled && header.type === 'config.activated' && payload['why'] === 'started') return undefined
    if (header.type !== 'policy.activated') continue
    const read = policyEvents['policy.activated'].words?.safeParse(words ?? {})
    if (read?.success !== true) return undefined
    const { allowlists } = JSON.parse(read.data.policy) as Policy
    const [allowlist] = allowlists
    return allowlist === undefined ? undefined : { text: read.data.text, allowlist }
  }
  return undefined
}
