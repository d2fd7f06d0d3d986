// White space as the host's language has it. Its `strip` takes other characters than `trim` does here, and by what is left of a text the host
// finds an entry or a line.

/** The text without white space at both ends. */
export function hostStrip(text: string): string {
  let to = text.length
  while (to > 0 && isHostSpace(text.charCodeAt(to - 1))) to -= 1
  return hostStripStart(text.slice(0, to))
}

/** The text without white space at its beginning. */
function hostStripStart(text: string): string {
  let from = 0
  while (from < text.length && isHostSpace(text.charCodeAt(from))) from += 1
  return text.slice(from)
}

/** Whether the host sees nothing there. */
export function isHostBlank(text: string): boolean {
  return hostStripStart(text) === ''
}

function isHostSpace(code: number): boolean {
  if (code <= 0x20) return (code >= 0x09 && code <= 0x0d) || code >= 0x1c
  if (code < 0x1680) return code === 0x85 || code === 0xa0
  return (code >= 0x2000 && code <= 0x200a) || otherSpaces.has(code)
}

const otherSpaces: ReadonlySet<number> = new Set([0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000])
