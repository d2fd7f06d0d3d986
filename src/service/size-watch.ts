// Looks once a minute how large the home is and how full its disk: says so in the ledger where either is beyond its budget, and closes
// the ledger in good time, with its head signed, before the disk is full.
import { SteleError } from '../foundation/stele-error.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Config } from './config.js'
import type { HomeSize, HomeSizeMeter } from './home-size.js'
import { fullBelowBytes, type ReserveFile } from './reserve-file.js'

export type Exceeded = 'home' | 'disk'
type Budgets = Pick<Config['limits'], 'homeBytes' | 'freeBytes'>

const lookEveryMs = 60_000
/** A service that is asked one thing and ends makes no reserve. */
const firstLookMs = 10_000
const ageMs = 10_000
const dayMs = 24 * 60 * 60 * 1000
/** A ledger that was closed for want of room is opened again with so much: twice what it was closed below. */
export const roomAgainBytes = 2 * fullBelowBytes

/** What is beyond its budget. */
export function exceededBudgets(size: HomeSize, budgets: Budgets): Exceeded[] {
  return judged(size, budgets).flatMap(({ what, isOver }) => (isOver ? [what] : []))
}

interface Judged {
  readonly what: Exceeded
  readonly bytes: number
  readonly budget: number
  readonly isOver: boolean
  /** A tenth on the good side, or without a budget: the next time that it is over is a new one. */
  readonly isWell: boolean
}

function judged({ home, free }: HomeSize, { homeBytes, freeBytes }: Budgets): Judged[] {
  const ofHome: Judged = {
    what: 'home',
    bytes: home,
    budget: homeBytes,
    isOver: homeBytes > 0 && home > homeBytes,
    isWell: homeBytes === 0 || home * 10 <= homeBytes * 9,
  }
  if (free === null) return [ofHome]
  const ofDisk: Judged = {
    what: 'disk',
    bytes: free,
    budget: freeBytes,
    isOver: free < freeBytes,
    isWell: free * 10 >= freeBytes * 11,
  }
  return [ofHome, ofDisk]
}

export interface SizeWatchOptions {
  readonly meter: Pick<HomeSizeMeter, 'take'>
  readonly reserve: Pick<ReserveFile, 'make'>
  readonly kept: {
    readonly failure: SteleError | undefined
    ready(): Promise<Pick<Ledger, 'append' | 'reader'>>
    hold(reason: SteleError): Promise<void>
  }
  readonly budgets: () => Budgets
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number
}

export class SizeWatch {
  readonly #options: SizeWatchOptions
  #nextMs: number
  /** What was told, and has not been well since. */
  readonly #told = new Set<Exceeded>()
  /** What has been well since this process began: before that, an earlier one may have told it. */
  readonly #wasWell = new Set<Exceeded>()

  constructor(options: SizeWatchOptions) {
    this.#options = options
    this.#nextMs = options.monotonic() + firstLookMs
  }

  /** Called as often as you like; looks when it is time. Throws what an append throws, and then tells it the next time. */
  async look(): Promise<void> {
    const { meter, monotonic } = this.#options
    if (monotonic() < this.#nextMs) return
    this.#nextMs = monotonic() + lookEveryMs
    const size = await meter.take(ageMs)
    try {
      await this.#tell(size)
    } finally {
      await this.#keepRoom(size.free)
    }
  }

  async #tell(size: HomeSize): Promise<void> {
    const { kept, budgets } = this.#options
    for (const { what, bytes, budget, isOver, isWell } of judged(size, budgets())) {
      if (isWell) {
        this.#told.delete(what)
        this.#wasWell.add(what)
      }
      if (!isOver || this.#told.has(what) || kept.failure !== undefined) continue
      const ledger = await kept.ready()
      if (this.#wasWell.has(what) || !(await this.#wasToldLately(ledger, what)))
        await ledger.append([{ type: 'budget.exceeded', facts: { what, bytes, budget } }])
      this.#told.add(what)
    }
  }

  /** By an earlier service, within a day. */
  async #wasToldLately({ reader }: Pick<Ledger, 'reader'>, what: Exceeded): Promise<boolean> {
    const since = new Date(Math.max(0, this.#options.now() - dayMs)).toISOString()
    for await (const { payload } of reader.newestOfType('budget.exceeded', since)) if (payload['what'] === what) return true
    return false
  }

  async #keepRoom(free: number | null): Promise<void> {
    const { reserve, kept } = this.#options
    if (free === null || kept.failure !== undefined) return
    if (free < fullBelowBytes) await kept.hold(diskFull(free))
    else await reserve.make(free)
  }
}

/** What is told while the ledger is closed for want of room. */
export function diskFull(free: number): SteleError {
  return new SteleError('DISK_FULL', { freeBytes: free, neededBytes: roomAgainBytes })
}
