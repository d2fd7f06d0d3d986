// Every call of a tool with what it would have reached, what was decided, what a person said and what came of it. Read from the ledger when
// somebody asks and never kept: paths and commands are words.
import type { CommandPart, Touch } from '../gates/capability/access.js'
import { accessOfWords } from '../gates/capability/access-words.js'
import { blockedStatus, capabilityGateName } from './grants.js'
import { bringsOutsideText, isOutsideTool } from './outside-text.js'
import type { Projection } from './projection.js'

export interface UsedCall {
  /** Of its `tool.requested`. */
  readonly index: number
  readonly time: string
  readonly session: string
  readonly turn: number
  readonly tool: string
  readonly cwd: string | undefined
  /** It came behind a call of the same turn that brought text from outside. */
  readonly afterOutside: boolean
  /** Empty where the host named none; undefined where the call was never worked out. */
  skill: string | undefined
  /** Undefined where the call was never worked out, or the words of that are forgotten. */
  access: { readonly touches: readonly Touch[]; readonly commands: readonly CommandPart[] } | undefined
  /** Paths and commands that it would have reached, also where their words are forgotten. */
  reaches: number
  /** Why nobody can say what it would have reached. */
  unread: string | undefined
  decision: { readonly verdict: 'allow' | 'deny' | 'ask'; readonly code: string; readonly enforced: boolean } | undefined
  /** A person was asked and said no. */
  deniedByHand: boolean
  /** The host says that it was refused. */
  cameBackRefused: boolean
}

export interface UsedCalls {
  readonly calls: Map<number, UsedCall>
  /** Which call an `access.proposed`, its `gate.decided`, and an `approval.requested` is about. */
  readonly callOf: Map<number, number>
  /** The turn of each session in which text from outside came last. */
  readonly outsideTurn: Map<string, number>
  /** The words of the policy that came into force last, undefined where they are forgotten; null where none did. */
  policy: { readonly text: string | undefined } | null
}

export const usedCalls: Projection<UsedCalls> = {
  name: 'used-calls',
  version: 1,
  initial: () => ({ calls: new Map(), callOf: new Map(), outsideTurn: new Map(), policy: null }),
  on: {
    'tool.requested': (view, { index, time, session, facts: { turn, tool, probe }, words }) => {
      if (probe === true) return view
      const afterOutside = view.outsideTurn.get(session) === turn
      view.calls.set(index, {
        ...{ index, time, session, turn, tool, cwd: words?.cwd, afterOutside, skill: undefined, access: undefined },
        ...{ reaches: 0, unread: undefined, decision: undefined, deniedByHand: false, cameBackRefused: false },
      })
      if (isOutsideTool(tool)) view.outsideTurn.set(session, turn)
      return view
    },
    'access.proposed': (view, { index, facts: { call, skill, unread, touches, commands }, words }) => {
      const of = view.calls.get(call)
      if (of === undefined) return view
      view.callOf.set(index, call)
      of.skill = skill
      of.unread = unread
      of.reaches = touches + commands
      of.access = words === undefined ? undefined : accessOfWords(words)
      if (of.access !== undefined && bringsOutsideText({ ...of.access, tool: of.tool, cwd: of.cwd }))
        view.outsideTurn.set(of.session, of.turn)
      return view
    },
    'gate.decided': (view, { index, facts: { gate, judges, verdict, code, enforced, skill } }) => {
      if (gate !== capabilityGateName) return view
      const of = view.calls.get(view.callOf.get(judges) ?? judges)
      if (of === undefined) return view
      view.callOf.set(index, of.index)
      of.decision = { verdict, code, enforced }
      of.skill ??= skill
      return view
    },
    'approval.requested': (view, { index, facts: { call } }) => {
      if (call !== null) view.callOf.set(index, call)
      return view
    },
    'approval.answered': (view, { facts: { request, answer } }) => {
      const of = request === null ? undefined : view.calls.get(view.callOf.get(request) ?? -1)
      if (of !== undefined && answer === 'deny') of.deniedByHand = true
      return view
    },
    'tool.completed': (view, { facts: { requested, status } }) => {
      const of = requested === null ? undefined : view.calls.get(requested)
      if (of !== undefined && status === blockedStatus) of.cameBackRefused = true
      return view
    },
    'policy.activated': (view, { words }) => {
      view.policy = { text: words?.policy }
      return view
    },
  },
}

/** What holds a call back that could otherwise be granted: `undefined` where it ran, or may have. */
export function notRun({ decision, deniedByHand, cameBackRefused }: UsedCall): 'by_hand' | 'refused' | undefined {
  if (deniedByHand) return 'by_hand'
  const isRefused = decision?.enforced === true && decision.verdict === 'deny'
  return isRefused || cameBackRefused ? 'refused' : undefined
}
