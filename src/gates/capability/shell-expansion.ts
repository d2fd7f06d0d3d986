// Reads what a shell expands or takes away: quotes, escapes, variables, arithmetic and substitutions, whose commands are read on the way.
import { ansiQuoted } from './ansi-quoted.js'
import { secondEvaluation } from './second-evaluation.js'
import { readAside, readBeforeParenthesis } from './shell-commands.js'
import type { ShellWord } from './shell-reading.js'
import {
  backslash,
  backtick,
  closing,
  closingBrace,
  dollar,
  doubleQuote,
  isProcess,
  opening,
  openingBrace,
  ShellText,
  singleQuote,
} from './shell-text.js'
import { blur, type WordDraft, wordOf } from './word-draft.js'

const parameterName = /^[!#]?(?:[A-Za-z_]\w*|\d+|[@*#?$!_-])/
const assignsParameter = /^(?:\[[^\]]*\])?:?=/

/** Text as it stands between double quotes, or in a here-document that expands: to its end, or to the quote that closes it. */
export function readExpandingText(text: ShellText, closes: boolean): ShellWord {
  const start = text.at
  const draft: WordDraft = { text: '', quoted: true, opaque: undefined, variable: undefined }
  readDouble(text, draft, closes)
  return wordOf(draft, text.text.slice(start, text.at))
}

/** `<(…)`: its commands run, the word is the name of a pipe. */
export function readProcess(text: ShellText, draft: WordDraft): boolean {
  text.take()
  text.peek()
  text.take()
  if (text.dialect === 'posix') text.fail('syntax')
  readBeforeParenthesis(text)
  blur(draft, 'substitution')
  return true
}

/** Quotes, escapes and what begins with a dollar. */
export function readShellExpansion(text: ShellText, code: number, draft: WordDraft): boolean {
  if (code === backslash) {
    if (text.at + 1 >= text.text.length) text.fail('unbalanced')
    draft.text += text.text.charAt(text.at + 1)
    draft.quoted = true
    text.at += 2
  } else if (code === singleQuote) {
    readSingle(text, draft)
  } else if (code === doubleQuote) {
    text.take()
    draft.quoted = true
    readDouble(text, draft, true)
  } else if (code === dollar) {
    readDollar(text, draft, false)
  } else if (code === backtick) {
    readBackticks(text, draft, false)
  } else return false
  return true
}

function readSingle(text: ShellText, draft: WordDraft): void {
  const end = text.text.indexOf("'", text.at + 1)
  if (end < 0) {
    text.fail('unbalanced')
    return
  }
  draft.text += text.text.slice(text.at + 1, end)
  draft.quoted = true
  text.at = end + 1
}

function readDouble(text: ShellText, draft: WordDraft, closes: boolean): void {
  const special = closes ? /["\\$`]/g : /[\\$`]/g
  for (let code = text.peek(); code >= 0; code = text.peek()) {
    if (code === doubleQuote && closes) {
      text.take()
      return
    }
    if (code === backslash) {
      const next = text.text.charAt(text.at + 1)
      draft.text += next === '$' || next === '`' || next === '\\' || (next === '"' && closes) ? next : `\\${next}`
      text.at += 2
    } else if (code === dollar) readDollar(text, draft, true)
    else if (code === backtick) readBackticks(text, draft, true)
    else {
      special.lastIndex = text.at
      const end = special.exec(text.text)?.index ?? text.text.length
      draft.text += text.text.slice(text.at, end)
      text.at = end
    }
  }
  if (closes) text.fail('unbalanced')
}

function readDollar(text: ShellText, draft: WordDraft, inside: boolean): void {
  text.take()
  const code = text.peek()
  if (code === opening) {
    text.take()
    if (text.peek() === opening) {
      text.take()
      blur(draft, 'expansion')
      readArithmetic(text)
    } else {
      blur(draft, 'substitution')
      readBeforeParenthesis(text)
    }
  } else if (code === openingBrace) readParameter(text, draft, inside)
  else if (code === 0x5b) text.fail('syntax')
  else if (code === singleQuote && !inside) readAnsiQuoted(text, draft)
  else if (code === doubleQuote && !inside) {
    if (text.dialect === 'posix') text.fail('syntax')
  } else readVariable(text, draft, code)
}

/** A plain `$NAME`; a dollar in front of anything else is itself. */
function readVariable(text: ShellText, draft: WordDraft, first: number): void {
  let name = ''
  if (isNameCode(first) && !isDigit(first)) {
    for (let code = first; isNameCode(code); code = text.peek()) {
      name += String.fromCharCode(code)
      text.take()
    }
  } else if (first >= 0 && (isDigit(first) || '@*#?$!-'.includes(String.fromCharCode(first)))) {
    name = String.fromCharCode(first)
    text.take()
  }
  if (name === '') draft.text += '$'
  else addVariable(text, draft, name)
}

/** What the home is called is the one thing known of the shell's variables, and only where no blank or star in it could be taken for more. */
function addVariable(text: ShellText, draft: WordDraft, name: string): void {
  const { home } = text.reading
  if (name === 'HOME' && home !== undefined && /^[\w/.@+-]+$/.test(home)) {
    draft.text += home
    draft.quoted = true
  } else blur(draft, 'variable', name)
}

/** `${…}`. What shells read differently in it, quotes inside of quotes above all, is refused. */
function readParameter(text: ShellText, draft: WordDraft, inside: boolean): void {
  text.take()
  text.peek()
  const start = text.at
  text.reading.deeper(() => readToBrace(text, inside))
  const content = text.text.slice(start, text.at)
  if (text.peek() === closingBrace) text.take()
  else text.fail('unbalanced')
  const found = parameterName.exec(content)?.[0]
  if (found === undefined) {
    text.fail('syntax')
    return
  }
  const name = found.replace(/^[!#](?=.)/, '')
  if (name === content) addVariable(text, draft, name)
  else blur(draft, 'variable', name)
  // A name with a capital may be one that programs listen to.
  const isListenedTo = /[A-Z]/.test(name) && assignsParameter.test(content.slice(found.length))
  if (isListenedTo || secondEvaluation.parameter(content, found.length)) {
    text.reading.add([{ text: `\${${content}}`, opaque: 'expansion' }])
  }
}

function readToBrace(text: ShellText, inside: boolean): void {
  const ignored: WordDraft = { text: '', quoted: inside, opaque: undefined, variable: undefined }
  for (let code = text.peek(); code >= 0 && code !== closingBrace; code = text.peek()) {
    const quotes = code === backslash || code === singleQuote || code === doubleQuote
    if ((quotes && inside) || isProcess(text, code)) text.fail('syntax')
    else if (code === dollar) readDollar(text, ignored, inside)
    else if (code === backtick) readBackticks(text, ignored, inside)
    else if (!quotes || !readShellExpansion(text, code, ignored)) text.take()
  }
}

/** From behind `((` to behind `))`. Where it does not end so, or quotes something, it may be two groups of commands: that is refused. */
export function readArithmetic(text: ShellText): void {
  const start = text.at
  text.reading.deeper(() => readToClosing(text))
  const content = text.text.slice(start, text.at)
  if (text.peek() === closing) text.take()
  else text.fail(text.at >= text.text.length ? 'unbalanced' : 'syntax')
  if (secondEvaluation.arithmetic(content)) {
    text.reading.add([{ text: `((${content})`, opaque: 'expansion' }])
  }
}

function readToClosing(text: ShellText): void {
  const ignored: WordDraft = { text: '', quoted: true, opaque: undefined, variable: undefined }
  let open = 1
  for (let code = text.peek(); code >= 0; code = text.peek()) {
    if (code === dollar) readDollar(text, ignored, true)
    else if (code === backtick) readBackticks(text, ignored, true)
    else {
      if (code === backslash || code === singleQuote || code === doubleQuote) text.fail('syntax')
      if (code === opening) open += 1
      if (code === closing) open -= 1
      text.take()
      if (open === 0) return
    }
  }
}

function readAnsiQuoted(text: ShellText, draft: WordDraft): void {
  if (text.dialect === 'posix') text.fail('syntax')
  const found = ansiQuoted(text.text, text.at + 1)
  if (found === undefined) {
    text.fail('unbalanced')
    return
  }
  draft.text += found.text
  draft.quoted = true
  if (found.uncertain) blur(draft, 'expansion')
  text.at = found.end
}

/** Their inside is text of its own once the backslashes in front of backticks, dollars and backslashes are gone. */
function readBackticks(text: ShellText, draft: WordDraft, inside: boolean): void {
  blur(draft, 'substitution')
  const special = /[`\\]/g
  let code = ''
  let from = text.at + 1
  for (;;) {
    special.lastIndex = from
    const at = special.exec(text.text)?.index ?? -1
    if (at < 0) {
      text.fail('unbalanced')
      return
    }
    code += text.text.slice(from, at)
    from = at + 1
    if (text.text.charCodeAt(at) === backtick) break
    const next = text.text.charAt(at + 1)
    // Shells do not agree on how much a quote loses here.
    if (inside && next === '"') text.fail('syntax')
    code += next === '`' || next === '\\' || next === '$' ? next : `\\${next}`
    from = at + 2
  }
  text.at = from
  readAside(new ShellText(code, text.reading, text.dialect))
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isNameCode(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f
}
