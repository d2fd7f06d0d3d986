// What goes on from entry to entry of the Jev stage: proposals whose call may yet be asked about, requests for one more pass behind which a check
// may yet run, and which model answered last. Bounded: what is open for longer than so many others is let go of.
import type { Facts } from '../events/event-catalog.js'
import { isGranting } from './approvals.js'
import { nudgeKey, triggerKey } from './jev-answers.js'
import type { Carrying, FoldedEntry } from './projection.js'

/** One proposal and what became of it. Null is what never came, or has not come yet. */
export interface JevStory {
  /** Of the entry that proposes. */
  readonly index: number
  readonly time: string
  readonly session: string
  readonly stage: Facts<'jev.proposed'>['stage']
  readonly mode: 'shadow' | 'enforce'
  /** `continue` asks the agent for one more pass. */
  readonly proposal: Facts<'jev.proposed'>['proposal'] | 'continue'
  readonly applied: boolean
  /** Why not; empty where it was, or where nothing says. */
  readonly why: string
  readonly tool: string
  readonly triggers: readonly string[]
  /** The `tool.requested` that it was held against. */
  call: number | null
  settled: { readonly index: number; readonly fate: Facts<'jev.settled'>['fate']; readonly applied: boolean } | null
  answer: { readonly index: number; readonly outcome: PromptOutcome } | null
  /** The first check behind it whose end is known. */
  check: { readonly index: number; readonly passed: boolean } | null
}

/** Another model answered than the one before. */
export interface ModelChange {
  readonly index: number
  readonly time: string
  readonly asked: string
  readonly from: string
  readonly to: string
}

/** `model`: a model answered in a person's place, whatever it said. */
export type PromptOutcome = 'approved' | 'denied' | 'model' | 'nobody'

export type Told =
  | { readonly what: 'story'; readonly story: JevStory }
  /** `outcome` is undefined where somebody was asked, and nobody has answered yet. */
  | {
      readonly what: 'prompt'
      readonly story: JevStory
      readonly signals: readonly string[]
      readonly outcome: PromptOutcome | undefined
    }
  | { readonly what: 'checked'; readonly story: JevStory; readonly key: string; readonly passed: boolean }
  | { readonly what: 'model'; readonly change: ModelChange }

export interface OpenStories {
  proposals: OpenProposal[]
  nudges: OpenNudge[]
  /** The model that answered last. */
  model: string | null
  /** What the newest entry has changed, for the day that it belongs to. */
  told: Told[]
}

interface OpenProposal {
  story: JevStory
  /** Of the arguments that were assessed: by it the call is known, also of a proposal that only watches. Empty where they have none. */
  digest: string
  signals: string[]
  /** The `approval.requested`. */
  request: number | null
}

interface OpenNudge {
  story: JevStory
  key: string
}

/** So many proposals of a day are listed. */
export const jevStoryMax = 100
const openMax = 64

export const jevStories: Carrying<OpenStories> = {
  name: 'jev',
  version: 1,
  initial: () => ({ proposals: [], nudges: [], model: null, told: [] }),
  each: (carried) => {
    if (carried.told.length > 0) carried.told = []
    return carried
  },
  on: {
    'jev.classified': (carried, entry) => answered(carried, entry, entry.facts),
    'jev.abstained': (carried, entry) => answered(carried, entry, entry.facts),
    'jev.proposed': (carried, entry) => propose(answered(carried, entry, entry.facts), entry),
    'verification.proposed': (carried, entry) => nudge(answered(carried, entry, entry.facts), entry),
    'tool.requested': (carried, entry) => findCall(carried, entry),
    'jev.settled': (carried, entry) => settle(carried, entry),
    'approval.requested': (carried, { index, facts: { call, probe } }) => {
      const asked = probe === true || call === null ? undefined : carried.proposals.find(({ story }) => story.call === call)
      if (asked === undefined || asked.request !== null) return carried
      asked.request = index
      return tell(carried, { what: 'prompt', story: asked.story, signals: asked.signals, outcome: undefined })
    },
    'approval.answered': (carried, entry) => answerPrompt(carried, entry),
    // A prompt that is still open may be answered behind the call.
    'tool.completed': (carried, { facts: { requested } }) =>
      requested === null ? carried : letGo(carried, ({ story, request }) => request === null && story.call === requested),
    'verification.observed': (carried, entry) => check(carried, entry),
    'message.captured': (carried, { session }) => endNudges(carried, session),
    'message.skipped': (carried, { session }) => endNudges(carried, session),
    'session.ended': (carried, { session }) =>
      endNudges(
        letGo(carried, ({ story }) => story.session === session),
        session,
      ),
  },
}

/** A copy: what comes later is told anew, and changes no day that has been told. */
function tell(carried: OpenStories, told: Told): OpenStories {
  carried.told.push('story' in told ? { ...told, story: { ...told.story } } : told)
  return carried
}

interface Answer {
  readonly asked?: string | undefined
  readonly answered?: string | undefined
}

function answered(carried: OpenStories, { index, time }: { index: number; time: string }, { asked = '', answered: to }: Answer) {
  if (to === undefined || to === carried.model) return carried
  const from = carried.model
  carried.model = to
  return from === null ? carried : tell(carried, { what: 'model', change: { index, time, asked, from, to } })
}

function propose(carried: OpenStories, { index, time, session, facts }: FoldedEntry<'jev.proposed'>): OpenStories {
  const { stage, mode, proposal, applied, why = '', tool = '', triggers, risk, complete } = facts
  const story: JevStory = {
    ...{ index, time, session, stage, mode, proposal, applied, why, tool, triggers },
    ...{ call: null, settled: null, answer: null, check: null },
  }
  // What leaves tools out of a request is about no call.
  if (stage === 'risk') {
    const signals = triggers.map((trigger) => triggerKey(trigger, risk, complete))
    carried.proposals.push({ story, digest: facts.arguments ?? '', signals, request: null })
    if (carried.proposals.length > openMax) carried.proposals.shift()
  }
  return tell(carried, { what: 'story', story })
}

function nudge(carried: OpenStories, { index, time, session, facts }: FoldedEntry<'verification.proposed'>): OpenStories {
  const { mode, applied } = facts
  const story: JevStory = {
    ...{ index, time, session, stage: 'completion', mode, proposal: 'continue', applied, why: applied ? '' : 'shadow' },
    ...{ tool: '', triggers: [], call: null, settled: null, answer: null, check: null },
  }
  carried.nudges.push({ story, key: nudgeKey(facts) })
  if (carried.nudges.length > openMax) carried.nudges.shift()
  return tell(carried, { what: 'story', story })
}

function settle(carried: OpenStories, { index, facts }: FoldedEntry<'jev.settled'>): OpenStories {
  const { proposal, about, fate, applied } = facts
  const open = carried.proposals.find(({ story }) => story.index === proposal)
  if (open === undefined) return carried
  open.story.settled = { index, fate, applied }
  open.story.call = about ?? open.story.call
  // No call came.
  if (about === undefined) letGo(carried, (one) => one === open)
  return tell(carried, { what: 'story', story: open.story })
}

/** A call that was assessed more than once before it ran is that of the newest proposal. */
function findCall(carried: OpenStories, { index, session, facts }: FoldedEntry<'tool.requested'>): OpenStories {
  const waiting = carried.proposals.filter(
    ({ story, digest }) =>
      story.call === null && story.session === session && story.tool === facts.tool && digest === facts.arguments.digest,
  )
  const newest = waiting.pop()
  if (newest === undefined) return carried
  newest.story.call = index
  return letGo(carried, (one) => waiting.includes(one))
}

function answerPrompt(carried: OpenStories, { index, facts }: FoldedEntry<'approval.answered'>): OpenStories {
  const { request, answer, by, probe } = facts
  const open = probe === true || request === null ? undefined : carried.proposals.find((one) => one.request === request)
  if (open === undefined) return carried
  const outcome = by === 'nobody' || by === 'model' ? by : isGranting(answer) ? 'approved' : 'denied'
  open.story.answer = { index, outcome }
  letGo(carried, (one) => one === open)
  return tell(carried, { what: 'prompt', story: open.story, signals: open.signals, outcome })
}

/** Each that is open in the session: a check counts for whatever asked for one before it. */
function check(carried: OpenStories, { index, session, facts: { success } }: FoldedEntry<'verification.observed'>): OpenStories {
  if (success === null) return carried
  for (const { story, key } of carried.nudges.filter((one) => one.story.session === session)) {
    story.check = { index, passed: success }
    tell(carried, { what: 'checked', story, key, passed: success })
  }
  return endNudges(carried, session)
}

function endNudges(carried: OpenStories, session: string): OpenStories {
  if (carried.nudges.some(({ story }) => story.session === session))
    carried.nudges = carried.nudges.filter(({ story }) => story.session !== session)
  return carried
}

function letGo(carried: OpenStories, isDone: (one: OpenProposal) => boolean): OpenStories {
  if (carried.proposals.some(isDone)) carried.proposals = carried.proposals.filter((one) => !isDone(one))
  return carried
}
