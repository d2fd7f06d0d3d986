// The one form in which words are looked at: what cannot be seen is gone, what looks alike is alike. Claims and quotes both go through
// here, so that neither side of a comparison is folded otherwise than the other. Seed, "What is checked", section 2.
import { type CutText, cutCombiningMarks } from '../../foundation/cut-combining-marks.js'

const beyondAscii = /[^\0-\x7f]/
const invisible = /\p{Default_Ignorable_Code_Point}+/gu
const emphasis = /\*\*|__/g

/** Invisible code points out, runs of marks cut to 30 and counted, NFKC, `**` and `__` out. Lines stay lines. */
export function foldedText(text: string): CutText {
  const seen = beyondAscii.test(text) ? foldedMarks(text) : { text, marksCut: 0 }
  return { text: seen.text.replace(emphasis, ''), marksCut: seen.marksCut }
}

/** What is invisible goes first: it would part a run of marks that NFKC then sees as one. */
function foldedMarks(text: string): CutText {
  const cut = cutCombiningMarks(text.replace(invisible, ''))
  return { text: cut.text.normalize('NFKC'), marksCut: cut.marksCut }
}
