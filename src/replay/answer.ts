// What is compared of two judgements of one entry: the verdict, its code, each claim, and what the host is held to. Reasons are words, and
// are not compared.
import type { Facts } from '../events/event-catalog.js'
import type { Verdict } from '../gates/gate.js'

export interface Answer {
  /** `none` where the gate has nothing to say; `continue` asks the agent for one more pass. */
  readonly verdict: 'allow' | 'deny' | 'ask' | 'continue' | 'none'
  readonly code: string
  /** What the host hears of it. */
  readonly told: 'nothing' | 'block' | 'ask' | 'continue'
  readonly claims: readonly ClaimAnswer[]
}

export interface ClaimAnswer {
  readonly outcome: Facts<'claim.judged'>['outcome']
  readonly reason: string | null
  readonly detail: string | null
  readonly matchedIn: string | null
  /** Index of the message that backs it. */
  readonly message: number | null
  readonly rule: string
  readonly tier: number
}

/** Which parts of two answers differ. */
export type AnswerPart = 'verdict' | 'code' | 'told' | 'claims'

type Decided = Pick<Facts<'gate.decided'>, 'verdict' | 'code' | 'enforced'>
type Claimed = Omit<Facts<'claim.judged'>, 'verdict' | 'write' | 'claimDigest' | 'probe'>

/** As it was recorded. */
export function recordedAnswer(decided: Decided, claims: readonly Claimed[]): Answer {
  return { ...verdictOf(decided), claims: claims.map(claimAnswer) }
}

/** As it is given now; `binding` is false where nobody was waiting for it any more. */
export function answerNow(verdict: Verdict | undefined, binding: boolean): Answer {
  if (verdict === undefined) return { verdict: 'none', code: '', told: 'nothing', claims: [] }
  const claims = (verdict.claims ?? []).map(({ facts }) => claimAnswer(facts))
  return { ...verdictOf({ ...verdict, enforced: verdict.enforced && binding }), claims }
}

function verdictOf({ verdict, code, enforced }: Decided): Omit<Answer, 'claims'> {
  const told = !enforced || verdict === 'allow' ? 'nothing' : verdict === 'deny' ? 'block' : 'ask'
  return { verdict, code, told }
}

function claimAnswer({ outcome, reason, detail, matchedIn, message, rule, tier }: Claimed): ClaimAnswer {
  return { outcome, reason, detail, matchedIn, message, rule, tier }
}

export function differingParts(before: Answer, after: Answer): AnswerPart[] {
  const plain = (['verdict', 'code', 'told'] as const).filter((part) => before[part] !== after[part])
  return [...plain, ...(differingClaim(before, after) === undefined ? [] : ['claims' as const])]
}

export interface ClaimPair {
  readonly before: ClaimAnswer | undefined
  readonly after: ClaimAnswer | undefined
}

/** The first claim, in order, on which two answers do not agree. */
export function differingClaim(before: Answer, after: Answer): ClaimPair | undefined {
  const count = Math.max(before.claims.length, after.claims.length)
  for (let at = 0; at < count; at += 1) {
    const pair = { before: before.claims[at], after: after.claims[at] }
    if (!isSameClaim(pair)) return pair
  }
  return undefined
}

function isSameClaim({ before, after }: ClaimPair): boolean {
  if (before === undefined || after === undefined) return before === after
  const { outcome, reason, detail, matchedIn, message, rule, tier } = after
  return (
    before.outcome === outcome &&
    before.reason === reason &&
    before.detail === detail &&
    before.matchedIn === matchedIn &&
    before.message === message &&
    before.rule === rule &&
    before.tier === tier
  )
}
