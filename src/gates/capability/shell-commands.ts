// Reads the commands of a command line by the shell's grammar: lists, pipelines and the simple commands in them. Every command that stands
// there counts, whether or not it would be reached.
import { readBody, readCompoundCommand, readParentheses, takeEmptyParentheses } from './compound-command.js'
import { readInlineCode } from './inline-code.js'
import { readShellDocuments } from './shell-documents.js'
import type { SimpleCommand } from './shell-reading.js'
import { readShellRedirect } from './shell-redirect.js'
import { ampersand, bar, closing, greater, hash, less, newline, opening, type ShellText, semicolon } from './shell-text.js'
import { readShellWord } from './shell-word.js'

const openers = ['if', 'while', 'until', 'for', 'select', 'case', 'function', 'coproc', '{', '[['] as const
const closers = ['then', 'do', 'done', 'fi', 'elif', 'else', 'esac', '}'] as const
const prefixes = ['!', 'time'] as const
const reserved: readonly string[] = [...openers, ...closers, ...prefixes]
const reservedHere =
  /(?:if|while|until|for|select|case|function|coproc|then|done|do|fi|elif|else|esac|time|\{|\}|!|\[\[)(?=[ \t\n;&|()<>]|$)/y
/** Letters that make a pattern out of the parenthesis behind them, where the shell is set so. */
const patternSigns = '?*+@!'

const subscriptedDescriptor = /^\{[A-Za-z_]\w*\[[\s\S]*\}$/

/** What ended a list: the end of the text is the empty word. */
export type ListEnd = '' | ')' | ';;' | Closer

type Closer = (typeof closers)[number]

/** All of a text that is a program of its own. */
export function readShellCommands(text: ShellText): void {
  text.reading.deeper(() => {
    const end = readList(text)
    if (end !== '') text.fail('syntax')
    if (text.documents.length > 0) text.fail('unbalanced')
  })
}

/** The same for a text that runs in a process of its own. */
export function readAside(text: ShellText): void {
  text.reading.apart(() => readShellCommands(text))
}

/** From behind an opening parenthesis to behind the closing one, for what is a shell of its own inside of a word. */
export function readBeforeParenthesis(text: ShellText): void {
  const { documents } = text
  text.documents = []
  text.reading.apart(() =>
    text.reading.deeper(() => {
      expectEnd(text, readList(text), ')')
      if (text.documents.length > 0) text.fail('syntax')
    }),
  )
  text.documents = documents
}

export function readList(text: ShellText): ListEnd {
  for (;;) {
    skipLines(text)
    const end = listEnd(text)
    if (end !== undefined) return end
    const { folder } = text.reading
    readAndOr(text)
    text.skipBlanks()
    const code = text.peek()
    if (code === ampersand) {
      text.reading.folder = folder
      text.take()
    } else if (code === semicolon && text.peekAfter() !== semicolon && text.peekAfter() !== ampersand) text.take()
    else if (code >= 0 && code !== newline && code !== hash && listEnd(text) === undefined) text.fail('syntax')
  }
}

/** Nothing where a command stands. Takes what ends the list. */
function listEnd(text: ShellText): ListEnd | undefined {
  const code = text.peek()
  if (code < 0) return ''
  if (code === closing) return ')'
  if (code === semicolon && (text.peekAfter() === semicolon || text.peekAfter() === ampersand)) return ';;'
  const word = reservedWord(text)
  return closers.find((closer) => closer === word)
}

export function expectEnd(text: ShellText, found: ListEnd, ...expected: readonly ListEnd[]): ListEnd {
  if (found === '' || !expected.includes(found)) text.fail(found === '' ? 'unbalanced' : 'syntax')
  else text.at += found.length
  return found
}

/** A folder is only sure where nothing but `&&` leads from its `cd` to what stands behind. */
function readAndOr(text: ShellText): void {
  const { reading } = text
  const before = reading.folder
  let onlyAnd = true
  for (;;) {
    const start = reading.folder
    readPipeline(text)
    text.skipBlanks()
    const code = text.peek()
    if ((code !== ampersand && code !== bar) || text.peekAfter() !== code) break
    text.take()
    text.peek()
    text.take()
    onlyAnd &&= code === ampersand
    if (!onlyAnd && (reading.folder !== start || reading.folder !== before)) reading.folder = null
    skipLines(text)
  }
  if (reading.folder !== before) reading.folder = null
}

function readPipeline(text: ShellText): void {
  const { reading } = text
  const before = reading.folder
  let negated = false
  for (let prefix = commandPrefix(text); prefix !== undefined; prefix = commandPrefix(text)) negated ||= prefix === '!'
  readCommand(text)
  for (let piped = takePipe(text); piped; piped = takePipe(text)) {
    reading.folder = before
    skipLines(text)
    readCommand(text)
    // The last of a pipeline may run in the shell itself.
    if (reading.folder !== before) reading.folder = null
  }
  if (negated && reading.folder !== before) reading.folder = null
}

function commandPrefix(text: ShellText): (typeof prefixes)[number] | undefined {
  text.skipBlanks()
  const found = prefixes.find((prefix) => prefix === reservedWord(text))
  if (found === undefined) return undefined
  const { at } = text
  text.at += found.length
  // `!(…)` is a pattern to a shell that is set so.
  if (found === '!' && text.peek() === opening) text.fail('syntax')
  text.skipBlanks()
  if (found === 'time' && text.peek() === 0x2d) {
    const option = ['-p', '--'].find((one) => text.text.startsWith(`${one} `, text.at))
    text.at = option === undefined ? at : text.at + option.length
    if (option === undefined) return undefined
  }
  return found
}

function takePipe(text: ShellText): boolean {
  text.skipBlanks()
  if (text.peek() !== bar || text.peekAfter() === bar) return false
  text.take()
  if (text.peek() === ampersand) text.take()
  return true
}

/** The reserved word that stands here; never one that is quoted. */
export function reservedWord(text: ShellText): string | undefined {
  if (text.peek() < 0) return undefined
  reservedHere.lastIndex = text.at
  return reservedHere.exec(text.text)?.[0]
}

export function takeWord(text: ShellText, ...expected: readonly string[]): string {
  skipLines(text)
  const word = expected.find((one) => reservedWord(text) === one) ?? ''
  if (word === '') text.fail(text.peek() < 0 ? 'unbalanced' : 'syntax')
  text.at += word.length
  return word
}

export function readCommand(text: ShellText): void {
  const word = reservedWord(text)
  if (word !== undefined && word !== 'time') readCompoundCommand(text, word)
  else if (text.peek() === opening) readParentheses(text)
  else {
    readSimple(text)
    return
  }
  for (text.skipBlanks(); readShellRedirect(text, undefined); ) text.skipBlanks()
}

function readSimple(text: ShellText): void {
  const { reading } = text
  const { folder } = reading
  const command: SimpleCommand = { slot: reading.slot(), words: [], inputs: [] }
  // Behind a pipe, or with an option of its own, it is a program.
  const isTime = reservedWord(text) === 'time'
  let redirected = false
  for (text.skipBlanks(); text.peek() >= 0 && text.peek() !== hash; text.skipBlanks()) {
    if (readShellRedirect(text, command)) {
      redirected = true
      continue
    }
    const word = readShellWord(text)
    if (word === undefined) break
    // With a subscript such a word names a variable that the redirect behind it changes.
    if ((text.peek() === less || text.peek() === greater) && subscriptedDescriptor.test(word.text)) text.fail('syntax')
    if (command.endsForOthers) text.fail('syntax')
    // A reserved word on two lines is not seen as one: a program of that name would be another thing.
    if (command.words.length === 0 && !redirected && !isTime && !word.quoted && reserved.includes(word.text)) text.fail('syntax')
    command.words.push(word)
    text.skipBlanks()
    if (text.peek() === opening && command.words.length === 1 && !redirected) {
      if (word.opaque !== undefined || patternSigns.includes(word.text.at(-1) ?? '?')) text.fail('syntax')
      takeEmptyParentheses(text)
      readBody(text, command.slot, word.text)
      return
    }
  }
  if (command.words.length === 0 && !redirected) text.fail(text.peek() < 0 ? 'unbalanced' : 'syntax')
  reading.fill(command.slot, command.words, folder)
  readInlineCode(text, command)
}

/** Blanks, comments and line ends. */
export function skipLines(text: ShellText): void {
  for (;;) {
    text.skipBlanks()
    const code = text.peek()
    if (code === newline) {
      readShellDocuments(text)
    } else if (code === hash) {
      const end = text.text.indexOf('\n', text.at)
      text.at = end < 0 ? text.text.length : end
    } else return
  }
}
