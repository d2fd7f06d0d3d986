// What is said of a call that no gate has judged, and the one rule by which it is blocked (docs/service.md). Light: the shell hook loads it.
import type { GateModes } from '../gates/gate.js'
import { blockDirective, type Directive, noDirective } from './directive.js'

/** What could be read of a payload. A name that is no text, or an empty one, is none. */
export interface UnjudgedCall {
  readonly hook_event_name?: unknown
  readonly tool_name?: unknown
}

/** Each gate's modes, from the loosest to the strictest. */
const modesOfGate = {
  provenance: ['off', 'observe', 'block'],
  capability: ['off', 'observe', 'enforce'],
} as const

export const observing: GateModes = { provenance: 'observe', capability: 'observe' }
export const strictest: GateModes = { provenance: 'block', capability: 'enforce' }

/** Modes that somebody told; what is none counts as the strictest. */
export function toldModes(told: unknown): GateModes {
  const { provenance, capability } = (typeof told === 'object' && told !== null ? told : {}) as Record<keyof GateModes, unknown>
  return {
    provenance: modesOfGate.provenance.find((mode) => mode === provenance) ?? strictest.provenance,
    capability: modesOfGate.capability.find((mode) => mode === capability) ?? strictest.capability,
  }
}

/** Gate by gate the stricter of two. */
export function stricterModes(one: GateModes, other: GateModes): GateModes {
  const rank = <Mode>(modes: readonly Mode[], mode: Mode): number => modes.indexOf(mode)
  const { provenance, capability } = modesOfGate
  return {
    provenance: rank(provenance, one.provenance) > rank(provenance, other.provenance) ? one.provenance : other.provenance,
    capability: rank(capability, one.capability) > rank(capability, other.capability) ? one.capability : other.capability,
  }
}

/** The provenance gate judges what an agent writes into its memory and skills, the capability gate every call; no other hook stops any. */
function isBlocked({ hook_event_name, tool_name }: UnjudgedCall, { capability, provenance }: GateModes): boolean {
  if (isName(hook_event_name) && hook_event_name !== 'pre_tool_call') return false
  if (capability === 'enforce') return true
  return provenance === 'block' && (!isName(tool_name) || tool_name === 'memory' || tool_name === 'skill_manage')
}

/** Whoever does not belong gets the answer of a gate that cannot tell. */
export function stricterAnswer(call: UnjudgedCall, modes: GateModes): Directive {
  return unjudgedAnswer(call, modes, 'Stele: this call did not come from the host process that its session belongs to.')
}

export function unreadableAnswer(call: UnjudgedCall, modes: GateModes): Directive {
  return unjudgedAnswer(call, modes, 'Stele: this call could not be read, so it cannot be judged.')
}

/** Where nobody could be asked. */
export function unrecordedAnswer(call: UnjudgedCall, modes: GateModes): Directive {
  return unjudgedAnswer(call, modes, 'Stele could not record this call, and the mode in force lets nothing run unrecorded.')
}

export function unjudgedAnswer(call: UnjudgedCall, modes: GateModes, message: string): Directive {
  return isBlocked(call, modes) ? blockDirective(message) : noDirective
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
