// Takes blanks off the ends of a text, looking at each of them once: an expression that looks for blanks before the end starts anew at each
// blank in the middle.

export function trimmedText(text: string, isBlank: (character: string) => boolean): string {
  let start = 0
  while (start < text.length && isBlank(text[start] ?? '')) start += 1
  return trimmedEnd(text.slice(start), isBlank)
}

export function trimmedEnd(text: string, isBlank: (character: string) => boolean): string {
  let end = text.length
  while (end > 0 && isBlank(text[end - 1] ?? '')) end -= 1
  return text.slice(0, end)
}
