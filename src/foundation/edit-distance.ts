// How far apart two words are, for naming the one that was meant.

/** How many characters must be put in, taken out or replaced. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [above, character] of [...a].entries()) {
    const next = [above + 1]
    for (let at = 1; at <= b.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (b[at - 1] === character ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The known word that somebody who wrote this one most likely meant; undefined where none is near. */
export function nearWord(word: string, known: Iterable<string>): string | undefined {
  const written = word.slice(0, 64)
  let nearest: { readonly word: string; readonly distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(written, candidate)
    // A short word is near to many.
    const most = Math.min(2, Math.floor(candidate.length / 3))
    if (distance <= most && (nearest === undefined || distance < nearest.distance)) nearest = { word: candidate, distance }
  }
  return nearest?.word
}
