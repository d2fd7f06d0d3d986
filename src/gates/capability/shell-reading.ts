// What has been found so far while a command line is read, its bounds, and what is known of where its commands stand.
import type { AccessUnread, CommandWord } from './access.js'
import type { ShellCommand, ShellFolder, ShellLine, ShellRedirect } from './shell-words.js'

/** A word with what only the reader of the line has to know of it. */
export interface ShellWord extends CommandWord {
  /** Some of it was quoted, so that it is no reserved word. */
  readonly quoted: boolean
  /** It is a process substitution and nothing else: a pipe, no file. */
  readonly pipe: boolean
}

/** A command that is being read. */
export interface SimpleCommand {
  /** Its place among the commands. */
  readonly slot: number
  readonly words: ShellWord[]
  /** Text that is handed to it as its input by the line itself. */
  readonly inputs: ShellWord[]
  /** `&>` stood in it: to other shells than bash the command ends there, and words behind it would be another. */
  endsForOthers?: true
  /** Known once all its words are: the text of a here-document is code to it. */
  readsCode?: 'bash' | 'posix'
  /** A builtin that takes its words, or what it reads, for more than text. */
  evaluates?: true
}

export interface ReadingMark {
  readonly commands: number
  readonly redirects: number
}

/** These reach no file of their own. */
const noFiles = ['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr']

/** The name itself, as in what assigns it or lets another name stand for it. */
const homeName = /(?<!\w)HOME(?!\w)/

export class ShellReading {
  static readonly mostUnits = 1_048_576
  static readonly mostDepth = 50
  static readonly mostParts = 1_000
  static readonly mostWords = 20_000

  unread: AccessUnread | undefined
  folder: ShellFolder | undefined
  readonly #commands: (ShellCommand | undefined)[] = []
  readonly #redirects: ShellRedirect[] = []
  #home: string | undefined
  #depth = 0
  #words = 0

  constructor(home: string | undefined) {
    this.#home = home
  }

  /** The first reason counts. From here on every text is at its end. */
  fail(why: AccessUnread): void {
    this.unread ??= why
  }

  line(): ShellLine {
    if (this.unread !== undefined) return { commands: [], redirects: [], unread: this.unread }
    return { commands: this.#commands.filter((command) => command !== undefined), redirects: this.#redirects }
  }

  /** Absent once the line may have changed it. */
  get home(): string | undefined {
    return this.#home
  }

  deeper(read: () => void): void {
    this.#depth += 1
    if (this.#depth > ShellReading.mostDepth) this.fail('too_deep')
    else read()
    this.#depth -= 1
  }

  /** What is read cannot move the rest of the line to another folder: it runs in a process of its own. */
  apart(read: () => void): void {
    const { folder } = this
    read()
    this.folder = folder
  }

  /** Commands stand in the order in which they begin, so a place is kept before what is inside them is read. */
  slot(): number {
    this.#count()
    return this.#commands.push(undefined) - 1
  }

  fill(slot: number, [program, ...operands]: readonly CommandWord[], folder: ShellFolder | undefined): void {
    if (program === undefined) return
    this.#commands[slot] = { program: plainWord(program), operands: operands.map(plainWord), ...standing(folder) }
  }

  add(words: readonly CommandWord[]): void {
    this.fill(this.slot(), words, this.folder)
  }

  redirect(target: ShellWord, access: 'read' | 'write', tree = false): void {
    if (target.pipe || (target.opaque === undefined && noFiles.includes(target.text))) return
    this.#count()
    this.#redirects.push({ target: plainWord(target), access, ...(tree ? { tree } : {}), ...standing(this.folder) })
  }

  /** `text`: the word without its quotes, also where it is opaque. */
  countWord(text: string): void {
    this.#words += 1
    if (this.#words > ShellReading.mostWords) this.fail('too_many')
    if (homeName.test(text)) this.#home = undefined
  }

  mark(): ReadingMark {
    return { commands: this.#commands.length, redirects: this.#redirects.length }
  }

  /** What was read since then may run at another time than it stands, so in another folder. */
  unsureSince(mark: ReadingMark): void {
    for (let at = mark.commands; at < this.#commands.length; at += 1) {
      const command = this.#commands[at]
      if (command !== undefined) this.#commands[at] = { ...command, folder: null }
    }
    for (let at = mark.redirects; at < this.#redirects.length; at += 1) {
      const redirect = this.#redirects[at]
      if (redirect !== undefined) this.#redirects[at] = { ...redirect, folder: null }
    }
  }

  #count(): void {
    if (this.#commands.length + this.#redirects.length >= ShellReading.mostParts) this.fail('too_many')
  }
}

function standing(folder: ShellFolder | undefined): { folder?: ShellFolder } {
  return folder === undefined ? {} : { folder }
}

function plainWord({ text, opaque, variable }: CommandWord): CommandWord {
  return { text, ...(opaque === undefined ? {} : { opaque }), ...(variable === undefined ? {} : { variable }) }
}
