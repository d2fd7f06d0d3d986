// Cuts a folded text into lines and sentences, English and Chinese, each with the form of the line it stands in. One pass over each
// line, however long it is. Seed, "What is checked", section 2.
import { closingQuotes } from './quoted-spans.js'

export type LineForm = 'prose' | 'list' | 'heading' | 'table-row' | 'key-value' | 'code'

export interface Sentence {
  readonly text: string
  readonly form: LineForm
  /** The beginning of its line, without list marks: labels and keys stand there. */
  readonly head: string
  /** Whether the sentence begins its line. */
  readonly first: boolean
  /** Whether its line has a box that nobody ticked. */
  readonly unticked: boolean
}

interface Line {
  readonly text: string
  readonly form: LineForm
  readonly unticked: boolean
}

const headUnits = 240
/** A longer parenthesis does not keep its sentences together. */
const parenthesisUnits = 400

const fence = /^(`{3,}|~{3,})([^`]*)$/
const quoteMarkers = /^(?: {0,3}> ?)+/
const listMarker = /^(?:[-*+•·◦▪–—]|\d{1,4}[.)、]|\(\d{1,3}\)|[(]?[一二三四五六七八九十]{1,3}[)、])(?:[ \t]+|(?<=[•、)])(?=\S))/
const box = /^\[([ xX✓✔-]?)\][ \t]+/
const heading = /^#{1,6}(?:[ \t]+|(?=\p{Script=Han}))/u
const delimiterRow = /^\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?$/
const keyValue = /^["'`]?[\p{L}\d][\p{L}\d_.$@ '’-]{0,60}["'`]?[ \t]{0,8}(?:[:=](?![/=]))[ \t]{0,8}(?=\S)/u
/** A line that stops here goes on in the next one. */
const stopsAtSubject =
  /(?:^|[^\p{L}\d])(?:the[ \t]+)?(?:user|owner)(?:[ \t]+(?:has|had|have|already|explicitly|really|actually|definitely|also|now|then|just|clearly|formally|finally)){0,3}$|(?:用户|用戶|主人|老板|老闆|负责人|負責人|使用者)(?:已经|已經|已|明确地?|明確地?|正式){0,2}$/iu
/** A full stop behind these ends nothing; behind the second kind only before a digit, behind the third only before a small letter. */
const abbreviation = /(?:^|[^\p{L}\d])(?:e\.g|i\.e|vs|cf|dr|mr|mrs|ms|prof|a\.k\.a)$/iu
const numbered = /(?:^|[^\p{L}\d])(?:no|nr|fig|sec|ch|vol|pp?|approx|art|ver|v)$/iu
const trailing = /(?:^|[^\p{L}\d])(?:etc|inc|ltd|co|corp|dept|approx|a\.m|p\.m|u\.s)$/iu

/** `matters`: whether a line is worth cutting; sentences of other lines are left out. */
export function sentences(text: string, matters: (line: string) => boolean = () => true): Sentence[] {
  const found: Sentence[] = []
  for (const line of linesOf(text)) if (matters(line.text)) cutLine(line, found)
  return found
}

/** A line that may still go on. Its parts are joined once, at its end: a text of nothing but joined lines is linear too. */
interface OpenLine {
  readonly parts: string[]
  readonly form: LineForm
  readonly unticked: boolean
}

function* linesOf(text: string): Generator<Line> {
  const lines = /[\r\v\f\u0085\u2028\u2029]/.test(text) ? text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n') : text
  let open: OpenLine | undefined
  let fenced: string | undefined
  let inTable = false
  for (let from = 0; from <= lines.length; ) {
    const found = lines.indexOf('\n', from)
    const end = found < 0 ? lines.length : found
    const raw = lines.slice(from, end)
    from = end + 1
    const line = raw.trimStart().startsWith('>') ? raw.replace(quoteMarkers, '') : raw
    const words = line.trim()
    const fences = words.charCodeAt(0) === 0x60 || words.charCodeAt(0) === 0x7e ? fence.exec(words) : null
    const indent = indentOf(line)
    const isList = mayMark(words.charCodeAt(0)) && listMarker.test(words)
    if (fenced !== undefined || fences !== null || words === '' || (indent >= 4 && !isList)) {
      if (open !== undefined) yield closed(open)
      open = undefined
      if (words === '') inTable = false
      else yield { text: words, form: 'code', unticked: false }
      if (fenced === undefined) fenced = fences?.[1]
      else if (fences?.[2] === '' && fences[1]?.startsWith(fenced) === true) fenced = undefined
      continue
    }
    const isDelimiter: boolean = words.includes('|') && delimiterRow.test(words)
    const isRow: boolean = isDelimiter || (words.startsWith('|') && words.indexOf('|', 1) > 0) || (inTable && words.includes('|'))
    inTable = isDelimiter || (inTable && isRow)
    const isHeading = words.startsWith('#') && heading.test(words)
    if (open !== undefined && !isRow && !isHeading && !isList && goesOn(open, indent, words)) {
      open.parts.push(words)
      continue
    }
    // The head of a table stands before the row that tells so.
    if (open !== undefined) yield closed(open, isDelimiter && open.parts.at(-1)?.includes('|') === true)
    open = undefined
    if (isRow) yield { text: words, form: 'table-row', unticked: false }
    else open = openedBy(words, isHeading)
  }
  if (open !== undefined) yield closed(open)
}

function closed({ parts, form, unticked }: OpenLine, isRow = false): Line {
  return { text: parts.join(' '), form: isRow ? 'table-row' : form, unticked }
}

/** Whether a line that stands so far in goes on with the one before. */
function goesOn({ parts, form }: OpenLine, indent: number, words: string): boolean {
  if (form === 'heading') return false
  const last = parts.at(-1) ?? ''
  if (stopsAtSubject.test(last.slice(-48))) return true
  if (indent === 0) return false
  const isMember = (form === 'key-value' || /[:{[]$/.test(last)) && keyValue.test(words)
  return !isMember
}

function openedBy(words: string, isHeading: boolean): OpenLine {
  if (isHeading) return { parts: [words.replace(heading, '')], form: 'heading', unticked: false }
  let text = words
  let form: LineForm = 'prose'
  for (let marks = 0; marks < 3 && mayMark(text.charCodeAt(0)) && listMarker.test(text); marks += 1) {
    text = text.replace(listMarker, '')
    form = 'list'
  }
  const ticked = text.startsWith('[') ? box.exec(text) : null
  if (ticked !== null) text = text.slice(ticked[0].length)
  if ((text.includes(':') || text.includes('=')) && keyValue.test(text)) form = 'key-value'
  return { parts: [text], form, unticked: ticked !== null && /^[ -]?$/.test(ticked[1] ?? '') }
}

/** A letter begins no list, but for the Chinese numerals. */
function mayMark(char: number): boolean {
  return char < 0x41 || (char > 0x7a && !(char >= 0xc0 && char < 0x2000) && !(char >= 0x3041 && char < 0x4e00))
}

/** Four or more where a tab comes before the words. */
function indentOf(line: string): number {
  let count = 0
  for (; count < 4; count += 1) {
    const char = line.charCodeAt(count)
    if (char === 0x09) return 4
    if (char !== 0x20) return count
  }
  return count
}

function cutLine({ text, form, unticked }: Line, found: Sentence[]): void {
  const head = text.slice(0, headUnits)
  const add = (from: number, end: number): void => {
    const words = text.slice(from, end).trim()
    if (words !== '') found.push({ text: words, form, head, first: from === 0, unticked })
  }
  if (form === 'code' || form === 'table-row') {
    add(0, text.length)
    return
  }
  const quotes = closingQuotes(text)
  const parentheses = closingParentheses(text)
  let from = 0
  let quotedUntil = 0
  let parenthesisUntil = 0
  for (let at = 0; at < text.length; at += 1) {
    if (quotes !== undefined) quotedUntil = Math.max(quotedUntil, quotes[at] ?? 0)
    if (parentheses !== undefined) parenthesisUntil = Math.max(parenthesisUntil, parentheses[at] ?? 0)
    if (at < quotedUntil) continue
    const char = text.charCodeAt(at)
    // . ; ! ? 。 ｡
    if (char !== 0x2e && char !== 0x3b && char !== 0x21 && char !== 0x3f && char !== 0x3002 && char !== 0xff61) continue
    if (char !== 0x3b && at < parenthesisUntil) continue
    if (!endsSentence(text, at, char)) continue
    let end = at + 1
    while (end < text.length && '.!?。"\'”’」』)]}*_`'.includes(text.charAt(end)) && (quotes?.[end] ?? 0) === 0) end += 1
    add(from, end)
    from = end
    at = end - 1
  }
  add(from, text.length)
}

function endsSentence(text: string, at: number, char: number): boolean {
  if (char === 0x3002 || char === 0xff61) return true
  if (char === 0x3b) return !/&#?\w{1,8}$/.test(text.slice(Math.max(0, at - 10), at))
  let behind = at + 1
  while (behind < text.length && '.!?"\'”’」』)]}*_`'.includes(text.charAt(behind))) behind += 1
  const next = text.charCodeAt(behind)
  const atSpace = behind >= text.length || next <= 0x20
  if (char !== 0x2e) return atSpace || isHan(next) || isHan(text.charCodeAt(at - 1))
  if (!atSpace) return isHan(next) && isHan(text.charCodeAt(at - 1))
  // The first of several dots has decided.
  if (text.charCodeAt(at - 1) === char) return false
  if (behind >= text.length) return true
  const rest = text.slice(behind, behind + 8).trimStart()
  // Three dots go on unless a capital follows.
  if (behind - at > 2 && text.startsWith('...', at)) return !/^[\p{Ll}\d("'“‘「]/u.test(rest)
  const before = text.slice(Math.max(0, at - 8), at)
  if (abbreviation.test(before)) return false
  if (numbered.test(before) && /^\d/.test(rest)) return false
  return !(trailing.test(before) && /^\p{Ll}/u.test(rest))
}

/** For each opening parenthesis the place of the one that closes it, else 0. */
function closingParentheses(text: string): Int32Array | undefined {
  if (!text.includes('(')) return undefined
  const closing = new Int32Array(text.length)
  const opened: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char === 0x28) opened.push(at)
    else if (char === 0x29) {
      const from = opened.pop()
      if (from !== undefined && at - from <= parenthesisUnits) closing[from] = at
    }
  }
  return closing
}

function isHan(char: number): boolean {
  return char >= 0x3400 && char <= 0x9fff
}
