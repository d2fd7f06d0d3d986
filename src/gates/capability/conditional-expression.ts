// Reads `[[ … ]]`: it runs nothing but the substitutions in its words, and what it calculates.
import { readHiddenCode } from './inline-code.js'
import { secondEvaluation } from './second-evaluation.js'
import type { ShellWord } from './shell-reading.js'
import { hash, type ShellText, semicolon } from './shell-text.js'
import { beginsShellWord, readShellWord } from './shell-word.js'

/** A regular expression that all readers end at the same place. */
const plainExpression = /(?:[^\s'"\\`;&<>$#{}]|\$(?=[\s)|]))+(?=[ \t\n])/y

export function readConditionalExpression(text: ShellText): void {
  if (text.dialect === 'posix') text.fail('syntax')
  const words: ShellWord[] = []
  for (;;) {
    text.skipBlanks()
    const code = text.peek()
    if (code < 0) {
      text.fail('unbalanced')
      return
    }
    if (/^\]\](?![^ \t\n;&|()<>])/.test(text.text.slice(text.at, text.at + 3))) {
      text.at += 2
      if (secondEvaluation.condition(words)) text.reading.add([{ text: '[[', opaque: 'expansion' }])
      return
    }
    if (code === hash || code === semicolon) text.fail('syntax')
    else if (!beginsShellWord(text)) text.take()
    else {
      const word = readShellWord(text)
      if (word === undefined) return
      words.push(word)
      readHiddenCode(text, word)
      if (!word.quoted && ['=~', '==', '=', '!='].includes(word.text)) takePlainExpression(text)
    }
  }
}

function takePlainExpression(text: ShellText): void {
  text.skipBlanks()
  plainExpression.lastIndex = text.at
  const found = text.peek() < 0 ? undefined : plainExpression.exec(text.text)?.[0]
  if (found === undefined || !found.includes('(')) return
  if (found.split('(').length !== found.split(')').length) text.fail('syntax')
  text.at += found.length
}
