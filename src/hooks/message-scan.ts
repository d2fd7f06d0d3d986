// Finds where the host's blocks begin and end in one message. Searches remember what they found, so that a text of nothing but
// openings costs a few passes over it and not one for each opening.
import { type HostBlock, hostBlocks, hostTails, type Instruction, timestampPattern } from './host-blocks.js'

/** A line behind which nothing can be told to be the user's. */
export interface MessageTail {
  readonly name: string
  /** Where its line begins. */
  readonly at: number
  /** Behind its line. */
  readonly behind: number
}

export interface Opening {
  readonly opening: string
  readonly block: HostBlock
}

/** Where the user's words can be; `next`: where to go on. */
export interface Inside {
  readonly next: number | undefined
  readonly from: number
  readonly to: number
}

/** All openings, character by character: a text of many openings is looked at once, not once for each that there is. */
interface OpeningTree {
  readonly next: Map<number, OpeningTree>
  readonly ending: Opening[]
}

const openings: OpeningTree = { next: new Map(), ending: [] }
const inChats: Opening[] = []
for (const block of hostBlocks) {
  for (const opening of block.opens) {
    if (block.chats === true) {
      inChats.push({ opening, block })
      continue
    }
    let tree = openings
    for (let place = 0; place < opening.length; place += 1) {
      const char = opening.charCodeAt(place)
      const below = tree.next.get(char) ?? { next: new Map(), ending: [] }
      tree.next.set(char, below)
      tree = below
    }
    tree.ending.push({ opening, block })
  }
}

/** A display name has at most 240 characters, and Slack's adds an id. */
const labelUnitsMax = 320
/** A date and a name. */
const prefixUnitsMax = labelUnitsMax + 80

const openBracket = '['.charCodeAt(0)
const closeBracket = ']'.charCodeAt(0)
const lineBreak = '\n'.charCodeAt(0)
const blank = ' '.charCodeAt(0)

export class MessageScan {
  /** The earliest line behind which nothing can be told to be the user's. */
  readonly tail: MessageTail | undefined
  /** Where the message ends without it. */
  readonly end: number
  readonly #text: string
  readonly #labelled: boolean
  readonly #firsts = new Map<string, { readonly from: number; readonly at: number }>()
  readonly #lastsBefore = new Map<string, { readonly from: number; readonly end: number; readonly at: number }>()
  readonly #lasts = new Map<string, { readonly at: number; readonly closes: number }>()
  /** Where the text ends but for white space. */
  readonly #trimmed: number
  #line = { from: 0, end: -1, trimmed: -1 }

  /** `labelled`: a date and a name may stand before a message. */
  constructor(text: string, labelled: boolean) {
    this.#text = text
    this.#labelled = labelled
    this.#trimmed = text.trimEnd().length
    this.end = text.length
    this.tail = this.#findTail()
    if (this.tail !== undefined) this.end = this.#beforeLineBreaks(this.tail.at)
  }

  /** The longest opening here that fits. `outermost`: nothing has been taken away yet. */
  openingAt(at: number, outermost: boolean): Opening | undefined {
    return this.#knownAt(at, outermost) ?? this.#inChatsAt(at)
  }

  #knownAt(at: number, outermost: boolean): Opening | undefined {
    let longest: Opening | undefined
    let tree = openings.next.get(this.#text.charCodeAt(at))
    for (let place = at + 1; tree !== undefined; place += 1) {
      if (tree.ending.length > 0) longest = tree.ending.find((found) => this.#fits(found, at, outermost)) ?? longest
      tree = tree.next.get(this.#text.charCodeAt(place))
    }
    return longest
  }

  /** What a chat's adapter may open as it likes; not a name before a block that is known. */
  #inChatsAt(at: number): Opening | undefined {
    // Whatever else the gateway says before it ends with a blank line, or with a name.
    if (!this.#labelled || (this.#text.charCodeAt(at - 1) === lineBreak && this.#text.charCodeAt(at - 2) !== lineBreak))
      return undefined
    const found = inChats.find((each) => this.#text.startsWith(each.opening, at) && this.#endOf(each, at) !== undefined)
    if (found === undefined) return undefined
    const named = this.#behindPrefixes(at)
    return named !== at && this.#knownAt(named, false) !== undefined ? undefined : found
  }

  /** Where words can stand behind a block that opens here, or inside it. */
  wordsBehind(found: Opening, at: number): { readonly from: number; readonly to: number } {
    const to = this.#text.length
    const { end } = found.block
    if (end.at === 'instruction') return this.#instruction(end, at) ?? { from: to, to }
    return { from: this.#endOf(found, at) ?? to, to }
  }

  /**
   * What lies between two places may hold openings of its own, at the beginning of a line or behind a name there. One whose block
   * ends behind the second place is `next`: the second was then no end, but a part of what that block holds. One that holds the
   * user's words may be real or quoted; what is the user's either way lies between `from` and `to`.
   */
  inside(at: number, end: number): Inside {
    let from = 0
    let to = this.#text.length
    const first = end < to ? this.#lineAt(at).end + 1 : end
    for (let line = first; line > 0 && line < end; line = this.#text.indexOf('\n', line) + 1) {
      if (this.#text.charCodeAt(line) !== openBracket) continue
      const named = this.#behindPrefixes(line)
      for (const place of named === line || named >= end ? [line] : [line, named]) {
        const found = this.openingAt(place, false)
        if (found === undefined) continue
        const kind = found.block.end.at
        if (kind === 'instruction') {
          const words = this.wordsBehind(found, place)
          from = Math.max(from, words.from)
          to = Math.min(to, words.to)
        } else if (kind === 'message' || (kind !== 'turn' && (this.#endOf(found, place) ?? end) > end)) {
          return { next: place, from, to }
        }
      }
    }
    return { next: undefined, from, to }
  }

  /**
   * The gateway puts a transcript in quotes before everything else that it says. Where a quote opens here, and one closes right
   * before a block, a date or a name: behind the closing one, and where that begins.
   */
  speechAt(at: number): { readonly end: number; readonly next: number } | undefined {
    if (this.#text[at] !== '"') return undefined
    for (let quote = this.#text.indexOf('"\n', at + 1); quote > 0; quote = this.#text.indexOf('"\n', quote + 1)) {
      const next = this.behindSpace(quote + 1)
      if (this.#text.charCodeAt(next) !== openBracket) continue
      const block = this.openingAt(next, false)?.block
      const follows = block === undefined ? this.#behindPrefixes(next) !== next : block.end.at !== 'turn'
      if (follows) return { end: quote + 1, next }
    }
    return undefined
  }

  timestampEnd(at: number): number | undefined {
    if (!this.#labelled || this.#text.charCodeAt(at) !== openBracket || !this.#holdsDigit(at + 1, at + 6)) return undefined
    timestampPattern.lastIndex = at
    return timestampPattern.test(this.#text) ? timestampPattern.lastIndex : undefined
  }

  /**
   * Behind `[name] `, or `[name]` where the message ends: the first bracket that closes all that were opened, else the first at all.
   * A box to tick is no name, nor is the text of a link.
   */
  labelEnd(at: number): { readonly name: string; readonly end: number } | undefined {
    const text = this.#text
    if (!this.#labelled || text.charCodeAt(at) !== openBracket) return undefined
    const limit = Math.min(this.end, at + labelUnitsMax)
    let depth = 0
    let first = -1
    for (let place = at; place < limit; place += 1) {
      const char = text.charCodeAt(place)
      if (char === lineBreak) break
      if (char === openBracket) depth += 1
      if (char !== closeBracket) continue
      depth -= 1
      const isLast = place + 1 === this.end
      const next = text.charAt(place + 1)
      if (depth <= 0 && next === '(') return undefined
      if (next !== ' ' && !isLast) continue
      if (first < 0) first = place
      if (depth > 0) continue
      first = place
      break
    }
    if (first < 0) return undefined
    const name = text.slice(at + 1, first)
    return /^[ xX-]?$/.test(name) ? undefined : { name, end: text.charCodeAt(first + 1) === blank ? first + 2 : first + 1 }
  }

  #findTail(): MessageTail | undefined {
    let earliest: MessageTail | undefined
    for (const { name, opens, closes } of hostTails) {
      for (let at = this.#text.indexOf(opens); at >= 0; at = this.#text.indexOf(opens, at + 1)) {
        if (earliest !== undefined && earliest.at <= at) break
        const { end, trimmed } = this.#lineAt(at)
        const inside = at + opens.length
        const closed = closes === undefined ? trimmed === inside : this.#text.endsWith(closes, trimmed) && trimmed > inside
        const line = closed ? this.#lineStart(at) : undefined
        if (line === undefined) continue
        earliest = { name, at: line, behind: Math.min(end + 1, this.#text.length) }
        break
      }
    }
    return earliest
  }

  behindSpace(at: number): number {
    let place = at
    while (place < this.#text.length && isSpace(this.#text.charCodeAt(place))) place += 1
    return place
  }

  #beforeSpace(at: number): number {
    let place = at
    while (place > 0 && isSpace(this.#text.charCodeAt(place - 1))) place -= 1
    return place
  }

  /** Behind the empty lines and, on a line that goes on, the blanks that part a block from the words; indentation stays. */
  behindLineBreaks(at: number): number {
    const words = this.behindSpace(at)
    const last = words === at ? -1 : this.#text.lastIndexOf('\n', words - 1)
    return last >= at ? last + 1 : words
  }

  #beforeLineBreaks(at: number): number {
    let place = at
    while (place > 0 && (this.#text.charCodeAt(place - 1) === lineBreak || this.#text[place - 1] === '\r')) place -= 1
    return place
  }

  #holdsDigit(from: number, to: number): boolean {
    for (let place = from; place < to; place += 1) {
      const char = this.#text.charCodeAt(place)
      if (char >= 0x30 && char <= 0x39) return true
    }
    return false
  }

  #fits({ opening, block }: Opening, at: number, outermost: boolean): boolean {
    if (block.outermost === true && !outermost) return false
    if (block.holds !== undefined) return this.#text.slice(at, this.#lineAt(at).end).includes(block.holds)
    const behind = at + opening.length
    return block.end.at !== 'itself' || behind >= this.#text.length || isSpace(this.#text.charCodeAt(behind))
  }

  /** The beginning of the line, where nothing or only a date and a name stand before the place. */
  #lineStart(at: number): number | undefined {
    if (at === 0 || this.#text.charCodeAt(at - 1) === lineBreak) return at
    const before = Math.max(0, at - prefixUnitsMax)
    const start = this.#text.slice(before, at).lastIndexOf('\n') + before + 1
    const line = start === before && before > 0 ? undefined : start
    return line !== undefined && this.#behindPrefixes(line) === at ? line : undefined
  }

  /** Behind the date and the name that a gateway puts before a message. */
  #behindPrefixes(at: number): number {
    const dated = this.timestampEnd(at) ?? at
    return this.labelEnd(dated)?.end ?? dated
  }

  /** Behind the block; undefined where its end is not found. */
  #endOf({ opening, block: { end } }: Opening, at: number): number | undefined {
    const inside = at + opening.length
    switch (end.at) {
      case 'itself':
        return inside
      case 'first':
        return this.#behindFirst(end.mark, inside)
      case 'last':
        return this.#behindLast(end.marks, inside)
      case 'line': {
        const line = this.#lineAt(at)
        if (this.#text.charCodeAt(line.trimmed - 1) === closeBracket) return line.end
        return end.otherwise === 'bracket' ? this.#behindFirst(']', inside) : this.#behindLast([']\n\n'], inside)
      }
      default:
        return undefined
    }
  }

  #instruction(
    { behind, before, closed, neverAfter, openBlocks }: Instruction,
    at: number,
  ): { readonly from: number; readonly to: number } | undefined {
    const text = this.#text
    const fence = closed ? this.#behindFirst(before, at) : text.length + before.length
    if (fence === undefined) return undefined
    const quoted = this.#lastBefore(behind, at, fence - before.length)
    if (quoted < at) return undefined
    const from = quoted + behind.length
    if (neverAfter.some((line) => this.#last(line).at >= from)) return undefined
    const behindWords = closed ? fence : this.#behindFirst(before, from)
    const to = behindWords === undefined ? text.length : behindWords - before.length
    const begun = openBlocks.some((line) => (this.#behindFirst(line, at) ?? text.length) <= quoted)
    return begun && text.charCodeAt(this.#beforeSpace(Math.min(to, this.end)) - 1) === closeBracket ? undefined : { from, to }
  }

  /** The last place of a mark between two places, else -1. */
  #lastBefore(mark: string, from: number, end: number): number {
    let known = this.#lastsBefore.get(mark)
    if (known === undefined || known.end !== end || from < known.from) {
      const found = this.#text.slice(from, end).lastIndexOf(mark)
      known = { from, end, at: found < 0 ? -1 : from + found }
      this.#lastsBefore.set(mark, known)
    }
    return known.at
  }

  #behindFirst(mark: string, from: number): number | undefined {
    let known = this.#firsts.get(mark)
    if (known === undefined || from < known.from || (known.at >= 0 && from > known.at)) {
      known = { from, at: this.#text.indexOf(mark, from) }
      this.#firsts.set(mark, known)
    }
    return known.at < 0 ? undefined : known.at + mark.length
  }

  /** The end of the message is an end too, where it closes with the mark but for white space. */
  #behindLast(marks: readonly string[], from: number): number | undefined {
    for (const mark of marks) {
      const { at, closes } = this.#last(mark)
      if (closes >= from) return this.#text.length
      if (at >= from) return at + mark.length
    }
    return undefined
  }

  /** The last place of a mark, and its place before the white space at the end if the text closes with it; else -1. */
  #last(mark: string): { readonly at: number; readonly closes: number } {
    let known = this.#lasts.get(mark)
    if (known === undefined) {
      const closing = mark.trimEnd()
      const closes = closing !== '' && this.#text.endsWith(closing, this.#trimmed) ? this.#trimmed - closing.length : -1
      known = { at: this.#text.lastIndexOf(mark), closes }
      this.#lasts.set(mark, known)
    }
    return known
  }

  /** Where the line that holds a place ends, with and without the white space at its end. */
  #lineAt(at: number): { readonly end: number; readonly trimmed: number } {
    if (at < this.#line.from || at > this.#line.end) {
      const found = this.#text.indexOf('\n', at)
      const end = found < 0 ? this.#text.length : found
      this.#line = { from: at, end, trimmed: Math.max(at, this.#beforeSpace(end)) }
    }
    return this.#line
  }
}

function isSpace(char: number): boolean {
  return char <= blank ? char === blank || (char >= 0x09 && char <= 0x0d) : char > 0x7f && /\s/.test(String.fromCharCode(char))
}
