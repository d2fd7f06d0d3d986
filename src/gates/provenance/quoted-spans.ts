// Finds what quote marks enclose. To the search for claims they are plain text; they matter only where a sentence may end and for
// what can be evidence. One pass, whatever the text holds. Seed, "What is checked", sections 5 and 6.

export type QuoteMark = 'double' | 'single' | 'curly' | 'curly-single' | 'corner' | 'white-corner' | 'angle' | 'backtick'

export interface QuotedSpan {
  /** Of the opening mark. */
  readonly from: number
  /** Behind the closing mark. */
  readonly to: number
  /** What stands between the marks. */
  readonly text: string
  readonly mark: QuoteMark
  /** Whether the marks can hold evidence: backticks cannot, single marks only around two words or more. */
  readonly evidence: boolean
}

/** Further spans of one sentence are no evidence. */
const quotedSpansMax = 32

/** What opens, in a text as `foldedText` gives it, and how it closes. Straight marks and backticks open and close alike. */
const pairs: readonly { readonly mark: QuoteMark; readonly opens: string; readonly closes: string }[] = [
  { mark: 'curly', opens: '“„‟〝❝', closes: '”〞〟❞' },
  { mark: 'curly-single', opens: '‘‚‛❛', closes: '’❜' },
  { mark: 'corner', opens: '「', closes: '」' },
  { mark: 'white-corner', opens: '『', closes: '』' },
  { mark: 'angle', opens: '«‹', closes: '»›' },
]

const straightDouble = '"'.charCodeAt(0)
const straightSingle = "'".charCodeAt(0)
const backtick = '`'.charCodeAt(0)
const roles = new Map<number, { readonly pair: number; readonly opens: boolean }>()
const markOf = new Map<number, QuoteMark>([
  [straightDouble, 'double'],
  [straightSingle, 'single'],
  [backtick, 'backtick'],
])
pairs.forEach(({ mark, opens, closes }, pair) => {
  for (const char of opens) {
    roles.set(char.charCodeAt(0), { pair, opens: true })
    markOf.set(char.charCodeAt(0), mark)
  }
  for (const char of closes) {
    roles.set(char.charCodeAt(0), { pair, opens: false })
    markOf.set(char.charCodeAt(0), mark)
  }
})

const anyMark = new RegExp(`["'\`${pairs.map(({ opens, closes }) => opens + closes).join('')}]`)
const curly = 0
const curlySingle = 1

/** The first spans of a sentence in order of their openings, at most `max`. */
export function quotedSpans(sentence: string, max = quotedSpansMax): QuotedSpan[] {
  const spans: QuotedSpan[] = []
  const closing = closingQuotes(sentence)
  if (closing === undefined) return spans
  for (let from = 0; from < sentence.length && spans.length < max; from += 1) {
    const closes = closing[from] ?? 0
    if (closes === 0) continue
    const mark = markOf.get(sentence.charCodeAt(from)) ?? 'double'
    const text = mark === 'backtick' ? withoutBackticks(sentence.slice(from, closes + 1)) : sentence.slice(from + 1, closes)
    spans.push({ from, to: closes + 1, text, mark, evidence: canBeEvidence(mark, text) })
  }
  return spans
}

/** For each place that opens a quotation, the place of the mark that closes it, else 0. Undefined where there is no mark at all. */
export function closingQuotes(text: string): Int32Array | undefined {
  if (!anyMark.test(text)) return undefined
  const closing = new Int32Array(text.length)
  const opened: number[][] = pairs.map(() => [])
  const ticks = new Map<number, number>()
  let double = -1
  let single = -1
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char > 0x7f) {
      const role = char < 0x2018 && char !== 0xab && char !== 0xbb ? undefined : roles.get(char)
      // Inside a word it is an apostrophe.
      if (role === undefined || (role.pair === curlySingle && isWord(text, at - 1) && isWord(text, at + 1))) continue
      const stack = opened[role.pair] ?? []
      if (opensHere(text, at, role, stack.length > 0)) stack.push(at)
      else {
        const from = stack.pop()
        if (from !== undefined) closing[from] = at
      }
    } else if (char === straightDouble) {
      if (double >= 0 && !isSpace(text, at - 1)) {
        closing[double] = at
        double = -1
      } else if (double < 0 && !isSpace(text, at - 1) && isEnd(text, at + 1) && (opened[curly]?.length ?? 0) > 0) {
        closing[opened[curly]?.pop() ?? at] = at
      } else if (opensStraight(text, at)) double = at
      else if (double >= 0) {
        closing[double] = at
        double = -1
      }
    } else if (char === straightSingle) {
      if (isWord(text, at + 1) && isWord(text, at - 1)) continue
      if (!isSpace(text, at - 1) && !isWord(text, at + 1) && single >= 0) {
        closing[single] = at
        single = -1
      } else if (!isWord(text, at - 1) && !isSpace(text, at + 1)) single = at
    } else if (char === backtick) {
      let behind = at + 1
      while (text.charCodeAt(behind) === backtick) behind += 1
      const from = ticks.get(behind - at)
      if (from === undefined) ticks.set(behind - at, at)
      else {
        closing[from] = behind - 1
        ticks.delete(behind - at)
      }
      at = behind - 1
    }
  }
  return closing
}

/** A mark that opens elsewhere closes here, or the other way round: in German „…“, and where a writer took the wrong one. */
function opensHere(text: string, at: number, { pair, opens }: { pair: number; opens: boolean }, isOpen: boolean): boolean {
  if (pair > curlySingle) return opens
  if (opens) return !(isOpen && !isSpace(text, at - 1) && isEnd(text, at + 1))
  return !isOpen && pair === curly && isSpace(text, at - 1) && !isSpace(text, at + 1)
}

/** Not an inch mark, nor one inside a word. */
function opensStraight(text: string, at: number): boolean {
  return !isSpace(text, at + 1) && !isWord(text, at - 1)
}

function canBeEvidence(mark: QuoteMark, text: string): boolean {
  if (mark === 'backtick') return false
  return (mark !== 'single' && mark !== 'curly-single') || /\S\s+\S/.test(text.trim()) || /\p{Script=Han}{2}/u.test(text)
}

function withoutBackticks(text: string): string {
  return text.replace(/^`+|`+$/g, '')
}

function isSpace(text: string, at: number): boolean {
  return at < 0 || at >= text.length || text.charCodeAt(at) <= 0x20
}

/** White space, the end, or what closes a clause. */
function isEnd(text: string, at: number): boolean {
  return isSpace(text, at) || '.,;:!?)]}。、」』"'.includes(text.charAt(at))
}

/** A Latin letter or a digit: Chinese is written without spaces around its quote marks. */
function isWord(text: string, at: number): boolean {
  const char = at < 0 ? 0 : text.charCodeAt(at)
  return (
    (char >= 0x30 && char <= 0x39) ||
    (char >= 0x41 && char <= 0x5a) ||
    (char >= 0x61 && char <= 0x7a) ||
    (char >= 0xc0 && char <= 0x24f)
  )
}
