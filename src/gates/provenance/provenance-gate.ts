// The provenance gate: a write that says the user decided something needs the user's own words. It judges what a memory or skill call
// would produce, as its entry keeps it, and never asks for an approval.
import type { Facts } from '../../events/event-catalog.js'
import type { ClaimJudged, GateContext, GateDefinition, JudgedEntry, Verdict } from '../gate.js'
import { type EvidenceVerdict, evidenceRuleVersion } from './evidence-rule.js'
import { type JudgedClaim, judgeWrite } from './judge-write.js'
import { prepareEvidence } from './prepare-evidence.js'
import { type Refusal, type RefusalOptions, refusalText } from './refusal.js'

type Write = JudgedEntry<'write.proposed'>

export const provenanceGate: GateDefinition = {
  name: 'provenance',
  version: evidenceRuleVersion,
  on: { 'write.proposed': (write, context) => judgedOrRefused(write, context) },
  failed: (context, write: Write) => failedOn(write, context),
}

function judgedOrRefused(write: Write, context: GateContext): Verdict | undefined {
  try {
    return judged(write, context)
  } catch {
    return failedOn(write, context)
  }
}

/** A failure is a verdict that is told and counted as the others are. */
function failedOn(write: Write, context: GateContext): Verdict {
  return refused(write, context, [unchecked('internal_error')])
}

function judged(write: Write, context: GateContext): Verdict | undefined {
  const { facts, words } = write
  const { provenance, said, modes } = context
  // Forgotten words cannot be judged again.
  if (modes.provenance === 'off' || words === undefined) return undefined
  const notRead = whyNotRead(facts)
  if (notRead !== undefined) return refused(write, context, [unchecked(notRead)])
  const { search, scope, attestedOnly } = provenance
  const { messages, unavailable } = said
  const evidence = prepareEvidence({ messages, profile: search === 'profile', stored: words.stored, attestedOnly, unavailable })
  const { claims } = judgeWrite({ judged: words.judged, stored: words.stored, scope }, evidence)
  if (claims.length === 0) return verdictOf('allow', 'no_claim', context)
  if (claims.some(isUnbacked)) return refused(write, context, claims)
  return { ...verdictOf('allow', 'supported', context), claims: entriesOf(write, claims) }
}

/** Arguments that cannot be read, or of which too little is kept to be judged. */
function whyNotRead({ readable, cut }: Facts<'write.proposed'>): 'unreadable_arguments' | undefined {
  return !readable || (cut !== undefined && cut.judged > 0) ? 'unreadable_arguments' : undefined
}

function refused(write: Write, context: GateContext, claims: readonly JudgedClaim[]): Verdict {
  const unbacked = claims.filter(isUnbacked)
  const [first, ...others] = unbacked
  const telling = first ?? unchecked('internal_error')
  const times = (context.said.refused[write.facts.targetDigest]?.count ?? 0) + 1
  return {
    ...verdictOf('deny', telling.verdict.reason ?? 'internal_error', context),
    reason: refusalOf(telling, context, { timesInTurn: context.modes.provenance === 'block' ? times : 1, others: others.length }),
    claims: entriesOf(write, claims),
  }
}

const isUnbacked = ({ verdict }: JudgedClaim): boolean => verdict.outcome !== 'supported'

function refusalOf({ claim, verdict }: JudgedClaim, { modes }: GateContext, options: Omit<RefusalOptions, 'refused'>): string {
  const { reason, detail, quote, nearest } = verdict
  const refusal: Refusal = { claim, reason: reason ?? 'internal_error', detail, quote, nearest }
  return refusalText(refusal, { ...options, refused: modes.provenance === 'block' })
}

function verdictOf(verdict: 'allow' | 'deny', code: string, { modes }: GateContext): Verdict {
  return { verdict, code, reason: '', mode: modes.provenance, enforced: modes.provenance === 'block' }
}

/** No claim is meant: nothing could be looked for. */
function unchecked(reason: 'unreadable_arguments' | 'internal_error'): JudgedClaim {
  const verdict: EvidenceVerdict = {
    ...{ outcome: 'unchecked', reason, detail: null, quote: null },
    ...{ message: null, matchedIn: null, sender: null, nearest: null },
  }
  return { claim: null, rule: '', tier: 0, verdict }
}

function entriesOf({ facts: write, words }: Write, claims: readonly JudgedClaim[]): ClaimJudged[] {
  const { call, tool, target, targetDigest } = write
  return claims.map(({ claim, rule, tier, verdict }) => {
    const { outcome, reason, detail, matchedIn, message, quote, sender, nearest } = verdict
    return {
      facts: { call, tool, target, targetDigest, outcome, reason, detail, matchedIn, message, rule, tier },
      words: { claim: claim ?? '', quote, sender, nearest, target: words?.name ?? target },
    }
  })
}
