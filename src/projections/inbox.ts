// What the gates flagged on each day (UTC) and what the owner said of it: denials and flagged claims by their cause, where the newest of them
// stand, and the answers of that day. What is open is the one without the other. Questions of `stele doctor` are counted apart.
import { namedCounts } from './named-counts.js'
import type { FoldedEntry, KeptProjection } from './projection.js'

type Answered = FoldedEntry<'review.answered'>['facts']

export type ReviewLabel = Answered['label']

/** A denial or a flagged claim. */
export interface FlaggedEntry {
  /** Of its `gate.decided` or `claim.judged`. */
  readonly index: number
  readonly time: string
  readonly session: string
  /** The `access.proposed` or `write.proposed` that was judged. */
  readonly judged: number
  /** The host was held to it. */
  readonly enforced: boolean
  /** Of a claim, as two that say the same have it; null of a call, and where no single claim is meant. */
  readonly digest: string | null
}

export interface FlaggedCause {
  flagged: number
  enforced: number
  /** The newest of the day, oldest first. */
  listed: FlaggedEntry[]
}

export interface GivenAnswer extends Pick<Answered, 'label' | 'gate' | 'code' | 'rule' | 'tool'> {
  readonly index: number
  readonly entries: readonly number[]
}

export interface InboxDay {
  /** By `causeKey`. */
  causes: Record<string, FlaggedCause>
  answers: GivenAnswer[]
  /** Indices of answers that were taken back on this day, whenever they were given. */
  cancelled: number[]
  /** Index of the first entry that was flagged on this day; null where none was. */
  first: number | null
  /** What was worked out last, since a decision only says which entry it judged. */
  worked: { index: number; tool: string; skill: string }[]
  probes: number
}

/** So many of one cause are listed of a day; the counts have all. */
export const listedOfCauseMax = 50
/** What a call would reach and its decision are written together, so few are open at once. */
const workedMax = 16

/** Without an allowlist everything is denied, and no rule has flagged anything. */
export const noPolicyCode = 'policy_unavailable'

const spoken: ReadonlySet<string> = new Set([
  'access.proposed',
  'gate.decided',
  'claim.judged',
  'review.answered',
  'review.cancelled',
])

export const inbox: KeptProjection<InboxDay> = {
  name: 'inbox',
  version: 1,
  partOf: ({ time, type }) => (spoken.has(type) ? time.slice(0, 10) : undefined),
  initial: () => ({ causes: {}, answers: [], cancelled: [], first: null, worked: [], probes: 0 }),
  on: {
    'access.proposed': (day, { index, facts: { tool, skill } }) => {
      day.worked.push({ index, tool, skill })
      if (day.worked.length > workedMax) day.worked.shift()
      return day
    },
    'gate.decided': (day, { index, time, session, facts }) => {
      const { gate, judges, verdict, code, enforced, probe } = facts
      // A claim has an entry of its own, which says more; a question is answered by whoever is asked.
      if (gate === provenanceGateName || verdict !== 'deny') return day
      if (probe === true) return probed(day)
      const { tool = '', skill = '' } = day.worked.find((one) => one.index === judges) ?? {}
      const cause = { gate, code, rule: '', tool, of: facts.skill ?? skill }
      return flagged(day, cause, { index, time, session, judged: judges, enforced, digest: null })
    },
    'claim.judged': (day, { index, time, session, facts }) => {
      const { verdict, reason, rule, tool, target, write, claimDigest: digest, probe } = facts
      if (verdict === 'pass') return day
      if (probe === true) return probed(day)
      const cause = { gate: provenanceGateName, code: reason ?? '', rule, tool, of: target }
      return flagged(day, cause, { index, time, session, judged: write, enforced: verdict === 'blocked', digest })
    },
    'review.answered': (day, { index, facts: { label, gate, code, rule, tool, entries } }) => {
      day.answers.push({ index, label, gate, code, rule, tool, entries })
      return day
    },
    'review.cancelled': (day, { facts: { answer } }) => {
      day.cancelled.push(answer)
      return day
    },
  },
}

export const provenanceGateName = 'provenance'

/** Why something was flagged, as far as facts say it. */
export interface CauseName {
  readonly gate: string
  /** The code of the decision, or the reason of the claim. */
  readonly code: string
  /** By which a sentence was taken for a claim; empty of a call. */
  readonly rule: string
  readonly tool: string
  /** The skill of the call, empty where the host names none; of a claim where it was to be written. */
  readonly of: string
}

/** Names hold no spaces. */
function causeKey({ gate, code, rule, tool, of }: CauseName): string {
  return [gate, code, rule, tool, of].join(' ')
}

/** Undefined for what was counted together, since the names were too many. */
export function causeOf(key: string): CauseName | undefined {
  const [gate, code, rule, tool, of] = key.split(' ')
  if (gate === undefined || code === undefined || rule === undefined || tool === undefined || of === undefined) return undefined
  return { gate, code, rule, tool, of }
}

function probed(day: InboxDay): InboxDay {
  day.probes += 1
  return day
}

function flagged(day: InboxDay, name: CauseName, entry: FlaggedEntry): InboxDay {
  const cause = namedCounts(day.causes, causeKey(name), (): FlaggedCause => ({ flagged: 0, enforced: 0, listed: [] }))
  day.first ??= entry.index
  cause.flagged += 1
  if (entry.enforced) cause.enforced += 1
  if (name.code === noPolicyCode) return day
  cause.listed.push(entry)
  if (cause.listed.length > listedOfCauseMax) cause.listed.shift()
  return day
}

/** The answers that hold, by the entry that they are about: of several the last that was not taken back. */
export function answersThatHold(days: ReadonlyMap<string, InboxDay>): ReadonlyMap<number, GivenAnswer> {
  const cancelled = new Set([...days.values()].flatMap((day) => day.cancelled))
  const given = [...days.values()].flatMap(({ answers }) => answers.filter(({ index }) => !cancelled.has(index)))
  const holds = new Map<number, GivenAnswer>()
  for (const answer of given.sort((one, other) => one.index - other.index))
    for (const index of answer.entries) holds.set(index, answer)
  return holds
}

export interface OpenEntry extends FlaggedEntry {
  readonly cause: CauseName
}

/** What is listed of some days and nobody has answered, newest first. */
export function openEntries(days: ReadonlyMap<string, InboxDay>): OpenEntry[] {
  const answered = answersThatHold(days)
  return [...days.values()]
    .flatMap(({ causes }) =>
      Object.entries(causes).flatMap(([key, { listed }]) => {
        const cause = causeOf(key)
        return cause === undefined ? [] : listed.map((entry) => ({ ...entry, cause }))
      }),
    )
    .filter(({ index }) => !answered.has(index))
    .sort((one, other) => other.index - one.index)
}
