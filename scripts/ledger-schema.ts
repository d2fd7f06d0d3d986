// Makes ledger-schema.json from the catalogue: the header, and the payload and words of every `type@version`.
import { z } from 'zod'
import { eventCatalog } from '../src/events/event-catalog.js'
import { type EventDefinition, payloadSchema } from '../src/events/event-definition.js'
import { canonicalJson } from '../src/foundation/canonical-json.js'
import { sha256, toHex } from '../src/foundation/digest.js'

type JsonSchema = Record<string, unknown>

export interface VersionedSchema {
  /** `type@version` */
  readonly name: string
  readonly released: boolean
  readonly payload: JsonSchema
  readonly words: JsonSchema | undefined
}

/** Every version of every type, in the catalogue's order, older versions first. */
export function versionedSchemas(): VersionedSchema[] {
  return Object.entries(eventCatalog as Record<string, EventDefinition>).flatMap(([type, definition]) => [
    ...(definition.history ?? []).map((past) => versioned(`${type}@${past.version}`, true, past)),
    versioned(`${type}@${definition.version}`, definition.status === 'released', definition),
  ])
}

function versioned(name: string, released: boolean, definition: Pick<EventDefinition, 'facts' | 'words'>): VersionedSchema {
  return {
    name,
    released,
    payload: jsonSchemaOf(payloadSchema(definition)),
    words: definition.words === undefined ? undefined : jsonSchemaOf(definition.words),
  }
}

function jsonSchemaOf(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'output', unrepresentable: 'throw' })
  return rest
}

/** The digest by which a released schema is frozen: SHA-256 of the canonical JSON of its payload and words schemas. */
export function schemaDigest({ payload, words }: VersionedSchema): string {
  return toHex(sha256(Buffer.from(canonicalJson(words === undefined ? { payload } : { payload, words }))))
}

/** The text of ledger-schema.json. */
export function ledgerSchemaText(): string {
  const definitions: Record<string, unknown> = { header: headerSchema }
  const entries: unknown[] = []
  for (const { name, released, payload, words } of versionedSchemas()) {
    const [type, version] = name.split('@')
    definitions[name] = { ...payload, $comment: released ? 'released' : 'draft: may still change' }
    if (words !== undefined) definitions[`${name} words`] = words
    entries.push({
      properties: {
        header: { properties: { type: { const: type }, version: { const: Number(version) } } },
        payload: { $ref: `#/$defs/${encodeURIComponent(name)}` },
        words: words === undefined ? false : { $ref: `#/$defs/${encodeURIComponent(`${name} words`)}` },
      },
    })
  }
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $comment: 'Generated from src/events by `npm run schema`; do not edit.',
    title: 'An entry of a Stele ledger, format 1',
    type: 'object',
    properties: { header: { $ref: '#/$defs/header' }, payload: { type: 'object' }, words: { type: 'object' } },
    required: ['header', 'payload'],
    additionalProperties: false,
    oneOf: entries,
    $defs: definitions,
  }
  return `${JSON.stringify(sorted(schema), null, 2)}\n`
}

const text = (pattern: string) => ({ type: 'string', pattern })
const whole = (minimum: number) => ({ type: 'integer', minimum, maximum: Number.MAX_SAFE_INTEGER })

const headerSchema = {
  type: 'object',
  properties: {
    v: { const: 1 },
    ledger: text('^[0-9a-f]{32}$'),
    epoch: whole(0),
    index: whole(0),
    time: text('^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$'),
    type: text('^[a-z]+\\.[a-z]+$'),
    version: whole(1),
    session: text('^(s[0-9a-f]{16})?$'),
    payload: text('^[0-9a-f]{64}$'),
    prev: text('^[0-9a-f]{64}$'),
  },
  required: ['v', 'ledger', 'epoch', 'index', 'time', 'type', 'version', 'session', 'payload', 'prev'],
  additionalProperties: false,
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = value as Record<string, unknown>
  return Object.fromEntries(
    Object.keys(members)
      .sort()
      .map((name) => [name, sorted(members[name])]),
  )
}
