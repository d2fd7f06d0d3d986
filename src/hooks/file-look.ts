// Looks at the file system for the gate: what lies at a path, and where a link leads. A network mount may never answer, and each look that
// hangs holds one of the few threads that Node has for files: so few are let out at once, all of a call share one deadline, what hangs is
// not looked at again, and while too many hang nothing is.
import { lstat, readlink, realpath } from 'node:fs/promises'

/** What Node's own functions do, and what a test may put in their place. */
export interface FileSource {
  lstat(path: string): Promise<FileThere>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
}

export interface FileThere {
  readonly kind: 'link' | 'folder' | 'file'
  /** Device and number: two names of one file have the same. */
  readonly identity: string
  /** It has other names elsewhere: what else is the same file says nothing about its folder. */
  readonly hasTwins?: true
}

const nodeSource: FileSource = {
  lstat: async (path) => {
    const { dev, ino, nlink, ...found } = await lstat(path, { bigint: true })
    const kind =
      (Number(found.mode) & 0o170000) === 0o120000 ? 'link' : (Number(found.mode) & 0o170000) === 0o040000 ? 'folder' : 'file'
    return { kind, identity: `${dev}:${ino}`, ...(kind !== 'folder' && nlink > 1n ? { hasTwins: true } : {}) }
  },
  readlink: (path) => readlink(path),
  realpath: (path) => realpath(path),
}

const togetherMax = 3
const hangingMax = 2

/** One for the life of a service: it remembers what hangs. */
export class FileLook {
  readonly #source: FileSource
  #out = 0
  readonly #hanging = new Set<string>()
  readonly #waiting: (() => void)[] = []

  constructor(source: FileSource = nodeSource) {
    this.#source = source
  }

  /** The looks of one call; its answers hold for that call only. */
  within(milliseconds: number): TimedLook {
    return new TimedLook(this.#source, (path, look, deadline) => this.#take(path, look, deadline), milliseconds)
  }

  /** How many have been given up and have not come back. */
  get hanging(): number {
    return this.#hanging.size
  }

  async #take<T>(path: string, look: () => Promise<T>, deadline: Deadline): Promise<T> {
    while (this.#out >= togetherMax && !deadline.isOver)
      await deadline.orOver(new Promise<void>((free) => this.#waiting.push(free)))
    if (deadline.isOver || this.#hanging.has(path) || this.#hanging.size >= hangingMax) throw new LookIsLate()
    this.#out += 1
    let isGivenUp = false
    const running = look().finally(() => {
      if (isGivenUp) this.#hanging.delete(path)
      else this.#free()
    })
    try {
      return await deadline.orOver(running)
    } catch (error) {
      if (error instanceof LookIsLate) {
        isGivenUp = true
        this.#hanging.add(path)
        this.#free()
        // Nobody waits for it any more, whatever comes of it.
        running.catch(() => undefined)
      }
      throw error
    }
  }

  #free(): void {
    this.#out -= 1
    // All of them: one whose deadline is over would let its turn lapse.
    for (const free of this.#waiting.splice(0)) free()
  }
}

export class LookIsLate extends Error {}

class Deadline {
  isOver = false
  readonly #over: Promise<never>
  #end: () => void = () => undefined

  constructor(milliseconds: number) {
    this.#over = new Promise((_, refuse) => {
      const timer = setTimeout(() => {
        this.isOver = true
        refuse(new LookIsLate())
      }, milliseconds)
      this.#end = () => clearTimeout(timer)
    })
    this.#over.catch(() => undefined)
  }

  orOver<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#over])
  }

  end(): void {
    this.#end()
  }
}

type Take = <T>(path: string, look: () => Promise<T>, deadline: Deadline) => Promise<T>

export class TimedLook {
  readonly #source: FileSource
  readonly #take: Take
  readonly #deadline: Deadline
  readonly #there = new Map<string, Promise<FileThere>>()
  readonly #links = new Map<string, Promise<string>>()
  readonly #folds = new Map<string, Promise<boolean>>()

  constructor(source: FileSource, take: Take, milliseconds: number) {
    this.#source = source
    this.#take = take
    this.#deadline = new Deadline(milliseconds)
  }

  lstat(path: string): Promise<FileThere> {
    return once(this.#there, path, () => this.#take(path, () => this.#source.lstat(path), this.#deadline))
  }

  readlink(path: string): Promise<string> {
    return once(this.#links, path, () => this.#take(path, () => this.#source.readlink(path), this.#deadline))
  }

  realpath(path: string): Promise<string> {
    return this.#take(path, () => this.#source.realpath(path), this.#deadline)
  }

  /**
   * Whether another name in the same folder, differing in case alone, is the same thing. Undefined where the thing has several names of its
   * own, so that this would tell nothing. Found out once for each folder.
   */
  async foldsCase(folder: string, path: string, otherPath: string): Promise<boolean | undefined> {
    const own = await this.lstat(path)
    if (own.hasTwins === true) return undefined
    return await once(this.#folds, folder, async () => {
      try {
        return (await this.lstat(otherPath)).identity === own.identity
      } catch (error) {
        if (error instanceof LookIsLate) throw error
        return false
      }
    })
  }

  /** Nothing is looked at any more, and the timer is gone. */
  end(): void {
    this.#deadline.end()
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const there = known.get(key)
  if (there !== undefined) return there
  const found = find()
  known.set(key, found)
  return found
}
