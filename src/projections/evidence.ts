// What was held against the user's own words on each day (UTC): counts of judged claims, and where the newest of those stand that
// nothing backs. What could not be checked is counted apart and is nobody's reproach. Questions of `stele doctor` are counted apart too.
import { namedCounts } from './named-counts.js'
import type { FoldedEntry, KeptProjection } from './projection.js'

type ClaimFacts = FoldedEntry<'claim.judged'>['facts']

export interface VerdictCounts {
  pass: number
  would_block: number
  blocked: number
}

export interface OutcomeCounts {
  supported: number
  unsupported: number
  unchecked: number
}

/** A judged claim of which the report shows the words. */
export interface ListedClaim {
  readonly index: number
  readonly time: string
  readonly session: string
  readonly verdict: ClaimFacts['verdict']
  readonly reason: string
  readonly detail: string | null
  readonly tool: string
  readonly target: ClaimFacts['target']
}

export interface EvidenceDay {
  /** All of the day but those of `stele doctor`: the sum of the three outcomes. */
  claims: number
  outcomes: OutcomeCounts
  /** Of claims that were checked. */
  verdicts: VerdictCounts
  /** Of unsupported claims. */
  reasons: Record<string, number>
  /** Of unsupported claims whose quote was not found. */
  details: Record<string, number>
  /** Of supported claims: where the words stand. */
  matchedIn: Record<string, number>
  /** By the name of the tool, by the kind of target, by the tier of the rule. */
  tools: Record<string, OutcomeCounts>
  targets: Record<string, OutcomeCounts>
  tiers: Record<string, OutcomeCounts>
  unchecked: { verdicts: VerdictCounts; reasons: Record<string, number> }
  /** The newest of the day, oldest first: claims that nothing backs, and those that could not be checked. */
  listed: { unsupported: ListedClaim[]; unchecked: ListedClaim[] }
  probes: number
}

/** So many of a day are listed; the counts have all. */
export const listedOfDayMax = 100

export const evidence: KeptProjection<EvidenceDay> = {
  name: 'evidence',
  version: 1,
  partOf: ({ time, type }) => (type === 'claim.judged' ? time.slice(0, 10) : undefined),
  initial: () => ({
    claims: 0,
    outcomes: noOutcomes(),
    verdicts: noVerdicts(),
    reasons: {},
    details: {},
    matchedIn: {},
    tools: {},
    targets: {},
    tiers: {},
    unchecked: { verdicts: noVerdicts(), reasons: {} },
    listed: { unsupported: [], unchecked: [] },
    probes: 0,
  }),
  on: {
    'claim.judged': (day, entry) => {
      if (entry.facts.probe === true) day.probes += 1
      else count(day, entry)
      return day
    },
  },
}

function count(day: EvidenceDay, entry: FoldedEntry<'claim.judged'>): void {
  const { verdict, outcome, reason, detail, matchedIn, tool, target, tier } = entry.facts
  day.claims += 1
  day.outcomes[outcome] += 1
  for (const [of, name] of [
    [day.tools, tool],
    [day.targets, target],
    [day.tiers, String(tier)],
  ] as const)
    namedCounts(of, name, noOutcomes)[outcome] += 1
  const { verdicts, reasons } = outcome === 'unchecked' ? day.unchecked : day
  verdicts[verdict] += 1
  if (outcome === 'supported') {
    if (matchedIn !== null) addOne(day.matchedIn, matchedIn)
    return
  }
  if (reason !== null) addOne(reasons, reason)
  if (outcome === 'unsupported' && detail !== null) addOne(day.details, detail)
  list(day.listed[outcome], entry)
}

function list(listed: ListedClaim[], { index, time, session, facts }: FoldedEntry<'claim.judged'>): void {
  const { verdict, reason, detail, tool, target } = facts
  listed.push({ index, time, session, verdict, reason: reason ?? '', detail, tool, target })
  if (listed.length > listedOfDayMax) listed.shift()
}

/** Names of the schema's own: there are few of them. */
function addOne(of: Record<string, number>, name: string): void {
  of[name] = (of[name] ?? 0) + 1
}

function noOutcomes(): OutcomeCounts {
  return { supported: 0, unsupported: 0, unchecked: 0 }
}

function noVerdicts(): VerdictCounts {
  return { pass: 0, would_block: 0, blocked: 0 }
}

/** The claims of some days that a report lists, newest first, at most so many of each kind. */
export function newestClaims(
  days: ReadonlyMap<string, EvidenceDay>,
  kind: keyof EvidenceDay['listed'],
  limit: number,
): ListedClaim[] {
  return [...days.values()]
    .flatMap(({ listed }) => listed[kind])
    .sort((one, other) => other.index - one.index)
    .slice(0, limit)
}
