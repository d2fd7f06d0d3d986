// Splits a command line into its simple commands, as far as that can be said without running it: quotes, operators, redirections. What only a
// shell could know is said to be so, never guessed.

export interface SimpleCommand {
  /** What each word would be, quotes taken away; assignments in front included. */
  readonly words: readonly string[]
  readonly redirections: readonly Redirection[]
  /** What joins it to the one before; empty for the first. */
  readonly joinedBy: Operator | ''
}

export interface Redirection {
  readonly sign: string
  readonly target: string
}

export type Operator = '&&' | '||' | '|' | ';' | '&' | '\n'

export interface CommandLine {
  readonly commands: readonly SimpleCommand[]
  /** What stands behind the last command, a line feed too; empty where nothing does. */
  readonly endsWith: Operator | ''
  /** A command within the line whose output becomes part of it: `$(…)`, backquotes, `<(…)`. */
  readonly substitutes: boolean
  /** A group, or a word of the shell's own language that opens a block. */
  readonly groups: boolean
}

interface Reader {
  readonly text: string
  at: number
  commands: SimpleCommand[]
  words: string[]
  redirections: Redirection[]
  joinedBy: Operator | ''
  substitutes: boolean
  groups: boolean
}

const blockWords: ReadonlySet<string> = new Set(
  'if then else elif fi for while until do done case esac function { } ! [['.split(' '),
)

/** Undefined where a quote or an escape never ends. Reads each character once. */
export function readCommandLine(text: string): CommandLine | undefined {
  const reader: Reader = {
    text,
    at: 0,
    commands: [],
    words: [],
    redirections: [],
    joinedBy: '',
    substitutes: false,
    groups: false,
  }
  let endsWith: Operator | '' = ''
  while (reader.at < text.length) {
    const unit = text.charAt(reader.at)
    const operator = operatorAt(text, reader.at)
    if (operator !== undefined) {
      closeCommand(reader)
      reader.joinedBy = operator
      endsWith = operator
      reader.at += text.startsWith('|&', reader.at) ? 2 : operator.length
    } else if (unit === ' ' || unit === '\t' || unit === '\r') reader.at += 1
    // An escaped line feed joins two lines.
    else if (text.startsWith('\\\n', reader.at)) reader.at += 2
    else if (unit === '#') skipComment(reader)
    else if (unit === '(' || unit === ')') {
      reader.groups = true
      reader.at += 1
    } else {
      if (!readRedirection(reader) && !readInto(reader)) return undefined
      endsWith = ''
    }
  }
  closeCommand(reader)
  const { commands, substitutes } = reader
  const groups = reader.groups || commands.some(({ words }) => blockWords.has(words[0] ?? ''))
  return { commands, endsWith, substitutes, groups }
}

function operatorAt(text: string, at: number): Operator | undefined {
  const two = text.slice(at, at + 2)
  if (two === '&&' || two === '||') return two
  if (two === '&>') return undefined
  if (two === '|&') return '|'
  const one = text.charAt(at)
  return one === '|' || one === ';' || one === '&' || one === '\n' ? one : undefined
}

function closeCommand(reader: Reader): void {
  if (reader.words.length === 0 && reader.redirections.length === 0) return
  reader.commands.push({ words: reader.words, redirections: reader.redirections, joinedBy: reader.joinedBy })
  reader.words = []
  reader.redirections = []
}

function skipComment(reader: Reader): void {
  const end = reader.text.indexOf('\n', reader.at)
  reader.at = end < 0 ? reader.text.length : end
}

const redirectionSign = /(?:[0-9]{1,2}|&)?(?:<<<|<<-?|>>|>\||<>|[<>]&|[<>])/y

/** False where none stands here. `<(` and `>(` are substitutions. */
function readRedirection(reader: Reader): boolean {
  redirectionSign.lastIndex = reader.at
  const [sign] = redirectionSign.exec(reader.text) ?? []
  if (sign === undefined) return false
  reader.at += sign.length
  if (reader.text.charAt(reader.at) === '(') reader.substitutes = true
  while (reader.text.charAt(reader.at) === ' ') reader.at += 1
  const target = reader.at < reader.text.length ? readWord(reader) : ''
  reader.redirections.push({ sign, target: target ?? '' })
  return true
}

function readInto(reader: Reader): boolean {
  const word = readWord(reader)
  if (word === undefined) return false
  reader.words.push(word)
  return true
}

/** Undefined where a quote never ends. */
function readWord(reader: Reader): string | undefined {
  const { text } = reader
  const pieces: string[] = []
  while (reader.at < text.length) {
    const unit = text.charAt(reader.at)
    if (' \t\r\n;&|<>()'.includes(unit)) {
      // `$(` begins no group.
      if (unit !== '(' || pieces.at(-1) !== '$') break
      reader.substitutes = true
      break
    }
    if (unit === '`') reader.substitutes = true
    if (unit === "'") {
      const end = text.indexOf("'", reader.at + 1)
      if (end < 0) return undefined
      pieces.push(text.slice(reader.at + 1, end))
      reader.at = end + 1
    } else if (unit === '"') {
      const inside = readQuoted(reader)
      if (inside === undefined) return undefined
      pieces.push(inside)
    } else if (unit === '\\') {
      if (reader.at + 1 >= text.length) return undefined
      const next = text.charAt(reader.at + 1)
      if (next !== '\n') pieces.push(next)
      reader.at += 2
    } else {
      pieces.push(unit)
      reader.at += 1
    }
  }
  return pieces.join('')
}

function readQuoted(reader: Reader): string | undefined {
  const { text } = reader
  const pieces: string[] = []
  reader.at += 1
  while (reader.at < text.length) {
    const unit = text.charAt(reader.at)
    if (unit === '"') {
      reader.at += 1
      return pieces.join('')
    }
    if (unit === '`' || (unit === '$' && text.charAt(reader.at + 1) === '(')) reader.substitutes = true
    const isEscape = unit === '\\' && '"\\$`\n'.includes(text.charAt(reader.at + 1)) && reader.at + 1 < text.length
    pieces.push(isEscape ? text.charAt(reader.at + 1) : unit)
    reader.at += isEscape ? 2 : 1
  }
  return undefined
}

/** Assignments in front of a command, and the command without them. */
export function withoutAssignments(words: readonly string[]): {
  readonly assigned: readonly string[]
  readonly words: readonly string[]
} {
  let first = 0
  while (first < words.length && /^[A-Za-z_]\w*=/.test(words[first] ?? '')) first += 1
  return { assigned: words.slice(0, first).map((word) => word.slice(0, word.indexOf('='))), words: words.slice(first) }
}
