// Reads the text of a command grant, as an owner writes it, into words and patterns, and writes it back. Words are split at blanks and by
// quotes as a shell does, and nothing is expanded.
import type { CommandGrant, CommandGrantWord } from './allowlist.js'

export type ReadCommandGrant = { readonly grant: CommandGrant } | CommandGrantFault

/** What is wrong with the text, and where in it, from 0. */
export interface CommandGrantFault {
  readonly problem: CommandGrantProblem
  readonly at: number
}

export type CommandGrantProblem =
  | 'empty'
  /** A quote that is not closed, a backslash at the end. */
  | 'unbalanced'
  /** It begins with a path or with the rest: the program has to be named. */
  | 'no_program'
  /** `...` or `{read}...` with words behind it. */
  | 'rest_not_last'
  /** In braces, and neither `{read}` nor `{write}`. */
  | 'unknown_marker'
  /** `*` and `?` always stand for others here: a quoted one would grant more than it says. */
  | 'quoted_wildcard'
  /** A separator, redirect, comment or substitution: each part of a command line is granted on its own, a redirect by its path. */
  | 'shell_syntax'
  /** A variable, `~` or a list in braces: what a shell expands is not known by its name when it is judged. */
  | 'never_matches'

interface RawWord {
  readonly text: string
  readonly at: number
  readonly quoted: boolean
}

/** In braces, where a shell makes several words of one. */
const list = /\{[^{}]*(?:,|\.\.)[^{}]*\}/
const syntax = ';&|<>()`\n'
const markers: Readonly<Record<string, CommandGrantWord>> = {
  '...': { kind: 'rest', of: 'words' },
  '{read}': { kind: 'path', access: 'read' },
  '{write}': { kind: 'path', access: 'write' },
  '{read}...': { kind: 'rest', of: 'paths', access: 'read' },
  '{write}...': { kind: 'rest', of: 'paths', access: 'write' },
}

export function readCommandGrant(text: string): ReadCommandGrant {
  const words = rawWords(text)
  if ('problem' in words) return words
  const grant: CommandGrantWord[] = []
  for (const [place, word] of words.entries()) {
    const read = grantWord(word)
    if ('problem' in read) return read
    if (place === 0 && read.kind !== 'word') return { problem: 'no_program', at: word.at }
    if (read.kind === 'rest' && place < words.length - 1) return { problem: 'rest_not_last', at: word.at }
    grant.push(read)
  }
  return grant.length === 0 ? { problem: 'empty', at: 0 } : { grant }
}

/** The one text that all spellings of the same grant have in common. */
export function commandGrantText(grant: CommandGrant): string {
  return grant.map(wordText).join(' ')
}

function wordText(word: CommandGrantWord): string {
  if (word.kind === 'path') return `{${word.access}}`
  if (word.kind === 'rest') return word.of === 'words' ? '...' : `{${word.access}}...`
  const { pattern } = word
  if (/^[\w@%+=:,./*?{}[\]!^-]+$/.test(pattern) && !isMarker(pattern) && !list.test(pattern)) return pattern
  // A wildcard has to stay outside of the quotes.
  return pattern === '' ? "''" : pattern.replace(/[^*?]+/g, quoted)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function isMarker(text: string): boolean {
  return Object.hasOwn(markers, text) || /^\{[^{},]*\}(?:\.\.\.)?$/.test(text)
}

function grantWord({ text, at, quoted: isQuoted }: RawWord): CommandGrantWord | CommandGrantFault {
  if (!isQuoted && list.test(text)) return { problem: 'never_matches', at }
  if (isQuoted || !isMarker(text)) return { kind: 'word', pattern: text }
  // `{}` is a word of `find` and `xargs`.
  if (text === '{}') return { kind: 'word', pattern: text }
  return markers[text] ?? { problem: 'unknown_marker', at }
}

function rawWords(source: string): RawWord[] | CommandGrantFault {
  const words: RawWord[] = []
  for (let at = 0; at < source.length; ) {
    if (source.charAt(at) === ' ' || source.charAt(at) === '\t') {
      at += 1
      continue
    }
    const read = rawWord(source, at)
    if ('problem' in read) return read
    words.push(read.word)
    at = read.end
  }
  return words
}

function rawWord(source: string, start: number): { word: RawWord; end: number } | CommandGrantFault {
  let text = ''
  let isQuoted = false
  let at = start
  while (at < source.length && source.charAt(at) !== ' ' && source.charAt(at) !== '\t') {
    const sign = source.charAt(at)
    const literal = quotedText(source, at)
    if (literal === undefined) {
      const problem = signProblem(sign, at === start)
      if (problem !== undefined) return { problem, at }
      text += sign
      at += 1
      continue
    }
    if ('problem' in literal) return literal
    text += literal.text
    isQuoted = true
    at = literal.end
  }
  return { word: { text, at: start, quoted: isQuoted }, end: at }
}

function signProblem(sign: string, first: boolean): CommandGrantProblem | undefined {
  if (syntax.includes(sign) || (sign === '#' && first)) return 'shell_syntax'
  return sign === '$' || (sign === '~' && first) ? 'never_matches' : undefined
}

/** What a quote or a backslash at this place holds; nothing where neither stands there. */
function quotedText(source: string, at: number): { text: string; end: number } | CommandGrantFault | undefined {
  const sign = source.charAt(at)
  if (sign !== "'" && sign !== '"' && sign !== '\\') return undefined
  let text = ''
  let end = at + 1
  if (sign === '\\') {
    text = source.charAt(end)
    end += 1
  } else {
    while (end < source.length && source.charAt(end) !== sign) {
      if (sign === '"' && /^\\["\\$`]/.test(source.slice(end, end + 2))) end += 1
      text += source.charAt(end)
      end += 1
    }
    end += 1
  }
  if (end > source.length) return { problem: 'unbalanced', at }
  return /[*?]/.test(text) ? { problem: 'quoted_wildcard', at } : { text, end }
}
