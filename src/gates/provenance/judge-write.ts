// Judges a written text: finds its claims, and holds each against what the user typed. What stood there before, unchanged, is no news.
import { type DetectedClaim, detectClaims } from './claim-detector.js'
import { claimsMax, type EvidenceVerdict, judgeClaim, unbacked } from './evidence-rule.js'
import { foldedText } from './folded-text.js'
import type { PreparedEvidence } from './prepare-evidence.js'
import { findQuote, matcherOf } from './quote-matcher.js'
import { sentences } from './sentences.js'

export interface WriteToJudge {
  /** What it would produce, text by text. */
  readonly judged: readonly string[]
  /** The stored text that it is held against. */
  readonly stored: readonly string[]
  readonly scope: 'decisions' | 'decisions+preferences'
}

export interface JudgedWrite {
  /** In order; a single one where there are too many to judge. */
  readonly claims: readonly JudgedClaim[]
  /** Sentences that tell of a decision in a language that is not checked. */
  readonly notChecked: number
  readonly marksCut: number
}

export interface JudgedClaim {
  /** Null where no single claim is meant. */
  readonly claim: string | null
  readonly rule: string
  readonly tier: number
  readonly verdict: EvidenceVerdict
}

/** The same write and the same evidence give the same verdicts. */
export function judgeWrite({ judged, stored, scope }: WriteToJudge, evidence: PreparedEvidence): JudgedWrite {
  const isTyped = (quote: string) => standsTyped(quote, evidence)
  const before = new Set(stored.flatMap(sentencesOf))
  const found: DetectedClaim[] = []
  let notChecked = 0
  let marksCut = 0
  for (const text of judged) {
    const detection = detectClaims(text, { scope, isTyped })
    found.push(...detection.claims.filter(({ sentence }) => !before.has(sentence)))
    notChecked += detection.notChecked
    marksCut += detection.marksCut
  }
  if (found.length > claimsMax) return { claims: [tooMany], notChecked, marksCut }
  return { claims: found.map((claim) => withVerdict(claim, evidence)), notChecked, marksCut }
}

function withVerdict(claim: DetectedClaim, evidence: PreparedEvidence): JudgedClaim {
  const { text, rule, tier } = claim
  return { claim: text, rule, tier, verdict: judgeClaim(claim, evidence) }
}

const tooMany: JudgedClaim = {
  ...{ claim: null, rule: '', tier: 0 },
  verdict: { ...unbacked, outcome: 'unchecked', reason: 'too_many_claims' },
}

/** Whether the user typed these words, wherever they count as theirs: then a claim within them is their own. */
function standsTyped(quote: string, { here, elsewhere, profile }: PreparedEvidence): boolean {
  const { folded } = matcherOf(quote)
  if (folded === '') return false
  return [here, ...(profile ? [elsewhere] : [])].some((among) =>
    among.mayHold(folded).some((place) => findQuote(among.folded(place).folded, folded).some(({ cutsWord }) => !cutsWord)),
  )
}

function sentencesOf(text: string): string[] {
  return sentences(foldedText(text).text).map((sentence) => sentence.text)
}
