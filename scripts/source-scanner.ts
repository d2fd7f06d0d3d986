// Tells code from comments, strings and regular expressions in TypeScript text, so that rules about code are not fooled by words.
// A scanner, not a parser: where `/` could be either, it reads what is likelier, and only a template goes on past its line.

export interface StringLiteral {
  /** Offset of the opening quote. */
  readonly start: number
  /** Offset just after the closing quote. */
  readonly end: number
  readonly value: string
}

export interface ScannedSource {
  /** The text with comments and the insides of strings, templates and regular expressions blanked; every offset stays. */
  readonly code: string
  /** The text with only the comments blanked; every offset stays. */
  readonly uncommented: string
  readonly comments: readonly string[]
  /** Quoted strings, and templates without substitutions. */
  readonly strings: readonly StringLiteral[]
}

const wordsBeforeRegex = new Set(
  'return typeof case in of delete void throw new do else await yield instanceof default extends'.split(' '),
)

export function scanSource(text: string): ScannedSource {
  const code = text.split('')
  const uncommented = text.split('')
  const comments: string[] = []
  const strings: StringLiteral[] = []
  // One number for each open `${`: how many braces are open inside it.
  const substitutions: number[] = []
  let lastCode = -1
  let at = 0

  const blank = (target: string[], from: number, to: number): void => {
    for (let offset = from; offset < to; offset += 1) if (target[offset] !== '\n') target[offset] = ' '
  }

  const comment = (end: number): void => {
    comments.push(text.slice(at, end))
    blank(code, at, end)
    blank(uncommented, at, end)
    at = end
  }

  const quoted = (quote: string): void => {
    let end = at + 1
    while (end < text.length && text[end] !== quote && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1
    end = Math.min(end, text.length)
    strings.push({ start: at, end: end + 1, value: text.slice(at + 1, end) })
    blank(code, at + 1, end)
    lastCode = end
    at = end + 1
  }

  /** From just after a backtick or the `}` of a substitution to the next backtick or `${`. */
  const template = (openedAt: number | undefined): void => {
    const from = at
    while (at < text.length && text[at] !== '`' && !text.startsWith('${', at)) at += text[at] === '\\' ? 2 : 1
    at = Math.min(at, text.length)
    blank(code, from, at)
    if (text[at] === '$') {
      substitutions.push(0)
      lastCode = at + 1
      at += 2
      return
    }
    if (openedAt !== undefined) strings.push({ start: openedAt, end: at + 1, value: text.slice(from, at) })
    lastCode = at
    at += 1
  }

  const mayStartRegex = (): boolean => {
    const before = lastCode < 0 ? '' : (text[lastCode] ?? '')
    if (/[\w$]/.test(before))
      return wordsBeforeRegex.has(/[\w$]+$/.exec(text.slice(Math.max(0, lastCode - 20), lastCode + 1))?.[0] ?? '')
    return !/[)\]'"`]/.test(before)
  }

  /** Offset after a regular expression that starts here, or undefined where its line ends first. */
  const regexEnd = (): number | undefined => {
    let inClass = false
    for (let end = at + 1; end < text.length && text[end] !== '\n'; end += text[end] === '\\' ? 2 : 1) {
      if (text[end] === '[') inClass = true
      else if (text[end] === ']') inClass = false
      else if (text[end] === '/' && !inClass) return end + 1
    }
    return undefined
  }

  const lineEnd = (): number => {
    const end = text.indexOf('\n', at)
    return end < 0 ? text.length : end
  }

  if (text.startsWith('#!')) comment(lineEnd())
  while (at < text.length) {
    const char = text[at] ?? ''
    if (text.startsWith('//', at)) {
      comment(lineEnd())
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      comment(end < 0 ? text.length : end + 2)
    } else if (char === "'" || char === '"') {
      quoted(char)
    } else if (char === '`') {
      at += 1
      template(at - 1)
    } else if (char === '}' && substitutions.at(-1) === 0) {
      substitutions.pop()
      at += 1
      template(undefined)
    } else {
      const depth = substitutions.at(-1)
      if (depth !== undefined && (char === '{' || char === '}'))
        substitutions[substitutions.length - 1] = depth + (char === '{' ? 1 : -1)
      const end = char === '/' && mayStartRegex() ? regexEnd() : undefined
      if (end !== undefined) blank(code, at + 1, end - 1)
      if (!/\s/.test(char)) lastCode = end === undefined ? at : end - 1
      at = end ?? at + 1
    }
  }
  return { code: code.join(''), uncommented: uncommented.join(''), comments, strings }
}
