// What was held against the user's own words on each day (UTC): counts of judged claims, where the newest of those stand that nothing backs,
// and which were written to several places; and how writes came out beside what was judged of them. What could not be checked is counted
// apart and is nobody's reproach. Questions of `stele doctor` are counted apart too.
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
  /** As two that say the same have it; null where no single claim is meant. */
  readonly digest: string | null
}

/** Where one session has written the same claim. */
export interface RepeatedClaim {
  readonly session: string
  readonly digest: string
  /** The newest, oldest first. */
  entries: ClaimPlace[]
  /** Whether it went to more than one target. */
  isPair: boolean
}

export interface ClaimPlace {
  readonly index: number
  readonly target: ClaimFacts['target']
  readonly targetDigest: string
  readonly verdict: ClaimFacts['verdict']
}

/** How a write came out: as the worst of its files did. `open` is one that may well be other than judged, and nobody foretold it. */
export type LandedCounts = Record<LandedOutcome, number>
export type LandedOutcome = 'as_judged' | 'unchanged' | 'otherwise' | 'open' | 'unread'

/** A write that came out otherwise than judged. */
export interface ListedWrite {
  /** Of its `write.landed`, and of the `write.proposed` that was judged. */
  readonly index: number
  readonly write: number
  readonly time: string
  readonly session: string
  /** Which of its files, from 0. */
  readonly files: readonly number[]
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
  listed: { unsupported: ListedClaim[]; unchecked: ListedClaim[]; otherwise: ListedWrite[] }
  /** Claims that one session wrote to several targets, each once; and the newest claims by what they say, in which they are found. */
  pairs: number
  repeated: RepeatedClaim[]
  landed: LandedCounts
  probes: number
}

/** So many of a day are listed; the counts have all. */
export const listedOfDayMax = 100
/** So many different claims of a day are known again, and so many entries of each. */
export const repeatedOfDayMax = 200
export const entriesOfClaimMax = 8

export const evidence: KeptProjection<EvidenceDay> = {
  name: 'evidence',
  version: 2,
  partOf: ({ time, type }) => (type === 'claim.judged' || type === 'write.landed' ? time.slice(0, 10) : undefined),
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
    listed: { unsupported: [], unchecked: [], otherwise: [] },
    pairs: 0,
    repeated: [],
    landed: { as_judged: 0, unchanged: 0, otherwise: 0, open: 0, unread: 0 },
    probes: 0,
  }),
  on: {
    'claim.judged': (day, entry) => {
      if (entry.facts.probe === true) day.probes += 1
      else {
        count(day, entry)
        repeat(day, entry)
      }
      return day
    },
    'write.landed': (day, entry) => {
      if (entry.facts.probe === true) day.probes += 1
      else land(day, entry)
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
  const { verdict, reason, detail, tool, target, claimDigest: digest } = facts
  listed.push({ index, time, session, verdict, reason: reason ?? '', detail, tool, target, digest })
  if (listed.length > listedOfDayMax) listed.shift()
}

/** Of what belongs to no session nobody knows whether it belongs together. */
function repeat(day: EvidenceDay, { index, session, facts }: FoldedEntry<'claim.judged'>): void {
  const { claimDigest: digest, target, targetDigest, verdict } = facts
  if (digest === null || session === '') return
  const at = day.repeated.findIndex((of) => of.digest === digest && of.session === session)
  const [repeated = { session, digest, entries: [], isPair: false }] = at < 0 ? [] : day.repeated.splice(at, 1)
  if (!repeated.isPair && repeated.entries.some((place) => place.targetDigest !== targetDigest)) {
    repeated.isPair = true
    day.pairs += 1
  }
  repeated.entries.push({ index, target, targetDigest, verdict })
  if (repeated.entries.length > entriesOfClaimMax) repeated.entries.splice(spareEntry(repeated.entries), 1)
  day.repeated.push(repeated)
  if (day.repeated.length > repeatedOfDayMax) day.repeated.splice(spareClaim(day.repeated), 1)
}

/** The oldest of those that went where a newer one went too, so that every target stays as long as there is room. */
function spareEntry(entries: readonly ClaimPlace[]): number {
  const at = entries.findIndex((one, place) => entries.slice(place + 1).some((other) => other.targetDigest === one.targetDigest))
  return Math.max(at, 0)
}

/** The oldest that is no pair, else the oldest; never the one that has just come. */
function spareClaim(repeated: readonly RepeatedClaim[]): number {
  const at = repeated.findIndex(({ isPair }) => !isPair)
  return at === repeated.length - 1 ? 0 : Math.max(at, 0)
}

function land(day: EvidenceDay, { index, time, session, facts }: FoldedEntry<'write.landed'>): void {
  const { write, files } = facts
  const outcomes = files.map(outcomeOf)
  day.landed[worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'as_judged'] += 1
  const otherwise = outcomes.flatMap((outcome, file) => (outcome === 'otherwise' ? [file] : []))
  if (otherwise.length === 0) return
  const { listed } = day
  listed.otherwise.push({ index, write, time, session, files: otherwise })
  if (listed.otherwise.length > listedOfDayMax) listed.otherwise.shift()
}

const worstFirst: readonly LandedOutcome[] = ['otherwise', 'unread', 'open', 'unchanged']

function outcomeOf({ compared, foretold, disturbed }: FoldedEntry<'write.landed'>['facts']['files'][number]): LandedOutcome {
  return compared === 'otherwise' && (!foretold || disturbed === true) ? 'open' : compared
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

/** What a report lists of some days, newest first, at most so many of each kind. */
export function newestClaims(
  days: ReadonlyMap<string, EvidenceDay>,
  kind: 'unsupported' | 'unchecked',
  limit: number,
): ListedClaim[] {
  return newest(days, ({ listed }) => listed[kind], limit)
}

export function newestOtherwise(days: ReadonlyMap<string, EvidenceDay>, limit: number): ListedWrite[] {
  return newest(days, ({ listed }) => listed.otherwise, limit)
}

/** By the newest of their entries, whose words are those of all. */
export function newestPairs(
  days: ReadonlyMap<string, EvidenceDay>,
  limit: number,
): (RepeatedClaim & { readonly index: number })[] {
  const pairs = (day: EvidenceDay) => day.repeated.filter(({ isPair }) => isPair)
  return newest(days, (day) => pairs(day).map((pair) => ({ ...pair, index: pair.entries.at(-1)?.index ?? 0 })), limit)
}

function newest<Listed extends { readonly index: number }>(
  days: ReadonlyMap<string, EvidenceDay>,
  of: (day: EvidenceDay) => readonly Listed[],
  limit: number,
): Listed[] {
  return [...days.values()]
    .flatMap(of)
    .sort((one, other) => other.index - one.index)
    .slice(0, limit)
}
