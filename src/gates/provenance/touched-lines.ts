// Which lines of a text a change touched, as the texts to judge. Lines that hang together with touched ones come along, since a sentence may
// begin on one and end on the next; and so does the line that opens a block of code, since what stands in one is judged otherwise.
import type { Span } from './span-search.js'

/** No paragraph that somebody wrapped by hand is longer. */
const hangingLinesMax = 40

/** Of equal lines in the stored text so many are looked at. */
const equalLinesMax = 64

/**
 * The lines that the spans lie on, one text for each run of lines, without those that stand in the stored text as they are. Spans ascend; an
 * empty one is a place where something was taken out.
 */
export function touchedLines(text: string, spans: readonly Span[], stored = ''): string[] {
  if (spans.length === 0) return []
  const lines = text.split('\n')
  const ties = tiesOf(lines)
  const before = new StoredLines(stored)
  const touched = joined(joined(lineRanges(lines, spans)).map((range) => widened(ties, range)))
  const fresh = touched.flatMap((range) => groupsOf(ties, range)).filter((group) => !before.hold(lines, group))
  const openers = fenceOpeners(lines)
  return joined(fresh).map(({ first, last }) => {
    const block = lines.slice(first, last + 1)
    const opener = openers[first]
    return (opener === undefined ? block : [opener, ...block]).join('\n')
  })
}

/** The lines of the stored text, each with its places. */
class StoredLines {
  readonly #lines: readonly string[]
  readonly #ties: Ties
  readonly #places = new Map<string, number[]>()

  constructor(text: string) {
    this.#lines = text.split('\n')
    this.#ties = tiesOf(this.#lines)
    this.#lines.forEach((line, at) => {
      const places = this.#places.get(line)
      if (places === undefined) this.#places.set(line, [at])
      else if (places.length < equalLinesMax) places.push(at)
    })
  }

  /** Whether the same lines stand here, and no other that a sentence of them could have gone on to. */
  hold(lines: readonly string[], { first, last }: LineRange): boolean {
    const places = this.#places.get(lines[first] as string) ?? []
    return places.some((at) => {
      const end = at + last - first
      if (this.#ties[at] !== 'none' || (this.#ties[end + 1] ?? 'none') !== 'none') return false
      for (let by = 1; by <= last - first; by += 1) if (this.#lines[at + by] !== lines[first + by]) return false
      return true
    })
  }
}

/** The lines of a range in groups that hang together. */
function groupsOf(ties: Ties, { first, last }: LineRange): LineRange[] {
  const groups: LineRange[] = []
  let from = first
  for (let at = first; at <= last; at += 1) {
    if (at < last && ties[at + 1] !== 'none') continue
    groups.push({ first: from, last: at })
    from = at + 1
  }
  return groups
}

/** Both ends included. */
interface LineRange {
  readonly first: number
  readonly last: number
}

function lineRanges(lines: readonly string[], spans: readonly Span[]): LineRange[] {
  const ranges: LineRange[] = []
  let line = 0
  let start = 0
  const lineAt = (offset: number): number => {
    while (offset > start + (lines[line] as string).length) {
      start += (lines[line] as string).length + 1
      line += 1
    }
    return line
  }
  for (const { from, to } of spans) {
    const first = lineAt(from)
    // Where whole lines were taken out, a sentence of the line before may have lost its end, and one of the line behind its beginning.
    if (from === to && from === start && first > 0) ranges.push({ first: first - 1, last: first - 1 })
    // A span that ends in a line break does not touch the line behind it.
    ranges.push({ first, last: lineAt(Math.max(from, to - 1)) })
  }
  return ranges
}

function widened(ties: Ties, { first, last }: LineRange): LineRange {
  let from = first
  let to = last
  if (ties[from] !== 'none') from -= 1
  while (first - from < hangingLinesMax && ties[from] === 'wrapped') from -= 1
  if ((ties[to + 1] ?? 'none') !== 'none') to += 1
  while (to - last < hangingLinesMax && ties[to + 1] === 'wrapped') to += 1
  return { first: from, last: to }
}

/** For each line how it goes on from the one before: one that is indented a little is wrapped, one behind the midst of a sentence may be. */
type Ties = readonly ('none' | 'wrapped' | 'perhaps')[]

function tiesOf(lines: readonly string[]): Ties {
  return lines.map((line, at) => {
    const before = lines[at - 1]
    if (!isText(before) || !isText(line)) return 'none'
    if (/^ {1,3}[^ ]/.test(line)) return 'wrapped'
    return /\p{L}\s*$/u.test(before.slice(-8)) ? 'perhaps' : 'none'
  })
}

function isText(line: string | undefined): line is string {
  return line !== undefined && /\S/.test(line)
}

/** Ranges that share a line, or follow on each other, as one. */
function joined(ranges: readonly LineRange[]): LineRange[] {
  const result: LineRange[] = []
  for (const range of ranges) {
    const before = result.at(-1)
    if (before === undefined || range.first > before.last + 1) result.push(range)
    else result[result.length - 1] = { first: before.first, last: Math.max(before.last, range.last) }
  }
  return result
}

/** For each line within a block of code, the line that opens the block. */
function fenceOpeners(lines: readonly string[]): (string | undefined)[] {
  let open: { readonly line: string; readonly mark: string } | undefined
  return lines.map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const within = open?.line
    if (mark === undefined) return within
    if (open === undefined) open = { line, mark }
    else if (mark[0] === open.mark[0] && mark.length >= open.mark.length && line.trim() === mark) open = undefined
    return within
  })
}
