// Matches one word against an anchored pattern: `*` stands for any run of characters, none too, `?` for one.

/**
 * Whether a grant means this word. A sign that stands for a part of a word climbs out of no folder: `scripts/*.py` is no leave to run
 * `scripts/../../x.py`. A `*` alone is any word at all.
 */
export function grantsWord(pattern: string, text: string): boolean {
  return matchesWordPattern(pattern, text) && climbsNoFurther(pattern, text)
}

/** `text` may be a pattern too: of what it matches nothing climbs further. */
export function climbsNoFurther(pattern: string, text: string): boolean {
  return pattern === text || /^\*+$/.test(pattern) || climbs(text) <= climbs(pattern)
}

/** Names of a path that are `..`; behind the `=` of an option, too. */
function climbs(text: string): number {
  return text.includes('..') ? text.split(/[\\/=]/).filter((name) => name === '..').length : 0
}

export function matchesWordPattern(pattern: string, text: string): boolean {
  let at = 0
  let place = 0
  // Where the last star stood, and how much it has taken so far.
  let star = -1
  let taken = 0
  while (at < text.length) {
    const sign = pattern.charAt(place)
    if (sign === '*') {
      star = place
      taken = at
      place += 1
    } else if (place < pattern.length && (sign === '?' || sign === text.charAt(at))) {
      at += sign === '?' ? widthAt(text, at) : 1
      place += 1
    } else if (star >= 0) {
      taken += widthAt(text, taken)
      at = taken
      place = star + 1
    } else return false
  }
  while (pattern.charAt(place) === '*') place += 1
  return place === pattern.length
}

/** A character may take two units. */
function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}
