// Follows the signs of a word that mean something only where they are not quoted: globs, lists in braces, subscripts, arrays.
import type { CommandWord } from './access.js'
import { closingBrace, openingBrace, type ShellText } from './shell-text.js'
import { blur, type WordDraft } from './word-draft.js'

/** What an assignment in front of a command begins with; its name is never quoted. */
const assignment = /^[A-Za-z_]\w*(?:\[[\s\S]*\])?\+?=/
const subscripted = /^[A-Za-z_]\w*\[/

export function isAssignment(word: CommandWord): boolean {
  return assignment.test(word.text)
}

export class UnquotedSigns {
  readonly #draft: WordDraft
  /** For each brace that is open, whether a comma or two dots came. */
  readonly #braces: boolean[] = []
  #bracket = false
  #brackets = 0
  #prefix: string | undefined

  constructor(draft: WordDraft) {
    this.#draft = draft
  }

  /** What comes from now on is no part of a name in front of `=`. */
  endPrefix(): void {
    this.#prefix ??= this.#draft.text
  }

  beginsArray(): boolean {
    const { text } = this.#draft
    return this.#prefix === undefined && text.endsWith('=') && assignment.exec(text)?.[0] === text
  }

  see(sign: string, text: ShellText): void {
    if (sign === '{') this.#braces.push(false)
    else if (sign === ',' || (sign === '.' && text.peekAfter() === 0x2e)) this.#flag()
    else if (sign === '}') {
      if (this.#braces.pop() === true) blur(this.#draft, 'expansion')
    } else if (sign === '*' || sign === '?') blur(this.#draft, 'glob')
    else if (sign === '[') {
      this.#bracket = true
      this.#brackets += 1
    } else if (sign === ']') {
      this.#brackets -= 1
      if (this.#bracket) blur(this.#draft, 'glob')
    }
  }

  end(text: ShellText): void {
    this.endPrefix()
    // A subscript may hold blanks, comments and separators: bash reads on to its end, which is not done here.
    if (this.#brackets > 0 && subscripted.test(this.#prefix ?? '')) text.fail('syntax')
  }

  #flag(): void {
    if (this.#braces.length > 0) this.#braces[this.#braces.length - 1] = true
  }
}

/** One of those. */
export function isSign(code: number): boolean {
  return (
    code === openingBrace ||
    code === closingBrace ||
    code === 0x2c ||
    code === 0x2e ||
    code === 0x5b ||
    code === 0x5d ||
    code === 0x2a ||
    code === 0x3f
  )
}
