// Reads the bytes of one payload: a known hook with what it needs, or the reason why it is none.
import { z } from 'zod'
import { canonicalJson } from '../foundation/canonical-json.js'
import { parseLosslessBytes } from '../foundation/lossless-json.js'
import { hasCode, type SteleError } from '../foundation/stele-error.js'
import type { HookDefinition, HookPayload } from './hook.js'
import { hookDefinition } from './hook-catalog.js'
import { payloadBytesMax } from './trim-payload.js'
import type { UnjudgedCall } from './unjudged-answer.js'

export { payloadBytesMax }

/** More than any call or message of an agent; each of so many is looked at in the service's one thread. */
const payloadValuesMax = 200_000

const payloadSchema = z.looseObject({
  hook_event_name: z.string(),
  tool_name: z.string().nullish(),
  tool_input: z.unknown().optional(),
  session_id: z.string().nullish(),
  cwd: z.string().nullish(),
  profile: z.string().nullish(),
  extra: z.looseObject({}),
})

const unansweredSchema = z.object({ seq: z.int().min(1), did: z.enum(['blocked', 'let_go', 'lost']) })

/** What our own plugin adds. A member that is not as it should be is as good as none. */
const hostSchema = z.object({
  at: z.iso.datetime({ precision: 3 }).optional().catch(undefined),
  unanswered: z.array(unansweredSchema).max(256).optional().catch(undefined),
  attended: z.enum(['attended', 'unattended', 'unknown']).optional().catch(undefined),
  write_origin: z.string().optional().catch(undefined),
  last_in_order: z.boolean().optional().catch(undefined),
  approvals_off: z.boolean().optional().catch(undefined),
  terminal_backend: z.string().optional().catch(undefined),
  platform: z.string().optional().catch(undefined),
  probe: z.boolean().optional().catch(undefined),
  redacted: z.int().min(0).optional().catch(undefined),
})

export type HostTold = z.infer<typeof hostSchema>

export interface ReadPayload {
  readonly payload: HookPayload
  readonly definition: HookDefinition
  readonly host: HostTold
  /** Canonical JSON of the arguments as the host gave them. */
  readonly argumentsText: string
  /** Values that were repaired on the way in. */
  readonly repaired: number
}

export type RejectionCode =
  | 'empty'
  | 'not_utf8'
  | 'syntax'
  | 'name_twice'
  | 'number_overflow'
  | 'too_deep'
  | 'too_many'
  | 'too_large'
  | 'shape'
  | 'hook_unknown'

/** `hook` and `tool` are the names where they could be read, else empty. */
export interface RejectedPayload {
  readonly rejected: RejectionCode
  readonly hook: string
  readonly tool: string
}

/** `bytesTotal` is what was sent, where `bytes` is only the beginning of it. */
export function readPayload(bytes: Uint8Array, bytesTotal: number): ReadPayload | RejectedPayload {
  if (bytesTotal > payloadBytesMax) return { rejected: 'too_large', hook: '', tool: '' }
  let value: unknown
  let repaired: number
  try {
    ;({ value, repaired } = parseLosslessBytes(bytes, { valuesMax: payloadValuesMax }))
  } catch (error) {
    if (!hasCode(error, 'JSON_UNREADABLE')) throw error
    return { rejected: (error as SteleError).details['reason'] as RejectionCode, hook: '', tool: '' }
  }
  if (!payloadSchema.safeParse(value).success) return { rejected: 'shape', ...namesIn(value) }
  // Judged and digested is the value itself: what zod hands back has lost members that it cannot carry.
  const payload = value as HookPayload
  const hook = payload.hook_event_name
  const definition = hookDefinition(hook)
  if (definition === undefined) return { rejected: 'hook_unknown', ...namesIn(value) }
  const hasSession = isId(payload.session_id) || definition.needsSession !== true
  if (!hasSession || !definition.extra.safeParse(payload.extra).success) return { rejected: 'shape', ...namesIn(value) }
  const host = hostSchema.safeParse((value as { host?: unknown }).host)
  const argumentsText = canonicalJson(payload.tool_input ?? {})
  return { payload, definition, host: host.success ? host.data : {}, argumentsText, repaired }
}

/** The names in a value that is no payload otherwise. */
function namesIn(value: unknown): { hook: string; tool: string } {
  const { hook_event_name: hook, tool_name: tool } = (typeof value === 'object' && value !== null ? value : {}) as UnjudgedCall
  return { hook: typeof hook === 'string' ? hook : '', tool: typeof tool === 'string' ? tool : '' }
}

/** Hosts name what they do not know with an empty string. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
