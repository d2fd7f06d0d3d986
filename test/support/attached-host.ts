// A stand-in for the plugin in a host's process, written from docs/service.md alone: it attaches, numbers and signs its payloads, believes
// only answers with a good MAC, and spools what it cannot deliver.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askSocket, type SocketAnswer } from './socket-request.js'

/** What service.json says, as far as a client needs it. */
export interface ServiceFacts {
  readonly socket: string
  readonly pid: number | null
  readonly modes: { readonly provenance: string; readonly capability: string }
  readonly fieldBytes: number
}

export interface SignedPayload {
  readonly seq: number
  readonly mac: string
  readonly body: Buffer
  /** The hook and the tool that it speaks of, for the decision when nobody answers. */
  readonly hook: string
  readonly tool: string
}

/** What came back for one payload. */
export interface HookAnswer {
  readonly status: number
  /** Undefined where this is no answer: another status, or a MAC that does not agree. */
  readonly directive: Record<string, unknown> | undefined
  /** Of an error. */
  readonly code: string | undefined
  readonly wants: readonly string[]
}

/** What became of a payload in the end, and what the host was told. */
export interface Delivery {
  readonly seq: number
  readonly how: 'answered' | 'blocked' | 'let_go'
  readonly directive: Record<string, unknown>
  /** The file of the spool that has it. */
  readonly spooled: string | undefined
}

export interface AttachedHostOptions {
  /** Another process than this one. */
  readonly pid?: number
  readonly hostVersion?: string
  /** How long it waits for an answer. */
  readonly deadlineMs?: number
}

export type Payload = Readonly<Record<string, unknown>>

export class AttachedHost {
  readonly home: string
  readonly id = randomBytes(16).toString('hex')
  readonly secret = randomBytes(32)
  /** Index of the first `host.attached` of this process, once it has attached. */
  index = -1
  readonly #options: AttachedHostOptions
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })
  /** Numbers that are used up, and those that have been answered. */
  #used = 0
  readonly #answered = new Set<number>()
  #unanswered: { seq: number; hook: string; did: 'blocked' | 'let_go' | 'lost' }[] = []
  #modes: ServiceFacts['modes'] | undefined
  #attaching: Promise<SocketAnswer> | undefined

  constructor(home: string, options: AttachedHostOptions = {}) {
    this.home = home
    this.#options = options
  }

  /** The lowest number that has not been answered yet. */
  get next(): number {
    let next = 1
    while (this.#answered.has(next)) next += 1
    return next
  }

  /** The modes that it was told last by somebody who holds its secret. */
  get modes(): ServiceFacts['modes'] | undefined {
    return this.#modes
  }

  /** Attaches, or attaches again. Calls that meet are one. */
  async attach(more: Payload = {}): Promise<SocketAnswer> {
    this.#attaching ??= this.#attach(more).finally(() => {
      this.#attaching = undefined
    })
    return this.#attaching
  }

  /** Gives a payload its number and its MAC. */
  sign(payload: Payload | Buffer): SignedPayload {
    this.#used += 1
    const body = Buffer.isBuffer(payload) ? payload : this.#bodyOf(payload)
    const names = Buffer.isBuffer(payload) ? {} : payload
    const text = (name: string) => (typeof names[name] === 'string' ? names[name] : '')
    return {
      seq: this.#used,
      mac: this.#mac('stele/hook/v1', this.#used, body),
      body,
      hook: text('hook_event_name'),
      tool: text('tool_name'),
    }
  }

  /** Sends it once. Rejects where nobody answers in time. `facts` for a home whose service.json is not there any more. */
  async send({ seq, mac, body }: SignedPayload, facts = readServiceFacts(this.home)): Promise<HookAnswer> {
    const headers = { 'Stele-Attach': this.id, 'Stele-Seq': String(seq), 'Stele-Mac': mac, 'Content-Type': 'application/json' }
    const answer = await this.#ask('/v1/hooks', headers, body, facts)
    const genuine = answer.status === 200 && this.#isGenuine(answer, seq)
    if (genuine) this.#answered.add(seq)
    const wants = String(answer.headers['stele-wants'] ?? '').split(',')
    return {
      status: answer.status,
      directive: genuine ? (JSON.parse(answer.bytes.toString()) as Record<string, unknown>) : undefined,
      code: answer.status === 200 ? undefined : codeOf(answer),
      wants: wants.map((name) => name.trim()).filter((name) => name !== ''),
    }
  }

  /** Numbers, signs and sends a payload. */
  hook(payload: Payload | Buffer): Promise<HookAnswer> {
    return this.send(this.sign(payload))
  }

  /** All that the plugin does for one payload: sends it, attaches again where it is not known, spools it and decides where nobody answers. */
  async deliver(payload: Payload): Promise<Delivery> {
    const told = this.#unanswered
    this.#unanswered = []
    const signed = this.sign(told.length === 0 ? payload : { ...payload, host: { ...hostOf(payload), unanswered: told } })
    let answer = await this.#sendOrNothing(signed)
    if (answer?.code === 'ATTACH_UNKNOWN') {
      await this.attach().catch(() => {})
      answer = await this.#sendOrNothing(signed)
    }
    if (answer?.directive !== undefined)
      return { seq: signed.seq, how: 'answered', directive: answer.directive, spooled: undefined }
    this.#unanswered.unshift(...told)
    // Too many: the service has counted it already.
    const spooled = answer?.status === 429 ? undefined : this.#spooled(signed)
    const blocks = this.#mustBlock(payload)
    const how = blocks ? 'blocked' : 'let_go'
    if (answer?.status === 429) this.#answered.add(signed.seq)
    else this.#unanswered.push({ seq: signed.seq, hook: signed.hook, did: spooled === undefined ? 'lost' : how })
    return { seq: signed.seq, how, spooled, directive: blocks ? { action: 'block', message: 'not recorded' } : {} }
  }

  /** Writes it into the spool and returns the name of the file. */
  spool({ seq, mac, body }: SignedPayload, nowMs = Date.now()): string {
    const name = `${String(nowMs).padStart(13, '0')}-${this.id.slice(0, 8)}-${String(seq).padStart(8, '0')}.json`
    writeSpoolFile(this.home, name, { attach: this.id, seq, mac, body: body.toString() })
    return name
  }

  /** Lets its connections go. */
  close(): void {
    this.#agent.destroy()
  }

  async #attach(more: Payload): Promise<SocketAnswer> {
    const body = Buffer.from(
      JSON.stringify({
        attach: this.id,
        secret: this.secret.toString('hex'),
        next: this.next,
        pid: this.#options.pid ?? process.pid,
        host: 'hermes',
        host_version: this.#options.hostVersion ?? '0.19.0',
        plugin_version: '0.1.0',
        files: 'f1'.repeat(32),
        ...more,
      }),
    )
    const answer = await this.#ask('/v1/attach', { 'Content-Type': 'application/json' }, body, readServiceFacts(this.home))
    if (answer.status === 200 && this.#isGenuine(answer, 0)) {
      const { index, modes } = JSON.parse(answer.bytes.toString()) as { index: number; modes: ServiceFacts['modes'] }
      this.index = index
      this.#modes = modes
    }
    return answer
  }

  #ask(path: string, headers: Readonly<Record<string, string>>, body: Buffer, { socket }: ServiceFacts): Promise<SocketAnswer> {
    return askSocket(socket, { path, headers, body, agent: this.#agent, timeoutMs: this.#options.deadlineMs ?? 15_000 })
  }

  async #sendOrNothing(signed: SignedPayload): Promise<HookAnswer | undefined> {
    try {
      return await this.send(signed)
    } catch {
      return undefined
    }
  }

  #spooled(signed: SignedPayload): string | undefined {
    try {
      return this.spool(signed)
    } catch {
      return undefined
    }
  }

  /** By the strictest modes it was last told, else by service.json; what cannot be read is at its strictest. */
  #mustBlock({ hook_event_name, tool_name }: Payload): boolean {
    if (hook_event_name !== 'pre_tool_call') return false
    const { capability, provenance } = this.#modes ?? modesWithoutService(this.home)
    return capability === 'enforce' || (provenance === 'block' && (tool_name === 'memory' || tool_name === 'skill_manage'))
  }

  #bodyOf(payload: Payload): Buffer {
    const host = { at: new Date().toISOString(), attended: 'attended', ...hostOf(payload) }
    return Buffer.from(JSON.stringify({ ...trimmed(payload, this.#fieldBytes()), host }))
  }

  #fieldBytes(): number {
    try {
      return readServiceFacts(this.home).fieldBytes
    } catch {
      return 262_144
    }
  }

  #mac(label: string, seq: number, bytes: Uint8Array): string {
    return createHmac('sha256', this.secret).update(`${label}\n${this.id}\n${seq}\n`).update(bytes).digest('hex')
  }

  #isGenuine({ headers, bytes }: SocketAnswer, seq: number): boolean {
    const given = Buffer.from(String(headers['stele-mac'] ?? ''))
    const expected = Buffer.from(this.#mac('stele/answer/v1', seq, bytes))
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}

/** The payload with heavy members of `extra` replaced by their size and digest, as docs/service.md wants it before sending. */
function trimmed(payload: Payload, fieldBytes: number): Payload {
  const { extra } = payload
  if (typeof extra !== 'object' || extra === null) return payload
  const members = Object.entries(extra).map(([name, value]: [string, unknown]): [string, unknown] => {
    if (name === 'user_message') return [name, value]
    if (name === 'conversation_history') return [name, standInOf(value)]
    if (name === 'request' && typeof value === 'object' && value !== null) {
      const inner = Object.entries(value).map(([of, one]) => [of, of === 'messages' || of === 'input' ? standInOf(one) : one])
      return [name, Object.fromEntries(inner)]
    }
    return [name, Buffer.byteLength(JSON.stringify(value) ?? '') > fieldBytes ? standInOf(value) : value]
  })
  return { ...payload, extra: Object.fromEntries(members) }
}

function standInOf(value: unknown): Payload {
  const compact = JSON.stringify(value) ?? 'null'
  const count = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
  return { count, bytes: Buffer.byteLength(compact), digest: createHash('sha256').update(compact).digest('hex') }
}

export function readServiceFacts(home: string): ServiceFacts {
  return JSON.parse(readFileSync(join(home, 'service.json'), 'utf8')) as ServiceFacts
}

/** One line, whole or not there: written beside, synced, renamed, and the folder synced. */
export function writeSpoolFile(home: string, name: string, line: Payload | string): void {
  const folder = join(home, 'spool')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `${name}.tmp`)
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(file, typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, join(folder, name))
  const within = openSync(folder, 'r')
  fsyncSync(within)
  closeSync(within)
}

/** Asks again and again until it is so; rejects after a time that is far beyond every promise. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`still not so after ${withinMs} ms: ${what}`)
    await sleep(25)
  }
}

function modesWithoutService(home: string): ServiceFacts['modes'] {
  try {
    return readServiceFacts(home).modes
  } catch (error) {
    const never = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return never ? { provenance: 'observe', capability: 'observe' } : { provenance: 'block', capability: 'enforce' }
  }
}

function hostOf({ host }: Payload): Payload {
  return typeof host === 'object' && host !== null ? (host as Payload) : {}
}

/** The code of an error as the service tells it. */
export function codeOf({ bytes }: SocketAnswer): string | undefined {
  try {
    return (JSON.parse(bytes.toString()) as { error?: { code?: string } }).error?.code
  } catch {
    return undefined
  }
}
