// Reads what stands in `$'…'`, where a backslash writes characters that are hard to type.

export interface AnsiQuoted {
  readonly text: string
  /** Behind the closing quote. */
  readonly end: number
  /** It writes bytes, control signs or nothing at all in a way that depends on the shell and its locale. */
  readonly uncertain: boolean
}

const letters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
}

const numbered = /\\(?:([0-7]{1,3})|x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8}))/y

/** From behind the opening quote; nothing where it is not closed. */
export function ansiQuoted(source: string, from: number): AnsiQuoted | undefined {
  const special = /['\\]/g
  let text = ''
  let uncertain = false
  for (let at = from; ; ) {
    special.lastIndex = at
    const next = special.exec(source)?.index ?? -1
    if (next < 0) return undefined
    text += source.slice(at, next)
    if (source.charAt(next) === "'") return { text, end: next + 1, uncertain }
    const letter = letters[source.charAt(next + 1)]
    numbered.lastIndex = next
    const number = letter === undefined ? numbered.exec(source) : null
    if (letter !== undefined) {
      text += letter
      at = next + 2
    } else if (number !== null) {
      const [whole, octal, ...hex] = number
      const code =
        octal === undefined ? Number.parseInt(hex.find((digits) => digits !== undefined) ?? '', 16) : Number.parseInt(octal, 8)
      if (code === 0 || code > 0x7e) uncertain = true
      else text += String.fromCharCode(code)
      at = next + whole.length
    } else {
      uncertain ||= /[cxuU]/.test(source.charAt(next + 1))
      text += source.slice(next, next + 2)
      at = next + 2
    }
  }
}
