// The folding under which a quote and the words that a user typed are compared: the same on both sides, and nothing beyond what the
// specification of the evidence rule lists. What is folded: invisible characters, NFKC, case, curly quotes, emphasis marks, white space.

/** More marks on one letter are left out before NFKC, which takes time that grows with the square of such a run. */
const marksMax = 30
const longMarkRun = new RegExp(`(\\p{M}{${marksMax}})\\p{M}+`, 'gu')
const invisible = /\p{Default_Ignorable_Code_Point}+/gu
const curlySingle = /[\u2018-\u201b]/g
const curlyDouble = /[\u201c-\u201f]/g
const otherWhiteSpace = /[^\S ]|\u0085| {2}/
const whiteSpaceRun = /[\s\u0085]+/g
const emphasis = /\*\*|__|`/
const beyondAscii = /[^\0-\x7f]/
/** What NFKC leaves as it is wherever it stands, and holds no mark and nothing invisible: ASCII, kana, most Han and their punctuation. */
const notPlain = /[^\0-\x7f\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]/
/** What may end a quote and say nothing of its words; full-width forms are these after NFKC. */
const trailing = new Set('.,;:!?。、।؟،؛ ')

/** Folded to compare. Folding again changes nothing. */
export function foldText(text: string): string {
  return foldFurther(normalised(text))
}

/** Invisible characters gone, long runs of marks cut, NFKC: what comes before lines and sentences are told apart. */
export function normalised(text: string): string {
  return notPlain.test(text) ? composed(text.replace(invisible, '')) : text
}

/** Folds what is `normalised` already, or a piece of it. */
export function foldFurther(text: string): string {
  let folded = text.toLowerCase()
  if (beyondAscii.test(folded)) folded = folded.replace(curlySingle, "'").replace(curlyDouble, '"')
  if (emphasis.test(folded)) folded = withoutEmphasis(folded)
  // Lower case and marks that were parted by emphasis can compose anew.
  if (folded !== text && notPlain.test(folded)) folded = composed(folded)
  return (otherWhiteSpace.test(folded) ? folded.replace(whiteSpaceRun, ' ') : folded).trim()
}

/** A quote folded, without the punctuation that ends it. Empty where nothing is left. */
export function foldQuote(text: string): string {
  const folded = foldText(text)
  let end = folded.length
  while (end > 0 && trailing.has(folded.charAt(end - 1))) end -= 1
  return folded.slice(0, end)
}

function composed(text: string): string {
  return text.replace(longMarkRun, '$1').normalize('NFKC').replace(longMarkRun, '$1')
}

/** Backticks go, and of stars and underscores every two that stand together, until no two do. */
function withoutEmphasis(text: string): string {
  const kept: string[] = []
  for (const piece of text.match(/[*_]|[^*_`]+/g) ?? []) {
    if (piece.length === 1 && piece === kept.at(-1) && (piece === '*' || piece === '_')) kept.pop()
    else kept.push(piece)
  }
  return kept.join('')
}
