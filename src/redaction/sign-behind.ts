// Finds what joins a name to its value: `=`, `:`, `=>`, a tag, the blank behind a flag, the comma of a call, the `is` of a sentence.
import { kindAbroad } from './names-abroad.js'
import { isUnspaced, type NameInText, quoteAt, type Sign, skipBlanks } from './value-at.js'

const isWords = /(?:is|was|are|ist|war|lautet|est|es|è|é|是|为|為|は|는|은|—|–|->|→)(?:[:：\s]\s{0,8})/iy
/** Behind names of scripts without blanks, where none need follow. */
const isWordsUnspaced = /(?:是|为|為|は|는|은)\s{0,8}/y
/** `password for the router is`, `password of bob:` */
const whose = /(?:for|of|to|für|von|de|du|para) [^\n.:;=,"'`]{1,40}?(?: is | ist | est | es |: )\s{0,8}/iy
/** These take a name and its value. */
const setters =
  /(?:define|setItem|setdefault|set|Set|SET|append|add|put|header|addHeader|setRequestHeader|setenv|getenv|get|env|default|setProperty|property|fill|type)\(\s{0,4}$/
const setsName = /(?:#define |:|\(setq |header |setenv |ENV )$/

export function signBehind({ text, start, end, name, kind }: NameInText): Sign | undefined {
  const quote = quoteAt(text, end)
  const nameQuoted = quote !== undefined
  const before = text.slice(Math.max(0, start - 24), start).replace(/["'`#.\\]{1,4}$/, '')
  // `case 'pw':`, and the middle of a choice.
  if (nameQuoted && /(?:\?|\bcase)\s{0,4}$/.test(before)) return undefined
  let at = quote ?? end
  if (nameQuoted && text[at] === ']') at += 1
  else if (text[at] === '[' && text[at + 1] === ']') at += 2
  if (text[at] === '?' || (text[at] === '!' && text[at + 1] === ':')) at += 1
  const blank = skipBlanks(text, at, nameQuoted)
  const sign = text[blank]
  const next = text[blank + 1]
  const style = (style: Sign['style'], behind: number): Sign | undefined => {
    const value = skipBlanks(text, behind, nameQuoted)
    // `pw :8080`
    if (style === 'colon' && !nameQuoted && blank > at && value === behind) return undefined
    return { at: value, style, spaced: blank > at || value > behind, nameQuoted }
  }
  // `${NAME:-value}`; `${NAME:?words}` says what is missing.
  if (blank === end && sign === ':' && text[start - 1] === '{' && text[start - 2] === '$') {
    if (next === '?' || next === '+') return undefined
    return style('equals', next === '-' || next === '=' ? blank + 2 : blank + 1)
  }
  if (sign === '=' && next === '>') return style('equals', blank + 2)
  if (sign === '=') return next === '=' || next === '~' ? undefined : style('equals', blank + 1)
  if (sign === '%' && next === '3' && /[dD]/.test(text[blank + 2] ?? '') && blank === end) return style('equals', blank + 3)
  if (sign === ':' && next === '=') return style('equals', blank + 2)
  // `std::token::kind`, `token://`
  if (sign === ':') return next === ':' || (next === '/' && text[blank + 2] === '/') ? undefined : style('colon', blank + 1)
  if (sign === '：') return style('colon', blank + 1)
  if (sign === '>' && blank === end && text[start - 1] === '<') return style('element', blank + 1)
  if (sign === '>' && nameQuoted && /(?:name|key)=$/.test(before)) return style('element', blank + 1)
  // `NAME || 'value'`, `NAME ?? 'value'`
  if ((sign === '|' || sign === '?') && next === sign)
    return quotedSign(text, skipBlanks(text, blank + 2, true), 'equals', nameQuoted)
  if (sign === ',' && nameQuoted)
    return quotedSign(
      text,
      skipBlanks(text, blank + 1, true),
      setters.test(before) && !/cookie$/i.test(name) ? 'equals' : 'argument',
      true,
    )
  if (isUnspaced(name)) {
    isWordsUnspaced.lastIndex = blank
    if (isWordsUnspaced.test(text)) return { at: isWordsUnspaced.lastIndex, style: 'spoken', spaced: true, nameQuoted }
  }
  if (blank === at || nameQuoted) return undefined
  if (isFlag(name)) return { at: blank, style: 'flag', spaced: true, nameQuoted }
  if (kind === 'perhaps' && kindAbroad(name) === undefined) return undefined
  const spoken = (from: number): Sign => ({ at: from, style: 'spoken', spaced: true, nameQuoted })
  if (quoteAt(text, blank) !== undefined && sign !== '`') {
    if (setsName.test(text.slice(Math.max(0, start - 10), start)))
      return { at: blank, style: 'equals', spaced: false, nameQuoted }
    return spoken(blank)
  }
  for (const words of [isWords, whose]) {
    words.lastIndex = blank
    if (words.test(text)) return spoken(words.lastIndex)
  }
  return /keys?$/i.test(name) && !/\bapi $/i.test(before) ? undefined : spoken(blank)
}

function quotedSign(text: string, at: number, style: Sign['style'], nameQuoted: boolean): Sign | undefined {
  return quoteAt(text, at) === undefined ? undefined : { at, style, spaced: true, nameQuoted }
}

/** One dash alone begins a bundle of letters as well: `-psecret` is another thing. */
function isFlag(name: string): boolean {
  return (
    /^--[A-Za-z]/.test(name) ||
    /^-(?:pass(?:word|wd|phrase)?|token|secret|api-?key|auth|pwd?|(?:src|dest)?storepass|keypass|[a-z]{2,16}-[a-z-]{2,32})$/i.test(
      name,
    )
  )
}
