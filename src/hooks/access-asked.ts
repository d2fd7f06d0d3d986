// What has to be known before a call can be judged in its turn: what it would reach, and who asks. Nothing that goes wrong on the way is an
// error: what cannot be worked out is told, and is granted nothing.
import type { ProposedAccess } from '../gates/capability/access.js'
import { isRemote } from './hermes/access-proposed.js'
import type { HookPayload } from './hook.js'
import type { HookHouse } from './hook-house.js'
import { type CallOrigin, lineageOf, unknownOrigin } from './lineage.js'
import type { HostTold } from './read-payload.js'
import type { HeldSession } from './session-memory.js'

export interface AccessAsked {
  readonly access: ProposedAccess
  readonly lineage: readonly CallOrigin[]
}

const unreadAccess: ProposedAccess = { touches: [], commands: [], unread: 'arguments' }

/** It may be a child's: no grant that names a context holds for both. */
const unknownLineage: readonly CallOrigin[] = [{ ...unknownOrigin, subagent: true }, unknownOrigin]

/** Undefined for a payload that asks for no tool, and where the gate is off. */
export async function accessAsked(
  house: Pick<HookHouse, 'ledger' | 'settings' | 'proposedAccess'>,
  { payload, host }: { readonly payload: HookPayload; readonly host: HostTold },
  handle: string,
  session: HeldSession,
): Promise<AccessAsked | undefined> {
  if (payload.hook_event_name !== 'pre_tool_call' || house.settings().modes.capability === 'off') return undefined
  const told = { platform: host.platform ?? '', session: payload.session_id ?? '' }
  const [access, lineage] = await Promise.all([
    orElse(() => house.proposedAccess(payload, isRemote(host)), unreadAccess),
    orElse(() => lineageOf(house.ledger, handle, session, told), unknownLineage),
  ])
  return { access, lineage }
}

async function orElse<Result>(task: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await task()
  } catch {
    return otherwise
  }
}
