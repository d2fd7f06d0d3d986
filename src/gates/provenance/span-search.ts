// Where the host finds the text that a patch replaces. Of its nine ways the first seven are followed, in its order, and the first with a match
// wins. The last two go by likeness: what only they would find is not found here.
import { hostStrip, isHostBlank } from './host-strip.js'
import { lineSearch, textSearch } from './sequence-search.js'

/**
 * The host's own names of its ways. Two of the seven are left out, `indentation_flexible` and `trimmed_boundary`: whatever they find,
 * `line_trimmed` has found before them.
 */
const spanStrategies = ['exact', 'line_trimmed', 'whitespace_normalized', 'escape_normalized', 'unicode_normalized'] as const
export type SpanStrategy = (typeof spanStrategies)[number]

/** UTF-16 offsets; `to` is behind the last character. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface FoundSpans {
  readonly strategy: SpanStrategy
  /** Ascending, at least one. Those that were found by lines may overlap. */
  readonly spans: readonly Span[]
}

/** Every place at which the host would find the wanted text by the first way that finds it; undefined where none of the seven does. */
export function spanSearch(text: string, wanted: string): FoundSpans | undefined {
  if (wanted === '') return undefined
  for (const strategy of spanStrategies) {
    const spans = ways[strategy](text, wanted)
    if (spans.length > 0) return { strategy, spans }
  }
  return undefined
}

/**
 * What the host writes in the place of each span: after a match that was not exact the replacement gets the file's indentation, and `\t`
 * becomes a tab where the file has one there. It also keeps the file's own typographic characters where they were only folded; that is
 * left out, as judging folds them too.
 */
export function replacements(text: string, { strategy, spans }: FoundSpans, wanted: string, given: string): string[] {
  let meant = given
  for (const [literal, character] of controls) {
    if (meant.includes(literal) && spans.some(({ from, to }) => text.slice(from, to).includes(character)))
      meant = meant.replaceAll(literal, character)
  }
  return spans.map(({ from, to }) => (strategy === 'exact' ? meant : reindented(text.slice(from, to), wanted, meant)))
}

const controls = [
  ['\\t', '\t'],
  ['\\r', '\r'],
] as const

const ways: Readonly<Record<SpanStrategy, (text: string, wanted: string) => readonly Span[]>> = {
  exact: exactSpans,
  line_trimmed: lineSpans,
  whitespace_normalized: (text, wanted) => {
    const folded = foldSpaces(text)
    return exactSpans(folded.text, foldSpaces(wanted).text).flatMap((span) => folded.unfold(span))
  },
  escape_normalized: (text, wanted) => {
    const meant = wanted.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\r', '\r')
    return meant === wanted ? [] : exactSpans(text, meant)
  },
  unicode_normalized: (text, wanted) => {
    const folded = foldTypography(text)
    const { text: meant } = foldTypography(wanted)
    if (folded.text === text && meant === wanted) return []
    const exact = exactSpans(folded.text, meant)
    return (exact.length > 0 ? exact : lineSpans(folded.text, meant)).flatMap((span) => folded.unfold(span))
  },
}

/** They do not overlap. */
function exactSpans(text: string, wanted: string): Span[] {
  return textSearch(text, wanted).map((from) => ({ from, to: from + wanted.length }))
}

/** Whole lines that are the wanted ones once each is stripped. */
function lineSpans(text: string, wanted: string): Span[] {
  const lines = text.split('\n')
  const searched = wanted.split('\n')
  const places = lineSearch(lines.map(hostStrip), searched.map(hostStrip))
  if (places.length === 0) return []
  const offsets = [0]
  for (const line of lines) offsets.push((offsets.at(-1) as number) + line.length + 1)
  return places.map((at) => ({ from: offsets[at] as number, to: (offsets[at + searched.length] as number) - 1 }))
}

interface Folded {
  readonly text: string
  /** The span of the text as it was; none where one end lies within a character that became several. */
  unfold(span: Span): Span[]
}

/** Runs of blanks and tabs as one blank. */
function foldSpaces(text: string): Folded {
  const runs = /[ \t]+/g
  return folded(text, runs, () => ' ')
}

/** Typographic characters as the plain ones that stand for them. */
function foldTypography(text: string): Folded {
  return folded(text, typographic, (character) => plain.get(character) ?? ' ')
}

const plain: ReadonlyMap<string, string> = new Map([
  ['\u201c', '"'],
  ['\u201d', '"'],
  ['\u2018', "'"],
  ['\u2019', "'"],
  ['\u2014', '--'],
  ['\u2013', '-'],
  ['\u2212', '-'],
  ['\u2026', '...'],
])
/** The others of these are spaces. */
const typographic = /[\u201c\u201d\u2018\u2019\u2014\u2013\u2212\u2026\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g

/** Each match of the pattern is replaced; places in what comes out can be told in what went in. */
function folded(text: string, pattern: RegExp, replace: (found: string) => string): Folded {
  const steps: { readonly from: number; readonly to: number; readonly at: number; readonly length: number }[] = []
  let result = ''
  let done = 0
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const put = replace(found)
    if (put === found) continue
    result += text.slice(done, index) + put
    done = index + found.length
    steps.push({ from: index, to: done, at: result.length - put.length, length: put.length })
  }
  result += text.slice(done)
  return { text: result, unfold: ({ from, to }) => unfolded(from, to) }

  function unfolded(from: number, to: number): Span[] {
    const start = placeOf(from, 'start')
    return start === undefined ? [] : [{ from: start, to: placeOf(to, 'end') as number }]
  }

  function placeOf(at: number, end: 'start' | 'end'): number | undefined {
    const step = steps[lastBefore(at)]
    if (step === undefined) return at
    const behind = at - step.at
    if (behind === 0) return step.from
    if (behind >= step.length) return step.to + behind - step.length
    return end === 'end' ? step.to : undefined
  }

  /** The last step that begins at or before a place of the result. */
  function lastBefore(at: number): number {
    let low = 0
    let high = steps.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((steps[middle] as { at: number }).at <= at) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** The replacement with the file's indentation in the place of the one that the model wrote. */
function reindented(region: string, wanted: string, given: string): string {
  const wantedLine = firstWithText(wanted)
  const regionLine = firstWithText(region)
  if (wantedLine === undefined || regionLine === undefined) return given
  const from = indentOf(wantedLine)
  const to = indentOf(regionLine)
  if (from === to) return given
  return given
    .split('\n')
    .map((line) => {
      if (isHostBlank(line)) return line
      return to + (line.startsWith(from) ? line.slice(from.length) : line.slice(indentOf(line).length))
    })
    .join('\n')
}

function firstWithText(text: string): string | undefined {
  return text.split('\n').find((line) => !isHostBlank(line))
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}
