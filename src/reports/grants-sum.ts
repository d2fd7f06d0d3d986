// The days of the view of grants as one: what was asked for, and what became of it, by tool, mode, skill and session.
import type { CodeGrants, GrantsDay, SkillGrants, ToolGrants, Used } from '../projections/grants.js'

/** The counts of days, one after another. */
export type GrantsSum = Omit<GrantsDay, 'policy' | 'open'>

/** `days` in their order. */
export function grantsSum(days: readonly GrantsDay[]): GrantsSum {
  const sum: GrantsSum = {
    ...{ asked: 0, decided: 0, probes: 0 },
    ...{ tools: bare(), modes: bare(), skills: bare(), sessions: bare() },
  }
  for (const day of days) {
    sum.asked += day.asked
    sum.decided += day.decided
    sum.probes += day.probes
    for (const [name, tool] of Object.entries(day.tools)) addTool(ownOf(sum.tools, name, noTool), tool)
    for (const of of ['modes', 'skills'] as const)
      for (const [name, counts] of Object.entries(day[of])) addCounts(ownOf(sum[of], name, noDecision), counts)
    for (const [name, counts] of Object.entries(day.sessions))
      addCounts(
        ownOf(sum.sessions, name, () => ({ asked: 0, ...noDecision() })),
        counts,
      )
  }
  return sum
}

/** Without a prototype: tools may be called like what every object has. */
function bare<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>
}

const never: Used = { index: -1, time: '' }
export const noDecision = (): SkillGrants => ({ allow: 0, deny: 0, ask: 0, enforced: 0 })
const noTool = (): ToolGrants => ({
  ...{ asked: 0, read: 0, completed: 0, blocked: 0, touches: { read: 0, write: 0 }, commands: 0 },
  ...{ unread: bare(), codes: bare(), first: never, last: never },
})
export const noCode = (): CodeGrants => ({
  ...{ verdicts: { allow: 0, deny: 0, ask: 0 }, enforced: 0, first: never, last: never, listed: [] },
})

export function addCounts<Counts extends object>(to: Counts, more: Counts): void {
  for (const key of Object.keys(to) as (keyof Counts)[]) Object.assign(to, { [key]: Number(to[key]) + Number(more[key]) })
}

/** `more` is of a later day. */
function addTool(to: ToolGrants, more: ToolGrants): void {
  for (const key of ['asked', 'read', 'completed', 'blocked', 'commands'] as const) to[key] += more[key]
  addCounts(to.touches, more.touches)
  for (const [why, count] of Object.entries(more.unread)) to.unread[why] = (to.unread[why] ?? 0) + count
  addUsed(to, more)
  for (const [name, code] of Object.entries(more.codes)) {
    const of = ownOf(to.codes, name, noCode)
    addCounts(of.verdicts, code.verdicts)
    of.enforced += code.enforced
    of.listed = [...of.listed, ...code.listed]
    addUsed(of, code)
  }
}

function addUsed(to: { first: Used; last: Used }, { first, last }: { readonly first: Used; readonly last: Used }): void {
  if (to.first.index < 0) to.first = first
  if (last.index >= 0) to.last = last
}

function ownOf<Value>(of: Record<string, Value>, name: string, initial: () => Value): Value {
  const value = of[name] ?? initial()
  of[name] = value
  return value
}

export function totalsOf({ modes }: GrantsSum): SkillGrants {
  const totals = noDecision()
  for (const counts of Object.values(modes)) addCounts(totals, counts)
  return totals
}
