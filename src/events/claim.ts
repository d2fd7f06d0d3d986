// What an agent claimed about its user's decisions.
import { z } from 'zod'
import { event, hex64Schema, indexSchema, nameSchema } from './event-definition.js'

export const claimEvents = {
  'claim.judged': event({
    version: 1,
    status: 'released',
    summary: 'A claim in a proposed write was held against what the user typed.',
    facts: z.strictObject({
      /** Index of the `tool.requested`, and of the `write.proposed` that the claim stands in. */
      call: indexSchema,
      write: indexSchema,
      tool: nameSchema,
      target: z.enum(['memory', 'user', 'skill', 'unknown']),
      /** Keyed digest of kind and name, use `target`. */
      targetDigest: hex64Schema,
      verdict: z.enum(['pass', 'would_block', 'blocked']),
      /** `unchecked` is neither: it backs nothing, and is no reproach. */
      outcome: z.enum(['supported', 'unsupported', 'unchecked']),
      /** Null where the claim is supported. */
      reason: z
        .enum([
          'no_quote',
          'quote_not_found',
          'quote_unrelated',
          'quote_negated',
          'quote_from_question',
          'quote_too_short',
          'too_many_claims',
          'unreadable_arguments',
          'internal_error',
          'words_unavailable',
        ])
        .nullable(),
      /** Of `quote_not_found`: what there is instead. */
      detail: z.enum(['cut_word', 'other_session', 'stitched']).nullable(),
      matchedIn: z.enum(['this-session', 'profile', 'stored-text']).nullable(),
      /** Index of the `message.captured` that backs it. */
      message: indexSchema.nullable(),
      /** The rule by which it was taken for a claim, and its tier; empty and 0 where no claim could be looked for. */
      rule: nameSchema,
      tier: z.int().min(0),
      /**
       * Keyed digest of the claim as it is compared with others, use `text`: two that say the same have the same. Null where no single claim
       * is meant.
       */
      claimDigest: hex64Schema.nullable(),
      /** Asked by `stele doctor`. */
      probe: z.literal(true).optional(),
    }),
    words: z.strictObject({
      claim: z.string(),
      quote: z.string().nullable(),
      /** Of the message that backs it: empty where the host names nobody, null where none does. */
      sender: z.string().nullable(),
      /** What of the user's words is nearest to a quote that backs nothing. */
      nearest: z.string().nullable(),
      /** The name of the skill, or of the store. */
      target: z.string(),
    }),
    ids: ['sender'],
    describe: (facts, words) =>
      `${facts.verdict}${facts.reason === null ? '' : ` (${facts.reason})`}: ${words.claim ?? '(forgotten)'}`,
  }),
}
