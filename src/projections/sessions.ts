// Every session: what was counted in it, the turn it is in, and the calls that have not come back.
import type { Projection } from './projection.js'

export interface OpenCall {
  /** Index of the `tool.requested`. */
  readonly index: number
  readonly tool: string
  /** The host's id of the call; undefined where it named none, or its words are gone. */
  readonly call: string | undefined
  /** Keyed digest of the arguments that were asked for. */
  readonly argumentsDigest: string
}

export interface SessionView {
  readonly handle: string
  /** Index and time of its first entry. */
  readonly started: number
  readonly startedAt: string
  readonly lastAt: string
  readonly platform: string
  readonly ended: boolean
  readonly turns: number
  readonly messages: number
  readonly calls: number
  /** The host's id of the newest turn, by which later hooks of it are told; undefined where the words are gone. */
  readonly hostTurn: string | undefined
  readonly openCalls: readonly OpenCall[]
}

export type SessionsView = Map<string, SessionView>

/** Calls that never come back are forgotten after so many others. */
const openCallsMax = 64

export const sessions: Projection<SessionsView> = {
  name: 'sessions',
  version: 1,
  initial: () => new Map(),
  on: {
    'session.started': (view, { session, index, time, facts }) =>
      view.has(session) ? view : view.set(session, { ...begun(session, index, time), platform: facts.platform }),
    'session.ended': (view, entry) => withSession(view, entry, (seen) => ({ ...seen, ended: true })),
    'message.captured': (view, entry) =>
      withSession(view, entry, (seen) => ({
        ...seen,
        messages: seen.messages + 1,
        turns: Math.max(seen.turns, entry.facts.turn),
        hostTurn: entry.facts.turn > seen.turns ? entry.words?.turn : seen.hostTurn,
      })),
    'turn.ended': (view, entry) => withSession(view, entry, (seen) => seen),
    'tool.requested': (view, entry) =>
      withSession(view, entry, (seen) => {
        const { index, facts, words } = entry
        const open: OpenCall = { index, tool: facts.tool, call: words?.call, argumentsDigest: facts.arguments.digest }
        return { ...seen, calls: seen.calls + 1, openCalls: [...seen.openCalls, open].slice(-openCallsMax) }
      }),
    'tool.completed': (view, entry) =>
      withSession(view, entry, (seen) => ({
        ...seen,
        openCalls: seen.openCalls.filter(({ index }) => index !== entry.facts.requested),
      })),
  },
}

function begun(handle: string, started: number, startedAt: string): SessionView {
  const counts = { turns: 0, messages: 0, calls: 0 }
  return {
    handle,
    started,
    startedAt,
    lastAt: startedAt,
    platform: '',
    ended: false,
    ...counts,
    hostTurn: undefined,
    openCalls: [],
  }
}

function withSession(
  view: SessionsView,
  { session, index, time }: { session: string; index: number; time: string },
  change: (seen: SessionView) => SessionView,
): SessionsView {
  const seen = view.get(session) ?? begun(session, index, time)
  return view.set(session, change({ ...seen, lastAt: time }))
}
