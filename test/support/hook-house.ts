// A house for hooks over a ledger in a temporary home. Its clock, its processes, its gates and its hosts are in the hands of a test.
// Hosts number and sign by node:crypto, after docs/service.md.
import { createHmac } from 'node:crypto'
import type { Entry } from '../../src/events/entry.js'
import { nothingStored } from '../../src/gates/provenance/stored-text.js'
import { type Attach, Attaches, type AttachRequest, type ProcessWatch } from '../../src/hooks/attach.js'
import type { Directive } from '../../src/hooks/directive.js'
import { handleHook } from '../../src/hooks/handle-hook.js'
import type { HookAnswer, HookHouse, HookSettings } from '../../src/hooks/hook-house.js'
import { RateBound } from '../../src/hooks/rate-bound.js'
import { SessionMemory } from '../../src/hooks/session-memory.js'
import { watchGaps } from '../../src/hooks/watch-gaps.js'
import { makeRedactor, type Redactor } from '../../src/redaction/redact.js'
import { longTextsHere } from './long-texts.js'
import { noPolicy } from './no-policy.js'
import { passingGate } from './passing-gate.js'
import { silentStage } from './silent-stage.js'
import { type TemporaryLedger, temporaryLedger } from './temporary-ledger.js'

export class FakeProcesses implements ProcessWatch {
  readonly #started = new Map<number, number>()
  readonly #descriptors = new Map<string, string>()

  start(pid: number, ticks: number): void {
    this.#started.set(pid, ticks)
  }

  end(pid: number): void {
    this.#started.delete(pid)
  }

  /** What a process holds behind a descriptor. */
  show(pid: number, fd: number, text: string): void {
    this.#descriptors.set(`${pid} ${fd}`, text)
  }

  startedAt(pid: number): number | undefined {
    return this.#started.get(pid)
  }

  readDescriptor(pid: number, fd: number, bytes: number): string | undefined {
    return this.#descriptors.get(`${pid} ${fd}`)?.slice(0, bytes)
  }
}

export const observing = { provenance: 'observe', capability: 'observe' } as const
export const enforcing = { provenance: 'block', capability: 'enforce' } as const

export interface Sent {
  readonly late?: boolean
  /** Where the bytes are only the beginning. */
  readonly bytesTotal?: number
}

export class TestHouse {
  readonly home: TemporaryLedger
  readonly processes = new FakeProcesses()
  /** Milliseconds of the clock that never goes back. */
  nowMs = 1_000_000
  /** Tests of what a call would reach say so themselves. */
  modes: HookSettings['modes'] = { ...observing, capability: 'off' }
  keep: HookSettings['keep'] = 'judged'
  hooksPerMinute = 1000
  bytesPerMinute = 100_000_000_000
  gates: HookHouse['gates'] = [passingGate]
  redactor: Redactor = makeRedactor()
  provenance: HookSettings['provenance'] = { search: 'session', scope: 'decisions', evidence: undefined }
  capability: HookSettings['capability'] = noPolicy
  /** Days that what was typed backs anything. */
  messagesDays = 30
  judgedBytes = 1024 * 1024
  /** What a call would reach. */
  proposedAccess: HookHouse['proposedAccess'] = async () => ({ touches: [], commands: [] })
  /** What lies stored where a call would write. */
  storedBefore: HookHouse['storedBefore'] = async () => ({ stored: nothingStored })
  /** What the files of a call hold when it has come back; nothing to look at, unless a test says so. */
  storedAfter: HookHouse['storedAfter'] = async () => undefined
  saidElsewhere: HookHouse['saidElsewhere'] = async () => []
  longTexts: HookHouse['longTexts'] = longTextsHere(() => this.gates)
  /** Silent, unless a test puts one in. */
  stage: HookHouse['stage'] = silentStage
  /** What the spool would bring in; emptied when it is taken. */
  spooled: (() => Promise<unknown>)[] = []
  #attaches: Attaches
  #sessions: SessionMemory
  #unattachedRate = new RateBound()

  constructor(home: TemporaryLedger) {
    this.home = home
    this.#attaches = this.#newAttaches()
    this.#sessions = this.#newSessions()
  }

  get ledger() {
    return this.home.ledger
  }

  get attaches(): Attaches {
    return this.#attaches
  }

  get house(): HookHouse {
    const { ledger, attaches, gates } = this
    return {
      ledger,
      attaches,
      gates,
      sessions: this.#sessions,
      unattachedRate: this.#unattachedRate,
      attachRate: new RateBound(),
      settings: () => {
        const { modes, keep, provenance, capability, messagesDays, judgedBytes, hooksPerMinute, bytesPerMinute } = this
        return { modes, keep, provenance, capability, messagesDays, judgedBytes, hooksPerMinute, bytesPerMinute }
      },
      proposedAccess: (payload, isRemote) => this.proposedAccess(payload, isRemote),
      storedBefore: (payload) => this.storedBefore(payload),
      storedAfter: (payload) => this.storedAfter(payload),
      saidElsewhere: (quotes, session) => this.saidElsewhere(quotes, session),
      longTexts: this.longTexts,
      stage: this.stage,
      redactor: () => this.redactor,
      now: () => this.nowMs,
      recorded: () => {},
      takeSpool: async () => {
        for (const take of this.spooled.splice(0)) await take()
      },
    }
  }

  /** A payload that nobody vouches for: a shell hook's, or a bare post. */
  async send(payload: unknown, { late = false, bytesTotal }: Sent = {}): Promise<Directive> {
    const bytes = bytesOf(payload)
    const signature = { attach: '', seq: '', mac: '' }
    const call = { bytes, bytesTotal: bytesTotal ?? bytes.length, signature, late }
    return (await handleHook(this.house, call)).directive
  }

  /** The service ends and starts again: what was in its memory alone is gone. */
  async restart(): Promise<void> {
    await this.home.reopen()
    this.#attaches = this.#newAttaches()
    this.#sessions = this.#newSessions()
    this.#unattachedRate = new RateBound()
  }

  watchGaps(gapMs: number, last = false): Promise<void> {
    return watchGaps(this.house, gapMs, last)
  }

  /** All but the first, which says that the ledger was created; of one type where it is named. */
  async entries(type?: string): Promise<Entry[]> {
    const entries: Entry[] = []
    for await (const entry of this.ledger.reader.entries({ from: 1 })) {
      if (type === undefined || entry.header.type === type) entries.push(entry)
    }
    return entries
  }

  async types(): Promise<string[]> {
    return (await this.entries()).map(({ header }) => header.type)
  }

  #newAttaches(): Attaches {
    return new Attaches(() => this.home.ledger, this.processes)
  }

  #newSessions(): SessionMemory {
    return new SessionMemory((handle, newest) => this.home.ledger.reader.sessionEntries(handle, { newest }))
  }
}

export async function testHouse(settings: Partial<Pick<TestHouse, 'modes' | 'gates' | 'keep'>> = {}): Promise<TestHouse> {
  return Object.assign(new TestHouse(await temporaryLedger()), settings)
}

export interface SentByHost extends Sent {
  /** The next one where it is left out. */
  readonly seq?: number
  /** The right one where it is left out. */
  readonly mac?: string
  /** What the plugin adds. */
  readonly host?: Readonly<Record<string, unknown>>
}

/** A host process with our plugin in it. */
export class TestHost {
  readonly id: string
  readonly secret: Buffer
  readonly pid: number
  /** The number that was given last. */
  seq = 0
  readonly #house: TestHouse
  #attach: Attach | undefined

  constructor(house: TestHouse, number: number, pid = 4000 + number) {
    this.#house = house
    this.id = number.toString(16).padStart(32, '0')
    this.secret = Buffer.alloc(32, number)
    this.pid = pid
    if (house.processes.startedAt(pid) === undefined) house.processes.start(pid, 100 * pid)
  }

  /** Its name among the facts. */
  get index(): number {
    if (this.#attach === undefined) throw new Error('this host has not attached')
    return this.#attach.index
  }

  request(changes: Partial<AttachRequest> = {}): AttachRequest {
    return {
      attach: this.id,
      secret: this.secret.toString('hex'),
      next: this.seq + 1,
      pid: this.pid,
      host: 'hermes',
      host_version: '0.19.0',
      plugin_version: '0.1.0',
      files: 'f1'.repeat(32),
      ...changes,
    }
  }

  /** Attaches, and shows the system that it is the process that it says it is. */
  attachProved(): Promise<Attach> {
    const shown = createHmac('sha256', this.secret).update(`stele/peer/v1\n${this.id}\n${this.pid}`).digest('hex')
    this.#house.processes.show(this.pid, 9, shown)
    return this.attach({ peer_fd: 9 })
  }

  async attach(changes: Partial<AttachRequest> = {}): Promise<Attach> {
    this.#attach = await this.#house.attaches.attach(this.request(changes))
    return this.#attach
  }

  /** HMAC-SHA-256(secret, label LF attach LF seq LF body), in hex. */
  mac(label: string, seq: number | string, body: string | Uint8Array): string {
    return createHmac('sha256', this.secret).update(`${label}\n${this.id}\n${seq}\n`).update(body).digest('hex')
  }

  async send(payload: unknown, options: SentByHost = {}): Promise<Directive> {
    return (await this.ask(payload, options)).directive
  }

  ask(payload: unknown, { seq = this.seq + 1, mac, host, late = false, bytesTotal }: SentByHost = {}): Promise<HookAnswer> {
    this.seq = Math.max(this.seq, seq)
    const bytes = bytesOf(host === undefined ? payload : { ...(payload as object), host })
    const signature = { attach: this.id, seq: String(seq), mac: mac ?? this.mac('stele/hook/v1', seq, bytes) }
    return handleHook(this.#house.house, { bytes, bytesTotal: bytesTotal ?? bytes.length, signature, late })
  }
}

export async function attachedHost(house: TestHouse, number = 1, pid?: number): Promise<TestHost> {
  const host = new TestHost(house, number, pid)
  await host.attach()
  return host
}

export interface HostPayload {
  readonly hook_event_name: string
  readonly tool_name: string | null
  readonly tool_input: Record<string, unknown> | null
  readonly session_id: string
  readonly cwd: string
  readonly extra: Record<string, unknown>
}

export function sessionStart(session_id = 'host-session'): HostPayload {
  return { ...envelope('on_session_start', { model: 'fake-model', platform: 'cli' }), session_id }
}

export function llmCall(extra: Record<string, unknown>, session_id = 'host-session'): HostPayload {
  const ids = { turn_id: 'turn-1', task_id: 'task-1', platform: 'cli', sender_id: '' }
  return { ...envelope('pre_llm_call', { ...ids, ...extra }), session_id }
}

export function toolCall(tool_input: Record<string, unknown>, extra: Record<string, unknown> = {}): HostPayload {
  const ids = { turn_id: 'turn-1', task_id: 'task-1', tool_call_id: 'call-1', api_request_id: 'request-1' }
  return { ...envelope('pre_tool_call', { ...ids, ...extra }), tool_name: 'terminal', tool_input }
}

export function toolResult(tool_input: Record<string, unknown>, extra: Record<string, unknown> = {}): HostPayload {
  return { ...toolCall(tool_input, { status: 'ok', result: 'done', ...extra }), hook_event_name: 'post_tool_call' }
}

function envelope(hook_event_name: string, extra: Record<string, unknown>): HostPayload {
  return { hook_event_name, tool_name: null, tool_input: null, session_id: 'host-session', cwd: '/srv/agent', extra }
}

/** Bytes and texts as they are, anything else as JSON. */
export function bytesOf(payload: unknown): Buffer {
  if (payload instanceof Uint8Array) return Buffer.from(payload)
  return Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
}
