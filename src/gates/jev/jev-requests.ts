// How many requests an entry of the ledger tells of: so a daily budget outlives a restart, and a report can say what was spent.
import { ownMember } from './decisions.js'
import type { JevFailure } from './engine.js'

/** Nothing was sent. */
const unsent: readonly JevFailure[] = ['capacity', 'circuit_open', 'budget_spent']

/** One or none. A failure is an entry of its own, so one that is named beside a proposal is not counted again. */
export function jevRequestsOf(type: string, facts: unknown): 0 | 1 {
  if (type === 'jev.failed') return unsent.some((category) => category === ownMember(facts, 'category')) ? 0 : 1
  if (type === 'jev.classified') return 1
  if (type !== 'jev.proposed' && type !== 'jev.abstained' && type !== 'verification.proposed') return 0
  return ownMember(facts, 'answered') === undefined || ownMember(facts, 'failure') !== undefined ? 0 : 1
}
