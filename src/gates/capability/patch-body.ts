// The files that a patch in one body names: `*** Update File:`, `*** Add File:`, `*** Delete File:`, `*** Move File: a -> b`, `*** Move to:`.
// Hosts differ in where they look for these lines. Each that any of them would take for one is taken for one.
import { trimmedText } from './trimmed-text.js'

/** Blanks as the host's own language knows them. */
const blank = '[\\s\\x1c-\\x1f\\x85]'

const operation = new RegExp(`^\\*\\*\\*${blank}*(?:(?:Update|Add|Delete|Move)${blank}+File|Move${blank}+to):(.*)$`, 's')
const isMove = new RegExp(`^\\*\\*\\*${blank}*Move${blank}+File:`)
const beginning = new RegExp(`^\\*\\*\\*${blank}*Begin${blank}+Patch`)
const blankCharacter = new RegExp(blank)

/** Where such a body is handed to a tool of another name, lines with blanks before them count too. */
export function patchBodyPaths(body: string, takesIndented = false): string[] {
  return body.split('\n').flatMap((line) => {
    const text = takesIndented ? trimmed(line) : line
    const rest = operation.exec(text)?.[1]
    if (rest === undefined) return []
    const arrow = isMove.test(text) ? rest.indexOf('->') : -1
    const named = arrow === -1 ? [rest] : [rest.slice(0, arrow), rest.slice(arrow + 2)]
    return named.map(trimmed)
  })
}

/** Whether a text is such a body, or a command line that feeds one to the program that applies it. */
export function isPatchBody(text: string): boolean {
  if (!text.includes('***')) return false
  const lines = text.split('\n')
  const first = lines.findIndex((line) => beginning.test(trimmed(line)))
  if (first === -1) return false
  const before = lines.slice(0, first).join('\n')
  return before.trim() === '' || /(?:^|[\s;&|(/'"])apply_?patch(?:[\s'"<]|$)/i.test(before)
}

function trimmed(text: string): string {
  return trimmedText(text, (character) => blankCharacter.test(character))
}
