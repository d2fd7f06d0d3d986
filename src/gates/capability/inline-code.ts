// What the words of a command make it do beyond being run: code that is handed to a shell is read too, `find` runs what stands behind
// `-exec`, `tee` writes. These count beside the command itself, never instead of it: who is not known here still needs its own grant.
import { secondEvaluation } from './second-evaluation.js'
import { readShellCommands } from './shell-commands.js'
import { readExpandingText } from './shell-expansion.js'
import type { ShellWord, SimpleCommand } from './shell-reading.js'
import { type ShellDialect, ShellText } from './shell-text.js'
import { isAssignment } from './unquoted-signs.js'
import { followWorkingFolder } from './working-folder.js'

const dialects: Readonly<Record<string, ShellDialect>> = { bash: 'bash', rbash: 'bash', sh: 'posix', dash: 'posix', ash: 'posix' }

/** They calculate or evaluate what their words say, so that a substitution in them runs though it is quoted. */
const evaluating = [
  'let',
  'test',
  '[',
  'printf',
  'unset',
  'read',
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'set',
  'wait',
  'mapfile',
  'readarray',
  'getopts',
]

/** Options of shells that take the next word along. */
const takesNext = ['--rcfile', '--init-file']
const findRuns = ['-exec', '-execdir', '-ok', '-okdir']
const findWrites = ['-fprint', '-fprint0', '-fprintf', '-fls']

/** Once all words of a command are read. */
export function readInlineCode(text: ShellText, command: SimpleCommand): void {
  if (text.reading.unread !== undefined) return
  const front = command.words.findIndex((word) => !isAssignment(word))
  const words = front < 0 ? [] : command.words.slice(front)
  followWorkingFolder(text.reading, words, front > 0)
  // Arithmetic takes the value of a variable for an expression.
  for (const word of command.words.slice(0, command.words.length - words.length)) readHiddenCode(text, word)
  const fed = readWords(text, words)
  if (fed !== undefined) command.readsCode = fed
  if (words[0] !== undefined && evaluating.includes(words[0].text)) command.evaluates = true
  for (const input of command.inputs) readFedCode(text, command, input)
}

/** Text that the line itself gives a command to read. */
export function readFedCode(text: ShellText, command: SimpleCommand | undefined, input: ShellWord): void {
  if (command?.evaluates) readHiddenCode(text, input)
  if (command?.readsCode === undefined) return
  const { readsCode } = command
  text.reading.apart(() => readCode(text, [input], readsCode))
}

/** Substitutions in a quoted word that is evaluated once more. */
export function readHiddenCode(text: ShellText, word: ShellWord): void {
  if (word.opaque === undefined && /\$[({[]|`/.test(word.text)) {
    text.reading.deeper(() => {
      text.reading.apart(() => readExpandingText(new ShellText(word.text, text.reading, text.dialect), false))
    })
  }
}

/** The dialect of the code that it reads from its input, if it does. */
function readWords(text: ShellText, [program, ...operands]: readonly ShellWord[]): ShellDialect | undefined {
  if (program === undefined || program.opaque !== undefined) return undefined
  const name = programName(program.text)
  if (name === 'eval') readEvaluated(text, operands[0]?.text === '--' ? operands.slice(1) : operands)
  else if (name === 'trap') readTrap(text, operands)
  else if (name === 'find') readFind(text, operands)
  else if (name === 'tee') readTee(text, operands)
  else if (evaluating.includes(name)) {
    for (const operand of operands) readHiddenCode(text, operand)
    if (secondEvaluation.builtin(name, operands)) text.reading.add([{ text: name, opaque: 'expansion' }])
  }
  const dialect = Object.hasOwn(dialects, name) ? dialects[name] : undefined
  return dialect === undefined ? undefined : readShell(text, operands, dialect)
}

export function programName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1).replace(/\.exe$/i, '')
}

/** In the shell itself: what it moves or sets stays. */
function readEvaluated(text: ShellText, operands: readonly ShellWord[]): void {
  const { folder } = text.reading
  readCode(text, operands, text.dialect)
  if (text.reading.folder !== folder) text.reading.folder = null
}

/** Runs at a time that nobody can say. */
function readTrap(text: ShellText, operands: readonly ShellWord[]): void {
  const code = operands.find((operand) => !/^-[lp-]$/.test(operand.text))
  const mark = text.reading.mark()
  if (code !== undefined && code.text !== '-') readEvaluated(text, [code])
  text.reading.unsureSince(mark)
}

function readShell(text: ShellText, operands: readonly ShellWord[], dialect: ShellDialect): ShellDialect | undefined {
  let inline = false
  let input = false
  let at = 0
  for (; at < operands.length; at += 1) {
    const operand = operands[at]
    if (operand === undefined || operand.opaque !== undefined || !/^[-+]./.test(operand.text) || operand.text === '--') break
    if (!operand.text.startsWith('--')) {
      inline ||= operand.text.startsWith('-') && operand.text.includes('c')
      input ||= operand.text.startsWith('-') && operand.text.includes('s')
    }
    if (takesNext.includes(operand.text)) at += 1
    else if (!operand.text.startsWith('--')) at += operand.text.replace(/[^oO]/g, '').length
  }
  if (operands[at]?.text === '--' || operands[at]?.text === '-') at += 1
  const code = operands[at]
  if (inline) {
    if (code !== undefined) text.reading.apart(() => readCode(text, [code], dialect))
    return undefined
  }
  return code === undefined || input ? dialect : undefined
}

/** Where some of it is opaque nobody can say what it would run: it counts as one command that is opaque. */
function readCode(text: ShellText, words: readonly ShellWord[], dialect: ShellDialect): void {
  const { reading } = text
  const opaque = words.find((word) => word.opaque !== undefined)
  const code = words.map((word) => word.text).join(' ')
  if (opaque !== undefined) {
    reading.add([{ ...opaque, text: code }])
    reading.folder = null
  } else readShellCommands(new ShellText(code, reading, dialect))
}

function readFind(text: ShellText, operands: readonly ShellWord[]): void {
  const first = operands.findIndex(({ text: word }) => /^[-(!]/.test(word) && !/^-(?:[HLP]|O\d*|D)$/.test(word))
  const starts = (first < 0 ? operands : operands.slice(0, first)).filter(({ text: word }) => !word.startsWith('-'))
  for (let at = 0; at < operands.length; at += 1) {
    const word = operands[at]?.text ?? ''
    const next = operands[at + 1]
    if (findRuns.includes(word)) at = readFindCommand(text, operands, at + 1)
    else if (findWrites.includes(word) && next !== undefined) text.reading.redirect(next, 'write')
    else if (word === '-delete') {
      for (const start of starts.length > 0 ? starts : [{ text: '.', quoted: false, pipe: false }]) {
        text.reading.redirect(start, 'write', true)
      }
    }
  }
}

/** Gives the place of what ends it. */
function readFindCommand(text: ShellText, operands: readonly ShellWord[], from: number): number {
  let end = from
  while (end < operands.length && !endsFindCommand(operands, end)) end += 1
  // Any file that it finds may stand for the braces.
  const command = operands
    .slice(from, end)
    .map((word): ShellWord => (word.text.includes('{}') && word.opaque === undefined ? { ...word, opaque: 'expansion' } : word))
  text.reading.apart(() => {
    if (/dir$/.test(operands[from - 1]?.text ?? '')) text.reading.folder = null
    text.reading.add(command)
    text.reading.deeper(() => readWords(text, command))
  })
  return end
}

function endsFindCommand(operands: readonly ShellWord[], at: number): boolean {
  const word = operands[at]?.text
  return word === ';' || (word === '+' && operands[at - 1]?.text === '{}')
}

/** It writes whatever it is granted as: an option is no file. */
function readTee(text: ShellText, operands: readonly ShellWord[]): void {
  const end = operands.findIndex(({ text: word }) => word === '--')
  for (const [at, operand] of operands.entries()) {
    if (at !== end && (operand.text === '-' || !operand.text.startsWith('-') || (end >= 0 && at > end))) {
      text.reading.redirect(operand, 'write')
    }
  }
}
