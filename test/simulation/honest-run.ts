// One honest life of a ledger from one seed: appends, crashes, restarts, losses that are confirmed, clock steps, words forgotten.
// A model beside it knows what must be there; at the end the verifier must find nothing.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SteleError } from '../../src/foundation/stele-error.js'
import { readCheckpointLines } from '../../src/ledger/checkpoint-lines.js'
import { homeFiles } from '../../src/ledger/home-files.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { createLedger, type LedgerSettings, openLedger, reanchorLedger } from '../../src/ledger/open-ledger.js'
import type { RedactedEvent } from '../../src/ledger/redacted-event.js'
import { takeSnapshot } from '../../src/ledger/snapshot.js'
import { type VerifyReport, verifyStore } from '../../src/verify/verify-ledger.js'
import { asRedacted } from '../support/as-redacted.js'
import { makeRandom, type Random } from '../support/seeded-random.js'

export interface HonestRun {
  readonly seed: number
  /** What happened, in order: enough to understand a failure. */
  readonly story: readonly string[]
  /** Sentences about what was not as the model has it. */
  readonly wrong: readonly string[]
  readonly report: VerifyReport
}

interface Modelled {
  readonly text: string
  forgotten: boolean
}

const start = Date.UTC(2026, 10, 29, 20, 40)
// Memory-backed where there is such a folder: thousands of runs wait for no disk.
const scratch = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export async function honestRun(seed: number): Promise<HonestRun> {
  const life = new Life(makeRandom(seed))
  try {
    await life.begin()
    const steps = 4 + life.random.int(6)
    for (let step = 0; step < steps; step += 1) await life.step()
    const report = await life.end()
    return { seed, story: life.story, wrong: life.wrong, report }
  } finally {
    rmSync(life.folder, { recursive: true, force: true })
  }
}

class Life {
  readonly random: Random
  readonly folder = mkdtempSync(join(scratch, 'stele-life-'))
  readonly story: string[] = []
  readonly wrong: string[] = []
  /** By index. Entries that are not ours (created, erased, stepped) are not in it. */
  #model = new Map<number, Modelled>()
  #acknowledged = 0
  #now = start
  #monotonic = 0
  #homes = 0
  #ledger: Ledger | undefined
  #session = ''
  #texts = 0
  /** An older copy of the store, and what the ledger held then. */
  #copy: { folder: string; size: number; model: Map<number, Modelled> } | undefined
  #checkpoints: string[] = []

  constructor(random: Random) {
    this.random = random
  }

  async begin(): Promise<void> {
    const { ledger } = await createLedger(this.#files, this.#settings)
    await this.#take(ledger)
    this.#acknowledged = ledger.size
  }

  async step(): Promise<void> {
    this.#tick()
    const step = this.random.int(12)
    if (step < 4) await this.#append()
    else if (step === 4) await this.#forget()
    else if (step === 5) await this.#restart()
    else if (step === 6) await this.#crash()
    else if (step === 7) await this.#checkpoint()
    else if (step === 8) this.#stepClock()
    else await this.#loseAndReanchor()
  }

  async end(): Promise<VerifyReport> {
    await this.#append()
    await this.#compare(this.#open)
    // Half of the lives are verified while they go on.
    if (this.random.int(2) === 0) await this.#open.close()
    const report = await this.#verify()
    await this.#open.close()
    return report
  }

  get #files() {
    return homeFiles(join(this.folder, `home-${this.#homes}`))
  }

  get #settings(): LedgerSettings {
    const world = { now: () => this.#now, monotonic: () => this.#monotonic, salt: () => this.random.bytes(16).toString('hex') }
    return { origin: 'stele.local', anchors: [], markMirror: undefined, world, program: 'simulation' }
  }

  get #open(): Ledger {
    if (this.#ledger === undefined) throw new Error('the ledger is not open')
    return this.#ledger
  }

  async #take(ledger: Ledger): Promise<void> {
    this.#ledger = ledger
    this.#session = await ledger.sessionHandle('host-session')
  }

  #tick(): void {
    const ms = this.random.int(5000)
    this.#now += ms
    this.#monotonic += ms
  }

  async #append(): Promise<void> {
    const callers = 1 + this.random.int(30)
    this.story.push(`${callers} appends`)
    await Promise.all(Array.from({ length: callers }, () => this.#appendOne()))
  }

  async #appendOne(): Promise<void> {
    const texts = Array.from({ length: 1 + this.random.int(3) }, () => this.#text())
    const events = texts.map((text) => this.#message(text))
    const index = this.random.int(2) === 0 ? (await this.#open.append(events)).index : await this.#appendInTurn(events)
    if (index === null) return
    for (const [at, text] of texts.entries()) this.#model.set(index + at, { text, forgotten: false })
    this.#acknowledged = Math.max(this.#acknowledged, index + texts.length)
  }

  /** Made when their turn comes; now and then none are made, or the making fails. Null where nothing was added. */
  async #appendInTurn(events: readonly RedactedEvent[]): Promise<number | null> {
    const turn = this.random.int(6)
    const ids = [this.random.hex(32)]
    const options = { entries: events.length, known: ids, leave: ids }
    try {
      const { index, result } = await this.#open.appendMade((place) => {
        if (turn === 0) throw new SteleError('CANONICAL_JSON_REFUSED')
        return { events: turn === 1 ? [] : events, result: place.index }
      }, options)
      if (index !== null && result !== index) this.wrong.push(`entry ${index} was made for ${result}`)
      const again = await this.#open.appendMade(() => ({ events, result: undefined }), options)
      if (!again.duplicate || again.index !== index) this.wrong.push(`entry ${index} came again as ${again.index}`)
      return index
    } catch (error) {
      if (error instanceof SteleError && error.code === 'CANONICAL_JSON_REFUSED') return null
      throw error
    }
  }

  #text(): string {
    this.#texts += 1
    return `${this.#texts} ${this.random.bytes(this.random.int(60)).toString('base64')}`
  }

  #message(text: string): RedactedEvent {
    const digest = this.#open.digest('text', text)
    const facts = { turn: 1, platform: 'cli', characters: text.length, digest, source: 'unattested' as const }
    return asRedacted({ type: 'message.captured', session: this.#session, facts, words: { text } })
  }

  async #forget(): Promise<void> {
    const ours = [...this.#model.keys()].filter((index) => index < this.#open.size)
    if (ours.length === 0) return
    const first = this.random.pick(ours)
    const last = Math.min(first + this.random.int(8), this.#open.size - 1)
    this.story.push(`forget ${first} to ${last}`)
    await this.#open.forget([[first, last]], { by: 'owner', reason: 'simulation' })
    this.#acknowledged = this.#open.size
    for (const index of ours) if (first <= index && index <= last) this.#forgetInModel(index)
  }

  #forgetInModel(index: number): void {
    const modelled = this.#model.get(index)
    // The older copy shares the record, and does not share the forgetting.
    if (modelled !== undefined) this.#model.set(index, { ...modelled, forgotten: true })
  }

  async #restart(): Promise<void> {
    this.story.push('restart')
    await this.#open.close()
    this.#keepCopy()
    await this.#take(await openLedger(this.#files, this.#settings))
    await this.#compare(this.#open)
  }

  /** The files as a killed process would leave them, with appends under way that nobody was told of. */
  async #crash(): Promise<void> {
    const underWay = this.random.int(4)
    this.story.push(`crash with ${underWay} appends under way`)
    const { home } = this.#files
    const dying = this.#open
    const unheard = Array.from({ length: underWay }, () => dying.append([this.#message(this.#text())]))
    for (let turn = this.random.int(4); turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve))
    this.#homes += 1
    cpSync(home, this.#files.home, { recursive: true })
    await Promise.all(unheard)
    await dying.close()
    rmSync(home, { recursive: true })
    await this.#take(await openLedger(this.#files, this.#settings))
    if (this.#open.size < this.#acknowledged)
      this.wrong.push(`a crash lost ${this.#acknowledged - this.#open.size} acknowledged entries`)
    this.#acknowledged = this.#open.size
    await this.#compare(this.#open)
  }

  async #checkpoint(): Promise<void> {
    this.story.push('checkpoint')
    await this.#open.checkpoint()
    this.#checkpoints.push(...readCheckpointLines(this.#files.checkpoints).slice(-1))
  }

  #stepClock(): void {
    const ms = this.random.pick([-7_200_000, -1500, -900, 3_600_000, 75 * 365 * 86_400_000])
    this.story.push(`clock ${ms} ms`)
    this.#now = Math.max(start - 86_400_000, this.#now + ms)
  }

  #keepCopy(): void {
    // An old copy may outlive a new start: then more than one epoch is lost with it.
    if (this.#copy !== undefined || this.random.int(3) === 0) return
    const folder = join(this.folder, 'copy')
    cpSync(this.#files.store, folder, { recursive: true })
    this.#copy = { folder, size: this.#acknowledged, model: new Map(this.#model) }
  }

  /** The disk gives an older store back; the owner confirms it and goes on. */
  async #loseAndReanchor(): Promise<void> {
    const copy = this.#copy
    if (copy === undefined) return
    if (this.random.int(2) === 0) this.#copy = undefined
    await this.#open.close()
    const files = this.#files
    rmSync(files.store, { recursive: true })
    cpSync(copy.folder, files.store, { recursive: true })
    if (this.#copy === undefined) rmSync(copy.folder, { recursive: true })
    try {
      await this.#take(await openLedger(files, this.#settings))
      if (this.#open.size < this.#acknowledged) this.wrong.push('an older store was opened without a word')
      return
    } catch (error) {
      if (!(error instanceof SteleError) || error.kind !== 'damaged') throw error
      this.story.push(`lost all behind ${copy.size}: ${error.code}, reanchored`)
    }
    await reanchorLedger(files, this.#settings, 'simulation')
    this.#model = new Map(copy.model)
    this.#checkpoints = []
    await this.#take(await openLedger(files, this.#settings))
    this.#acknowledged = this.#open.size
    await this.#compare(this.#open)
  }

  async #compare(ledger: Ledger): Promise<void> {
    for await (const { header, words } of ledger.reader.entries()) {
      const modelled = this.#model.get(header.index)
      if (modelled === undefined) continue
      const expected = modelled.forgotten ? undefined : modelled.text
      if (words?.['text'] !== expected) this.wrong.push(`entry ${header.index} does not hold what was appended`)
    }
    for (const index of this.#model.keys()) if (index >= ledger.size) this.wrong.push(`entry ${index} is gone`)
  }

  async #verify(): Promise<VerifyReport> {
    const files = this.#files
    const marks = [{ name: 'high-water', bytes: readFileSync(files.highWater) }]
    const checkpointsText = readFileSync(files.checkpoints, 'utf8')
    const snapshot = await takeSnapshot(files)
    try {
      const { report } = await verifyStore({ store: snapshot.store, marks, checkpointsText }, { outside: this.#checkpoints })
      return report
    } finally {
      snapshot.remove()
    }
  }
}
