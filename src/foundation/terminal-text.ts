// The one escaper for everything shown on a terminal: no stored text can move the cursor, colour or reorder what a person reads.

// C0 and C1 controls but for line feed; the bidirectional controls (Unicode "Bidi_Control"); line separators.
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text for a terminal; line feeds stay. */
export function terminalText(text: string): string {
  return text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Text for one line of a terminal, cut to a number of characters with an ellipsis. */
export function terminalLine(text: string, charactersMax = Number.POSITIVE_INFINITY): string {
  const line = terminalText(text).replaceAll('\n', '\\n')
  const characters = line.length > charactersMax ? Array.from(line) : undefined
  if (characters === undefined || characters.length <= charactersMax) return line
  return `${characters.slice(0, Math.max(0, charactersMax - 1)).join('')}…`
}
