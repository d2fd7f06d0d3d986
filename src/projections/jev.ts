// What the Jev stage said on each day (UTC): what it predicted and what of that was applied, its answers against their thresholds, what it
// asked of which model, and what then became of its proposals: the fate of each, who answered the prompt, how the next check ended.
import type { EventType } from '../events/event-catalog.js'
import { jevRequestsOf } from '../gates/jev/jev-requests.js'
import { type AskedSignals, completionSignals, type JevAnswerCounts, nudgeKey, riskSignals, tenthOf } from './jev-answers.js'
import { addLatency, type JevLatency, noJevLatency } from './jev-latency.js'
import {
  type JevStory,
  jevStories,
  jevStoryMax,
  type ModelChange,
  type OpenStories,
  type PromptOutcome,
  type Told,
} from './jev-stories.js'
import { namedCounts } from './named-counts.js'
import type { FoldedEntry, KeptProjection } from './projection.js'

type Proposed = FoldedEntry<'jev.proposed'>['facts']
type Abstained = FoldedEntry<'jev.abstained'>['facts']
type Nudged = FoldedEntry<'verification.proposed'>['facts']

export interface StageCounts {
  classified: number
  /** Proposals, whether or not anything came of them. */
  predicted: number
  /** Of these, what the host was held to. */
  applied: number
  abstained: number
  failed: number
  /** Of the classified, the predicted and the abstained: the input was not whole, so it says little of the model. */
  incomplete: number
}

export interface PromptCounts extends Record<PromptOutcome, number> {
  prompts: number
}

export interface NudgeCounts {
  nudges: number
  failed: number
  passed: number
}

/** Members with two names have a space between them; names hold none. */
export interface JevDay {
  /** Sent, as the daily budget counts them. */
  requests: number
  /** By stage and mode. */
  stages: Record<string, StageCounts>
  /** Of what was predicted and not applied: by stage and reason. */
  unapplied: Record<string, { proposals: number }>
  triggers: Record<string, { predicted: number; applied: number }>
  /** By stage and question; `confidence` is one. Of whole inputs; of others only their number. */
  answers: Record<string, JevAnswerCounts>
  /** By stage and reason. */
  abstentions: Record<string, { entries: number }>
  /** By stage and category. */
  failures: Record<string, { entries: number }>
  /** Of requests that were sent, by stage and `answered` or `failed`. */
  latency: Record<string, JevLatency>
  /** By stage, of the answers that tell. */
  tokens: Record<string, { answers: number; input: number; output: number }>
  /** By the model asked and the one that answered. */
  models: Record<string, { answers: number }>
  /** The newest of the day, oldest first. */
  changes: ModelChange[]
  /** By fate, with the reason behind it where there is one. */
  fates: Record<string, { proposals: number; applied: number }>
  /** By runner. */
  checks: Record<string, { passed: number; failed: number; unknown: number }>
  /** By trigger and, where an answer is behind it, the tenth in which that lies. An outcome counts on the day on which it came. */
  prompts: Record<string, PromptCounts>
  /** By `applied` or `kept_back`, and the tenth in which the least of the deciding answers lies. */
  nudges: Record<string, NudgeCounts>
  /** The newest proposals of the day, oldest first. */
  listed: JevStory[]
}

/** So many changes of the model of a day are listed. */
export const changesOfDayMax = 20

export const jev: KeptProjection<JevDay, OpenStories> = {
  name: 'jev',
  version: 1,
  partOf: ({ time, type }) => (spoken.has(type) ? time.slice(0, 10) : undefined),
  initial: () => ({
    ...{
      requests: 0,
      stages: {},
      unapplied: {},
      triggers: {},
      answers: {},
      abstentions: {},
      failures: {},
      latency: {},
      tokens: {},
    },
    ...{ models: {}, changes: [], fates: {}, checks: {}, prompts: {}, nudges: {}, listed: [] },
  }),
  carried: jevStories,
  each: (day, _, { told }) => {
    for (const one of told) countTold(day, one)
    return day
  },
  on: {
    'jev.classified': (day, { facts }) => {
      stageOf(day, 'turn', facts.mode).classified += 1
      countInput(day, 'turn', facts)
      return countRequest(day, 'jev.classified', 'turn', facts)
    },
    'jev.proposed': (day, { facts }) => {
      countProposal(day, facts.stage, facts)
      if (!facts.applied) named(day.unapplied, `${facts.stage} ${facts.why ?? ''}`, () => ({ proposals: 0 })).proposals += 1
      for (const trigger of facts.triggers) {
        const counts = named(day.triggers, trigger, () => ({ predicted: 0, applied: 0 }))
        counts.predicted += 1
        if (facts.applied) counts.applied += 1
      }
      if (facts.risk !== undefined) countAnswers(day, 'risk', riskSignals(facts.risk), facts.complete)
      return countRequest(day, 'jev.proposed', facts.stage, facts)
    },
    'jev.abstained': (day, { facts }) => {
      stageOf(day, facts.stage, facts.mode).abstained += 1
      named(day.abstentions, `${facts.stage} ${facts.why}`, () => ({ entries: 0 })).entries += 1
      if (facts.complete !== undefined) countInput(day, facts.stage, { ...facts, complete: facts.complete })
      if (facts.risk !== undefined) countAnswers(day, 'risk', riskSignals(facts.risk), facts.complete === true)
      const { completion } = facts
      if (completion !== undefined) countAnswers(day, 'completion', completionSignals(completion), facts.complete === true)
      return countRequest(day, 'jev.abstained', facts.stage, facts)
    },
    'jev.failed': (day, { facts }) => {
      stageOf(day, facts.stage, facts.mode).failed += 1
      named(day.failures, `${facts.stage} ${facts.category}`, () => ({ entries: 0 })).entries += 1
      return countRequest(day, 'jev.failed', facts.stage, facts)
    },
    'jev.settled': (day, { facts: { fate, why, applied } }) => {
      const counts = named(day.fates, why === undefined ? fate : `${fate} ${why}`, () => ({ proposals: 0, applied: 0 }))
      counts.proposals += 1
      if (applied) counts.applied += 1
      return day
    },
    'verification.observed': (day, { facts: { runner, success } }) => {
      const counts = named(day.checks, runner, () => ({ passed: 0, failed: 0, unknown: 0 }))
      counts[success === null ? 'unknown' : success ? 'passed' : 'failed'] += 1
      return day
    },
    'verification.proposed': (day, { facts }) => {
      countProposal(day, 'completion', facts)
      if (!facts.applied) named(day.unapplied, 'completion shadow', () => ({ proposals: 0 })).proposals += 1
      countAnswers(day, 'completion', completionSignals(facts.judged), facts.complete)
      nudgesOf(day, nudgeKey(facts)).nudges += 1
      return countRequest(day, 'verification.proposed', 'completion', facts)
    },
    // Told by the stories that go on from day to day.
    'approval.requested': (day) => day,
    'approval.answered': (day) => day,
  },
}

const spoken: ReadonlySet<string> = new Set(Object.keys(jev.on))

const named = namedCounts

function stageOf(day: JevDay, stage: string, mode: string): StageCounts {
  return named(day.stages, `${stage} ${mode}`, () => ({
    ...{ classified: 0, predicted: 0, applied: 0, abstained: 0, failed: 0, incomplete: 0 },
  }))
}

function countInput(day: JevDay, stage: string, { mode, complete }: { readonly mode: string; readonly complete: boolean }): void {
  if (!complete) stageOf(day, stage, mode).incomplete += 1
}

function countProposal(day: JevDay, stage: string, facts: Pick<Proposed | Nudged, 'mode' | 'complete' | 'applied'>): void {
  const counts = stageOf(day, stage, facts.mode)
  counts.predicted += 1
  if (facts.applied) counts.applied += 1
  countInput(day, stage, facts)
}

function countAnswers(day: JevDay, stage: string, signals: AskedSignals, complete: boolean): void {
  for (const { name, value, asks } of signals) {
    const initial = (): JevAnswerCounts => ({ answers: 0, beyond: 0, incomplete: 0, tenths: {} })
    const counts = named(day.answers, `${stage} ${name}`, initial)
    if (!complete) {
      counts.incomplete += 1
      continue
    }
    counts.answers += 1
    if (asks) counts.beyond += 1
    const tenth = tenthOf(value)
    counts.tenths[tenth] = (counts.tenths[tenth] ?? 0) + 1
  }
}

type Asked = Pick<Abstained, 'asked' | 'answered' | 'latency' | 'tokens'>

/** What a request took, with the one entry that tells of it. */
function countRequest(day: JevDay, type: EventType, stage: string, facts: Asked): JevDay {
  if (jevRequestsOf(type, facts) === 0) return day
  const { asked = '', answered, latency, tokens } = facts
  day.requests += 1
  const ended = answered === undefined ? 'failed' : 'answered'
  if (latency !== undefined) addLatency(named(day.latency, `${stage} ${ended}`, noJevLatency), latency)
  if (answered !== undefined) named(day.models, `${asked} ${answered}`, () => ({ answers: 0 })).answers += 1
  if (tokens === undefined) return day
  const counts = named(day.tokens, stage, () => ({ answers: 0, input: 0, output: 0 }))
  counts.answers += 1
  counts.input += tokens.input
  counts.output += tokens.output
  return day
}

function nudgesOf(day: JevDay, key: string): NudgeCounts {
  return named(day.nudges, key, () => ({ nudges: 0, failed: 0, passed: 0 }))
}

function countTold(day: JevDay, told: Told): void {
  if (told.what === 'model') {
    day.changes.push(told.change)
    if (day.changes.length > changesOfDayMax) day.changes.shift()
    return
  }
  list(day, told.story)
  if (told.what === 'checked') nudgesOf(day, told.key)[told.passed ? 'passed' : 'failed'] += 1
  if (told.what !== 'prompt') return
  for (const signal of told.signals) {
    const counts = named<PromptCounts>(day.prompts, signal, () => ({ prompts: 0, approved: 0, denied: 0, model: 0, nobody: 0 }))
    if (told.outcome === undefined) counts.prompts += 1
    else counts[told.outcome] += 1
  }
}

/** A story stands once: as it was told last. */
function list(day: JevDay, story: JevStory): void {
  const at = day.listed.findIndex(({ index }) => index === story.index)
  if (at >= 0) day.listed[at] = story
  else day.listed.push(story)
  if (day.listed.length > jevStoryMax) day.listed.shift()
}

/** The newest proposals of some days, each as the newest of them tells it, newest first. */
export function newestProposals(days: ReadonlyMap<string, JevDay>, limit: number): JevStory[] {
  const byIndex = new Map<number, JevStory>()
  for (const [, { listed }] of [...days].sort(([one], [other]) => (one < other ? -1 : 1)))
    for (const story of listed) byIndex.set(story.index, story)
  return [...byIndex.values()].sort((one, other) => other.index - one.index).slice(0, limit)
}
