// Shortens long runs of combining marks, before anybody normalises a text: a run whose classes alternate costs the square of its
// length there, 69 seconds for one mebibyte.

const combiningMarksInRowMax = 30

export interface CutText {
  readonly text: string
  /** Marks taken out of runs of more than 30. */
  readonly marksCut: number
}

/** The half-width sound marks are letters that become combining marks under NFKC. */
const mark = '[\\p{M}\\u{FF9E}\\u{FF9F}]'

export function cutCombiningMarks(text: string): CutText {
  return mayHoldLongRun(text) ? cutRuns(text) : { text, marksCut: 0 }
}

/** Cheap: whether 31 units in a row could be marks. Most texts are told so in one pass without an expression. */
function mayHoldLongRun(text: string): boolean {
  let row = 0
  for (let at = 0; at < text.length; at += 1) {
    row = mayBeMark(text.charCodeAt(at)) ? row + 1 : 0
    if (row > combiningMarksInRowMax) return true
  }
  return false
}

/** False only for units that are no marks: Latin, punctuation and signs, kana without sound marks, Han, Hangul syllables. */
function mayBeMark(unit: number): boolean {
  if (unit < 0x300) return false
  if (unit < 0x2000) return true
  if (unit < 0x20d0 || (unit >= 0x2100 && unit < 0x2c00)) return false
  if (unit < 0x309b)
    return unit < 0x3000 || (unit >= 0x302a && unit < 0x3030) || unit >= 0x3099 || (unit >= 0x20d0 && unit < 0x2100)
  return unit >= 0xa66f && (unit < 0xac00 || unit >= 0xd7a4)
}

function cutRuns(text: string): CutText {
  // Bounded, since an unbounded count of many million marks would overflow the matcher's stack.
  const tooMany = new RegExp(`(?<!${mark})${mark}{${combiningMarksInRowMax + 1}}`, 'gu')
  const more = new RegExp(`${mark}{1,1000}`, 'uy')
  const pieces: string[] = []
  let marksCut = 0
  let from = 0
  for (let run = tooMany.exec(text); run !== null; run = tooMany.exec(text)) {
    const last = Array.from(run[0]).at(-1) ?? ''
    pieces.push(text.slice(from, tooMany.lastIndex - last.length))
    marksCut += 1
    from = tooMany.lastIndex
    more.lastIndex = from
    for (let rest = more.exec(text); rest !== null; rest = more.exec(text)) {
      marksCut += codePointsIn(rest[0])
      from = more.lastIndex
    }
    tooMany.lastIndex = from
  }
  pieces.push(text.slice(from))
  return { text: pieces.join(''), marksCut }
}

function codePointsIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
