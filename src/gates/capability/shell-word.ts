// Reads one word of a command line: quotes are taken away, and a word that only the running shell can know is opaque and says why. The
// commands inside its substitutions are read on the way.
import { readProcess, readShellExpansion } from './shell-expansion.js'
import type { ShellWord } from './shell-reading.js'
import {
  backslash,
  backtick,
  closing,
  dollar,
  doubleQuote,
  greater,
  isMeta,
  isProcess,
  less,
  newline,
  opening,
  type ShellText,
  singleQuote,
  space,
  tab,
} from './shell-text.js'
import { isSign, UnquotedSigns } from './unquoted-signs.js'
import { blur, type WordDraft, wordOf } from './word-draft.js'

/** Whether a word begins here: a comment is the caller's to know. */
export function beginsShellWord(text: ShellText): boolean {
  const code = text.peek()
  return code >= 0 && (!isMeta(code) || isProcess(text, code))
}

/** The word that begins here; nothing where none does. */
export function readShellWord(text: ShellText): ShellWord | undefined {
  if (!beginsShellWord(text)) return undefined
  const start = text.at
  const draft: WordDraft = { text: '', quoted: false, opaque: undefined, variable: undefined }
  const signs = new UnquotedSigns(draft)
  const pipe = (text.peek() === less || text.peek() === greater) && readProcess(text, draft)
  let only = pipe
  for (let code = text.peek(); code >= 0; code = text.peek()) {
    if (isMeta(code)) {
      if (code === opening && signs.beginsArray()) {
        readArray(text)
        blur(draft, 'expansion')
        signs.endPrefix()
      } else if (!isProcess(text, code) || !readProcess(text, draft)) break
    } else if (!readShellExpansion(text, code, draft)) readUnquoted(text, code, draft, signs)
    only = false
    if (draft.quoted || draft.opaque === 'variable' || draft.opaque === 'substitution') signs.endPrefix()
  }
  signs.end(text)
  const word = wordOf(draft, text.text.slice(start, text.at), only)
  text.reading.countWord(draft.text)
  return word
}

/** `NAME=(…)`: words between parentheses, on any number of lines. */
function readArray(text: ShellText): void {
  text.take()
  text.reading.deeper(() => {
    for (let code = text.peek(); code >= 0 && code !== closing; code = text.peek()) {
      if (code === space || code === tab) text.take()
      // A here-document that waits for this line's end does not get it from a line inside a word.
      else if (code === newline) text.take()
      else if (code === 0x23 || readShellWord(text) === undefined) text.fail('syntax')
    }
  })
  if (text.peek() === closing) text.take()
  else text.fail('unbalanced')
}

function readUnquoted(text: ShellText, code: number, draft: WordDraft, signs: UnquotedSigns): void {
  const sign = String.fromCharCode(code)
  if (sign === '~') readTilde(text, draft)
  else if (isSign(code)) {
    signs.see(sign, text)
    draft.text += sign
    text.take()
  } else {
    const from = text.at
    while (isOrdinary(text.text.charCodeAt(text.at))) text.at += 1
    draft.text += text.text.slice(from, text.at)
  }
}

/** The home in front of a path. Someone else's home, and one behind `=` or `:`, are the shell's to know. */
function readTilde(text: ShellText, draft: WordDraft): void {
  const before = draft.text === '' && !draft.quoted ? '' : text.text.charAt(text.at - 1)
  text.take()
  const next = text.peek()
  const { home } = text.reading
  if (before === '' && home !== undefined && (next < 0 || next === 0x2f || isMeta(next))) {
    draft.text += home
    draft.quoted = true
    return
  }
  if (before === '' || before === '=' || before === ':' || before === '\n') blur(draft, 'expansion')
  draft.text += '~'
}

/** No quote, no sign, nothing that ends a word; the end of the text is none either. */
function isOrdinary(code: number): boolean {
  return (
    code >= 0 &&
    !isMeta(code) &&
    !isSign(code) &&
    code !== backslash &&
    code !== singleQuote &&
    code !== doubleQuote &&
    code !== dollar &&
    code !== backtick &&
    code !== 0x7e
  )
}
