// Matches one word against an anchored pattern: `*` stands for any run of characters, none too, `?` for one.
import { unknownText, withUnknownText } from './unknown-text.js'

/**
 * Whether a grant means this word, whatever was taken out of it. A sign that stands for a part of a word climbs out of no folder: `scripts/*.py` is no leave to run
 * `scripts/../../x.py`. A `*` alone is any word at all.
 */
export function grantsWord(pattern: string, text: string): boolean {
  return matchesWordPattern(pattern, withUnknownText(text)) && climbsNoFurther(pattern, text)
}

/** Whether a pattern of the deny list may mean this word: what was taken out of it may have been anything. */
export function mayMatchWord(pattern: string, text: string): boolean {
  const [first = '', ...further] = withUnknownText(text).split(unknownText)
  if (further.length === 0) return matchesWordPattern(pattern, text)
  const signs = [...pattern]
  let places = placesBehind(first, signs, new Set([0]))
  for (const known of further) places = placesBehind(known, signs, placesFrom(places, signs))
  return places.has(signs.length)
}

/** Where in the pattern one may be once any text at all has been read. */
function placesFrom(places: ReadonlySet<number>, signs: readonly string[]): Set<number> {
  const least = Math.min(...places)
  return new Set([...signs.keys(), signs.length].filter((place) => place >= least))
}

/** Where in the pattern one may be once a text has been read: the place of each sign that may come next, and its end. */
function placesBehind(text: string, signs: readonly string[], from: ReadonlySet<number>): Set<number> {
  let places = pastStars(from, signs)
  for (const character of text) {
    const next = new Set<number>()
    for (const place of places) {
      if (signs[place] === '*') next.add(place)
      else if (signs[place] === '?' || signs[place] === character) next.add(place + 1)
    }
    places = pastStars(next, signs)
  }
  return places
}

function pastStars(places: ReadonlySet<number>, signs: readonly string[]): Set<number> {
  const all = new Set(places)
  // What is added on the way is looked at too.
  for (const place of all) if (signs[place] === '*') all.add(place + 1)
  return all
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
    } else if (place < pattern.length && (sign === '?' ? text.charAt(at) !== unknownText : sign === text.charAt(at))) {
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
