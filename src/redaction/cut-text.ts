// Cuts texts by characters (code points), never through the middle of one, and says so where something is left out.

/** Characters as people and the specification count them: code points. */
export function charactersIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) if (!isSecondHalf(text, at)) count += 1
  return count
}

/** The first characters of a text. The very same text where it is no longer than that. */
export function cutText(text: string, charactersMax: number): string {
  return text.slice(0, placeOf(text, charactersMax))
}

/**
 * Beginning and end of a text, with a mark of how much was left out between them: what matters often stands at the end. Never longer than
 * `charactersMax`, as long as that has room for the mark itself. The very same text where nothing has to go.
 */
export function excerptText(text: string, charactersMax: number): string {
  // No text has more characters than units.
  if (text.length <= charactersMax) return text
  const characters = charactersIn(text)
  if (characters <= charactersMax) return text
  const room = Math.max(0, charactersMax - omissionMark(characters).length)
  const tail = Math.floor(room / 3)
  const head = room - tail
  return cutText(text, head) + omissionMark(characters - head - tail) + text.slice(placeOf(text, characters - tail))
}

function omissionMark(characters: number): string {
  return ` […${characters} characters left out…] `
}

/** The unit at which so many characters have passed. */
function placeOf(text: string, characters: number): number {
  if (text.length <= characters) return text.length
  let count = 0
  let at = 0
  for (; at < text.length; at += 1) {
    if (isSecondHalf(text, at)) continue
    if (count === characters) return at
    count += 1
  }
  return at
}

/** The second unit of a character beyond U+FFFF. Half a character alone counts as one. */
function isSecondHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0xdc00 || unit > 0xdfff || at === 0) return false
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff
}
