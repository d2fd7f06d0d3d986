// Writes that the provenance gate judges, sent into a house for hooks, and what became of them.
import { gateCatalog } from '../../src/gates/gate-catalog.js'
import { type HostPayload, llmCall, type TestHouse, testHouse, toolCall } from './hook-house.js'

export const friday = 'I decided we ship on Friday'
export const bareClaim = 'User decided to ship on Friday.'
export const backedClaim = `User decided to ship on Friday ("${friday}").`

/** With the gates that stand today. */
export function judgingHouse(modes: TestHouse['modes'] = { provenance: 'observe', capability: 'observe' }): Promise<TestHouse> {
  return testHouse({ gates: gateCatalog, modes })
}

/** The capability gate observes: what refuses here is the provenance gate alone. */
export const blocking: TestHouse['modes'] = { provenance: 'block', capability: 'observe' }

export const blockingHouse = (): Promise<TestHouse> => judgingHouse(blocking)

let calls = 0

/** A call of its own each time, in the session and turn that are named. */
export function writeCall(
  tool_name: string,
  tool_input: Record<string, unknown>,
  { session_id = 'host-session', ...extra }: Record<string, unknown> = {},
): HostPayload {
  calls += 1
  return { ...toolCall(tool_input, { tool_call_id: `write-${calls}`, ...extra }), tool_name, session_id: String(session_id) }
}

export function memoryAdd(content: unknown, extra?: Record<string, unknown>): HostPayload {
  return writeCall('memory', { action: 'add', target: 'memory', content }, extra)
}

/** What the user types, as a turn of its own. */
export function typedIn(text: string, turn_id = 'turn-1', extra: Record<string, unknown> = {}): HostPayload {
  const { session_id = 'host-session', ...others } = extra
  return llmCall({ user_message: text, turn_id, ...others }, String(session_id))
}

export interface JudgedClaimEntry {
  readonly index: number
  readonly facts: Readonly<Record<string, unknown>>
  readonly words: Readonly<Record<string, unknown>> | undefined
}

export async function claimsOf(house: TestHouse): Promise<JudgedClaimEntry[]> {
  return (await house.entries('claim.judged')).map(({ header, payload: { words: _, ...facts }, words }) => ({
    index: header.index,
    facts,
    words,
  }))
}

/** Verdict and reason of each claim, in order. */
export async function verdictsOf(house: TestHouse): Promise<string[]> {
  return (await claimsOf(house)).map(({ facts: { verdict, reason, detail, matchedIn } }) =>
    [verdict, reason ?? matchedIn, detail].filter((word) => word !== null).join(' '),
  )
}
