// A stored text while the operations of a call are replayed on it: what it was, what it is by now, and where it was touched.
import type { Span } from './span-search.js'
import { touchedLines } from './touched-lines.js'

export interface Edit extends Span {
  readonly text: string
}

export class EditedText {
  /** What was stored before the call; undefined where there was nothing. */
  readonly was: string | undefined
  #text: string
  #touched: readonly Span[] = []

  constructor(was: string | undefined) {
    this.was = was
    this.#text = was ?? ''
  }

  get text(): string {
    return this.#text
  }

  /** Puts new text in the place of spans of the present one. Edits ascend and do not overlap. */
  edit(edits: readonly Edit[]): void {
    const parts: string[] = []
    const put: Span[] = []
    const cut: Span[] = []
    let done = 0
    let length = 0
    for (const { from, to, text } of edits) {
      parts.push(this.#text.slice(done, from), text)
      length += from - done + text.length
      put.push({ from: length - text.length, to: length })
      // What is left of a line that was cut at its beginning is touched as well.
      if (text.endsWith('\n') && this.#text[to - 1] !== '\n') cut.push({ from: length, to: length + 1 })
      done = to
    }
    parts.push(this.#text.slice(done))
    this.#text = parts.join('')
    this.#touched = united([...moved(this.#touched, edits, put), ...put, ...cut], this.#text.length)
  }

  /** Replaces the whole text. Only the lines between the first and the last that differ are touched. */
  rewrite(text: string): void {
    if (text === this.#text) return
    const before = this.#text.split('\n')
    const after = text.split('\n')
    const most = Math.min(before.length, after.length)
    let head = 0
    while (head < most && before[head] === after[head]) head += 1
    let tail = 0
    while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
    const offset = (lines: readonly string[], count: number): number => {
      const length = lines.slice(0, count).reduce((sum, line) => sum + line.length + 1, 0)
      return count === lines.length && count > 0 ? length - 1 : length
    }
    const from = Math.min(offset(before, head), offset(after, head))
    const to = Math.max(from, offset(before, before.length - tail))
    const newTo = text.length - (this.#text.length - to)
    this.edit([{ from, to, text: text.slice(from, newTo) }])
  }

  /** What is to be judged of it as it is now. */
  judged(): string[] {
    return this.#text === this.was ? [] : touchedLines(this.#text, this.#touched, this.was)
  }
}

/** Where earlier spans are after the edits. One that an edit cut into ends where the edit begins or begins where it ends. */
function moved(spans: readonly Span[], edits: readonly Edit[], put: readonly Span[]): Span[] {
  let at = 0
  const place = (offset: number, end: 'from' | 'to'): number => {
    while (at > 0 && (edits[at - 1] as Edit).to > offset) at -= 1
    while (at < edits.length && (edits[at] as Edit).to <= offset) at += 1
    const edit = edits[at]
    if (edit !== undefined && offset > edit.from) return (put[at] as Span)[end]
    const before = edits[at - 1]
    return before === undefined ? offset : offset - before.to + (put[at - 1] as Span).to
  }
  return spans.map(({ from, to }) => ({ from: place(from, 'from'), to: place(to, 'to') }))
}

/** In order, those that overlap as one, none beyond the end. An empty one at the end of another says something of its own. */
function united(spans: readonly Span[], length: number): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    const before = result.at(-1)
    const to = Math.min(span.to, length)
    if (before === undefined || span.from >= before.to) result.push({ from: Math.min(span.from, length), to })
    else result[result.length - 1] = { from: before.from, to: Math.max(before.to, to) }
  }
  return result
}
