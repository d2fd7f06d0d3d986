// Reads the commands that hold others: groups, branches, loops, cases, functions. Which branch would run is not asked.
import { readConditionalExpression } from './conditional-expression.js'
import { readHiddenCode } from './inline-code.js'
import { expectEnd, type ListEnd, readCommand, readList, reservedWord, skipLines, takeWord } from './shell-commands.js'
import { readArithmetic } from './shell-expansion.js'
import { ampersand, bar, closing, hash, newline, opening, type ShellText, semicolon } from './shell-text.js'
import { beginsShellWord, readShellWord } from './shell-word.js'

const identifier = /^[A-Za-z_]\w*$/
/** What may be run or read by its name alone, in a way that programs listen to. */
const quietName = /^(?!.*_proxy$)[a-z_][a-z\d_]*$/

export function readCompoundCommand(text: ShellText, word: string): void {
  text.at += word.length
  text.reading.deeper(() => {
    if (word === '{') expectEnd(text, readList(text), '}')
    else if (word === 'if') readIf(text)
    else if (word === 'while' || word === 'until') repeated(text, () => expectEnd(text, readList(text), 'do'))
    else if (word === 'for' || word === 'select') repeated(text, () => readForHead(text))
    else if (word === 'case') readCase(text)
    else if (word === 'function') readFunction(text)
    else if (word === 'coproc') readCoprocess(text)
    else if (word === '[[') readConditionalExpression(text)
    else text.fail('syntax')
  })
}

export function readParentheses(text: ShellText): void {
  text.take()
  if (text.peek() === opening) {
    // What bash calculates, others run.
    if (text.dialect === 'posix') text.fail('syntax')
    text.take()
    readArithmetic(text)
  } else text.reading.apart(() => text.reading.deeper(() => expectEnd(text, readList(text), ')')))
}

function readIf(text: ShellText): void {
  for (let end: ListEnd = 'elif'; end === 'elif'; ) {
    expectEnd(text, readList(text), 'then')
    end = expectEnd(text, readList(text), 'elif', 'else', 'fi')
    if (end === 'else') expectEnd(text, readList(text), 'fi')
  }
}

/** What runs again may stand in a folder that only a later command of it went to. */
function repeated(text: ShellText, readHead: () => unknown): void {
  const { reading } = text
  const { folder } = reading
  const mark = reading.mark()
  const end = readHead()
  if (end === '}') expectEnd(text, readList(text), '}')
  else expectEnd(text, readList(text), 'done')
  if (reading.folder === folder) return
  reading.folder = null
  reading.unsureSince(mark)
}

function readForHead(text: ShellText): ListEnd {
  text.skipBlanks()
  if (text.peek() === opening) {
    text.take()
    if (text.peek() !== opening || text.dialect === 'posix') text.fail('syntax')
    text.take()
    readArithmetic(text)
    text.skipBlanks()
  } else readLoopWords(text)
  if (text.peek() === semicolon) text.take()
  return takeWord(text, 'do', '{') === '{' ? '}' : 'do'
}

function readLoopWords(text: ShellText): void {
  const slot = text.reading.slot()
  const { folder } = text.reading
  const name = readShellWord(text)
  if (name === undefined || name.quoted || !identifier.test(name.text)) text.fail('syntax')
  const words = [{ text: 'for' }, ...(name === undefined ? [] : [name])]
  skipLines(text)
  if (takeIn(text)) {
    words.push({ text: 'in' })
    for (text.skipBlanks(); text.peek() !== hash && beginsShellWord(text); text.skipBlanks()) {
      const word = readShellWord(text)
      if (word === undefined) break
      readHiddenCode(text, word)
      words.push(word)
    }
    if (text.peek() !== semicolon && text.peek() !== newline && text.peek() !== hash) text.fail('syntax')
  }
  if (name !== undefined && !quietName.test(name.text)) text.reading.fill(slot, words, folder)
}

function takeIn(text: ShellText): boolean {
  const found = text.peek() >= 0 && /^in(?![^ \t\n;&|()<>])/.test(text.text.slice(text.at, text.at + 3))
  if (found) text.at += 2
  return found
}

function readCase(text: ShellText): void {
  text.skipBlanks()
  if (readShellWord(text) === undefined) text.fail('syntax')
  skipLines(text)
  if (!takeIn(text)) text.fail('syntax')
  const before = text.reading.folder
  for (;;) {
    skipLines(text)
    if (text.peek() < 0) {
      text.fail('unbalanced')
      break
    }
    if (reservedWord(text) === 'esac') {
      text.at += 4
      break
    }
    readCasePatterns(text)
    const end = readList(text)
    if (end === ';;') takeCaseEnd(text)
    else if (end !== 'esac') text.fail(end === '' ? 'unbalanced' : 'syntax')
  }
  if (text.reading.folder !== before) text.reading.folder = null
}

function readCasePatterns(text: ShellText): void {
  if (text.peek() === opening) text.take()
  for (;;) {
    text.skipBlanks()
    if (readShellWord(text) === undefined) text.fail('syntax')
    text.skipBlanks()
    const code = text.peek()
    text.take()
    if (code === bar) continue
    if (code !== closing) text.fail(code < 0 ? 'unbalanced' : 'syntax')
    return
  }
}

/** `;;`, `;&` or `;;&`. */
function takeCaseEnd(text: ShellText): void {
  text.take()
  const second = text.peek()
  text.take()
  if (second === semicolon && text.peek() === ampersand) text.take()
}

/** From behind the word `function`. */
function readFunction(text: ShellText): void {
  text.skipBlanks()
  const slot = text.reading.slot()
  const name = readShellWord(text)
  text.skipBlanks()
  if (text.peek() === opening) takeEmptyParentheses(text)
  if (name === undefined) text.fail('syntax')
  else readBody(text, slot, name.text)
}

export function takeEmptyParentheses(text: ShellText): void {
  text.take()
  text.skipBlanks()
  if (text.peek() !== closing) text.fail('syntax')
  text.take()
}

/** A function changes what its name runs from here on, so it is a part of its own. Where it is called from nobody can say. */
export function readBody(text: ShellText, slot: number, name: string): void {
  const { reading } = text
  reading.fill(slot, [{ text: `${name}()` }], reading.folder)
  const { folder } = reading
  const mark = reading.mark()
  skipLines(text)
  if (text.peek() !== opening && reservedWord(text) === undefined) text.fail('syntax')
  reading.deeper(() => readCommand(text))
  reading.unsureSince(mark)
  if (reading.folder !== folder) reading.folder = null
}

function readCoprocess(text: ShellText): void {
  text.skipBlanks()
  const { at } = text
  text.reading.apart(() => readCommand(text))
  // With a name in front of a compound command the first word is no program.
  if (/^[A-Za-z_]\w*[ \t]+(?:[({]|\[\[|(?:if|while|until|for|select|case)\b)/.test(text.text.slice(at, at + 256)))
    text.fail('syntax')
}
