// The one redactor: takes secrets out of texts and plain JSON before anything is kept, judged or sent. Pure: the same text gives the same text,
// and what it gave once it leaves as it is.
import { isMarker, type Marker, markers } from './markers.js'
import type { OwnPattern } from './own-pattern.js'
import { secretPatterns } from './secret-patterns.js'
import type { Stretch } from './stretch.js'
import { valueRedactor } from './value-redactor.js'

declare const redacted: unique symbol

/** A value that has been through the redactor. The ledger's words accept nothing else. */
export type Redacted<Value> = Value & { readonly [redacted]: true }

export interface Hit {
  /** Of a row of the table, or one of `otherNames`. */
  readonly name: string
  /** Where it began in the text that was handed in, and how long it was there. */
  readonly at: number
  readonly length: number
}

export interface RedactedText {
  /** The very same string where nothing was found. */
  readonly text: Redacted<string>
  readonly count: number
  readonly hits: readonly Hit[]
}

export interface RedactedValue<Value> {
  /** The very same value where nothing was found. A string stands in the place of what was replaced whole. */
  readonly value: Redacted<Value>
  readonly count: number
}

export interface TextOptions {
  /** The command words of a command line. Only what is known by its shape is taken out of them: no command is called like that. */
  readonly commandWords?: readonly Stretch[]
}

export interface Redactor {
  text(text: string, options?: TextOptions): RedactedText
  /** Plain JSON: its strings, and the names of its members. A member whose name says that it is a secret is replaced whole. */
  value<Value>(value: Value): RedactedValue<Value>
  /** What stands under a name. */
  named<Value>(name: string, value: Value): RedactedValue<Value>
  /** The same for one task: a long text that comes more than once in it is looked through once. It holds such texts as long as it lives. */
  remembering(): Redactor
}

export interface RedactorOptions {
  /** Taken out wherever they stand: secrets of the environment. */
  readonly knownValues?: readonly string[]
  readonly ownPatterns?: readonly OwnPattern[]
}

/** Names of hits that are no row of the table. */
export const otherNames = { known: 'known-value', own: 'own-pattern', whole: 'whole-text' } as const

interface Found extends Stretch {
  readonly name: string
  readonly marker: Marker
  readonly byPlace: boolean
}

/** Taking one secret out may show another. After so many rounds the whole text goes: that keeps the time in bounds, and lets nothing stay. */
const roundsMax = 8
/** Nothing shorter holds one. */
const charactersMin = 4
/** A shorter text is looked through as fast as it is found again. */
const rememberedMin = 1024

export function makeRedactor({ knownValues = [], ownPatterns = [] }: RedactorOptions = {}): Redactor {
  const known = [...new Set(knownValues)].filter((value) => value !== '' && !isInMarker(value))

  const findAll = (text: string): Found[] => {
    const found: Found[] = []
    for (const { name, marker, literals, byPlace, find } of secretPatterns) {
      if (literals.length > 0 && !literals.some((literal) => text.includes(literal))) continue
      for (const { from, to, how } of find(text)) found.push({ from, to, name: how ?? name, marker, byPlace })
    }
    for (const { literal, pattern } of ownPatterns) {
      if (!text.includes(literal)) continue
      pattern.lastIndex = 0
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
        found.push({ from: match.index, to: pattern.lastIndex, name: otherNames.own, marker: markers.secret, byPlace: true })
    }
    for (const value of known) {
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
        found.push({ from: at, to: at + value.length, name: otherNames.known, marker: markers.secret, byPlace: true })
    }
    return found
  }

  const text = (given: string, { commandWords }: TextOptions = {}): RedactedText => {
    let now = given
    let kept = commandWords
    const hits: Hit[] = []
    const rounds: Step[] = []
    for (;;) {
      const found = now.length < charactersMin ? [] : merged(outside(findAll(now), kept), now)
      if (found.length === 0) return { text: now as Redacted<string>, count: hits.length, hits }
      if (rounds.length === roundsMax) {
        hits.push({ name: otherNames.whole, at: 0, length: given.length })
        return { text: markers.secret as string as Redacted<string>, count: hits.length, hits }
      }
      for (const { name, from, to } of found) {
        const at = placeBefore(rounds, from)
        hits.push({ name, at, length: placeBefore(rounds, to) - at })
      }
      const step = stepOf(now, found)
      now = step.text
      rounds.push(step)
      kept = kept?.map(({ from, to }) => ({ from: placeBehind(step, from), to: placeBehind(step, to) }))
    }
  }

  return redactorOf(text)
}

function redactorOf(text: Redactor['text']): Redactor {
  const values = valueRedactor(text)
  return {
    text,
    value: <Value>(value: Value) => values.value(value) as RedactedValue<Value>,
    named: <Value>(name: string, value: Value) => values.named(name, value) as RedactedValue<Value>,
    remembering: () => redactorOf(remembered(text)),
  }
}

function remembered(text: Redactor['text']): Redactor['text'] {
  const known = new Map<string, RedactedText>()
  return (given, options) => {
    // What is done with command words hangs on them too.
    if (given.length < rememberedMin || options !== undefined) return text(given, options)
    const before = known.get(given)
    if (before !== undefined) return before
    const looked = text(given)
    known.set(given, looked)
    return looked
  }
}

function isInMarker(value: string): boolean {
  return Object.values(markers).some((marker) => marker.includes(value))
}

/** Without what only its place makes a secret, where that is a command word. */
function outside(found: readonly Found[], words: readonly Stretch[] | undefined): readonly Found[] {
  if (words === undefined || words.length === 0) return found
  return found.flatMap((one) => {
    if (!one.byPlace) return [one]
    let { from, to } = one
    for (const word of words) {
      if (word.to <= from || word.from >= to) continue
      if (word.from <= from) from = Math.min(word.to, to)
      else to = word.from
    }
    return from < to ? [{ ...one, from, to }] : []
  })
}

/** In order, those that overlap made one. Its name is that of the longest, its marker the one that says most. */
function merged(found: readonly Found[], text: string): Found[] {
  const inOrder = found.map((one, rank) => ({ ...one, rank })).sort((a, b) => a.from - b.from || a.rank - b.rank)
  const made: (typeof inOrder)[number][] = []
  for (const one of inOrder) {
    const last = made.at(-1)
    if (last === undefined || one.from >= last.to) {
      made.push(one)
      continue
    }
    const longer = one.to - one.from - (last.to - last.from)
    const first = longer > 0 || (longer === 0 && one.rank < last.rank) ? one : last
    const marker = rankOf(one.marker) > rankOf(last.marker) ? one.marker : last.marker
    made[made.length - 1] = { ...first, from: last.from, to: Math.max(last.to, one.to), marker }
  }
  return made.filter(({ from, to }) => from < to && !isMarker(text.slice(from, to)))
}

function rankOf(marker: Marker): number {
  return [markers.secret, markers.authorization, markers.privateKey].indexOf(marker)
}

interface Step {
  readonly text: string
  /** In order: what was replaced, in the text before and in the text behind. */
  readonly moves: readonly { readonly before: Stretch; readonly behind: Stretch }[]
}

function stepOf(text: string, found: readonly Found[]): Step {
  const pieces: string[] = []
  const moves: { before: Stretch; behind: Stretch }[] = []
  let done = 0
  let length = 0
  for (const { from, to, marker } of found) {
    length += from - done
    pieces.push(text.slice(done, from), marker)
    moves.push({ before: { from, to }, behind: { from: length, to: length + marker.length } })
    length += marker.length
    done = to
  }
  return { text: [...pieces, text.slice(done)].join(''), moves }
}

/** Where a place of the text now was in the text that was handed in. */
function placeBefore(rounds: readonly Step[], at: number): number {
  return rounds.reduceRight((place, { moves }) => {
    const next = firstMove(moves, ({ behind }) => place < behind.to)
    const inside = moves[next]
    if (inside !== undefined && place > inside.behind.from) return inside.before.to
    const last = moves[next - 1]
    return last === undefined ? place : place + last.before.to - last.behind.to
  }, at)
}

/** Where a place is when a step has been taken. */
function placeBehind({ moves }: Step, at: number): number {
  const next = firstMove(moves, ({ before }) => at < before.to)
  const inside = moves[next]
  if (inside !== undefined && at > inside.before.from) return inside.behind.to
  const last = moves[next - 1]
  return last === undefined ? at : at + last.behind.to - last.before.to
}

/** The first that fits, of moves in order: all behind it fit too. There may be thousands, and as many places. */
function firstMove(moves: Step['moves'], fits: (move: Step['moves'][number]) => boolean): number {
  let from = 0
  let to = moves.length
  while (from < to) {
    const middle = (from + to) >> 1
    const move = moves[middle]
    if (move !== undefined && fits(move)) to = middle
    else from = middle + 1
  }
  return from
}
