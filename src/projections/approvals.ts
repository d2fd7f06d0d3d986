// Who was asked to approve what, and who answered: each call that a gate or the host wanted approved, from the question over the answer to
// what then happened, in the order of the entries. By day (UTC); what is still open goes on from day to day.
import { namedCounts } from './named-counts.js'
import type { FoldedEntry, KeptProjection } from './projection.js'

type Answered = FoldedEntry<'approval.answered'>['facts']

/** One question and what became of it. Members name entries by their index; null is what never came, or has not come yet. */
export interface ApprovalStory {
  /** The `tool.requested`, and its tool; null and empty where none is known. */
  call: number | null
  tool: string
  session: string
  /** Of the first entry of the story that was told. */
  time: string
  /** The `gate.decided` that wanted it asked, and held the host to it. */
  wanted: number | null
  request: { index: number; time: string; surface: string; asked: 'rule' | 'host' } | null
  answer: { index: number; answer: string; by: Answered['by']; waitedMs: number | null } | null
  /** The `tool.completed`, and what the host said of it. */
  outcome: { index: number; status: string } | null
}

export interface ApprovalsDay {
  requests: number
  /** Of the requests. */
  asked: { rule: number; host: number }
  surfaces: Record<string, { requests: number; answers: number }>
  answers: number
  /** In the host's words; and by who gave them. */
  answered: Record<string, { answers: number }>
  by: Record<Answered['by'], number>
  /** Answers that hold for more than this call, as the host's words have it. */
  lasting: number
  /** Answers to a request that nobody knows of. */
  unknownRequest: number
  /** Requests of which it is sure that no answer comes any more. */
  unanswered: number
  /** From request to answer, of those that have both. */
  waited: { answers: number; sumMs: number; maxMs: number }
  /** Calls that ran though no person and no model had said yes by then, and why. */
  ranWithout: Record<RanWithout, number>
  /** The newest of the day, oldest first. */
  listed: ApprovalStory[]
  probes: number
}

/** `unasked`: a gate wanted it asked and nobody was. `refused`: it ran against the answer. `early`: it came back before the answer. */
export type RanWithout = 'unasked' | 'refused' | 'early'

interface OpenStories {
  /** Calls that may yet be asked about or come back. */
  open: ApprovalStory[]
  /** What the newest entry has changed, for the day that it belongs to. */
  told: Told[]
}

type Told =
  | { readonly what: 'request' | 'story'; readonly story: ApprovalStory }
  | { readonly what: 'answer'; readonly story: ApprovalStory; readonly isKnown: boolean }
  | { readonly what: 'unanswered'; readonly story: ApprovalStory }
  | { readonly what: 'ran'; readonly why: RanWithout; readonly story: ApprovalStory }
  | { readonly what: 'probe' }

export const storiesOfDayMax = 100
/** Calls that are open for longer than so many others are let go of. */
const openMax = 128

const lastingAnswers: ReadonlySet<string> = new Set(['session', 'always'])
const granting: ReadonlySet<string> = new Set(['once', 'session', 'always', 'approve', 'allow', 'smart_approve'])

/** Whether an answer, in the host's words, is a yes. */
export function isGranting(answer: string): boolean {
  return granting.has(answer)
}

const neverRan: ReadonlySet<string> = new Set(['blocked', 'cancelled', ''])

export const approvals: KeptProjection<ApprovalsDay, OpenStories> = {
  name: 'approvals',
  version: 1,
  partOf: ({ time, type }) => (spoken.has(type) ? time.slice(0, 10) : undefined),
  initial: () => ({
    requests: 0,
    asked: { rule: 0, host: 0 },
    surfaces: {},
    answers: 0,
    answered: {},
    by: { person: 0, model: 0, nobody: 0, unknown: 0 },
    lasting: 0,
    unknownRequest: 0,
    unanswered: 0,
    waited: { answers: 0, sumMs: 0, maxMs: 0 },
    ranWithout: { unasked: 0, refused: 0, early: 0 },
    listed: [],
    probes: 0,
  }),
  carried: {
    name: 'approvals',
    version: 1,
    initial: () => ({ open: [], told: [] }),
    each: (carried) => {
      if (carried.told.length > 0) carried.told = []
      return carried
    },
    on: {
      'tool.requested': (carried, { index, session, time, facts }) =>
        facts.probe === true ? carried : begin(carried, { ...noStory(), call: index, tool: facts.tool, session, time }),
      'gate.decided': (carried, { index, session, facts }) => {
        if (facts.probe === true || facts.verdict !== 'ask' || !facts.enforced) return carried
        // Decisions stand right behind their call.
        const story = carried.open.findLast((one) => one.session === session && (one.call ?? Infinity) <= facts.judges)
        if (story !== undefined) tell(carried, { what: 'story', story: Object.assign(story, { wanted: story.wanted ?? index }) })
        return carried
      },
      'approval.requested': (carried, entry) => request(carried, entry),
      'approval.answered': (carried, entry) => answer(carried, entry),
      'tool.completed': (carried, entry) => complete(carried, entry),
      'session.ended': (carried, { session }) => {
        for (const story of carried.open.filter((one) => one.session === session)) letGo(carried, story)
        return carried
      },
    },
  },
  each: (day, { type }, { told }) => {
    if (spoken.has(type)) for (const one of told) count(day, one)
    return day
  },
  on: {},
}

const spoken: ReadonlySet<string> = new Set(Object.keys(approvals.carried?.on ?? {}))

function noStory(): ApprovalStory {
  return { call: null, tool: '', session: '', time: '', wanted: null, request: null, answer: null, outcome: null }
}

function begin(carried: OpenStories, story: ApprovalStory): OpenStories {
  carried.open.push(story)
  if (carried.open.length > openMax) letGo(carried, carried.open[0] as ApprovalStory)
  return carried
}

/** A copy: what comes later is told anew, and changes no day that has been told. */
function tell(carried: OpenStories, told: Told): void {
  carried.told.push('story' in told ? { ...told, story: copyOf(told.story) } : told)
}

function copyOf(story: ApprovalStory): ApprovalStory {
  const { request, answer, outcome } = story
  return {
    ...story,
    request: request === null ? null : { ...request },
    answer: answer === null ? null : { ...answer },
    outcome: outcome === null ? null : { ...outcome },
  }
}

function letGo(carried: OpenStories, story: ApprovalStory): void {
  carried.open.splice(carried.open.indexOf(story), 1)
  if (story.request !== null && story.answer === null) tell(carried, { what: 'unanswered', story })
}

function request(carried: OpenStories, { index, time, session, facts }: FoldedEntry<'approval.requested'>): OpenStories {
  if (facts.probe === true) return probe(carried)
  const { call, surface, asked } = facts
  const known = call === null ? undefined : carried.open.find((one) => one.call === call && one.request === null)
  const story: ApprovalStory = known ?? { ...noStory(), call, session, time, tool: toolOf(carried, call) }
  story.request = { index, time, surface, asked }
  if (known === undefined) begin(carried, story)
  tell(carried, { what: 'request', story })
  return carried
}

function toolOf({ open }: OpenStories, call: number | null): string {
  return call === null ? '' : (open.find((one) => one.call === call)?.tool ?? '')
}

function answer(carried: OpenStories, { index, time, session, facts }: FoldedEntry<'approval.answered'>): OpenStories {
  if (facts.probe === true) return probe(carried)
  const { request: of, call } = facts
  const known = of === null ? undefined : carried.open.find((one) => one.request?.index === of && one.answer === null)
  const story = known ?? { ...noStory(), call, session, time, tool: toolOf(carried, call) }
  const waited = story.request === null ? Number.NaN : Date.parse(time) - Date.parse(story.request.time)
  // By the clock, which may have been set back meanwhile.
  const waitedMs = waited >= 0 ? waited : null
  story.answer = { index, answer: facts.answer, by: facts.by, waitedMs }
  tell(carried, { what: 'answer', story, isKnown: known !== undefined })
  if (story.outcome !== null || story.call === null) {
    if (known !== undefined) carried.open.splice(carried.open.indexOf(known), 1)
  }
  return carried
}

function complete(carried: OpenStories, { index, facts }: FoldedEntry<'tool.completed'>): OpenStories {
  const { requested, status } = facts
  if (requested === null) return carried
  for (const story of carried.open.filter((one) => one.call === requested)) {
    story.outcome = { index, status }
    const isOpen = story.request !== null && story.answer === null
    if (!isOpen) carried.open.splice(carried.open.indexOf(story), 1)
    if (story.wanted === null && story.request === null) continue
    tell(carried, { what: 'story', story })
    const why = ranWithout(story)
    if (why !== undefined) tell(carried, { what: 'ran', why, story })
  }
  return carried
}

/** Why a call that ran should not have by then; undefined for one that was answered with a yes, or did not run. */
export function ranWithout({ wanted, request: asked, answer: given, outcome }: ApprovalStory): RanWithout | undefined {
  if (outcome === null || neverRan.has(outcome.status)) return undefined
  if (asked === null) return wanted === null ? undefined : 'unasked'
  if (given === null || given.index > outcome.index) return 'early'
  return isGranting(given.answer) ? undefined : 'refused'
}

function probe(carried: OpenStories): OpenStories {
  carried.told.push({ what: 'probe' })
  return carried
}

function count(day: ApprovalsDay, told: Told): void {
  if (told.what === 'probe') {
    day.probes += 1
    return
  }
  const { story } = told
  list(day, story)
  if (told.what === 'request' && story.request !== null) {
    day.requests += 1
    day.asked[story.request.asked] += 1
    surfaceOf(day, story).requests += 1
  }
  if (told.what === 'answer') countAnswer(day, told)
  if (told.what === 'unanswered') day.unanswered += 1
  if (told.what === 'ran') day.ranWithout[told.why] += 1
}

function countAnswer(day: ApprovalsDay, { story, isKnown }: Extract<Told, { readonly what: 'answer' }>): void {
  const given = story.answer
  if (given === null) return
  day.answers += 1
  surfaceOf(day, story).answers += 1
  day.by[given.by] += 1
  namedCounts(day.answered, given.answer, () => ({ answers: 0 })).answers += 1
  if (lastingAnswers.has(given.answer)) day.lasting += 1
  if (!isKnown) day.unknownRequest += 1
  if (given.waitedMs === null) return
  day.waited.answers += 1
  day.waited.sumMs += given.waitedMs
  day.waited.maxMs = Math.max(day.waited.maxMs, given.waitedMs)
}

/** An answer to a request that nobody knows of names no surface. */
function surfaceOf(day: ApprovalsDay, { request: asked }: ApprovalStory): ApprovalsDay['surfaces'][string] {
  return namedCounts(day.surfaces, asked?.surface ?? '', () => ({ requests: 0, answers: 0 }))
}

/** A story stands once: as it was told last. */
function list(day: ApprovalsDay, story: ApprovalStory): void {
  const key = keyOf(story)
  const at = day.listed.findIndex((one) => keyOf(one) === key)
  if (at >= 0) day.listed.splice(at, 1)
  day.listed.push(story)
  if (day.listed.length > storiesOfDayMax) day.listed.shift()
}

/** The first entry that is its own: a call may be asked about more than once. */
function keyOf({ request: asked, wanted, answer: given }: ApprovalStory): number {
  return wanted ?? asked?.index ?? given?.index ?? -1
}

/** The newest stories of some days, each as the newest of them tells it, newest first. */
export function newestStories(days: ReadonlyMap<string, ApprovalsDay>, limit: number): ApprovalStory[] {
  const byKey = new Map<number, ApprovalStory>()
  for (const [, { listed }] of [...days].sort(([one], [other]) => (one < other ? -1 : 1)))
    for (const story of listed) byKey.set(keyOf(story), story)
  return [...byKey.values()].sort((one, other) => lastOf(other) - lastOf(one)).slice(0, limit)
}

function lastOf({ wanted, request: asked, answer: given, outcome }: ApprovalStory): number {
  return Math.max(wanted ?? 0, asked?.index ?? 0, given?.index ?? 0, outcome?.index ?? 0)
}
