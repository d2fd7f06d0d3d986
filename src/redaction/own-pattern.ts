// The owner's own patterns: a text in which one `*` stands for some characters, and everything else for itself.
import { SteleError } from '../foundation/stele-error.js'
import { markers } from './markers.js'

export interface OwnPattern {
  readonly text: string
  readonly pattern: RegExp
  /** Stands in whatever fits. */
  readonly literal: string
}

const literalCharactersMin = 4
const charactersMax = 256

/**
 * `*` stands for 1 to 256 characters other than blanks and quotes. Throws `REDACTION_PATTERN_INVALID` where it stands twice, where fewer than
 * four other characters are there, and where the pattern would fit what stands in the place of secrets.
 */
export function ownPattern(text: string): OwnPattern {
  const parts = text.split('*')
  const literal = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
  const literals = parts.join('').length
  if (
    parts.length > 2 ||
    literals < literalCharactersMin ||
    text.length > charactersMax ||
    /[\r\n,]/.test(text) ||
    text.trim() !== text
  )
    throw new SteleError('REDACTION_PATTERN_INVALID', { characters: literals, stars: parts.length - 1 })
  const source = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join(`[^\\s"'\`]{1,256}`)
  const pattern = new RegExp(source, 'g')
  if (Object.values(markers).some((marker) => fits(pattern, `x${marker}x`) || marker.includes(literal)))
    throw new SteleError('REDACTION_PATTERN_INVALID', { characters: literals, stars: parts.length - 1 })
  return { text, pattern, literal }
}

/** Some of them, one between two commas. Throws `REDACTION_PATTERN_INVALID`. */
export function ownPatterns(written: string | undefined): OwnPattern[] {
  return patternTexts(written).map(ownPattern)
}

export function patternTexts(written: string | undefined): string[] {
  return (written ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

/** Whether every one of them can be used. */
export function areOwnPatterns(written: string): boolean {
  try {
    ownPatterns(written)
    return true
  } catch {
    return false
  }
}

function fits(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0
  return pattern.test(text)
}
