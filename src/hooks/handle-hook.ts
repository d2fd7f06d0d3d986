// The whole path of one payload: read, observe, append, answer. Nothing is answered that is not on disk.
import { z } from 'zod'
import type { Entry } from '../events/entry.js'
import type { NewEvent } from '../events/event-catalog.js'
import { asName } from '../events/event-definition.js'
import { canonicalJson } from '../foundation/canonical-json.js'
import type { DigestUse } from '../foundation/digest.js'
import { parseLosslessBytes } from '../foundation/lossless-json.js'
import { hasCode, type SteleError } from '../foundation/stele-error.js'
import { fold } from '../projections/projection.js'
import { type SessionView, sessions } from '../projections/sessions.js'
import { sessionStarted } from './hermes/session.js'
import type { HookDefinition, HookPayload } from './hook.js'
import { hookDefinition } from './hook-catalog.js'

/** The part of the ledger that a hook needs. */
export interface HookLedger {
  append(events: readonly NewEvent[], options?: { dedupe?: string }): Promise<{ index: number; duplicate: boolean }>
  session(hostSession: string): Promise<{ handle: string; known: boolean }>
  digest(use: DigestUse, data: string | Uint8Array): string
  readonly reader: { sessionEntries(handle: string): AsyncIterable<Entry> }
}

/** What the host is told. Empty: no opinion. */
export type Directive = Readonly<Record<string, never>>

export const payloadBytesMax = 16 * 1024 * 1024

const payloadSchema = z.looseObject({
  hook_event_name: z.string(),
  tool_name: z.string().nullish(),
  tool_input: z.unknown().optional(),
  session_id: z.string().nullish(),
  cwd: z.string().nullish(),
  profile: z.string().nullish(),
  extra: z.looseObject({}),
})

/**
 * Takes the bytes of one payload and resolves to the directive when everything about it is on disk. A payload that cannot be read
 * becomes `hook.rejected`. `bytesTotal` is what was sent where `bytes` is only the beginning of it.
 */
export async function handleHook(ledger: HookLedger, bytes: Uint8Array, bytesTotal = bytes.length): Promise<Directive> {
  const read = readPayload(ledger, bytes, bytesTotal)
  if ('rejected' in read) await ledger.append([read.rejected])
  else await recordPayload(ledger, read, () => rejection(ledger, bytes, bytesTotal, 'shape', read.payload.hook_event_name))
  return {}
}

/** What is kept of a payload that becomes no event of its own. */
function rejection(ledger: HookLedger, bytes: Uint8Array, bytesTotal: number, code: RejectionCode, hook: string): NewEvent {
  const digest = bytes.length === bytesTotal ? { digest: ledger.digest('text', bytes) } : {}
  return { type: 'hook.rejected', facts: { hook: asName(hook), code, bytes: bytesTotal, ...digest } }
}

/** The hook's name in a value that is no payload otherwise. */
function nameIn(value: unknown): string {
  const name = typeof value === 'object' && value !== null ? (value as { hook_event_name?: unknown }).hook_event_name : undefined
  return typeof name === 'string' ? name : ''
}

interface ReadPayload {
  readonly payload: HookPayload
  readonly repaired: number
  readonly definition: HookDefinition
  readonly extra: unknown
}

type Rejected = { readonly rejected: NewEvent }
type RejectionCode = Extract<NewEvent, { type: 'hook.rejected' }>['facts']['code']

function readPayload(ledger: HookLedger, bytes: Uint8Array, bytesTotal: number): ReadPayload | Rejected {
  const rejected = (code: RejectionCode, hook = ''): Rejected => ({ rejected: rejection(ledger, bytes, bytesTotal, code, hook) })
  if (bytesTotal > payloadBytesMax) return rejected('too_large')
  let value: unknown
  let repaired: number
  try {
    ;({ value, repaired } = parseLosslessBytes(bytes))
  } catch (error) {
    if (!hasCode(error, 'JSON_UNREADABLE')) throw error
    return rejected((error as SteleError).details['reason'] as RejectionCode)
  }
  const envelope = payloadSchema.safeParse(value)
  if (!envelope.success) return rejected('shape', nameIn(value))
  // Judged and digested is the value itself: what zod hands back has lost members that it cannot carry.
  const payload = value as HookPayload
  const definition = hookDefinition(payload.hook_event_name)
  if (definition === undefined) return rejected('hook_unknown', payload.hook_event_name)
  const hasSession = isId(payload.session_id) || definition.needsSession !== true
  if (!hasSession || !definition.extra.safeParse(payload.extra).success) return rejected('shape', payload.hook_event_name)
  return { payload, repaired, definition, extra: payload.extra }
}

async function recordPayload(
  ledger: HookLedger,
  { payload, repaired, definition, extra }: ReadPayload,
  rejected: () => NewEvent,
): Promise<void> {
  const { handle, known } = await sessionOf(ledger, payload)
  const seen = known && handle !== '' ? await sessionSoFar(ledger, handle) : undefined
  const digest = (use: DigestUse, text: string) => ledger.digest(use, text)
  const context = { session: handle, seen, source: 'unattested' as const, repaired, digest }
  const started = known ? [] : [sessionStarted(payload, context)]
  try {
    const events = [...started, ...definition.observe(payload, extra, context)]
    if (events.length > 0) await ledger.append(events, dedupeOf(ledger, payload))
  } catch (error) {
    // Nested too deep to stand inside an event, for one: it must leave its mark all the same.
    if (!hasCode(error, 'CANONICAL_JSON_REFUSED')) throw error
    await ledger.append([...started, rejected()])
  }
}

/** A payload that names no session belongs to none, and nothing is said to have started. */
async function sessionOf(ledger: HookLedger, { session_id }: HookPayload): Promise<{ handle: string; known: boolean }> {
  return isId(session_id) ? ledger.session(String(session_id)) : { handle: '', known: true }
}

/** The view of one session, made anew from its own entries. */
async function sessionSoFar(ledger: HookLedger, handle: string): Promise<SessionView | undefined> {
  let view = sessions.initial()
  for await (const entry of ledger.reader.sessionEntries(handle)) view = fold(sessions, view, entry)
  return view.get(handle)
}

/** Without a turn or call id two equal payloads may be two events; so only those with one can be told to be the same. */
function dedupeOf(ledger: HookLedger, payload: HookPayload): { dedupe?: string } {
  const { turn_id, tool_call_id } = payload.extra
  if (!isId(turn_id) && !isId(tool_call_id)) return {}
  return { dedupe: ledger.digest('dedupe', canonicalJson(payload)) }
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
