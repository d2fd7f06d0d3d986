// Follows one absolute path the way a file system does, name by name: through every link, and up only from where a link has led. What is
// yet to be made lies in its nearest existing folder.
import type { PathStyle } from '../gates/capability/allowlist.js'
import { pathSpelling } from '../gates/capability/path-spelling.js'
import { windowsRoot } from '../gates/capability/windows-spelling.js'
import { type FileThere, LookIsLate, type TimedLook } from './file-look.js'

export type FollowedPath =
  | {
      readonly resolved: string
      /** Undefined for what is not there yet. */
      readonly there: FileThere['kind'] | undefined
      readonly foldsCase: boolean
    }
  | { readonly problem: 'dangling' | 'looping' | 'unreadable' | 'unresolved' }

/** As many as Linux follows. */
const linksMax = 40

export async function followPath(path: string, style: PathStyle, look: TimedLook): Promise<FollowedPath> {
  try {
    return await new Following(style, look).follow(path)
  } catch (error) {
    return { problem: error instanceof LookIsLate ? 'unresolved' : 'unreadable' }
  }
}

interface Step {
  readonly name: string
  /** It comes from a link: if it is not there, the link leads to nothing. */
  readonly isOfLink: boolean
}

class Following {
  readonly #style: PathStyle
  readonly #look: TimedLook
  #root = ''
  readonly #reached: string[] = []
  /** In the order in which they are taken, from the end. */
  #steps: Step[] = []
  /** How many of the names that were reached are not there. */
  #missing = 0
  #links = 0
  #there: FileThere['kind'] | undefined = 'folder'

  constructor(style: PathStyle, look: TimedLook) {
    this.#style = style
    this.#look = look
  }

  async follow(path: string): Promise<FollowedPath> {
    this.#startAgainAt(path, false)
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      const problem = await this.#take(step)
      if (problem !== undefined) return { problem }
    }
    const foldsCase = await this.#foldsCase()
    return { resolved: await this.#resolved(foldsCase), there: this.#there, foldsCase }
  }

  async #take({ name, isOfLink }: Step): Promise<'dangling' | 'looping' | 'unreadable' | undefined> {
    if (name === '' || name === '.') return undefined
    if (this.#missing === 0 && this.#there === 'file') return 'unreadable'
    if (name === '..') {
      this.#reached.pop()
      this.#missing = Math.max(0, this.#missing - 1)
      this.#there = this.#missing === 0 ? 'folder' : undefined
      return undefined
    }
    const found = this.#missing > 0 ? undefined : await this.#lookAt(name)
    if (found === 'link') return await this.#followLink(name)
    if (found === undefined && isOfLink) return 'dangling'
    if (found === undefined) this.#missing += 1
    this.#reached.push(name)
    this.#there = found
    return undefined
  }

  async #lookAt(name: string): Promise<FileThere['kind'] | undefined> {
    try {
      return (await this.#look.lstat(this.#path([...this.#reached, name]))).kind
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

  async #followLink(name: string): Promise<'looping' | 'unreadable' | undefined> {
    this.#links += 1
    if (this.#links > linksMax) return 'looping'
    // What these lead to is another thing for each process that asks.
    if (this.#style === 'posix' && isOfProcess(this.#reached)) return 'unreadable'
    const target = await this.#look.readlink(this.#path([...this.#reached, name]))
    if (target === '') return 'unreadable'
    if (this.#style === 'posix' && !target.startsWith('/')) this.#push(target.split('/'), true)
    else {
      const { walk } = pathSpelling(target, { style: this.#style, cwd: this.#path(this.#reached), home: null })
      if (walk === null) return 'unreadable'
      this.#startAgainAt(walk, true)
    }
    this.#there = 'folder'
    return undefined
  }

  #startAgainAt(path: string, isOfLink: boolean): void {
    const windows = this.#style === 'windows' ? windowsRoot(path) : undefined
    this.#root = windows?.root ?? ''
    this.#reached.length = 0
    this.#push(windows === undefined ? path.split('/') : windows.rest.split('\\'), isOfLink)
  }

  #push(names: readonly string[], isOfLink: boolean): void {
    for (const name of names.toReversed()) this.#steps.push({ name, isOfLink })
  }

  /** Asked of the deepest name that is there and has letters. */
  async #foldsCase(): Promise<boolean> {
    for (let count = this.#reached.length - this.#missing; count > 0; count--) {
      const name = this.#reached[count - 1] ?? ''
      const other = otherCase(name)
      if (other === name) continue
      const above = this.#reached.slice(0, count - 1)
      const folds = await this.#look.foldsCase(this.#path(above), this.#path([...above, name]), this.#path([...above, other]))
      if (folds !== undefined) return folds
    }
    return this.#style === 'windows'
  }

  /** With the names as they stand in their folders, where another spelling finds them too. */
  async #resolved(foldsCase: boolean): Promise<string> {
    const path = this.#path(this.#reached)
    const count = this.#reached.length - this.#missing
    if ((!foldsCase && this.#style !== 'windows') || count === 0) return path
    const real = await this.#look.realpath(this.#path(this.#reached.slice(0, count)))
    const spelled = pathSpelling(real, { style: this.#style, cwd: null, home: null }).typed
    return spelled === null ? path : joinedTo(spelled, this.#reached.slice(count), this.#style)
  }

  #path(names: readonly string[]): string {
    if (this.#style === 'posix') return `/${names.join('/')}`
    return joinedTo(this.#root.length === 2 ? `${this.#root}\\` : this.#root, names, this.#style)
  }
}

/** `/proc/1/root`, `/proc/self/fd/3`: the links of a process, but not `/proc/self` itself. */
function isOfProcess(folder: readonly string[]): boolean {
  return folder[0] === 'proc' && folder.length >= 2 && folder[1] !== 'sys' && folder[1] !== 'fs'
}

function joinedTo(folder: string, names: readonly string[], style: PathStyle): string {
  const slash = style === 'posix' ? '/' : '\\'
  if (names.length === 0) return folder
  return folder.endsWith(slash) ? folder + names.join(slash) : [folder, ...names].join(slash)
}

function otherCase(name: string): string {
  const upper = name.toUpperCase()
  return upper === name ? name.toLowerCase() : upper
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
