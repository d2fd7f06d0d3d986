// Who speaks for a session that is somebody else's, and what is written of them.
import { asName } from '../events/event-definition.js'
import type { RedactedEvent } from '../ledger/redacted-event.js'
import type { Speaker } from './attach.js'
import type { HookCall, HookHouse } from './hook-house.js'

export interface Stranger {
  /** Index of the first `host.attached` of the process whose session it is. */
  readonly attach: number
  readonly why: 'bad_mac' | 'no_attach' | 'other_attach'
  readonly speaker?: number
}

/**
 * Who is a stranger to a session, asked before the writer's turn and answered in it: whose session it is may change meanwhile. A session
 * whose process has gone may be taken over.
 */
export async function strangersOf(
  { attaches }: HookHouse,
  ownerBefore: number | undefined,
  speaker: Speaker,
): Promise<(owner: number | undefined) => Stranger | undefined> {
  const own = speaker.kind === 'attached' ? speaker.attach : undefined
  let mayTakeOver = false
  if (ownerBefore !== undefined) {
    const isGone = !(await attaches.isAlive(ownerBefore))
    // Whoever only claims to be a process cannot keep one that is proved from its session.
    const yields = own?.proved === true && !(await attaches.isProved(ownerBefore))
    if (own !== undefined) mayTakeOver = isGone || yields || (await attaches.isSameProcess(own, ownerBefore))
    // Whoever speaks then, nobody vouches for it. Nor for what its own host left in the spool, which cannot be checked any more.
    else mayTakeOver = isGone || (speaker.kind === 'unknown' && speaker.id === (await attaches.idOf(ownerBefore)))
  }
  return (owner) => {
    if (owner === undefined || owner === own?.index || (owner === ownerBefore && mayTakeOver)) return undefined
    if (own !== undefined && owner !== ownerBefore && attaches.areOneProcess(own, owner)) return undefined
    return own === undefined ? { attach: owner, why: 'no_attach' } : { attach: owner, why: 'other_attach', speaker: own.index }
  }
}

export function foreignEvent(house: HookHouse, call: HookCall, hook: string, session: string, stranger: Stranger): RedactedEvent {
  const { ledger } = house
  const facts = { hook: asName(hook), ...stranger, bytes: call.bytesTotal, digest: ledger.digest('text', call.bytes) }
  return { type: 'hook.foreign', session, facts }
}
