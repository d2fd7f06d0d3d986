// What was asked of tools on each day (UTC), and what the capability gate said to it: counts by tool, verdict, code and mode, and where
// the newest decisions of each tool and code stand. Paths and commands are words: whoever shows them reads them from the ledger.
// Questions of `stele doctor` are counted apart.
import { namedCounts } from './named-counts.js'
import type { FoldedEntry, KeptProjection } from './projection.js'

export interface DecisionCounts {
  allow: number
  deny: number
  ask: number
}

/** An entry and its time. */
export interface Used {
  readonly index: number
  readonly time: string
}

/** A decision, and what it judged: the words of both say more. */
export interface ListedDecision extends Used {
  /** The `access.proposed` that was judged. */
  readonly judged: number
  readonly session: string
}

export interface CodeGrants {
  /** By verdict: one code can be both a denial and a question. */
  verdicts: DecisionCounts
  /** Denials and questions that the host was held to. */
  enforced: number
  first: Used
  last: Used
  /** The newest, oldest first. */
  listed: ListedDecision[]
}

export interface ToolGrants {
  asked: number
  /** Worked out into what they would reach. */
  read: number
  completed: number
  /** Of these, refused by whoever. */
  blocked: number
  /** Paths, by access, and commands that they would have reached. */
  touches: { read: number; write: number }
  commands: number
  /** By why nobody could tell what they would reach. */
  unread: Record<string, number>
  /** By code, `granted` among them. */
  codes: Record<string, CodeGrants>
  /** Of its calls. */
  first: Used
  last: Used
}

export interface SkillGrants extends DecisionCounts {
  enforced: number
}

export interface GrantsDay {
  /** All of the day but those of `stele doctor`. */
  asked: number
  /** Of these, judged by the capability gate. */
  decided: number
  tools: Record<string, ToolGrants>
  /** By the mode of the gate. */
  modes: Record<string, SkillGrants>
  /** By the name of the skill; `*` are calls of a host that names none. */
  skills: Record<string, SkillGrants>
  /** By the handle of the session. */
  sessions: Record<string, SkillGrants & { asked: number }>
  /** Where the policy stands that came into force last on this day. */
  policy: Used | null
  probes: number
  /** What was asked and worked out last, since a decision only says which entry it judged. */
  open: { index: number; tool: string }[]
}

/** So many decisions of a tool and code are listed of a day; the counts have all. */
export const listedOfCodeMax = 20
/** A call, what it would reach and its decision are written together, so few are open at once. */
const openMax = 16

export const capabilityGateName = 'capability'

const spokenOf: ReadonlySet<string> = new Set([
  'tool.requested',
  'access.proposed',
  'gate.decided',
  'tool.completed',
  'policy.activated',
])

export const grants: KeptProjection<GrantsDay> = {
  name: 'grants',
  version: 1,
  partOf: ({ time, type }) => (spokenOf.has(type) ? time.slice(0, 10) : undefined),
  initial: () => ({
    ...{ asked: 0, decided: 0, tools: {}, modes: {}, skills: {}, sessions: {}, policy: null, probes: 0, open: [] },
  }),
  on: {
    'tool.requested': (day, { index, time, session, facts: { tool, probe } }) => {
      if (probe === true) {
        day.probes += 1
        return day
      }
      day.asked += 1
      const of = toolOf(day, tool)
      if (of.asked === 0) of.first = { index, time }
      of.asked += 1
      of.last = { index, time }
      if (session !== '') sessionOf(day, session).asked += 1
      return opened(day, index, tool)
    },
    'access.proposed': (day, { index, facts }) => {
      if (facts.probe === true) return day
      const { tool, touches, writes, commands, unread } = facts
      const of = toolOf(day, tool)
      of.read += 1
      of.touches.read += Math.max(0, touches - writes)
      of.touches.write += writes
      of.commands += commands
      if (unread !== undefined) of.unread[unread] = (of.unread[unread] ?? 0) + 1
      return opened(day, index, tool)
    },
    'gate.decided': (day, entry) => {
      if (entry.facts.gate === capabilityGateName && entry.facts.probe !== true) decided(day, entry)
      return day
    },
    'tool.completed': (day, { facts: { tool, status, probe } }) => {
      if (probe === true) return day
      const of = toolOf(day, tool)
      of.completed += 1
      if (status === blockedStatus) of.blocked += 1
      return day
    },
    'policy.activated': (day, { index, time }) => {
      day.policy = { index, time }
      return day
    },
  },
}

/** How a host says that a call was refused. */
export const blockedStatus = 'blocked'

function opened(day: GrantsDay, index: number, tool: string): GrantsDay {
  day.open.push({ index, tool })
  if (day.open.length > openMax) day.open.shift()
  return day
}

function decided(day: GrantsDay, { index, time, session, facts }: FoldedEntry<'gate.decided'>): void {
  const { judges, verdict, code, mode, enforced, skill = '' } = facts
  day.decided += 1
  // Of a call that is not of this day, or of long before, only the tool is not known.
  const tool = day.open.find((one) => one.index === judges)?.tool ?? ''
  const of = namedCounts(toolOf(day, tool).codes, code, noCode)
  if (of.first.index < 0) of.first = { index, time }
  of.last = { index, time }
  of.listed.push({ index, time, judged: judges, session })
  if (of.listed.length > listedOfCodeMax) of.listed.shift()
  of.verdicts[verdict] += 1
  const isHeld = enforced && verdict !== 'allow'
  if (isHeld) of.enforced += 1
  const others = [namedCounts(day.modes, mode, noDecision), namedCounts(day.skills, skill === '' ? '*' : skill, noDecision)]
  if (session !== '') others.push(sessionOf(day, session))
  for (const counts of others) {
    counts[verdict] += 1
    if (isHeld) counts.enforced += 1
  }
}

function toolOf(day: GrantsDay, tool: string): ToolGrants {
  return namedCounts(day.tools, tool, () => ({
    ...{ asked: 0, read: 0, completed: 0, blocked: 0, touches: { read: 0, write: 0 }, commands: 0, unread: {}, codes: {} },
    ...{ first: never(), last: never() },
  }))
}

function sessionOf(day: GrantsDay, session: string): SkillGrants & { asked: number } {
  return namedCounts(day.sessions, session, () => ({ asked: 0, ...noDecision() }))
}

const never = (): Used => ({ index: -1, time: '' })
const noDecision = (): SkillGrants => ({ allow: 0, deny: 0, ask: 0, enforced: 0 })
const noCode = (): CodeGrants => ({
  ...{ verdicts: { allow: 0, deny: 0, ask: 0 }, enforced: 0, first: never(), last: never(), listed: [] },
})

/** A listed decision with the names that it is counted under. */
export interface NamedDecision extends ListedDecision {
  readonly tool: string
  readonly code: string
}

/** The decisions of some days that a report reads words of, newest first, at most so many: those that refuse or ask come first. */
export function newestDecisions(days: ReadonlyMap<string, GrantsDay>, limit: number): NamedDecision[] {
  const all = [...days.values()].flatMap(({ tools }) =>
    Object.entries(tools).flatMap(([tool, { codes }]) =>
      Object.entries(codes).flatMap(([code, { listed, verdicts }]) =>
        listed.map((one) => ({ ...one, tool, code, isRefused: verdicts.deny + verdicts.ask > 0 })),
      ),
    ),
  )
  return all
    .sort((one, other) => Number(other.isRefused) - Number(one.isRefused) || other.index - one.index)
    .slice(0, limit)
    .map(({ isRefused: _, ...one }) => one)
}

/** Where the policy stands that was in force at the end of some days; undefined where none was. */
export function newestPolicy(days: ReadonlyMap<string, GrantsDay>): Used | undefined {
  return [...days.values()].reduce<Used | undefined>(
    (newest, { policy }) => (policy !== null && policy.index > (newest?.index ?? -1) ? policy : newest),
    undefined,
  )
}
