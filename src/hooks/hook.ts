// What a Hermes hook is: the shape of its payload, and the events it becomes. One record a hook, under the host's own name for it.
import type { z } from 'zod'
import type { NewEvent } from '../events/event-catalog.js'
import type { DigestUse } from '../foundation/digest.js'
import type { SessionView } from '../projections/sessions.js'

/** The envelope of every payload, as Hermes gives it to a shell hook. */
export interface HookPayload {
  readonly hook_event_name: string
  readonly tool_name?: string | null | undefined
  readonly tool_input?: unknown
  readonly session_id?: string | null | undefined
  readonly cwd?: string | null | undefined
  readonly profile?: string | null | undefined
  readonly extra: Readonly<Record<string, unknown>>
}

/** What a hook's translation may know: the session so far, and how to make a keyed digest. It sees no clock and no store. */
export interface HookContext {
  /** The session's handle. */
  readonly session: string
  /** Undefined where this is the first we hear of it. */
  readonly seen: SessionView | undefined
  readonly source: 'attached' | 'unattested'
  /** Values that were repaired when the payload was read. */
  readonly repaired: number
  digest(use: DigestUse, text: string): string
}

export interface HookDefinition<Extra extends z.ZodType = z.ZodType> {
  /** What `extra` must hold. Loose: the host may add members. */
  readonly extra: Extra
  /** Without a session id the payload says nothing. */
  readonly needsSession?: boolean
  /** The payload as events, in order. */
  observe(payload: HookPayload, extra: z.infer<Extra>, context: HookContext): NewEvent[]
}

/** Keeps the exact type of one hook while the catalogue holds many. */
export function hook<Extra extends z.ZodType>(definition: HookDefinition<Extra>): HookDefinition<Extra> {
  return definition
}

/** Facts that every event from a hook carries. */
export function hookFactsOf({ source, repaired }: HookContext): { source: HookContext['source']; repaired?: number } {
  return repaired === 0 ? { source } : { source, repaired }
}
