// Everything that can be said: one line a family. The union, the parser, the schema file and the timeline follow from it.
import type { z } from 'zod'
import { accessEvents } from './access.js'
import { approvalEvents } from './approval.js'
import { budgetEvents } from './budget.js'
import { claimEvents } from './claim.js'
import { clockEvents } from './clock.js'
import { configEvents } from './config.js'
import { coverageEvents } from './coverage.js'
import type { Entry } from './entry.js'
import { erasureEvents } from './erasure.js'
import { type EventDefinition, payloadSchema } from './event-definition.js'
import { fileEvents } from './file.js'
import { gateEvents } from './gate.js'
import { hookEvents } from './hook.js'
import { hostEvents } from './host.js'
import { jevEvents } from './jev.js'
import { keyEvents } from './key.js'
import { ledgerEvents } from './ledger.js'
import { messageEvents } from './message.js'
import { payloadEvents } from './payload.js'
import { policyEvents } from './policy.js'
import { reviewEvents } from './review.js'
import { serviceEvents } from './service.js'
import { sessionEvents } from './session.js'
import { subagentEvents } from './subagent.js'
import { toolEvents } from './tool.js'
import { turnEvents } from './turn.js'
import { verificationEvents } from './verification.js'
import { writeEvents } from './write.js'

export const eventCatalog = {
  ...ledgerEvents,
  ...keyEvents,
  ...clockEvents,
  ...hostEvents,
  ...sessionEvents,
  ...turnEvents,
  ...messageEvents,
  ...toolEvents,
  ...accessEvents,
  ...writeEvents,
  ...claimEvents,
  ...gateEvents,
  ...jevEvents,
  ...approvalEvents,
  ...verificationEvents,
  ...subagentEvents,
  ...policyEvents,
  ...reviewEvents,
  ...configEvents,
  ...payloadEvents,
  ...erasureEvents,
  ...hookEvents,
  ...coverageEvents,
  ...budgetEvents,
  ...serviceEvents,
  ...fileEvents,
}

type Catalog = typeof eventCatalog
export type EventType = keyof Catalog
export type Facts<Type extends EventType> = z.infer<Catalog[Type]['facts']>
export type Words<Type extends EventType> = Catalog[Type] extends { readonly words?: infer Schema }
  ? Schema extends z.ZodObject
    ? z.infer<Schema>
    : never
  : never

/** An event that somebody wants written: one member of the union for each type of the catalogue. */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type
    readonly session?: string
    readonly facts: Facts<Type>
    readonly words?: Words<Type>
  }
}[EventType]

/** The definition behind a type name, or undefined for a name of another version of Stele. */
export function definitionOf(type: string): EventDefinition | undefined {
  return Object.hasOwn(definitions, type) ? definitions[type] : undefined
}

const definitions: Readonly<Record<string, EventDefinition>> = eventCatalog

export interface SchemaVerdict {
  readonly verdict: 'fits' | 'type_unknown' | 'schema_mismatch'
  /** Names of members at fault, never values. */
  readonly where: string
}

/** Holds a stored payload against the released schema of its `type@version`; drafts count as unknown. */
export function checkPayload(type: string, version: number, payload: unknown): SchemaVerdict {
  const schema = releasedSchema(type, version)
  if (schema === undefined) return { verdict: 'type_unknown', where: `${type}@${version}` }
  const result = schema.safeParse(payload)
  if (result.success) return { verdict: 'fits', where: '' }
  return {
    verdict: 'schema_mismatch',
    where: result.error.issues.map(({ path, code }) => `${path.join('.')} ${code}`).join(', '),
  }
}

const released = new Map<string, z.ZodObject | undefined>()

function releasedSchema(type: string, version: number): z.ZodObject | undefined {
  const name = `${type}@${version}`
  if (!released.has(name)) released.set(name, findReleased(type, version))
  return released.get(name)
}

function findReleased(type: string, version: number): z.ZodObject | undefined {
  const definition = definitionOf(type)
  if (definition === undefined) return undefined
  if (definition.version === version) return definition.status === 'released' ? payloadSchema(definition) : undefined
  const past = definition.history?.find((old) => old.version === version)
  return past === undefined ? undefined : payloadSchema(past)
}

/** The payload of an older version as today's; as it is for today's own and for versions that we do not know. */
export function upcastPayload(
  type: string,
  version: number,
  payload: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const history = definitionOf(type)?.history ?? []
  return history.reduce((facts, past) => (past.version >= version ? past.upcast(facts) : facts), payload)
}

/** One line for a timeline. Types of another version of Stele are named and not described. */
export function describeEntry({ header: { type, version }, payload, words }: Entry): string {
  const definition = definitionOf(type)
  if (definition === undefined || version > definition.version) return type
  try {
    return definition.describe(upcastPayload(type, version, payload), words ?? {})
  } catch {
    // A payload that does not fit its schema is told by `verify`; a timeline goes on.
    return type
  }
}
