// Anybody's text as a report shows it: one line on which nothing is invisible, steers a terminal or turns the reading order round.
import { terminalLine } from '../foundation/terminal-text.js'

// What Unicode lets a screen leave out, and what is drawn as nothing; joiners and variation selectors are another matter.
const invisible = /(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|[\u2800\ufff9-\ufffb]/gu
// They belong into some scripts and emoji, and hide between other letters.
const stray = /(?<=^|[\u0000-\u02ff])(?:\u200c|\u200d|[\ufe00-\ufe0f])|(?:\u200c|\u200d)(?=$|[\u0000-\u02ff]|\u200c|\u200d)/gu

/** So long may a text be, in characters; the rest is cut with an ellipsis. */
const charactersMax = 200

export function shownText(text: string, max = charactersMax): string {
  const visible = text.toWellFormed().replace(invisible, asEscape).replace(stray, asEscape)
  return terminalLine(visible, max)
}

function asEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')
  return code.length > 4 ? `\\u{${code}}` : `\\u${code}`
}
