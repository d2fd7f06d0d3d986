// What has to be known before it can be said what became of a memory or skill call: what its files hold now that it has come back. Nothing
// that goes wrong on the way is an error, and what came late tells nothing: files are read at this moment, and the call is long over.
import type { NewEvent } from '../events/event-catalog.js'
import type { OpenCall } from '../projections/session-context.js'
import type { FoundFiles } from './hermes/stored-after.js'
import { type LandedFrame, writeLanded } from './hermes/write-landed.js'
import type { HookCall, HookHouse } from './hook-house.js'
import type { ReadPayload } from './read-payload.js'
import type { HeldSession } from './session-memory.js'

/** Undefined where nothing is to be compared, and where nothing can be read. */
export async function landedAbout(
  house: HookHouse,
  { late }: HookCall,
  { payload, argumentsText }: ReadPayload,
  { context }: HeldSession,
): Promise<FoundFiles | undefined> {
  if (late || payload.hook_event_name !== 'post_tool_call' || !context.openCalls.some(hasFiles)) return undefined
  const digest = house.ledger.digest('arguments', argumentsText)
  if (!context.openCalls.some((open) => open.argumentsDigest === digest && hasFiles(open))) return undefined
  try {
    return await house.storedAfter(payload)
  } catch {
    return undefined
  }
}

/** What is said behind the outcome of a call, where it answers one that ran with the arguments that were judged. */
export function landedIn(
  said: readonly NewEvent[],
  found: FoundFiles | undefined,
  openCalls: readonly OpenCall[],
  frame: Omit<LandedFrame, 'call'>,
): NewEvent[] {
  if (found === undefined) return []
  return said.flatMap((event) => {
    if (event.type !== 'tool.completed') return []
    const { requested, argumentsDigest } = event.facts
    const open = openCalls.find(({ index }) => index === requested)
    if (open?.write === undefined || open.argumentsDigest !== argumentsDigest) return []
    return writeLanded(open.write, found, { ...frame, call: open.index })
  })
}

function hasFiles({ write }: OpenCall): boolean {
  return write?.files.some(({ place }) => place !== undefined) === true
}
