// Judges one command of a command line against one command grant, word by word.
import type { CommandPart, CommandWord } from './access.js'
import type { CommandGrant } from './allowlist.js'
import { interpreterCode } from './interpreter-code.js'
import { saysOnly } from './self-protection.js'
import { lacksText } from './unknown-text.js'
import { grantsWord, mayMatchWord } from './word-pattern.js'

export type CommandScope =
  | { readonly scope: 'covered' }
  /** Where each of these operands is granted as a path too. */
  | { readonly scope: 'covered_if'; readonly paths: readonly CommandPath[] }
  /** It may be what is granted, and nobody can say: this word is why. */
  | { readonly scope: 'opaque'; readonly word: CommandWord }
  | { readonly scope: 'not' }

export interface CommandPath {
  /** Place among the operands of the part. */
  readonly operand: number
  readonly access: 'read' | 'write'
}

const assignment = /^[A-Za-z_]\w*(?:\[[\s\S]*\])?\+?=/
/** An option that may bring a path along, as in `--file=/etc/passwd`. */
const bringsPath = /[/\\~]|\.\./

const no: CommandScope = { scope: 'not' }

export function commandScope(part: CommandPart, grant: CommandGrant): CommandScope {
  const words: readonly CommandWord[] = [part.program, ...part.operands]
  const program = words.findIndex(({ text }) => !assignment.test(text))
  const paths: CommandPath[] = []
  let optionsEnd = false
  for (const [at, granted] of grant.entries()) {
    if (granted.kind === 'rest') {
      // Behind assignments the program has still to be named.
      if (at <= program) return no
      if (granted.of === 'words') return restOfWords(words, program, at, paths)
      return restOfPaths(words, at, granted.access, optionsEnd, paths)
    }
    const word = words[at]
    if (word === undefined) return no
    if (word.opaque !== undefined) return { scope: 'opaque', word }
    if (granted.kind === 'path') {
      if (at <= program || (word.text.startsWith('-') && !optionsEnd)) return no
      paths.push({ operand: at - 1, access: granted.access })
    } else if (at <= program ? !matchesProgram(granted.pattern, word.text, grantsWord) : !grantsWord(granted.pattern, word.text))
      return no
    optionsEnd ||= word.text === '--'
  }
  return words.length > grant.length ? no : covered(paths)
}

/** Whether a command is one that a deny list names, by any of its spellings: its program by the last of its names, wherever it lies. What is
 * opaque counts as what is denied, except for a program, which is never allowed silently anyway; and so does what was taken out of a word. */
export function isDeniedCommand(part: CommandPart, denied: CommandGrant): boolean {
  const all: readonly CommandWord[] = [part.program, ...part.operands]
  const front = assignment.test(patternOf(denied, 0)) ? 0 : all.findIndex(({ text }) => !assignment.test(text))
  const words = front < 0 ? [] : all.slice(front)
  for (const [at, wanted] of denied.entries()) {
    if (wanted.kind === 'rest') return true
    const word = words[at]
    if (word === undefined) return false
    if (word.opaque !== undefined) return at > 0
    if (wanted.kind !== 'word') continue
    if (at === 0 ? !isDeniedProgram(wanted.pattern, word.text) : !mayMatchWord(wanted.pattern, word.text)) return false
  }
  return words.length === denied.length || words.slice(denied.length).some(({ opaque }) => opaque !== undefined)
}

function covered(paths: readonly CommandPath[]): CommandScope {
  return paths.length === 0 ? { scope: 'covered' } : { scope: 'covered_if', paths }
}

/** Any further word, that can be said: what a shell makes of a glob or a variable may be a path that is protected or denied. */
function restOfWords(words: readonly CommandWord[], program: number, from: number, paths: readonly CommandPath[]): CommandScope {
  const word = saysOnly(words[program]?.text ?? '') ? undefined : words.slice(from).find(({ opaque }) => opaque !== undefined)
  return word === undefined ? covered(paths) : { scope: 'opaque', word }
}

/** Every further word is a path; options pass, unless a path may be hidden in them or they make an interpreter run what is no script. Of one
 * in which something was taken out nobody can say. */
function restOfPaths(
  words: readonly CommandWord[],
  from: number,
  access: 'read' | 'write',
  optionsEnded: boolean,
  paths: CommandPath[],
): CommandScope {
  let optionsEnd = optionsEnded
  for (let at = from; at < words.length; at += 1) {
    const word = words[at]
    if (word === undefined) break
    if (word.opaque !== undefined) return { scope: 'opaque', word }
    if (optionsEnd || !word.text.startsWith('-')) paths.push({ operand: at - 1, access })
    else if (word.text === '--') optionsEnd = true
    else if (bringsPath.test(word.text)) return no
    else if (lacksText(word.text)) return { scope: 'opaque', word }
  }
  const front = words.findIndex(({ text }) => !assignment.test(text))
  const code = front < 0 ? undefined : interpreterCode(words.slice(front))
  return code !== undefined && front + code >= from ? no : covered(paths)
}

/** A name is looked up on the path, a spelling with a folder is a file: a grant of the one is none of the other, so that `./git` is never
 * `git`. Spellings of the same file are alike (`./run.sh`, `.//run.sh`; `bin/run.sh`, `./bin/run.sh`). */
function matchesProgram(pattern: string, text: string, matches: typeof grantsWord): boolean {
  if (pattern === text && !lacksText(text)) return true
  if (assignment.test(text)) return assignment.test(pattern) && matches(pattern, text)
  if (namesFolder(pattern) !== namesFolder(text)) return false
  const form = programForm(text)
  const granted = programForm(pattern)
  return form !== undefined && granted !== undefined && matches(granted, form)
}

function isDeniedProgram(pattern: string, text: string): boolean {
  if (matchesProgram(pattern, text, mayMatchWord)) return true
  const name = text.slice(text.search(/[^/\\]*$/))
  return !namesFolder(pattern) && (mayMatchWord(pattern, name) || mayMatchWord(pattern, name.replace(/\.exe$/i, '')))
}

function namesFolder(text: string): boolean {
  return /[/\\]/.test(text)
}

/** Without empty and `.` components; a relative one begins with `./` or `../`. Behind a name `..` leads where only the files can tell: such a
 * spelling is like no other. */
function programForm(text: string): string | undefined {
  if (!text.includes('/')) return text
  const components = text.split('/').filter((component) => component !== '' && component !== '.')
  const firstName = components.findIndex((component) => component !== '..')
  if (firstName >= 0 && components.includes('..', firstName)) return undefined
  const path = components.join('/')
  if (text.startsWith('/')) return `/${path}`
  return components[0] === '..' ? path : `./${path}`
}

function patternOf(grant: CommandGrant, at: number): string {
  const word = grant[at]
  return word?.kind === 'word' ? word.pattern : ''
}
