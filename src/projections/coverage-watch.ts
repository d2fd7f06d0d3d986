// Walks the whole ledger and finds what should be there and is not: calls that nobody judged or that never came back, turns and children of
// which our hooks heard nothing, times in which no service ran. It keeps little: what is open now. What it finds goes to the day that it
// was found on.

import { isOlderVersion } from './older-version.js'
import type { Carrying, FoldedEntry } from './projection.js'

/** What can be missing, or come in a way that it should not. */
export const holeKinds = [
  'unjudged',
  'unrequested',
  'ran_denied',
  'unfinished',
  'blind_turn',
  'blind_child',
  'unnamed_child',
  'inner_calls',
  'numbers',
  'rate',
  'killed',
  'silent',
  'untold',
  'stopped',
  'late',
  'foreign',
  'rejected',
  'older_plugin',
  'mismatch',
  'file_changed',
] as const

export type HoleKind = (typeof holeKinds)[number]

/** One thing that is missing, with the entries that show it. */
export interface Hole {
  readonly kind: HoleKind
  /** The entry by which it was found, and the one that it begins at, where that is another. */
  readonly index: number
  readonly begin: number | null
  readonly time: string
  /** When it began, where it is a time. */
  readonly from: string | null
  readonly session: string
  /** A tool, a surface, a version, a kind of mismatch. */
  readonly name: string
  /** Of calls, payloads, files. */
  readonly count: number
}

/** Calls between two judged ones that were seen and not judged: a time in which the gate was not there. */
export interface Stretch {
  readonly calls: number
  /** The last judged call before and the first one after; null where there is none. */
  readonly before: { readonly index: number; readonly time: string } | null
  readonly after: { readonly index: number; readonly time: string } | null
  readonly first: { readonly index: number; readonly time: string }
}

export type Told =
  | { readonly what: 'hole'; readonly hole: Hole }
  /** `surface` is empty where nobody said. */
  | { readonly what: 'call'; readonly how: 'judged' | 'unjudged' | 'off'; readonly surface: string }
  | { readonly what: 'turn'; readonly isBlind: boolean; readonly surface: string }
  | { readonly what: 'stretch'; readonly stretch: Stretch }
  | { readonly what: 'beat' | 'start' | 'probe' }

interface WatchedCall {
  readonly index: number
  readonly time: string
  readonly session: string
  readonly tool: string
}

interface NewestCall extends WatchedCall {
  /** Entries of its payload that gates judge. */
  readonly judgedIn: number[]
  isJudged: boolean
}

interface WatchedSession {
  surface: string
  /** The newest turn of which a message was heard, and the newest that ended. */
  heard: number
  ended: number
  /** Of the host's own reviews, which run beside the turns, those that have not ended. */
  reviews: number
}

export interface CoverageWatch {
  /** What the newest entry has shown. */
  told: Told[]
  /** Of the entry before the newest one, and of the newest. */
  before: { index: number; time: string } | null
  last: { index: number; time: string } | null
  /** The service that runs, or ran last; null before the first. */
  run: { tellsEnd: boolean; program: string; ended: { index: number; time: string; why: 'stopped' | 'idle' } | null } | null
  modes: { provenance: string; capability: string } | null
  /** The newest call, whose decisions stand right behind it. */
  newest: NewestCall | null
  open: (WatchedCall & { isDenied: boolean })[]
  /** By handle, in the order in which they began. */
  sessions: Record<string, WatchedSession>
  /** Children that were sent out and have not spoken. */
  children: (WatchedCall & { readonly child: string })[]
  lastJudged: { index: number; time: string } | null
  stretch: { calls: number; before: { index: number; time: string } | null; first: { index: number; time: string } } | null
}

const openMax = 128
const sessionsMax = 256
const childrenMax = 64

/** What says nothing for longer was not awake: the service says something each hour. */
const silentMs = 65 * 60 * 1000

/** Tools that call other tools over a channel of their own, where no hook fires. */
const scriptTools: ReadonlySet<string> = new Set(['execute_code'])
/** Tools whose calls the provenance gate judges. */
const writingTools: ReadonlySet<string> = new Set(['memory', 'skill_manage'])
/** Entries that stand between a call and its decisions. */
const ofCall: ReadonlySet<string> = new Set(['access.proposed', 'write.proposed', 'claim.judged', 'gate.decided'])
/** What the host says of a call that did not run. */
const neverRan: ReadonlySet<string> = new Set(['blocked', 'cancelled', ''])

interface HookFacts {
  readonly probe?: true | undefined
  readonly late?: true | undefined
}

export const coverageWatch: Carrying<CoverageWatch> = {
  name: 'coverage',
  version: 1,
  initial: () => ({
    told: [],
    before: null,
    last: null,
    run: null,
    modes: null,
    newest: null,
    open: [],
    sessions: {},
    children: [],
    lastJudged: null,
    stretch: null,
  }),
  each: (watch, { index, time, session, type }) => {
    if (watch.told.length > 0) watch.told = []
    watch.before = watch.last
    watch.last = { index, time }
    if (!ofCall.has(type)) settle(watch)
    if (type !== 'config.activated') listen(watch)
    // Our own hook links a child before it has spoken.
    if (type !== 'session.linked' && session !== '') takeOut(watch.children, ({ child }) => child === session)
    return watch
  },
  on: {
    'config.activated': (watch, { index, time, facts }) => {
      const { why, provenanceMode: provenance, capabilityMode: capability, program } = facts
      watch.modes = { provenance, capability }
      if (why === 'started') start(watch, { index, time }, program)
      else listen(watch)
      return watch
    },
    'service.continued': (watch) => told(watch, { what: 'beat' }),
    'service.ended': (watch, { index, time, facts }) => {
      if (watch.run !== null) watch.run.ended = { index, time, why: facts.why }
      return watch
    },
    'host.attached': (watch, { index, time, facts: { pluginVersion } }) =>
      watch.run !== null && isOlderVersion(pluginVersion, watch.run.program)
        ? hole(watch, { kind: 'older_plugin', index, time, name: pluginVersion })
        : watch,
    'session.started': (watch, entry) => {
      if (isProbe(watch, entry.facts)) return watch
      sessionOf(watch, entry.session).surface = entry.facts.platform
      return late(watch, entry)
    },
    'session.linked': (watch, entry) => late(watch, entry),
    'session.ended': (watch, entry) => {
      if (entry.facts.probe === true) return watch
      for (const call of watch.open.filter(({ session }) => session === entry.session)) neverBack(watch, call)
      watch.open = watch.open.filter(({ session }) => session !== entry.session)
      return late(watch, entry)
    },
    'message.captured': (watch, entry) => heard(watch, entry),
    'message.skipped': (watch, entry) => heard(watch, entry),
    'turn.ended': (watch, entry) => {
      const { index, time, session, facts } = entry
      if (isProbe(watch, facts)) return watch
      const of = sessionOf(watch, session)
      const isBlind = !isHeard(of, facts.turn)
      told(watch, { what: 'turn', isBlind, surface: of.surface })
      if (isBlind) hole(watch, { kind: 'blind_turn', index, time, session, name: of.surface })
      return late(watch, entry)
    },
    'tool.requested': (watch, entry) => {
      const { index, time, session, facts } = entry
      if (isProbe(watch, facts)) return watch
      const { tool } = facts
      watch.newest = { index, time, session, tool, judgedIn: [index], isJudged: false }
      watch.open.push({ index, time, session, tool, isDenied: false })
      if (watch.open.length > openMax) neverBack(watch, watch.open.shift())
      if (scriptTools.has(tool)) hole(watch, { kind: 'inner_calls', index, time, session, name: tool })
      return late(watch, entry)
    },
    'access.proposed': (watch, { index, facts }) => proposed(watch, index, facts.call),
    'write.proposed': (watch, { index, facts }) => proposed(watch, index, facts.call),
    'gate.decided': (watch, { facts }) => {
      const { newest } = watch
      if (newest === null || facts.probe === true || !newest.judgedIn.includes(facts.judges)) return watch
      newest.isJudged = true
      const open = watch.open.findLast(({ index }) => index === newest.index)
      if (open !== undefined && facts.verdict === 'deny' && facts.enforced) open.isDenied = true
      return watch
    },
    'tool.completed': (watch, entry) => {
      const { index, time, session, facts } = entry
      if (isProbe(watch, facts)) return watch
      const { requested, tool, status } = facts
      if (requested === null) {
        hole(watch, { kind: 'unrequested', index, time, session, name: tool })
        unjudged(watch, { index, time, session, tool })
        return late(watch, entry)
      }
      const open = takeOut(watch.open, (call) => call.index === requested)
      if (open?.isDenied === true && !neverRan.has(status))
        hole(watch, { kind: 'ran_denied', index, begin: requested, time, session, name: tool })
      return late(watch, entry)
    },
    'subagent.started': (watch, entry) => {
      const { index, time, session, facts } = entry
      if (isProbe(watch, facts)) return watch
      const { child, role } = facts
      if (child === null) hole(watch, { kind: 'unnamed_child', index, time, session, name: role })
      else watch.children.push({ index, time, session, tool: role, child })
      if (watch.children.length > childrenMax) blindChild(watch, watch.children.shift(), { index, time })
      return late(watch, entry)
    },
    'subagent.stopped': (watch, entry) => {
      const { index, time, facts } = entry
      if (isProbe(watch, facts)) return watch
      blindChild(
        watch,
        takeOut(watch.children, ({ child }) => child === facts.child),
        { index, time },
      )
      return late(watch, entry)
    },
    'approval.requested': (watch, entry) => late(watch, entry),
    'approval.answered': (watch, entry) => late(watch, entry),
    'hook.rejected': (watch, { index, time, facts }) =>
      isProbe(watch, facts) ? watch : hole(watch, { kind: 'rejected', index, time, name: facts.code }),
    'hook.foreign': (watch, { index, time, session, facts }) =>
      hole(watch, { kind: 'foreign', index, time, session, name: facts.why }),
    'gap.recorded': (watch, { index, time, facts }) =>
      hole(watch, { kind: facts.kind, index, begin: facts.attach ?? null, time, name: rangeName(facts), count: facts.count }),
    'mismatch.found': (watch, { index, time, session, facts }) =>
      hole(watch, { kind: 'mismatch', index, begin: facts.judged, time, session, name: facts.kind }),
    'file.noticed': (watch, { index, time, session, facts: { files } }) => {
      // Those that changed stand first.
      const changed = files.filter(({ before }) => before !== undefined)
      const [first] = changed
      if (first === undefined) return watch
      const name = changed.every(({ target }) => target === first.target) ? first.target : ''
      return hole(watch, { kind: 'file_changed', index, begin: first.since ?? null, time, session, name, count: changed.length })
    },
  },
}

function told(watch: CoverageWatch, one: Told): CoverageWatch {
  watch.told.push(one)
  return watch
}

function hole(watch: CoverageWatch, one: Pick<Hole, 'kind' | 'index' | 'time' | 'name'> & Partial<Hole>): CoverageWatch {
  return told(watch, { what: 'hole', hole: { begin: null, from: null, session: '', count: 1, ...one } })
}

function isProbe(watch: CoverageWatch, { probe }: HookFacts): boolean {
  if (probe === true) told(watch, { what: 'probe' })
  return probe === true
}

/** It waited in the spool: nobody heard its answer in time. */
function late(watch: CoverageWatch, { index, time, session, facts }: Late): CoverageWatch {
  if (facts.late !== true || facts.probe === true) return watch
  return hole(watch, { kind: 'late', index, time, from: facts.at ?? null, session, name: '' })
}

interface Late {
  readonly index: number
  readonly time: string
  readonly session: string
  readonly facts: HookFacts & { readonly at?: string | undefined }
}

function rangeName({ from, to }: FoldedEntry<'gap.recorded'>['facts']): string {
  if (from === undefined || to === undefined) return ''
  return from === to ? String(from) : `${from}-${to}`
}

/** Nothing more comes of the newest call's payload: now it is known whether it was judged. */
function settle(watch: CoverageWatch): void {
  const { newest } = watch
  if (newest === null) return
  watch.newest = null
  const { index, time, session, tool, isJudged } = newest
  const of = sessionOf(watch, session)
  if (isJudged) {
    told(watch, { what: 'call', how: 'judged', surface: of.surface })
    endStretch(watch, { index, time })
    watch.lastJudged = { index, time }
  } else if (isExpected(watch, tool)) {
    hole(watch, { kind: 'unjudged', index, time, session, name: tool })
    unjudged(watch, newest)
  } else told(watch, { what: 'call', how: 'off', surface: of.surface })
}

/** Where nobody said which gates are on, they are. */
function isExpected({ modes }: Pick<CoverageWatch, 'modes'>, tool: string): boolean {
  return modes === null || modes.capability !== 'off' || (modes.provenance !== 'off' && writingTools.has(tool))
}

function unjudged(watch: CoverageWatch, { index, time, session }: WatchedCall): void {
  told(watch, { what: 'call', how: 'unjudged', surface: sessionOf(watch, session).surface })
  watch.stretch ??= { calls: 0, before: watch.lastJudged, first: { index, time } }
  watch.stretch.calls += 1
}

function endStretch(watch: CoverageWatch, after: { index: number; time: string }): void {
  if (watch.stretch === null) return
  told(watch, { what: 'stretch', stretch: { ...watch.stretch, after } })
  watch.stretch = null
}

function proposed(watch: CoverageWatch, index: number, call: number): CoverageWatch {
  if (watch.newest?.index === call) watch.newest.judgedIn.push(index)
  return watch
}

function neverBack(watch: CoverageWatch, call: (WatchedCall & { readonly isDenied: boolean }) | undefined): void {
  const { last } = watch
  // A host need not say what became of a call that it was made to refuse.
  if (call === undefined || last === null || call.isDenied) return
  hole(watch, { kind: 'unfinished', ...last, begin: call.index, session: call.session, name: call.tool })
}

function blindChild(watch: CoverageWatch, of: WatchedCall | undefined, at: { index: number; time: string }): void {
  if (of !== undefined) hole(watch, { kind: 'blind_child', ...at, begin: of.index, session: of.session, name: of.tool })
}

function heard(watch: CoverageWatch, entry: Late & { readonly facts: { readonly turn: number } }): CoverageWatch {
  if (isProbe(watch, entry.facts)) return watch
  const of = sessionOf(watch, entry.session)
  if (entry.facts.turn === 0) of.reviews += 1
  else of.heard = entry.facts.turn
  return late(watch, entry)
}

/** Whether the turn that ends began with a message. Turns are counted by their messages, so one that had none has no number of its own. */
function isHeard(of: WatchedSession, turn: number): boolean {
  if (turn > of.ended && turn <= of.heard) {
    of.ended = turn
    return true
  }
  if (of.reviews === 0) return false
  of.reviews -= 1
  return true
}

/** The first of a list that is so, taken out of it. */
function takeOut<One>(list: One[], isSo: (one: One) => boolean): One | undefined {
  const at = list.findIndex(isSo)
  return at < 0 ? undefined : list.splice(at, 1)[0]
}

/** What was heard of a session, made where it is new. Of too many, the one that began first is forgotten. */
function sessionOf({ sessions }: CoverageWatch, handle: string): WatchedSession {
  const of = Object.hasOwn(sessions, handle) ? sessions[handle] : undefined
  if (of !== undefined) return of
  const fresh = { surface: '', heard: 0, ended: 0, reviews: 0 }
  sessions[handle] = fresh
  const handles = Object.keys(sessions)
  if (handles.length > sessionsMax) delete sessions[handles[0] as string]
  return fresh
}

/** While a service runs that says something each hour, a longer silence is one of the service's own. */
function listen(watch: CoverageWatch): void {
  const { before, last, run } = watch
  if (before === null || last === null || run === null || !run.tellsEnd || run.ended !== null) return
  // Within one hour of the clock, as nearly all are, nothing need be reckoned.
  if (last.time.slice(0, 13) === before.time.slice(0, 13)) return
  if (Date.parse(last.time) - Date.parse(before.time) <= silentMs) return
  hole(watch, { kind: 'silent', ...last, begin: before.index, from: before.time, name: '' })
}

function start(watch: CoverageWatch, at: { index: number; time: string }, program: string | undefined): void {
  const { run, before } = watch
  const since = run?.ended ?? before
  // Before the first service there was none to miss.
  if (run !== null && since !== null) {
    const kind = run.ended !== null ? 'stopped' : run.tellsEnd ? 'killed' : 'untold'
    hole(watch, { kind, ...at, begin: since.index, from: since.time, name: run.ended?.why ?? '' })
  }
  watch.run = { tellsEnd: program !== undefined, program: program ?? '', ended: null }
  told(watch, { what: 'start' })
}

/** Of the newest call as it stands now, where nothing has come behind it: undefined where that is known already. */
export function unsettledCall(watch: CoverageWatch): { readonly hole: Hole | undefined; readonly isJudged: boolean } | undefined {
  const { newest } = watch
  if (newest === null) return undefined
  const { index, time, session, tool, isJudged } = newest
  const isHole = !isJudged && isExpected(watch, tool)
  const missing: Hole = { kind: 'unjudged', index, begin: null, time, from: null, session, name: tool, count: 1 }
  return { isJudged, hole: isHole ? missing : undefined }
}
