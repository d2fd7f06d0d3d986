// What an event type is: its facts, its words, one line for a timeline, and whether its schema is out in the world.
import { z } from 'zod'

export interface EventDefinition<Facts extends z.ZodObject = z.ZodObject, Words extends z.ZodObject = z.ZodObject> {
  /** The version of the payload schema, from 1. A released one never changes: raise it and keep the old in `history`. */
  readonly version: number
  /** `draft` until a part of Stele first appends it; only released schemas are frozen and held against stored payloads. */
  readonly status: 'draft' | 'released'
  readonly summary: string
  /** What stays for ever: no member may be called `words`, and nothing that a person or a model wrote may stand here. */
  readonly facts: Facts
  /** What can be forgotten. An event without it has none. */
  readonly words?: Words
  /** Members of the words that are ids and digests: by these things are found, so they are kept as they came. `list.member` is one of each object in a list. */
  readonly ids?: readonly WordName<z.infer<Words>>[]
  /** Members of the words that are paths, which gates must judge as they are. All other words are redacted. */
  readonly paths?: readonly WordName<z.infer<Words>>[]
  /** One line for a timeline. The words may be gone. */
  describe(facts: z.infer<Facts>, words: Partial<z.infer<Words>>): string
  /** Earlier versions, oldest first, each with the step to the next. */
  readonly history?: readonly PastVersion[]
}

type WordName<Words> =
  | (keyof Words & string)
  | {
      [Name in keyof Words & string]: NonNullable<Words[Name]> extends readonly (infer Member)[]
        ? `${Name}.${keyof Member & string}`
        : never
    }[keyof Words & string]

export interface PastVersion {
  readonly version: number
  readonly facts: z.ZodObject
  readonly words?: z.ZodObject
  /** The facts as the next version says them; the words stay as they are. */
  readonly upcast: (facts: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

/** Keeps the exact types of one definition while the catalogue holds many. */
export function event<Facts extends z.ZodObject, Words extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  definition: EventDefinition<Facts, Words>,
): EventDefinition<Facts, Words> {
  return definition
}

export const hex64Schema = z.string().regex(/^[0-9a-f]{64}$/)
export const hex32Schema = z.string().regex(/^[0-9a-f]{32}$/)
export const ledgerIdSchema = hex32Schema
/** A session's handle, as headers name it. */
export const handleSchema = z.string().regex(/^s[0-9a-f]{16}$/)
export const indexSchema = z.int().min(0)
export const countSchema = z.int().min(0)
export const timeSchema = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/)

/**
 * A name of a tool, platform, model, rule or code. Names come from hosts and models too, so they are short and of few letters:
 * a sentence cannot hide among the facts. Use `asName` to make one.
 */
export const nameSchema = z.string().regex(/^[A-Za-z0-9._:/@+-]{0,96}$/)

/**
 * The name itself where it is one, else `unnamed`: narrower than what a schema admits, so that no path, address or token of a model's
 * invention stands among the facts for ever.
 */
export function asName(text: string): string {
  return text === '' || /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(text) ? text : 'unnamed'
}

/** Models are named by the host's settings, often as `vendor/model:size`. */
export function asModelName(text: string): string {
  return nameSchema.safeParse(text).success ? text : 'unnamed'
}

/** Who vouches for an event that came through a hook, and how it came. */
export const hookFacts = {
  source: z.enum(['attached', 'unattested']),
  /** Index of the first `host.attached` of the process that vouches for it. */
  attach: indexSchema.optional(),
  /** The number that this process gave the payload. */
  seq: z.int().min(1).optional(),
  /** It waited in the spool; `at` is when it happened, by the host's clock. */
  late: z.literal(true).optional(),
  at: timeSchema.optional(),
  /** Asked by `stele doctor`, not by an agent: left out of every report. */
  probe: z.literal(true).optional(),
  /** Values that were repaired on the way in. */
  repaired: z.int().min(1).optional(),
  /** Secrets that were taken out before it was kept: by the host's own plugin, and by the redactor here. */
  redacted: z.int().min(1).optional(),
}

/** The same before hosts attached. */
export const hookFactsBeforeAttach = {
  source: z.enum(['attached', 'unattested']),
  repaired: z.int().min(1).optional(),
}

/** For a version that only took optional facts away from the next: what was written fits as it is. */
export const asBefore: PastVersion['upcast'] = (facts) => facts

/** Host ids of a turn and a task: always words. */
export const hostTurnWords = { turn: z.string().optional(), task: z.string().optional() }

/** The whole stored payload of an event: its facts and, where it can have words, their commitment. */
export function payloadSchema(definition: { facts: z.ZodObject; words?: z.ZodObject }): z.ZodObject {
  return definition.words === undefined ? definition.facts : definition.facts.extend({ words: hex64Schema.optional() })
}
