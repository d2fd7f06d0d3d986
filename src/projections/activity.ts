// What happened on each day (UTC, by the clock as it was read): counts of facts and their bytes. Questions of `stele doctor` are
// counted apart.
import { namedCounts } from './named-counts.js'
import type { FoldedEntry, KeptProjection } from './projection.js'
import { countDecision, type GateCounts } from './sessions.js'

export interface ToolCounts {
  asked: number
  completed: number
  failed: number
  /** Of those that came back with a time. */
  durationMs: number
}

export interface DayView {
  entries: number
  /** Bytes of headers and payloads; words are not among them, since they go. */
  bytes: number
  /** By type of event. */
  types: Record<string, { entries: number; bytes: number }>
  sessions: number
  turns: number
  messages: number
  characters: number
  /** By the name of the tool. */
  tools: Record<string, ToolCounts>
  /** By the name of the gate. */
  gates: Record<string, GateCounts>
  rejected: number
  foreign: number
  /** Payloads that never came, or were too many. */
  missing: number
  mismatches: number
  forgotten: { erasures: number; entries: number; bytes: number }
  /** Entries that `stele doctor` caused: in `entries`, and in nothing else here. */
  probes: number
}

export const activity: KeptProjection<DayView> = {
  name: 'activity',
  version: 1,
  partOf: ({ time }) => time.slice(0, 10),
  initial: () => ({
    entries: 0,
    bytes: 0,
    types: {},
    sessions: 0,
    turns: 0,
    messages: 0,
    characters: 0,
    tools: {},
    gates: {},
    rejected: 0,
    foreign: 0,
    missing: 0,
    mismatches: 0,
    forgotten: { erasures: 0, entries: 0, bytes: 0 },
    probes: 0,
  }),
  each: (day, { type, bytes }) => {
    day.entries += 1
    day.bytes += bytes
    const of = namedCounts(day.types, type, () => ({ entries: 0, bytes: 0 }))
    of.entries += 1
    of.bytes += bytes
    return day
  },
  on: {
    'session.started': (day, { facts }) => unlessProbe(day, facts, () => (day.sessions += 1)),
    'turn.ended': (day, { facts }) => unlessProbe(day, facts, () => (day.turns += 1)),
    'message.captured': (day, { facts }) =>
      unlessProbe(day, facts, () => {
        day.messages += 1
        day.characters += facts.characters
      }),
    'tool.requested': (day, { facts }) => unlessProbe(day, facts, () => (toolOf(day, facts).asked += 1)),
    'tool.completed': (day, { facts }) =>
      unlessProbe(day, facts, () => {
        const tool = toolOf(day, facts)
        tool.completed += 1
        if (facts.errorType !== undefined) tool.failed += 1
        tool.durationMs += facts.durationMs ?? 0
      }),
    'gate.decided': (day, { facts }) => unlessProbe(day, facts, () => countDecision(day.gates, facts)),
    'hook.rejected': (day, { facts }) => unlessProbe(day, facts, () => (day.rejected += 1)),
    'hook.foreign': (day) => {
      day.foreign += 1
      return day
    },
    'gap.recorded': (day, { facts }) => {
      day.missing += facts.count
      return day
    },
    'mismatch.found': (day) => {
      day.mismatches += 1
      return day
    },
    'payload.erased': (day, { facts }) => {
      day.forgotten.erasures += 1
      day.forgotten.entries += countOf(facts)
      day.forgotten.bytes += facts.bytes
      return day
    },
  },
}

function unlessProbe(day: DayView, { probe }: { readonly probe?: true | undefined }, count: () => void): DayView {
  if (probe === true) day.probes += 1
  else count()
  return day
}

function toolOf(day: DayView, { tool }: { readonly tool: string }): ToolCounts {
  return namedCounts(day.tools, tool, () => ({ asked: 0, completed: 0, failed: 0, durationMs: 0 }))
}

function countOf({ entries }: FoldedEntry<'payload.erased'>['facts']): number {
  return entries.reduce((count, [first, last]) => count + last - first + 1, 0)
}
