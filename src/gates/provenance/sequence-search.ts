// Where one text stands in another, and some lines among others, in time that grows with both and not with their product: texts come from a
// model, and the search of the language itself is slow on those that are made for it.

/** Up to here the language's own search cannot be slow. */
const shortCharactersMax = 48

/** Every place in the text at which the wanted one begins, ascending; places do not overlap. None where nothing is wanted. */
export function textSearch(text: string, wanted: string): number[] {
  if (wanted.length > shortCharactersMax)
    return sequenceSearch(
      text.length,
      (at) => text.charCodeAt(at),
      wanted.length,
      (at) => wanted.charCodeAt(at),
      false,
    )
  const places: number[] = []
  if (wanted === '') return places
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at)
  return places
}

/** Whether the wanted text stands anywhere in the other one. */
export function textHolds(text: string, wanted: string): boolean {
  return wanted.length > shortCharactersMax ? textSearch(text, wanted).length > 0 : text.includes(wanted)
}

/** Every place at which all of the wanted lines begin, ascending; places may overlap. None where nothing is wanted. */
export function lineSearch(lines: readonly string[], wanted: readonly string[]): number[] {
  const numbers = new Map<string, number>()
  for (const line of wanted) if (!numbers.has(line)) numbers.set(line, numbers.size)
  const numbersOf = (list: readonly string[]) => list.map((line) => numbers.get(line) ?? -1)
  const [all, some] = [numbersOf(lines), numbersOf(wanted)]
  return sequenceSearch(
    all.length,
    (at) => all[at] as number,
    some.length,
    (at) => some[at] as number,
    true,
  )
}

/** The search of Knuth, Morris and Pratt over two sequences of numbers. */
export function sequenceSearch(
  length: number,
  numberAt: (at: number) => number,
  wantedLength: number,
  wantedAt: (at: number) => number,
  mayOverlap: boolean,
): number[] {
  const places: number[] = []
  if (wantedLength === 0 || wantedLength > length) return places
  // For each beginning of what is wanted, how many of its last members are its first ones again.
  const back = new Int32Array(wantedLength)
  const step = (from: number, number: number): number => {
    let matched = from
    while (matched > 0 && number !== wantedAt(matched)) matched = back[matched - 1] as number
    return number === wantedAt(matched) ? matched + 1 : matched
  }
  for (let at = 1, matched = 0; at < wantedLength; at += 1) {
    matched = step(matched, wantedAt(at))
    back[at] = matched
  }
  for (let at = 0, matched = 0; at < length; at += 1) {
    matched = step(matched, numberAt(at))
    if (matched < wantedLength) continue
    places.push(at + 1 - wantedLength)
    matched = mayOverlap ? (back[wantedLength - 1] as number) : 0
  }
  return places
}
