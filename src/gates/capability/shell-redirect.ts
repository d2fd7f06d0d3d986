// Reads one redirect of a command: the file it names becomes a touch, the text it brings along is kept for the command.
import type { SimpleCommand } from './shell-reading.js'
import { ampersand, greater, less, opening, type ShellText } from './shell-text.js'
import { readShellWord } from './shell-word.js'

/** A number or a name in braces right in front of the sign is the descriptor. */
const descriptor = /(?:\d+|\{[A-Za-z_]\w*\})(?=[<>](?!\())/y
const descriptorWord = /^(?:\d+-?|-)$/

/** Whether one stood here. */
export function readShellRedirect(text: ShellText, command: SimpleCommand | undefined): boolean {
  if (text.peek() < 0) return false
  descriptor.lastIndex = text.at
  const named = descriptor.exec(text.text)?.[0] ?? ''
  // To others than bash a longer one is a word.
  if (named.length > 1 && text.dialect === 'posix') text.fail('syntax')
  text.at += named.length
  if (named.startsWith('{')) readNamedDescriptor(text, named)
  const code = text.peek()
  const after = text.peekAfter()
  if (code === ampersand && after === greater) {
    text.take()
    text.peek()
    text.take()
    if (text.peek() === greater) text.take()
    if (command !== undefined) command.endsForOthers = true
    readTarget(text, 'write')
  } else if (code === less && after !== opening) {
    text.take()
    readInput(text, command)
  } else if (code === greater && after !== opening) {
    text.take()
    const kind = text.peek()
    if (kind === greater || kind === 0x7c || kind === ampersand) text.take()
    readTarget(text, 'write', kind === ampersand)
  } else return false
  return true
}

/** The shell puts a number into the variable. */
function readNamedDescriptor(text: ShellText, named: string): void {
  const name = named.slice(1, -1)
  text.reading.countWord(name)
  // A name with a capital may be one that programs listen to.
  if (/[A-Z]/.test(name)) text.reading.add([{ text: named, opaque: 'expansion' }])
}

function readInput(text: ShellText, command: SimpleCommand | undefined): void {
  const kind = text.peek()
  if (kind === less) {
    text.take()
    if (text.peek() === less) {
      text.take()
      readHereString(text, command)
    } else readDelimiter(text, command)
  } else {
    if (kind === greater || kind === ampersand) text.take()
    readTarget(text, kind === greater ? 'both' : 'read', kind === ampersand)
  }
}

function readTarget(text: ShellText, access: 'read' | 'write' | 'both', copies = false): void {
  text.skipBlanks()
  const target = readShellWord(text)
  if (target === undefined) {
    text.fail('syntax')
    return
  }
  if (copies && target.opaque === undefined && descriptorWord.test(target.text)) return
  // Behind `>&` bash takes more backslashes away than its rules say.
  if (copies && target.quoted && target.text.includes('\\')) text.fail('syntax')
  if (access !== 'write') text.reading.redirect(target, 'read')
  if (access !== 'read') text.reading.redirect(target, 'write')
}

function readHereString(text: ShellText, command: SimpleCommand | undefined): void {
  text.skipBlanks()
  const word = readShellWord(text)
  if (word === undefined) text.fail('syntax')
  else command?.inputs.push(word)
}

function readDelimiter(text: ShellText, command: SimpleCommand | undefined): void {
  const stripsTabs = text.peek() === 0x2d
  if (stripsTabs) text.take()
  text.skipBlanks()
  const start = text.at
  const word = readShellWord(text)
  // A delimiter is never expanded, whatever it looks like; shells differ in what is left of its quotes then.
  if (word === undefined || word.opaque !== undefined || text.text.slice(start, text.at).includes('$')) text.fail('syntax')
  else {
    const { folder } = text.reading
    text.documents.push({ delimiter: word.text, quoted: word.quoted, stripsTabs, from: text.at, command, folder })
  }
}
