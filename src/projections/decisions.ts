// What the gates decided on each day (UTC): by gate, mode, verdict, code and tool, whether the host was held to it, and where the newest
// refusals and questions stand. Questions of `stele doctor` are counted apart.
import { namedCounts } from './named-counts.js'
import type { FoldedEntry, KeptProjection } from './projection.js'
import type { GateCounts } from './sessions.js'

type DecisionFacts = FoldedEntry<'gate.decided'>['facts']

/** A decision of which the report shows the reason. */
export interface ListedDecision {
  readonly index: number
  readonly time: string
  readonly session: string
  readonly gate: string
  readonly mode: string
  readonly verdict: DecisionFacts['verdict']
  readonly code: string
  readonly enforced: boolean
  /** Of the call that it is about; empty and null where it is about none. */
  readonly tool: string
  readonly call: number | null
}

export interface DecisionsDay {
  /** All of the day but those of `stele doctor`. */
  decisions: number
  /** By gate, and by gate and mode with a space between them; names hold none. */
  gates: Record<string, GateCounts>
  modes: Record<string, GateCounts>
  /** By gate, verdict and code, with spaces between them. */
  codes: Record<string, { decisions: number; enforced: number }>
  /** By the tool of the call that was judged. */
  tools: Record<string, GateCounts>
  /** The newest of the day, oldest first. */
  listed: { deny: ListedDecision[]; ask: ListedDecision[] }
  /** The newest call, and the entries in which it was judged: its decisions stand right behind it. */
  call: { tool: string; entries: number[] } | null
  probes: number
}

/** So many of a day are listed of each kind; the counts have all. */
export const decisionsOfDayMax = 100

const spoken: ReadonlySet<string> = new Set(['tool.requested', 'access.proposed', 'write.proposed', 'gate.decided'])

export const decisions: KeptProjection<DecisionsDay> = {
  name: 'decisions',
  version: 1,
  partOf: ({ time, type }) => (spoken.has(type) ? time.slice(0, 10) : undefined),
  initial: () => ({
    decisions: 0,
    gates: {},
    modes: {},
    codes: {},
    tools: {},
    listed: { deny: [], ask: [] },
    call: null,
    probes: 0,
  }),
  on: {
    'tool.requested': (day, { index, facts }) => {
      day.call = { tool: facts.tool, entries: [index] }
      return day
    },
    'access.proposed': (day, { index, facts }) => judgedIn(day, index, facts.call),
    'write.proposed': (day, { index, facts }) => judgedIn(day, index, facts.call),
    'gate.decided': (day, entry) => {
      if (entry.facts.probe === true) day.probes += 1
      else count(day, entry)
      return day
    },
  },
}

function judgedIn(day: DecisionsDay, index: number, call: number): DecisionsDay {
  if (day.call?.entries[0] === call) day.call.entries.push(index)
  return day
}

function count(day: DecisionsDay, entry: FoldedEntry<'gate.decided'>): void {
  const { index, time, session, facts } = entry
  const { gate, mode, verdict, code, enforced, judges } = facts
  const of = day.call?.entries.includes(judges) === true ? day.call : null
  day.decisions += 1
  addTo(namedCounts(day.gates, gate, noDecisions), facts)
  addTo(namedCounts(day.modes, `${gate} ${mode}`, noDecisions), facts)
  const byCode = namedCounts(day.codes, `${gate} ${verdict} ${code}`, () => ({ decisions: 0, enforced: 0 }))
  byCode.decisions += 1
  if (enforced) byCode.enforced += 1
  if (of !== null) addTo(namedCounts(day.tools, of.tool, noDecisions), facts)
  if (verdict === 'allow') return
  const listed = day.listed[verdict]
  const call = of?.entries[0] ?? null
  listed.push({ index, time, session, gate, mode, verdict, code, enforced, tool: of?.tool ?? '', call })
  if (listed.length > decisionsOfDayMax) listed.shift()
}

function addTo(counts: GateCounts, { verdict, enforced }: DecisionFacts): void {
  counts[verdict] += 1
  if (enforced && verdict !== 'allow') counts.enforced += 1
}

function noDecisions(): GateCounts {
  return { allow: 0, deny: 0, ask: 0, enforced: 0 }
}

/** What a report lists of some days, newest first. */
export function newestDecisions(
  days: ReadonlyMap<string, DecisionsDay>,
  verdict: keyof DecisionsDay['listed'],
  limit: number,
): ListedDecision[] {
  return [...days.values()]
    .flatMap(({ listed }) => listed[verdict])
    .sort((one, other) => other.index - one.index)
    .slice(0, limit)
}
