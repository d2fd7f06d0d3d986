// Claims that the user decided something, and what backs them.
import { z } from 'zod'
import { event, hex64Schema, indexSchema, nameSchema } from './event-definition.js'

export const claimEvents = {
  'claim.judged': event({
    version: 1,
    status: 'draft',
    summary: 'A claim in a proposed write was held against what the user typed.',
    facts: z.strictObject({
      call: indexSchema,
      tool: nameSchema,
      target: nameSchema,
      targetDigest: hex64Schema,
      verdict: z.enum(['pass', 'would_block', 'blocked']),
      outcome: z.enum(['supported', 'unsupported', 'unchecked']),
      reason: nameSchema.nullable(),
      matchedIn: z.enum(['this-session', 'profile', 'stored-text']).nullable(),
      message: indexSchema.nullable(),
      rule: nameSchema,
      tier: z.int().min(1),
    }),
    words: z.strictObject({
      claim: z.string(),
      quote: z.string().nullable(),
      sender: z.string().nullable(),
      target: z.string(),
    }),
    ids: ['sender'],
    paths: ['target'],
    describe: (facts, words) =>
      `${facts.verdict}${facts.reason === null ? '' : ` (${facts.reason})`}: ${words.claim ?? '(forgotten)'}`,
  }),
}
