// Looks at memory and skill files at the end of turns, and records those that hold something else than was known of them where no judged write
// left it so: an agent can write them with any tool, and a person with any editor. It works behind the answers, within bounds, one look at a
// time; what it cannot read is left for the next turn. Only digests are kept.
import type { Facts, NewEvent } from '../events/event-catalog.js'
import { fileMark, type HeldFile, memoryFiles, skillFilesHeld } from '../hooks/hermes/held-files.js'
import { profileHome } from '../hooks/hermes/profile-home.js'
import { type ReadingLimits, StoreReading } from '../hooks/hermes/store-reading.js'
import type { RecordedAbout } from '../hooks/hook-house.js'
import type { Ledger } from '../ledger/ledger.js'
import { redactEvent } from '../ledger/redacted-event.js'
import { type FilesView, files, type KnownFile } from '../projections/files.js'
import { foldNew } from '../projections/projection.js'
import type { Redactor } from '../redaction/redact.js'

export interface FileWatchOptions {
  /** The Hermes home that the service belongs to; undefined where nobody said. */
  readonly hermesHome: string | undefined
  /** As of `SkillFolders`. */
  readonly external: (hermesHome: string) => readonly string[] | undefined
  /** Throws why nothing can be written. */
  readonly ledger: () => Promise<Pick<Ledger, 'appendMade' | 'digest'>>
  /** What the ledger knows of files: asked once. */
  readonly known: () => Promise<FilesView | undefined>
  readonly redactor: () => Redactor
  readonly now: () => number
  readonly failed: (error: unknown) => void
  readonly limits?: ReadingLimits
  /** Skills are walked through, and looked at, no more often. */
  readonly walkEveryMs?: number
}

interface EndedTurn {
  readonly index: number
  readonly session: string
  readonly profile: string | null | undefined
}

interface OpenWrite {
  readonly call: number
  readonly afters: readonly (string | null)[]
  readonly sinceMs: number
}

/** What of one Hermes home is remembered from look to look. */
interface WatchedHome {
  /** By path: its marks and its place, as of the last time that it was read. */
  readonly marks: Map<string, { readonly mark: string; readonly file: HeldFile }>
  walkedMs: number | undefined
  skills: readonly HeldFile[]
  /** Index of the turn at whose end every skill was seen last: one that comes later was not there then. */
  wholeAt: number | undefined
}

type FoundFile = Pick<Noticed, 'target' | 'place' | 'found'>
type Noticed = Facts<'file.noticed'>['files'][number]

/** Hundreds of skills cost some 100 ms of a processor, in small pieces; two memories a fraction of one. */
const walkEveryDefaultMs = 5 * 60_000
/** A call that is open for longer is taken never to come back. */
const openMaxMs = 10 * 60 * 1000
/** Of one look; the rest is left for the next. */
const noticedMax = 500

export class FileWatch {
  readonly #options: FileWatchOptions
  readonly #homes = new Map<string, WatchedHome>()
  #view: FilesView | undefined
  #open: OpenWrite[] = []
  #next: EndedTurn | undefined
  #looking: Promise<void> | undefined

  constructor(options: FileWatchOptions) {
    this.#options = options
  }

  /** A payload's events are on disk. Returns at once. */
  recorded(events: readonly NewEvent[], { index, profile, late }: RecordedAbout): void {
    for (const [at, event] of events.entries()) {
      const { type, facts, session = '' } = event
      if (type === 'write.proposed')
        this.#open.push({ call: facts.call, afters: facts.files.map(({ after }) => after), sinceMs: this.#options.now() })
      if (type === 'tool.completed') this.#open = this.#open.filter(({ call }) => call !== facts.requested)
      if (this.#view !== undefined) this.#view = foldNew(files, this.#view, event, { index: index + at, time: '' })
      if (type === 'turn.ended' && !late && facts.probe !== true) this.#look({ index: index + at, session, profile })
    }
  }

  /** Resolves when every turn that has ended is looked at. */
  async settled(): Promise<void> {
    await this.#looking
  }

  /** Resolves when the look that is under way is over; no other begins for turns that have ended by now. */
  async close(): Promise<void> {
    this.#next = undefined
    await this.#looking
  }

  /** Of turns that end while one is looked at, the newest is looked at next. */
  #look(turn: EndedTurn): void {
    this.#next = turn
    this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = undefined
    })
  }

  async #lookOn(): Promise<void> {
    // Behind the answer.
    await new Promise((resolve) => setImmediate(resolve))
    for (let turn = this.#next; turn !== undefined; turn = this.#next) {
      this.#next = undefined
      try {
        await this.#lookAt(turn)
      } catch (error) {
        this.#options.failed(error)
      }
    }
  }

  async #lookAt(turn: EndedTurn): Promise<void> {
    const { hermesHome, limits, now } = this.#options
    const home = hermesHome === undefined ? undefined : profileHome(hermesHome, turn.profile)
    if (home === undefined) return
    this.#view ??= (await this.#options.known()) ?? files.initial()
    this.#open = this.#open.filter(({ sinceMs }) => now() - sinceMs < openMaxMs)
    const ledger = await this.#options.ledger()
    const watched = this.#homeOf(home)
    const reading = new StoreReading(limits)
    const before = watched.wholeAt
    const isWalked = await this.#walk(watched, home, turn, reading)
    const noticed: { readonly one: Noticed; readonly name: string }[] = []
    const read: { readonly file: HeldFile; readonly mark: string }[] = []
    let unread = 0
    for (const file of isWalked ? this.#filesOf(watched, home) : memoryFiles(home)) {
      const mark = await fileMark(file.path)
      if (mark === undefined || watched.marks.get(file.path)?.mark === mark) continue
      const text = mark === '' ? { text: undefined } : await reading.file(file.path)
      if ('problem' in text || noticed.length >= noticedMax) {
        unread += 1
        continue
      }
      read.push({ file, mark })
      const place = ledger.digest('target', `${home}\n${file.name}`)
      const found = text.text === undefined ? null : ledger.digest('file', text.text)
      const isNew = file.target === 'skill' && before !== undefined && !watched.marks.has(file.path)
      const known = this.#view.places[place] ?? (isNew ? { found: null, index: before } : undefined)
      const one = this.#noticed({ target: file.target, place, found }, known, turn)
      if (one !== undefined) noticed.push({ one, name: file.name })
    }
    if (noticed.length > 0) await this.#record(ledger, turn, noticed, unread)
    // Only now: what could not be recorded is found again.
    for (const { file, mark } of read) {
      if (mark === '' && file.target === 'skill') watched.marks.delete(file.path)
      else watched.marks.set(file.path, { mark, file })
    }
  }

  #homeOf(home: string): WatchedHome {
    const watched = this.#homes.get(home) ?? { marks: new Map(), walkedMs: undefined, skills: [], wholeAt: undefined }
    this.#homes.set(home, watched)
    return watched
  }

  /** Whether it was time for it. */
  async #walk(watched: WatchedHome, home: string, turn: EndedTurn, reading: StoreReading): Promise<boolean> {
    const { external, now, walkEveryMs = walkEveryDefaultMs } = this.#options
    if (watched.walkedMs !== undefined && now() - watched.walkedMs < walkEveryMs) return false
    const { files: found, isWhole } = await skillFilesHeld(home, external(home) ?? [], reading)
    watched.walkedMs = now()
    watched.skills = found
    watched.wholeAt = isWhole ? turn.index : undefined
    return true
  }

  /** With those that were there and are not found any more. */
  #filesOf({ marks, skills }: WatchedHome, home: string): Iterable<HeldFile> {
    const all = new Map([...memoryFiles(home), ...skills].map((file) => [file.path, file]))
    for (const [path, { file }] of marks) if (!all.has(path)) all.set(path, file)
    return all.values()
  }

  /** Undefined where what was found is known, or a judged write explains it. */
  #noticed(file: FoundFile, known: KnownFile | undefined, turn: EndedTurn): Noticed | undefined {
    const { place, found } = file
    const view = this.#view
    if (view === undefined || known?.found === found) return undefined
    const landed = view.landed.findLast((one) => one.found === found)
    const isUnderWay = this.#open.some(({ afters }) => afters.includes(found))
    if (landed !== undefined || isUnderWay || (known === undefined && found === null)) {
      view.places[place] = landed ?? { found, index: turn.index }
      return undefined
    }
    const disturbed = this.#open.length > 0 ? { disturbed: true as const } : {}
    return { ...file, ...(known === undefined ? {} : { before: known.found, since: known.index }), ...disturbed }
  }

  async #record(
    ledger: Pick<Ledger, 'appendMade'>,
    { index: turn, session }: EndedTurn,
    noticed: readonly { readonly one: Noticed; readonly name: string }[],
    unread: number,
  ): Promise<void> {
    // Those that changed first.
    const sorted = noticed.toSorted((a, b) => Number(a.one.before === undefined) - Number(b.one.before === undefined))
    const event: NewEvent = {
      type: 'file.noticed',
      ...(session === '' ? {} : { session }),
      facts: { turn, files: sorted.map(({ one }) => one), ...(unread === 0 ? {} : { unread }) },
      words: { names: sorted.map(({ name }) => name) },
    }
    const { event: redacted } = redactEvent(event, this.#options.redactor())
    let index = 0
    await ledger.appendMade(
      (place) => {
        index = place.index
        return { events: [redacted], result: undefined }
      },
      { entries: 1 },
    )
    if (this.#view !== undefined) this.#view = foldNew(files, this.#view, event, { index, time: '' })
  }
}
