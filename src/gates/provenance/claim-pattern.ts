// The one way in which the patterns of a language are searched. Every look is bounded: a subject costs the same wherever it stands and
// whatever stands around it.
import { type CompiledPatterns, compiledPatterns, type LeadingRow, namesIn, type TrailingRow } from './compiled-patterns.js'
import type { ClaimRow, LanguagePatterns } from './language-patterns.js'
import { lowered } from './marked-form.js'
import { quotedSpans } from './quoted-spans.js'
import type { Sentence } from './sentences.js'

export interface FoundClaim {
  readonly row: ClaimRow
  readonly tier: 1 | 2
  readonly language: 'en' | 'zh'
  /** Where the wording begins and ends in its sentence. */
  readonly from: number
  readonly to: number
  /** Whether the wording begins with its subject. */
  readonly leads: boolean
  readonly negated: boolean
  /** The row that makes it no claim. */
  readonly exemption: string | undefined
}

/** Places of one sentence that are looked at. */
export const claimsOfSentenceMax = 101

const windowUnits = 240
const beforeUnits = 100
const strangerUnits = 48
const wholeUnits = 40
const blanksMax = 40
/** In a longer sentence nobody looks for the quotation that a question stands in. */
const questionUnits = 2000
/** Lines without any of these have neither label nor key. */
const mayBeLabelled = /[:=—–[【]| - |^(?:given|scen|back|step)/i

/** A wording in its sentence, before anything is known of exemptions. */
interface Wording {
  readonly row: ClaimRow
  readonly tier: 1 | 2
  readonly from: number
  readonly to: number
  readonly leads: boolean
}

/** The search for the claims of one language in the sentences of one text. */
export class ClaimPattern {
  readonly #patterns: LanguagePatterns
  readonly #compiled: CompiledPatterns
  readonly #names: readonly string[]

  /** `text`: the whole of it, folded, for the names in it. */
  constructor(patterns: LanguagePatterns, text: string, scope: 'decisions' | 'decisions+preferences') {
    this.#patterns = patterns
    this.#names = patterns.mayHold.test(text) ? namesIn(text, patterns.names) : []
    this.#compiled = compiledPatterns(patterns, this.#names, scope)
  }

  mayHold(text: string): boolean {
    return this.#patterns.mayHold.test(text) || this.#names.some((name) => text.includes(name))
  }

  /**
   * Adds every wording to `found`, in order, with what exempts it. `form`: the sentence as `markedForm` gives it. False where the
   * sentence has more places to look at than are looked at.
   */
  find(sentence: Sentence, form: string, found: FoundClaim[]): boolean {
    const { subject, strangers, negation } = this.#compiled
    let looks = 0
    subject.lastIndex = 0
    for (let hit = subject.exec(form); hit !== null; hit = subject.exec(form)) {
      const end = hit.index + hit[0].length
      const trailing = this.#trailingRows(form, hit)
      const place = this.#behind(form, end)
      if (trailing === undefined && place === undefined) continue
      looks += 1
      if (looks > claimsOfSentenceMax) return false
      const wording =
        (trailing === undefined ? undefined : this.#trailingAt(form, hit, trailing, end)) ??
        (place === undefined ? undefined : this.#leadingAt(form, hit, end, place))
      if (wording === undefined) continue
      if (wording.leads && strangers.test(form.slice(Math.max(0, hit.index - strangerUnits), end))) continue
      const exemption = this.#exemptionOf(sentence, form, wording)
      const negated = exemption === undefined && negation.test(form.slice(wording.to, wording.to + windowUnits))
      const { row, tier, from, to, leads } = wording
      // Field by field: a spread costs more than all the rest of a look.
      found.push({ row, tier, from, to, leads, language: this.#patterns.language, negated, exemption })
    }
    return true
  }

  /** Where the word behind a subject begins, if that word can lead to a claim. */
  #behind(form: string, end: number): { readonly at: number; readonly word: string } | undefined {
    let at = end
    while (isBlank(form.charCodeAt(at)) && at - end < blanksMax) at += 1
    const word = this.#wordAt(form, at)
    const { between, betweenMore, directAt } = this.#patterns
    const leads =
      this.#compiled.leading.has(word) ||
      between.at.test(word) ||
      betweenMore.at.test(word) ||
      (at === end && word.startsWith(directAt))
    return leads ? { at, word } : undefined
  }

  #wordAt(form: string, at: number): string {
    const { word } = this.#compiled
    word.lastIndex = at
    return word.exec(form)?.[0] ?? form.charAt(at)
  }

  /** A wording that begins with its subject. */
  #leadingAt(
    form: string,
    hit: RegExpExecArray,
    end: number,
    { at, word }: { readonly at: number; readonly word: string },
  ): Wording | undefined {
    const { between, betweenMore, directAt, language } = this.#patterns
    const { direct, leading } = this.#compiled
    const afterAdverbs = between.at.test(word)
    return (
      (at === end && word.startsWith(directAt) ? rowAt(direct, form, hit, end, 1) : undefined) ??
      (language === 'zh' || at > end ? rowAt(leading.get(word), form, hit, at, 1) : undefined) ??
      (afterAdverbs ? this.#behindAdverbs(this.#compiled.between, form, hit, end, 1) : undefined) ??
      (afterAdverbs || betweenMore.at.test(word) ? this.#behindAdverbs(this.#compiled.betweenMore, form, hit, end, 2) : undefined)
    )
  }

  #behindAdverbs(between: RegExp, form: string, hit: RegExpExecArray, end: number, tierMin: 1 | 2): Wording | undefined {
    between.lastIndex = end
    if (!between.test(form)) return undefined
    const place = between.lastIndex
    return rowAt(this.#compiled.leading.get(this.#wordAt(form, place)), form, hit, place, tierMin)
  }

  #trailingRows(form: string, hit: RegExpExecArray): readonly TrailingRow[] | undefined {
    if (hit[1] !== undefined) return undefined
    let end = hit.index
    while (end > 0 && hit.index - end < blanksMax && isBlank(form.charCodeAt(end - 1))) end -= 1
    if (this.#patterns.language === 'zh') return this.#compiled.trailing.get(form.charAt(end - 1))
    let from = end
    while (from > 0 && end - from < 12 && isSmallLetter(form.charCodeAt(from - 1))) from -= 1
    return this.#compiled.trailing.get(form.slice(from, end))
  }

  /** A wording that begins before its subject. */
  #trailingAt(form: string, hit: RegExpExecArray, rows: readonly TrailingRow[], end: number): Wording | undefined {
    const before = form.slice(Math.max(0, hit.index - beforeUnits), hit.index)
    for (const [ahead, after, row] of rows) {
      after.lastIndex = end
      if (!after.test(form)) continue
      const start = ahead.exec(before)
      if (start === null) continue
      const from = hit.index - before.length + start.index
      return { row, tier: hit[2] === undefined ? row.tier : 2, from, to: after.lastIndex, leads: false }
    }
    return undefined
  }

  #exemptionOf(sentence: Sentence, form: string, { row, from, to }: Wording): string | undefined {
    if (sentence.form === 'code' || sentence.form === 'table-row') return sentence.form
    if (sentence.unticked) return 'unticked'
    const clause = this.#clause(form.slice(Math.max(0, from - windowUnits), from))
    const behind = form.slice(to, to + windowUnits)
    const isLabelled = mayBeLabelled.test(sentence.head)
    const line = isLabelled ? lowered(sentence.head) : ''
    const texts = {
      line,
      key: isLabelled ? sentence.head : '',
      clause,
      before: clause.slice(-beforeUnits),
      after: behind,
      rest: behind,
      whole: form.length > wholeUnits ? '' : sentence.form === 'heading' ? `# ${form}` : form,
    }
    for (const [where, { any, rows }] of this.#compiled.exemptions) {
      if (texts[where] === '' || !any.test(texts[where])) continue
      for (const { pattern, unless, besides, exemption } of rows) {
        if (exemption.rows?.includes(row.id) === false || exemption.notRows?.includes(row.id) === true) continue
        if (!pattern.test(texts[where]) || unless?.test(texts[where]) === true) continue
        if (besides === undefined || besides.pattern.test(texts[besides.where])) return exemption.id
      }
    }
    return this.#isAsked(sentence.text, from, to) ? 'question' : undefined
  }

  /** What is said before a claim since the last contrast. */
  #clause(before: string): string {
    const { contrast } = this.#compiled
    let start = 0
    contrast.lastIndex = 0
    for (let turn = contrast.exec(before); turn !== null; turn = contrast.exec(before)) start = contrast.lastIndex
    return before.slice(start)
  }

  #isAsked(text: string, from: number, to: number): boolean {
    const around =
      text.length > questionUnits ? undefined : quotedSpans(text).findLast((span) => span.from < from && span.to > to)
    const behind = text.slice(to, around === undefined ? text.length : around.to - 1)
    // Several sentences may stand in one quotation.
    const end = around === undefined ? -1 : behind.search(/。|[.!?](?=["'”’」』]{0,4}(?:\s|$))|[!?](?=[\u3400-\u9fff])/)
    const tail = (end < 0 ? behind : behind.slice(0, end + 1)).slice(-160).trimEnd()
    return this.#compiled.asks.test(tail) && !this.#compiled.tag.test(tail)
  }
}

function rowAt(
  rows: readonly LeadingRow[] | undefined,
  form: string,
  hit: RegExpExecArray,
  place: number,
  tierMin: 1 | 2,
): Wording | undefined {
  if (rows === undefined) return undefined
  const isWe = hit[1] !== undefined
  for (const [after, row] of rows) {
    after.lastIndex = place
    if ((row.subject === 'we') !== isWe || !after.test(form)) continue
    return { row, tier: hit[2] !== undefined || tierMin === 2 ? 2 : row.tier, from: hit.index, to: after.lastIndex, leads: true }
  }
  return undefined
}

function isBlank(char: number): boolean {
  return char === 0x20 || char === 0x09 || char === 0x01
}

function isSmallLetter(char: number): boolean {
  return char >= 0x61 && char <= 0x7a
}
