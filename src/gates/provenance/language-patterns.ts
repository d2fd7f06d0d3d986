// What a language knows of claims, as data: the shape of the rows in english.ts and chinese.ts and of their exemptions.
export type ClaimKind = 'approving' | 'rejecting' | 'instructing' | 'preference'

/** One wording. What stands right before the subject, right behind it, or both. */
export interface ClaimRow {
  /** Unique in all languages. */
  readonly id: string
  /** 1: a wording of the seed. 2: beyond it. */
  readonly tier: 1 | 2
  readonly kind: ClaimKind
  /** What the specification says of it, in our own words. */
  readonly says: string
  /** Whose words: the user's unless told otherwise. */
  readonly subject?: 'user' | 'we'
  readonly before?: string
  readonly after?: string
  /**
   * The words, in Chinese the characters, with which `after` begins; where there is a `before`, those with which that ends. Only
   * there is the pattern tried: it is what makes a text of near misses cheap.
   */
  readonly at: string
  /** `after` stands at the subject itself, with nothing between: "the user's decision". */
  readonly direct?: true
}

/** `key` is the beginning of the line like `line`, but there small letters are not capitals. */
export type ExemptionPlace = 'line' | 'key' | 'clause' | 'before' | 'after' | 'rest' | 'whole'

/** What makes a wording no claim. */
export interface ExemptionRow {
  readonly id: string
  readonly says: string
  /**
   * Where its pattern is looked for: in the beginning of the line, in the clause before the claim, right before it, right behind it,
   * in what follows up to the end of the sentence, or in the whole of a short sentence, that of a heading behind `# `.
   */
  readonly where: ExemptionPlace
  readonly pattern: string
  /** What must be found as well, in another place. */
  readonly besides?: { readonly where: ExemptionPlace; readonly pattern: string }
  /** A counter-exemption: where this is found in the same place, the row does not hold. */
  readonly unless?: string
  /** Only for claims of these rows. */
  readonly rows?: readonly string[]
  /** For all but these. */
  readonly notRows?: readonly string[]
}

/** Patterns are written for small letters; a text is made small before it is searched. */
export interface LanguagePatterns {
  readonly language: 'en' | 'zh'
  /** A cheap look that tells whether a text can hold a claim at all. */
  readonly mayHold: RegExp
  /** Its first group is `we`, its second a name. `NAMES` stands for the names by which a text calls the user. */
  readonly subjects: string
  /** Right before a subject, with it: what makes it somebody else. */
  readonly strangers: string
  /** Between a subject and its verb: parentheses, adverbs. */
  readonly between: Between
  /** Tried where the first leads nowhere; what is found so is tier 2. */
  readonly betweenMore: Between
  /** The word or character at a place. */
  readonly word: RegExp
  /** With what a `direct` row begins. */
  readonly directAt: string
  readonly claims: readonly ClaimRow[]
  readonly exemptions: readonly ExemptionRow[]
  /** Behind the last of these a new clause begins. */
  readonly contrast: string
  /** A sentence that ends so asks; one that ends in a tag does not. */
  readonly asks: string
  readonly tag: string
  readonly negation: string
  /** What may not follow a wording: it would be a part of a longer word. */
  readonly ends: string
  /** They find the names by which a text calls the user, in the group `name`; `needs` is a cheap look. */
  readonly names: readonly { readonly needs: RegExp; readonly pattern: RegExp }[]
}

interface Between {
  readonly pattern: string
  /** What the word, or the character, behind a subject looks like where it is worth a try. */
  readonly at: RegExp
}
