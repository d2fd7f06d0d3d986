// Who speaks for a session that is somebody else's, what is written of them, and how they are answered.
import type { NewEvent } from '../events/event-catalog.js'
import { asName } from '../events/event-definition.js'
import type { GateModes } from '../gates/gate.js'
import type { Speaker } from './attach.js'
import { blockDirective, type Directive, noDirective } from './directive.js'
import type { HookPayload } from './hook.js'
import type { HookCall, HookHouse } from './hook-house.js'

export interface Stranger {
  /** Index of the first `host.attached` of the process whose session it is. */
  readonly attach: number
  readonly why: 'bad_mac' | 'no_attach' | 'other_attach'
  readonly speaker?: number
}

/**
 * Who is a stranger to a session, asked before the writer's turn and answered in it: whose session it is may change meanwhile. A session
 * whose process has gone may be taken over by another attached host.
 */
export async function strangersOf(
  { attaches }: HookHouse,
  ownerBefore: number | undefined,
  speaker: Speaker,
): Promise<(owner: number | undefined) => Stranger | undefined> {
  const own = speaker.kind === 'attached' ? speaker.attach : undefined
  let mayTakeOver = false
  if (ownerBefore !== undefined) {
    if (own !== undefined)
      mayTakeOver = (await attaches.isSameProcess(own, ownerBefore)) || !(await attaches.isAlive(ownerBefore))
    // What its own host left in the spool before it went: nobody can check it any more, and nobody vouches for it.
    else mayTakeOver = speaker.kind === 'unknown' && speaker.id === (await attaches.idOf(ownerBefore))
  }
  return (owner) => {
    if (owner === undefined || owner === own?.index || (owner === ownerBefore && mayTakeOver)) return undefined
    if (own !== undefined && owner !== ownerBefore && attaches.areOneProcess(own, owner)) return undefined
    return own === undefined ? { attach: owner, why: 'no_attach' } : { attach: owner, why: 'other_attach', speaker: own.index }
  }
}

export function foreignEvent(house: HookHouse, call: HookCall, hook: string, session: string, stranger: Stranger): NewEvent {
  const { ledger } = house
  const facts = { hook: asName(hook), ...stranger, bytes: call.bytesTotal, digest: ledger.digest('text', call.bytes) }
  return { type: 'hook.foreign', session, facts }
}

/** Whoever does not belong gets the answer of a gate that cannot tell. */
export function stricterAnswer({ hook_event_name, tool_name }: HookPayload, modes: GateModes): Directive {
  return hook_event_name === 'pre_tool_call' && isEnforced(modes, tool_name ?? '')
    ? blockDirective('Stele: this call did not come from the host process that its session belongs to.')
    : noDirective
}

/** The provenance gate judges what an agent writes into its memory and skills; the capability gate judges every call. */
function isEnforced({ capability, provenance }: GateModes, tool: string): boolean {
  return capability === 'enforce' || (provenance === 'block' && (tool === 'memory' || tool === 'skill_manage'))
}
