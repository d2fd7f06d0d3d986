// The sentences of a message that a user typed, as places in its folded text: what a negation or a question mark reaches. A hard line
// break alone ends no sentence; a blank line, a list item and a heading begin one.
import { oneCjkCharacter } from './cjk-character.js'
import { foldFurther, foldText, normalised } from './fold-quote.js'

export interface UserSentence {
  /** Places in the folded text; `end` is behind the last character. */
  readonly start: number
  readonly end: number
  readonly question: boolean
  /** As it was typed, but for invisible characters and compatibility forms. */
  readonly typed: string
  /** Of a list item: the sentence that ends with a colon over the list ("Never do this:"), whose words reach into the item. */
  readonly lead: UserSentence | undefined
}

interface Piece {
  readonly text: string
  /** Whether it begins an item of a list. */
  readonly item: boolean
}

const lineBreak = /\r\n?|[\u2028\u2029\u0085\v\f]/g
const closers = `["'”’»)\\]}」』*_\`]*`
const listMarker = '(?:(?:[-*+•·]|\\d{1,3}[.)])[^\\S\\n]|\\d{1,3}、)'
const boundary = new RegExp(
  `(?<end>[.!?؟।。;]+${closers})|(?<blank>\\n[^\\S\\n]*\\n\\s*)|\\n[^\\S\\n]*(?=(?<marker>${listMarker})|#{1,6}[^\\S\\n]|>)`,
  'gu',
)
const startsAsItem = new RegExp(`^\\s*${listMarker}`, 'u')
const closing = new Set(' .!?؟।。;"\'”’»)]}」』*_`')
/** A full stop behind these ends no sentence. */
const abbreviation = /(?:^|[^\p{L}\p{N}])(?:e\.g|i\.e|vs|mr|mrs|ms|dr|cf|approx)$/iu
/** Nor behind this one, where a small letter follows. */
const abbreviationInside = /(?:^|[^\p{L}\p{N}])etc$/iu
const abbreviationUnits = 8

/** In order. Covers the whole folded text. */
export function userSentencesOf(text: string): UserSentence[] {
  const pieces = piecesOf(normalised(text).replace(lineBreak, '\n'))
  const sentences: UserSentence[] = []
  let length = 0
  let lead: UserSentence | undefined
  for (const [at, { text: piece, item }] of pieces.entries()) {
    const folded = foldFurther(piece)
    if (folded === '') continue
    const parted = length > 0 && (/\s$/u.test(pieces[at - 1]?.text ?? '') || /^\s/u.test(piece))
    const start = length + (parted ? 1 : 0)
    if (!item) lead = undefined
    const sentence: UserSentence = {
      start,
      end: start + folded.length,
      question: asks(folded),
      typed: piece.trim(),
      lead: item ? lead : undefined,
    }
    sentences.push(sentence)
    length = sentence.end
    if (!item && folded.endsWith(':')) lead = sentence
  }
  // Where marks straddle a boundary the pieces do not add up; then the message is one sentence, which lets a negation reach further.
  const whole = foldText(text)
  return length === whole.length
    ? sentences
    : [{ start: 0, end: whole.length, question: asks(whole), typed: text.trim(), lead: undefined }]
}

/** From its end: a pattern would begin at every question mark of a long run of them. */
function asks(folded: string): boolean {
  let at = folded.length
  while (at > 0 && closing.has(folded.charAt(at - 1))) {
    at -= 1
    if ('?؟'.includes(folded.charAt(at))) return true
  }
  return false
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  const cut = (to: number) => {
    const piece = text.slice(from, to)
    if (piece.trim() !== '') pieces.push({ text: piece, item: startsAsItem.test(piece) })
    else if (pieces.length > 0 && piece !== '') pieces.push({ text: piece, item: false })
    from = to
  }
  for (const found of text.matchAll(boundary)) {
    const to = found.index + found[0].length
    if (found.groups?.['end'] === undefined || ends(text, found.index, found[0], from)) cut(to)
  }
  cut(text.length)
  return pieces
}

/** Whether the marks at a place end a sentence: a full stop in a name, an address or a number does not. */
function ends(text: string, at: number, marks: string, from: number): boolean {
  const next = text.slice(at + marks.length, at + marks.length + 2)
  const before = text.slice(Math.max(from, at - abbreviationUnits), at)
  if (marks === '.') {
    if (abbreviation.test(before) || (abbreviationInside.test(before) && /^\s\p{Ll}/u.test(next))) return false
    // The number of a list item is no sentence.
    if (at - from <= abbreviationUnits && /^\s*\d{1,3}$/u.test(text.slice(from, at))) return false
  }
  if (next === '' || /^\s/u.test(next) || marks.includes('。')) return true
  return !marks.startsWith('.') && (oneCjkCharacter.test(next) || oneCjkCharacter.test(before.slice(-2)))
}
