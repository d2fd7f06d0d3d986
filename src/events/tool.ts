// What an agent asked a tool to do, and what came of it.
import { z } from 'zod'
import { countSchema, event, hex64Schema, hookFacts, hostTurnWords, indexSchema, nameSchema } from './event-definition.js'

const callWords = { ...hostTurnWords, call: z.string().optional(), request: z.string().optional(), tool: z.string().optional() }

export const toolEvents = {
  'tool.requested': event({
    version: 1,
    status: 'released',
    summary: 'The agent asked for a tool.',
    facts: z.strictObject({
      turn: z.int().min(0),
      tool: nameSchema,
      arguments: z.strictObject({
        count: countSchema,
        /** Bytes of the canonical JSON of the arguments as the host gave them, read without loss. */
        bytes: countSchema,
        /** Keyed digest of the same, use `arguments`. */
        digest: hex64Schema,
      }),
      ...hookFacts,
    }),
    words: z.strictObject({
      ...callWords,
      cwd: z.string().optional(),
      /** Each argument with its size and keyed digest; the value only where a gate judges it. */
      arguments: z
        .array(z.strictObject({ name: z.string(), bytes: countSchema, digest: hex64Schema, value: z.unknown().optional() }))
        .optional(),
    }),
    describe: (facts, words) => `asks for ${facts.tool}${describeArguments(words.arguments)}`,
  }),
  'tool.completed': event({
    version: 1,
    status: 'released',
    summary: 'A tool came back, or was refused.',
    facts: z.strictObject({
      turn: z.int().min(0),
      tool: nameSchema,
      /** Index of the `tool.requested` it answers; null where we never saw one. */
      requested: indexSchema.nullable(),
      status: nameSchema,
      errorType: nameSchema.optional(),
      durationMs: z.int().min(0).optional(),
      result: z.strictObject({ bytes: countSchema, digest: hex64Schema }).optional(),
      /** Keyed digest of the arguments that really ran, use `arguments`. */
      argumentsDigest: hex64Schema,
      ...hookFacts,
    }),
    words: z.strictObject(callWords),
    describe: (facts) =>
      `${facts.tool}: ${facts.status}${facts.errorType === undefined ? '' : ` (${facts.errorType})`}${
        facts.durationMs === undefined ? '' : `, ${facts.durationMs} ms`
      }`,
  }),
}

function describeArguments(list: readonly { name: string; value?: unknown }[] | undefined): string {
  const shown = (list ?? []).filter(({ value }) => value !== undefined)
  return shown.length === 0 ? '' : `: ${shown.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).join(' ')}`
}
