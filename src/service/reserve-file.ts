// The reserve: a file that only takes up room, so that there is some to give back when the disk is full. LevelDB cannot even be opened
// on a full disk, since it writes a table then; with this room the service opens it once more, signs its head and closes it.
// After a crash half of it may be there; then it is made again.
import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { freeBytes } from './home-size.js'
import type { ServiceLog } from './service-log.js'

/** Twice what LevelDB keeps in its log: a copy of the log and a table made from it. */
const reserveBytes = 8 * 1024 * 1024
/** With less than this free, the disk counts as full. */
export const fullBelowBytes = reserveBytes
/** A reserve must not be what fills a disk. */
const freeToMakeBytes = 64 * 1024 * 1024
const chunkBytes = 1024 * 1024

export class ReserveFile {
  readonly #file: string
  readonly #log: ServiceLog

  constructor(file: string, log: ServiceLog) {
    this.#file = file
    this.#log = log
  }

  get isThere(): boolean {
    return statSync(this.#file, { throwIfNoEntry: false })?.size === reserveBytes
  }

  /** Deletes it. Returns whether it was there. */
  giveBack(): boolean {
    const wasThere = this.isThere
    try {
      rmSync(this.#file, { force: true })
      rmSync(this.#halfMade, { force: true })
    } catch {
      // On a disk that takes no deletion either there is nothing to be had.
      return false
    }
    if (wasThere) this.#log.write('reserve_given_back')
    return wasThere
  }

  /** The same where the disk is full: before something is written that must be. */
  async giveBackWhenFull(): Promise<boolean> {
    const free = await freeBytes(dirname(this.#file))
    return free !== null && free < fullBelowBytes && this.giveBack()
  }

  /** Makes it where it is not there and enough is free. Returns whether it made one; without room it leaves nothing behind. */
  async make(free: number | null): Promise<boolean> {
    if (free === null || free < freeToMakeBytes || this.isThere) return false
    try {
      // Chance, since a file system may keep nothing at all of bytes that are all the same.
      const chunk = randomBytes(chunkBytes)
      const file = await open(this.#halfMade, 'w', 0o600)
      try {
        for (let at = 0; at < reserveBytes; at += chunkBytes) await file.write(chunk)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(this.#halfMade, this.#file)
      this.#log.write('reserve_made')
      return true
    } catch {
      rmSync(this.#halfMade, { force: true })
      return false
    }
  }

  get #halfMade(): string {
    return `${this.#file}.new`
  }
}
