// Makes a text fit to be shown to whoever approves, in a chat or on a terminal: one line, with everything invisible spelled out.
import { terminalLine } from '../../foundation/terminal-text.js'

/** Invisible characters that are no control characters: they can hide words, or make two texts look the same. */
const invisible = /\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu

export function shownText(text: string): string {
  return terminalLine(text).replace(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
