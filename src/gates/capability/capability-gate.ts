// The capability gate: what is not granted does not run. It judges what a call would reach, as its entry keeps it, by the policy in force. A
// question goes to a person only where one will really be asked; else it is a denial that says so.
import type { Facts } from '../../events/event-catalog.js'
import type { GateContext, GateDefinition, JudgedEntry, Verdict } from '../gate.js'
import type { ProposedAccess } from './access.js'
import { accessOfWords } from './access-words.js'
import { type Decision, decide } from './decide.js'

type Proposed = JudgedEntry<'access.proposed'>

/** What the gate says beside the codes of the decision itself. */
type GateCode = Decision['code'] | 'nobody_to_ask' | 'mode_unresolved' | 'gate_error'

export const capabilityGate: GateDefinition = {
  name: 'capability',
  version: 1,
  on: { 'access.proposed': judged },
  failed: (context) =>
    denied(context, 'gate_error', 'gate_error: judging this call failed, and what cannot be judged does not run.'),
}

function judged({ facts, words }: Proposed, context: GateContext): Verdict | undefined {
  const { modes, capability, time } = context
  const { tool, skill, lineage } = facts
  if (capability.unresolved !== undefined) {
    const why = `mode_unresolved_fail_closed:${capability.unresolved}`
    return {
      ...denied(context, 'mode_unresolved', `${why}: nobody can say whether calls are held to the grants, so none runs.`),
      skill,
    }
  }
  if (modes.capability === 'off') return undefined
  const access = accessOf(facts, words)
  const about = {
    skill,
    paths: access.touches.map(({ asked, resolved }) => ({ asked, resolved })),
    ...(capability.digest === undefined ? {} : { policy: capability.digest }),
  }
  const policy = capability.policy ?? nothingInForce
  const decision = answerable(decide(policy, { tool, skill, lineage, time }, access), facts)
  return { ...told(context, decision), ...about }
}

const nothingInForce = { allowlists: [], protected: [], pathStyle: 'posix' } as const

/** Throws where words are missing that the facts speak of: nobody could say what is judged. */
function accessOf({ touches, commands, unread }: Proposed['facts'], words: Proposed['words']): ProposedAccess {
  const access = accessOfWords(words ?? {})
  if (access.touches.length !== touches || access.commands.length !== commands)
    throw new RangeError('words of an access are missing')
  return { ...access, ...(unread === undefined ? {} : { unread }) }
}

interface Answer {
  readonly verdict: Decision['verdict']
  readonly code: GateCode
  readonly reason: string
}

/** A question that nobody would answer, or that the host would answer by itself, is a denial. */
function answerable(decision: Answer, facts: Proposed['facts']): Answer {
  if (decision.verdict !== 'ask') return decision
  const why = whyNobody(facts)
  if (why === undefined) return decision
  return {
    verdict: 'deny',
    code: 'nobody_to_ask',
    reason: `nobody_to_ask: a person would have to say yes to this, and ${why}. It is about: ${decision.reason}`,
  }
}

function whyNobody({ attended, asks }: Pick<Facts<'access.proposed'>, 'attended' | 'asks'>): string | undefined {
  if (attended === 'unattended') return 'this run is unattended'
  if (attended === 'unknown') return 'it is not known whether anybody is there'
  return asks === 'yes' ? undefined : whyNotAsked[asks]
}

const whyNotAsked: Readonly<Record<Exclude<Facts<'access.proposed'>['asks'], 'yes'>, string>> = {
  not_last: 'another plugin answers behind this one, so the host may not hold to the question',
  approvals_off: 'the host has its approvals switched off and would say yes by itself',
  unknown_host: 'of this version of the host it is not known that a person would be asked',
}

function denied(context: GateContext, code: GateCode, reason: string): Verdict {
  return told(context, { verdict: 'deny', code, reason })
}

/** A mode that cannot be confirmed holds the host as the strictest does. */
function told({ modes, capability }: GateContext, { verdict, code, reason }: Answer): Verdict {
  const isUnresolved = capability.unresolved !== undefined
  const mode = isUnresolved ? 'unresolved' : modes.capability
  return { verdict, code, reason, mode, enforced: isUnresolved || mode === 'enforce' }
}
