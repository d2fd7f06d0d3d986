// Negations in what a user typed: whether one reaches a quoted span from before it, stands in a quote, or opens it. Texts come folded.
// Where it is in doubt a word counts as a negation: a quote that is refused can be quoted longer.
import { cjkCharacter } from './cjk-character.js'

/** Up to so many words back; a CJK character is as far as two words, which makes six of them. */
export const wordsBack = 12
const wordsOfCjkCharacter = 2

const english =
  "never|not|no|none|nor|neither|nothing|nobody|nowhere|without|cannot|[a-z]+n't|" +
  'dont|doesnt|didnt|cant|couldnt|wont|wouldnt|shouldnt|mustnt|isnt|arent|wasnt|werent|hasnt|havent|hadnt|' +
  'avoid|avoiding|refrain|forbid|forbids|forbidden|prohibit|prohibits|prohibited'
const chinese =
  '不要|不准|不许|不許|不得|不可|不能|不会|不會|不用|不必|不想|不|没有|沒有|没|沒|别|別|未|勿|禁止|严禁|嚴禁|无需|無需|无须|無須|避免'

/** Words that hold a negation and deny nothing, and those that agree. */
const englishAssent = 'no problems?|no worries|no objections?|no doubt|why not|not only'
const chineseAssent =
  '没问题|沒問題|没错|沒錯|没意见|沒意見|没关系|沒關係|没事|沒事|不错|不錯|不客气|不客氣|' +
  '不仅|不僅|不但|不只|不管|不论|不論|不过(?![期滤关])|不過(?![期濾關])|不同(?!意)|不久|不断(?!开)|不斷(?!開)|不止|不少|不妨|不如|' +
  '特别|特別|区别|區別|级别|級別|识别|識別|差别|差別|性别|性別|告别|告別|辨别|辨別|鉴别|鑑別|' +
  '(?<![这那哪])类别|(?<![這那哪])類別|(?<![这那哪一几两每])个别|(?<![這那哪一幾兩每])個別|(?<!部)分别|(?<!部)分別|' +
  '别人|別人|别的|別的|别名|別名|别处(?!理)|別處(?!理)|未来|未來'

const inWords = '[\\p{Script=Latin}\\p{N}\\p{M}_]'
const negations = new RegExp(
  `(?<!${inWords}['-]?)(?:(?:${englishAssent})|(${english}))(?!['-]?${inWords})|(?:${chineseAssent})|(${chinese})`,
  'gu',
)
const unit = new RegExp(`(${cjkCharacter})|(?:(?!${cjkCharacter})[\\p{L}\\p{N}\\p{M}'_-])+`, 'gu')
const letterOrDigit = /[\p{L}\p{N}]/u

export interface NegationPlace {
  readonly start: number
  /** Behind the last character. */
  readonly end: number
}

/** In order. Words that hold a negation and deny nothing are none. */
export function negationPlaces(text: string): NegationPlace[] {
  const places: NegationPlace[] = []
  for (const { index, 0: found, 1: english, 2: chinese } of text.matchAll(negations)) {
    if (english !== undefined || chinese !== undefined) places.push({ start: index, end: index + found.length })
  }
  return places
}

/** Where to look: from the start of the user's sentence to that of a quote, and over how many words; a CJK character is as two. */
export interface Reach {
  readonly from: number
  readonly to: number
  readonly words?: number
}

/**
 * Whether a negation begins up to twelve words, or six CJK characters, before a place. `places` are those of the whole text, so that
 * many quotes of one message share them.
 */
export function negationBefore(
  text: string,
  { from, to, words = wordsBack }: Reach = { from: 0, to: text.length },
  places: readonly NegationPlace[] = negationPlaces(text),
): boolean {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((places[middle]?.start ?? to) < to) low = middle + 1
    else high = middle
  }
  const last = places[low - 1]
  return last !== undefined && last.start >= from && wordsIn(text.slice(last.start, to), words) <= words
}

/** How far a text reaches, in words; counted until it is more than `most`. */
export function wordsIn(text: string, most = wordsBack): number {
  let words = 0
  for (const { 0: found, 1: cjk } of text.matchAll(unit)) {
    if (!letterOrDigit.test(found)) continue
    words += cjk === undefined ? 1 : wordsOfCjkCharacter
    if (words > most) break
  }
  return words
}

export function holdsNegation(text: string): boolean {
  return negationPlaces(text).length > 0
}

const leadIn = "(?:(?:please|pls|kindly|just|but|and|so|also|then|do|does|did|let's|lets)[\\s,]+)*"
const leadInChinese = '(?:[请請]|千万|千萬|绝对|絕對|绝|絕|先|也|都|但|就|还是|還是)*'
const opening = new RegExp(`^[^\\p{L}\\p{N}]*(?:${leadIn}|${leadInChinese})$`, 'u')
const adverbs = '(?:(?:really|still|also|actually|definitely|certainly|simply)\\s+)*'
const auxiliary = '(?:(?:do|does|did|can|could|will|would|shall|should|must|may|have|had|am|are|is|was|were)\\s+)?'
const speaker = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${leadIn}(?:i|we)\\s+${adverbs}${auxiliary}|(?:[我俺]|我们|我們|咱们|咱們)(?:真的?|还|還|并|並|暂时|暫時|从来|從來|绝|絕|现在|現在)*)$`,
  'u',
)
const approving = new RegExp(
  `^\\s*${adverbs}(?:approv|agree|confirm|decid|cho[os]|accept|allow|authori[sz]|consent|permit|want|support)|` +
    '^(?:[能会會想要可]|可以|打算|有)*(?:同意|批准|批準|确认|確認|决定|決定|选|選|允许|允許|接受|赞成|贊成|支持|想|要)',
  'u',
)

/**
 * Whether a quote starts with a negation ("don't approve …", "please do not …", 请不要…), or with the user's own denial that they approve
 * ("I do not approve …", 我不同意…).
 */
export function startsWithNegation(quote: string): boolean {
  const first = negationPlaces(quote)[0]
  if (first === undefined) return false
  const { start, end } = first
  const before = quote.slice(0, start)
  if (opening.test(before)) return true
  return speaker.test(before) && (approving.test(quote.slice(end)) || approving.test(quote.slice(start + 1)))
}
