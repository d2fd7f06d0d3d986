// What hooks and gates need to know of one session: who speaks for it, the turn it is in, and the calls that have not come back.
// Made anew from the newest entries of the session alone, so nothing here may need more than those.
import type { FoldedEntry, Projection } from './projection.js'

export interface OpenCall {
  /** Index of the `tool.requested`. */
  readonly index: number
  readonly tool: string
  /** The host's id of the call; undefined where it named none, or its words are gone. */
  readonly call: string | undefined
  /** Keyed digest of the arguments that were asked for. */
  readonly argumentsDigest: string
  /** What it would write, where it is a memory or skill call that was worked out. */
  readonly write?: OpenWrite
  /** Indices of the entries behind it that gates judge. */
  readonly judged: readonly number[]
  /** Index of the decision by which the host was to refuse it. */
  readonly denied?: number
}

/** Of the `write.proposed` of a call that has not come back: what its files are to be held against. */
export interface OpenWrite {
  readonly index: number
  readonly time: string
  readonly target: FoldedEntry<'write.proposed'>['facts']['target']
  readonly files: readonly OpenFile[]
  /** False where the call may change more than its files: it takes away, cannot be read, or goes a way that is not followed. */
  readonly isWhole: boolean
}

export interface OpenFile {
  /** Undefined where the words that say it are gone, or it was too long to keep. */
  readonly place: string | undefined
  readonly before: string | null
  readonly after: string | null
  readonly foretold: boolean
  /** Another write that may touch it was asked for while this one was open. */
  readonly disturbed: boolean
}

/** What somebody was asked to approve and has not answered. */
export interface OpenApproval {
  /** Index of the `approval.requested`. */
  readonly index: number
  /** The host's id of the call; empty where it named none. */
  readonly call: string
  /** The keys under which it was asked, a line each. */
  readonly keys: string
}

export interface SessionContext {
  /** Whether any entry of it is there. */
  readonly begun: boolean
  /** Index of the first `host.attached` of the process that speaks for it; undefined while none has. */
  readonly owner: number | undefined
  /** Number of the newest turn. */
  readonly turns: number
  /** The host's id of the newest turn, by which later hooks of it are told; undefined where it is not known. */
  readonly hostTurn: string | undefined
  /** Whether it is known which session it goes on from. */
  readonly linked: boolean
  readonly openCalls: readonly OpenCall[]
  readonly openApprovals: readonly OpenApproval[]
}

/** Calls that never come back are forgotten after so many others. */
const openCallsMax = 64
const openApprovalsMax = 32

/** A call that is open for longer is taken never to come back: what is written next is not blamed on it. */
const underWayMs = 10 * 60 * 1000

/** So many entries of a session are enough to know what stands here. */
export const entriesForContext = 512

export const sessionContext: Projection<SessionContext> = {
  name: 'session-context',
  version: 2,
  initial: () => ({
    begun: false,
    owner: undefined,
    turns: 0,
    hostTurn: undefined,
    linked: false,
    openCalls: [],
    openApprovals: [],
  }),
  on: {
    'session.started': (seen, entry) => spoken(seen, entry),
    // A child is linked by who sent it out, before it has begun.
    'session.linked': (seen, { facts }) => ({ ...seen, linked: true, owner: facts.attach ?? seen.owner }),
    'session.ended': (seen, entry) => spoken(seen, entry),
    // Told of somebody who was kept out: whose session it is stands there, however many such entries came last.
    'hook.foreign': (seen, { facts }) => (facts.why === 'bad_mac' ? seen : { ...seen, begun: true, owner: facts.attach }),
    'message.captured': (seen, entry) => withTurn(spoken(seen, entry), entry.facts.turn, entry.words?.turn),
    'message.skipped': (seen, entry) => withTurn(spoken(seen, entry), entry.facts.turn, undefined),
    'turn.ended': (seen, entry) => inTurn(spoken(seen, entry), entry.facts.turn),
    'tool.requested': (seen, entry) => {
      const { index, facts, words } = entry
      const open: OpenCall = { index, tool: facts.tool, call: words?.call, argumentsDigest: facts.arguments.digest, judged: [] }
      return inTurn({ ...spoken(seen, entry), openCalls: [...seen.openCalls, open].slice(-openCallsMax) }, facts.turn)
    },
    'access.proposed': (seen, { index, facts }) => withJudged(seen, facts.call, index),
    'write.proposed': (seen, entry) => withJudged(withWrite(seen, entry), entry.facts.call, entry.index),
    'gate.decided': (seen, { index, facts: { judges, verdict, enforced } }) =>
      verdict === 'deny' && enforced ? withCall(seen, (open) => open.judged.includes(judges), { denied: index }) : seen,
    'tool.completed': (seen, entry) => ({
      ...inTurn(spoken(seen, entry), entry.facts.turn),
      openCalls: seen.openCalls.filter(({ index }) => index !== entry.facts.requested),
    }),
    'approval.requested': (seen, entry) => {
      const { index, words } = entry
      const open: OpenApproval = { index, call: words?.call ?? '', keys: words?.keys?.join('\n') ?? '' }
      return { ...spoken(seen, entry), openApprovals: [...seen.openApprovals, open].slice(-openApprovalsMax) }
    },
    'approval.answered': (seen, entry) => ({
      ...spoken(seen, entry),
      openApprovals: seen.openApprovals.filter(({ index }) => index !== entry.facts.request),
    }),
    'subagent.started': (seen, entry) => spoken(seen, entry),
    'subagent.stopped': (seen, entry) => spoken(seen, entry),
  },
}

/** Whoever vouched for the newest entry speaks for the session: the hook path lets nobody else through while that process lives. */
function spoken(
  seen: SessionContext,
  { facts }: Pick<FoldedEntry<'session.ended'>, 'facts'> | { facts: { attach?: number | undefined } },
): SessionContext {
  return { ...seen, begun: true, owner: facts.attach ?? seen.owner }
}

function withTurn(seen: SessionContext, turn: number, hostTurn: string | undefined): SessionContext {
  return turn > seen.turns ? { ...seen, turns: turn, hostTurn } : seen
}

/** A session of which only the end was read has begun its turns before. */
function inTurn(seen: SessionContext, turn: number): SessionContext {
  return turn > seen.turns ? { ...seen, turns: turn, hostTurn: undefined } : seen
}

function withJudged(seen: SessionContext, call: number, index: number): SessionContext {
  const judged = seen.openCalls.find((open) => open.index === call)?.judged ?? []
  return withCall(seen, (open) => open.index === call, { judged: [...judged, index] })
}

function withCall(seen: SessionContext, isMeant: (open: OpenCall) => boolean, change: Partial<OpenCall>): SessionContext {
  return { ...seen, openCalls: seen.openCalls.map((open) => (isMeant(open) ? { ...open, ...change } : open)) }
}

/** What is open at the same time and may touch the same file disturbs it, whichever of the two was asked for first. */
function withWrite(seen: SessionContext, entry: FoldedEntry<'write.proposed'>): SessionContext {
  const own = seen.openCalls.find(({ index }) => index === entry.facts.call)
  if (own === undefined) return seen
  const asked: OpenCall = { ...own, write: openWrite(entry) }
  const openCalls = seen.openCalls.map((open) =>
    open === own ? seen.openCalls.filter((other) => other !== own).reduce(disturbedBy, asked) : disturbedBy(open, asked),
  )
  return { ...seen, openCalls }
}

function openWrite({ index, time, facts: { target, readable, files }, words }: FoldedEntry<'write.proposed'>): OpenWrite {
  const placeOf = (at: number): string | undefined => {
    const place: unknown = words?.places?.[at]
    return typeof place === 'string' && place !== '' ? place : undefined
  }
  return {
    ...{ index, time, target },
    files: files.map((file, at) => ({ ...file, place: placeOf(at), disturbed: false })),
    isWhole: readable && files.length > 0 && files.every(({ foretold }) => foretold),
  }
}

function disturbedBy(call: OpenCall, other: OpenCall): OpenCall {
  const { write } = call
  const by = other.write
  if (write === undefined || by === undefined || call.tool !== other.tool || !mayMeet(write, by)) return call
  return {
    ...call,
    write: { ...write, files: write.files.map((file) => (mayTouch(by, file) ? { ...file, disturbed: true } : file)) },
  }
}

function mayMeet(one: OpenWrite, other: OpenWrite): boolean {
  const areOfOneTarget = one.target === other.target || one.target === 'unknown' || other.target === 'unknown'
  return areOfOneTarget && Math.abs(Date.parse(one.time) - Date.parse(other.time)) < underWayMs
}

function mayTouch({ isWhole, files }: OpenWrite, { place }: OpenFile): boolean {
  return !isWhole || files.some((file) => file.place === undefined || file.place === place)
}

/** Words were forgotten: where files lie is known no more, and they are held against nothing. */
export function withoutPlaces(seen: SessionContext): SessionContext {
  const openCalls = seen.openCalls.map((open): OpenCall => {
    if (open.write === undefined) return open
    const files = open.write.files.map((file): OpenFile => ({ ...file, place: undefined }))
    return { ...open, write: { ...open.write, files } }
  })
  return { ...seen, openCalls }
}
