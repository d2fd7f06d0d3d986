// What an agent asked a tool to do, and what came of it.
import { z } from 'zod'
import {
  asBefore,
  countSchema,
  event,
  hex64Schema,
  hookFacts,
  hookFactsBeforeAttach,
  hostTurnWords,
  indexSchema,
  nameSchema,
} from './event-definition.js'

const callWords = { ...hostTurnWords, call: z.string().optional(), request: z.string().optional(), tool: z.string().optional() }

const requestedFacts = {
  turn: z.int().min(0),
  tool: nameSchema,
  arguments: z.strictObject({
    count: countSchema,
    /** Bytes of the canonical JSON of the arguments as the host gave them, read without loss. */
    bytes: countSchema,
    /** Keyed digest of the same, use `arguments`. */
    digest: hex64Schema,
  }),
}

/** What the host's process knew when it asked, as far as it could tell. */
const surroundings = z.strictObject({
  attended: z.enum(['attended', 'unattended', 'unknown']).optional(),
  /** Who the host says is writing: `assistant_tool`, or `background_review` for its own review of a conversation. */
  writeOrigin: nameSchema.optional(),
  /** Whether our callback was the last of its hook. */
  lastInOrder: z.boolean().optional(),
  /** Approvals are switched off: whoever is asked says yes. */
  approvalsOff: z.boolean().optional(),
  /** Where the terminal tool runs its commands. */
  terminalBackend: nameSchema.optional(),
})

const requestedWords = z.strictObject({
  ...callWords,
  cwd: z.string().optional(),
  /** Each argument with its size and keyed digest; the value only where a gate judges it. */
  arguments: z
    .array(z.strictObject({ name: z.string(), bytes: countSchema, digest: hex64Schema, value: z.unknown().optional() }))
    .optional(),
})

const completedFacts = {
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
}

export const toolEvents = {
  'tool.requested': event({
    version: 2,
    status: 'released',
    summary: 'The agent asked for a tool.',
    facts: z.strictObject({ ...requestedFacts, surroundings: surroundings.optional(), ...hookFacts }),
    words: requestedWords,
    ids: ['turn', 'task', 'call', 'request', 'tool', 'arguments.digest'],
    paths: ['cwd'],
    describe: (facts, words) => `asks for ${facts.tool}${describeArguments(words.arguments)}`,
    history: [
      {
        version: 1,
        facts: z.strictObject({ ...requestedFacts, ...hookFactsBeforeAttach }),
        words: requestedWords,
        upcast: asBefore,
      },
    ],
  }),
  'tool.completed': event({
    version: 2,
    status: 'released',
    summary: 'A tool came back, or was refused.',
    facts: z.strictObject({ ...completedFacts, ...hookFacts }),
    words: z.strictObject(callWords),
    ids: ['turn', 'task', 'call', 'request', 'tool'],
    describe: (facts) =>
      `${facts.tool}: ${facts.status}${facts.errorType === undefined ? '' : ` (${facts.errorType})`}${
        facts.durationMs === undefined ? '' : `, ${facts.durationMs} ms`
      }`,
    history: [
      {
        version: 1,
        facts: z.strictObject({ ...completedFacts, ...hookFactsBeforeAttach }),
        words: z.strictObject(callWords),
        upcast: asBefore,
      },
    ],
  }),
}

function describeArguments(list: readonly { name: string; value?: unknown }[] | undefined): string {
  const shown = (list ?? []).filter(({ value }) => value !== undefined)
  return shown.length === 0 ? '' : `: ${shown.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).join(' ')}`
}
