// What a Hermes hook is: the shape of its payload, the events it becomes, and how the host is told. One record a hook, under the
// host's own name for it.
import type { z } from 'zod'
import type { NewEvent } from '../events/event-catalog.js'
import type { DigestUse } from '../foundation/digest.js'
import type { SessionContext } from '../projections/session-context.js'
import type { Directive } from './directive.js'
import type { HostTold } from './read-payload.js'

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

/** Who vouches for a payload and how it came: facts of every event that it becomes. */
export interface Provenance {
  readonly source: 'attached' | 'unattested'
  readonly attach?: number
  readonly seq?: number
  readonly late?: true
  readonly at?: string
  readonly probe?: true
  readonly repaired?: number
  readonly redacted?: number
}

/** Which arguments of a call are kept as words. */
export type KeptArguments = 'judged' | 'full' | 'none'

/** What a hook's translation may know: the session so far, and how to make a keyed digest. It sees no clock and no store. */
export interface HookContext {
  /** The session's handle; empty where the payload names none. */
  readonly session: string
  readonly seen: SessionContext
  readonly provenance: Provenance
  /** What the plugin gathered in the host's process; empty where a payload came otherwise. */
  readonly host: HostTold
  readonly keep: KeptArguments
  /** Whether every call is put before a gate. */
  readonly judged: boolean
  /** Canonical JSON of the arguments as the host gave them. */
  readonly argumentsText: string
  /** The handle of the session that the payload names as its parent; null for one that was never heard of. */
  readonly parent: string | null
  /** The session of a child that the payload speaks of; null where it names none. One that has spoken or is linked is `known`. */
  readonly child: { readonly handle: string; readonly known: boolean } | null
  digest(use: DigestUse, text: string): string
}

/** What the gates' verdicts come to. */
export interface GatesAnswer {
  readonly kind: 'none' | 'ask' | 'block'
  readonly message: string
}

/** What a definition answers with: the same, and a key under which a lasting approval would hold for this very call and no other. */
export interface KeyedAnswer extends GatesAnswer {
  readonly key: string
}

export interface HookDefinition<Extra extends z.ZodType = z.ZodType> {
  /** What `extra` must hold. Loose: the host may add members. */
  readonly extra: Extra
  /** Without a session id the payload says nothing. */
  readonly needsSession?: boolean
  /** Members of `extra` by which two payloads of one turn and call are told apart, beside tool, arguments and message. */
  readonly toldApartBy?: readonly string[]
  /** Two that agree in everything are two: the host may ask again, and means it. */
  readonly comesAgain?: true
  /** The payload as events, in order, with their secrets still in them. */
  observe(payload: HookPayload, extra: z.infer<Extra>, context: HookContext): NewEvent[]
  /** The answer in the host's words; hooks without it are only listened to. */
  readonly reply?: (answer: KeyedAnswer) => Directive
}

/** Keeps the exact type of one hook while the catalogue holds many. */
export function hook<Extra extends z.ZodType>(definition: HookDefinition<Extra>): HookDefinition<Extra> {
  return definition
}
