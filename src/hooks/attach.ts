// The host processes that attached: whose secret is whose, and who really speaks (docs/service.md, "Attaching").
// Secrets live here, in memory alone. The ledger keeps a hash of each, so that after a restart only its holder can go on under its name.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { asName, hex32Schema, hex64Schema } from '../events/event-definition.js'
import { SteleError } from '../foundation/stele-error.js'
import type { Ledger } from '../ledger/ledger.js'
import type { LedgerReader } from '../ledger/ledger-reader.js'
import { NumberLine } from './number-line.js'
import { RateBound } from './rate-bound.js'

export const attachRequestSchema = z.object({
  attach: hex32Schema,
  secret: hex64Schema,
  next: z.int().min(1),
  pid: z.int().min(1),
  host: z.string().max(64),
  host_version: z.string().max(64),
  plugin_version: z.string().max(64),
  files: hex64Schema,
  peer_fd: z.int().min(0).optional(),
})

export type AttachRequest = z.infer<typeof attachRequestSchema>

/** What the system can tell of another process. */
export interface ProcessWatch {
  /** When it started, in ticks that are never given twice; undefined where there is no such process. */
  startedAt(pid: number): number | undefined
  /** The first bytes behind a file descriptor of it; undefined where the system does not show them. */
  readDescriptor(pid: number, fd: number, bytes: number): string | undefined
}

/** The part of the ledger that attaching needs. */
export type AttachLedger = Pick<Ledger, 'appendMade' | 'firstUnder' | 'digest'> & { readonly reader: Pick<LedgerReader, 'entry'> }

export interface Attach {
  readonly id: string
  /** Index of the first `host.attached` of this process: its name among the facts. */
  readonly index: number
  readonly secret: Buffer
  readonly pid: number
  readonly pidStarted: number | undefined
  /** Whether the system showed us that this process holds the secret. */
  readonly proved: boolean
  readonly numbers: NumberLine
  readonly rate: RateBound
  /** Numbers of which we were told that our answer did not arrive. */
  readonly toldUnanswered: Set<number>
}

/** How a payload says whose it is. Absent members are empty. */
export interface Signature {
  readonly attach: string
  readonly seq: string
  readonly mac: string
}

export type Speaker =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'attached'; readonly attach: Attach; readonly seq: number }
  /** In the name of an attach, without its secret. */
  | { readonly kind: 'forged'; readonly attach: Attach }
  /** In the name of one that we do not know (any more). */
  | { readonly kind: 'unknown'; readonly id: string }

type AttachedProcess = Pick<Attach, 'id' | 'pid' | 'pidStarted' | 'proved'>

const attachesMax = 256

export class Attaches {
  readonly #ledger: () => AttachLedger
  readonly #processes: ProcessWatch
  readonly #known = new Map<string, Attach>()
  readonly #dropped: Attach[] = []
  /** Attaches under way, so that the same one twice becomes one. */
  readonly #arriving = new Map<string, Promise<Attach>>()
  /** Process of an attach that this service never met, by index. */
  readonly #processOf = new Map<number, AttachedProcess>()

  constructor(ledger: () => AttachLedger, processes: ProcessWatch) {
    this.#ledger = ledger
    this.#processes = processes
  }

  /** Those that made room for others since the last time. */
  takeDropped(): Attach[] {
    return this.#dropped.splice(0)
  }

  get all(): Iterable<Attach> {
    return this.#known.values()
  }

  /**
   * Takes a host process in, and resolves when that is on disk. Throws `ATTACH_REFUSED` for another secret under a known name, and what
   * `admit` throws, which is asked for a name that was never heard.
   */
  async attach(request: AttachRequest, admit: () => void = () => {}): Promise<Attach> {
    // Nothing is awaited between the last look at who is on the way and the own entry there.
    for (let other = this.#arriving.get(request.attach); other !== undefined; other = this.#arriving.get(request.attach))
      await other.catch(() => {})
    const known = this.#known.get(request.attach)
    if (known !== undefined) {
      if (!timingSafeEqual(known.secret, Buffer.from(request.secret, 'hex'))) throw new SteleError('ATTACH_REFUSED')
      return known
    }
    const own = this.#take(request, admit)
    this.#arriving.set(request.attach, own)
    try {
      return await own
    } finally {
      this.#arriving.delete(request.attach)
    }
  }

  /** Who speaks. Throws `ATTACH_NUMBER_INVALID` for a number that is none. */
  speakerOf({ attach: id, seq, mac }: Signature, body: Uint8Array): Speaker {
    if (id === '') return { kind: 'nobody' }
    const attach = this.#known.get(id)
    if (attach === undefined) return { kind: 'unknown', id }
    const expected = macOf('stele/hook/v1', attach, seq, body)
    const given = Buffer.from(/^[0-9a-f]{64}$/.test(mac) ? mac : '', 'hex')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { kind: 'forged', attach }
    const number = Number(seq)
    if (!/^[1-9][0-9]*$/.test(seq) || !Number.isSafeInteger(number)) throw new SteleError('ATTACH_NUMBER_INVALID')
    return { kind: 'attached', attach, seq: number }
  }

  /** The MAC of an answer, 64 hex characters. Number 0 is the answer to the attaching itself. */
  sign(attach: Attach, seq: number, body: Uint8Array): string {
    return macOf('stele/answer/v1', attach, String(seq), body).toString('hex')
  }

  /** Whether the process behind a `host.attached` still runs. Asked by its index, also of those that attached before we started. */
  async isAlive(index: number): Promise<boolean> {
    const { pid, pidStarted } = await this.#process(index)
    return this.#runs(pid, pidStarted)
  }

  /** Whether two attaches are one process: the plugin may be loaded twice. */
  async isSameProcess(attach: Attach, index: number): Promise<boolean> {
    if (attach.index === index) return true
    return isOneProcess(attach, await this.#process(index))
  }

  /** The same without a look into the ledger: only of attaches that this service met. */
  areOneProcess(attach: Attach, index: number): boolean {
    return [...this.#known.values()].some((other) => other.index === index && isOneProcess(attach, other))
  }

  /** Whether the system showed us that the process that attached is the one that it says it is. */
  async isProved(index: number): Promise<boolean> {
    return (await this.#process(index)).proved
  }

  /** The name under which a process attached. */
  async idOf(index: number): Promise<string> {
    return (await this.#process(index)).id
  }

  /** Whether somebody attached to this service under a name. */
  knows(id: string): boolean {
    return this.#known.has(id)
  }

  /** Whether the process of an attach still runs. */
  runs({ pid, pidStarted }: AttachedProcess): boolean {
    return this.#runs(pid, pidStarted)
  }

  /** What was attached to may be gone: every host attaches anew. */
  forgetAll(): void {
    this.#known.clear()
    this.#processOf.clear()
  }

  /** How many of those that attached to this service still run. */
  alive(): number {
    return [...this.#known.values()].filter(({ pid, pidStarted }) => this.#runs(pid, pidStarted)).length
  }

  async #take(request: AttachRequest, admit: () => void): Promise<Attach> {
    const { attach: id, next, pid, files } = request
    const secret = Buffer.from(request.secret, 'hex')
    this.#makeRoom()
    const ledger = this.#ledger()
    const row = ledger.digest('dedupe', `attach\n${id}`)
    const commitment = createHash('sha256').update(`stele/attach/v1\n${id}\n`).update(secret).digest('hex')
    const newest = await ledger.firstUnder(row)
    const before = typeof newest?.index !== 'number' ? undefined : await ledger.reader.entry(newest.index)
    if (before !== undefined && before.payload['secret'] !== commitment) throw new SteleError('ATTACH_REFUSED')
    // Whoever goes on under a name of before is no newcomer.
    if (before === undefined) admit()
    const first = before === undefined ? null : ((before.payload['first'] as number | null) ?? before.header.index)

    const pidStarted = this.#processes.startedAt(pid)
    const facts = {
      attach: id,
      secret: commitment,
      first,
      next,
      host: asName(request.host),
      hostVersion: versionName(request.host_version),
      pluginVersion: versionName(request.plugin_version),
      files,
      pid,
      ...(pidStarted === undefined ? {} : { pidStarted }),
      peer: this.#proves(request, secret) ? ('proved' as const) : ('claimed' as const),
    }
    const { index } = await ledger.appendMade(() => ({ events: [{ type: 'host.attached', facts }], result: undefined }), {
      entries: 1,
      // Found again by its name after a restart, within the days that such ids are kept.
      leave: [row],
    })
    const attach: Attach = {
      id,
      index: first ?? Number(index),
      secret,
      pid,
      pidStarted,
      proved: facts.peer === 'proved',
      numbers: new NumberLine(next),
      rate: new RateBound(),
      toldUnanswered: new Set(),
    }
    this.#known.set(id, attach)
    return attach
  }

  /** A process shows that it holds the secret by a descriptor that only it has. */
  #proves({ attach, pid, peer_fd }: AttachRequest, secret: Buffer): boolean {
    if (peer_fd === undefined) return false
    const expected = createHmac('sha256', secret).update(`stele/peer/v1\n${attach}\n${pid}`).digest('hex')
    return this.#processes.readDescriptor(pid, peer_fd, expected.length) === expected
  }

  #makeRoom(): void {
    const isFull = (): boolean => this.#known.size + this.#arriving.size >= attachesMax
    if (!isFull()) return
    for (const attach of this.#known.values()) if (!this.#runs(attach.pid, attach.pidStarted)) this.#drop(attach)
    // Whoever only claims to be a process makes room for others; if it is one, it attaches again.
    for (const attach of this.#known.values()) {
      if (!isFull()) return
      if (!attach.proved) this.#drop(attach)
    }
    if (isFull()) throw new SteleError('HOOKS_TOO_MANY', { attaches: attachesMax })
  }

  /** What is missing of it must still be told. */
  #drop(attach: Attach): void {
    this.#known.delete(attach.id)
    this.#dropped.push(attach)
  }

  #runs(pid: number, pidStarted: number | undefined): boolean {
    const now = this.#processes.startedAt(pid)
    return now !== undefined && (pidStarted === undefined || now === pidStarted)
  }

  async #process(index: number): Promise<AttachedProcess> {
    for (const attach of this.#known.values()) if (attach.index === index) return attach
    const remembered = this.#processOf.get(index)
    if (remembered !== undefined) return remembered
    const { payload } = await this.#ledger().reader.entry(index)
    const { attach: id, pid, pidStarted, peer } = payload as { attach: string; pid: number; pidStarted?: number; peer: string }
    const process = { id, pid, pidStarted, proved: peer === 'proved' }
    this.#processOf.set(index, process)
    return process
  }
}

/** Anybody can claim a number; both must have shown that they hold something of that process. */
function isOneProcess(one: AttachedProcess, other: AttachedProcess): boolean {
  return (
    one.proved && other.proved && one.pid === other.pid && one.pidStarted !== undefined && one.pidStarted === other.pidStarted
  )
}

/** How a host signs a payload. */
export function signedBy(host: Pick<Attach, 'id' | 'secret'>, seq: number, body: Uint8Array): Signature {
  return { attach: host.id, seq: String(seq), mac: macOf('stele/hook/v1', host, String(seq), body).toString('hex') }
}

function macOf(label: string, { id, secret }: Pick<Attach, 'id' | 'secret'>, seq: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${label}\n${id}\n${seq}\n`).update(body).digest()
}

/** Versions begin with a digit, which `asName` does not take. */
function versionName(text: string): string {
  return /^[0-9A-Za-z.+-]{0,64}$/.test(text) ? text : 'unnamed'
}
