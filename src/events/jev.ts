// What the semantic stage classified, proposed, abstained from or failed at, and what became of each proposal. Told in full, so that it can be
// judged again under other thresholds; with no word of a user, an agent or a model among the facts.
import { z } from 'zod'
import { countSchema, event, hex64Schema, indexSchema, nameSchema } from './event-definition.js'

/** A probability or a threshold in whole millionths: nothing in the ledger is a fraction. */
export const millionthsSchema = z.int().min(0).max(1_000_000)

/** What a request was asked about: a turn, its first provider request, a call, the end of a turn. */
const stageSchema = z.enum(['turn', 'shaping', 'risk', 'completion'])
export const jevModeSchema = z.enum(['shadow', 'enforce'])

/** Of whatever was, or would have been, judged. */
export const jevInput = {
  complete: z.boolean(),
  truncated: z.boolean(),
  redacted: z.boolean(),
}

/** Of an answer: who was asked, who answered, and what it took. */
export const jevAnswer = {
  asked: nameSchema,
  /** The concrete model; absent where the answer is one that was given before in this turn. */
  answered: nameSchema.optional(),
  latency: z.int().min(0),
  tokens: z.strictObject({ input: countSchema, output: countSchema }).optional(),
}

const riskAnswersSchema = z.strictObject({
  action_requested: millionthsSchema,
  external_side_effect: millionthsSchema,
  destructive: millionthsSchema,
  irreversible: millionthsSchema,
  exposes_secrets: millionthsSchema,
  confirmation_expected: millionthsSchema,
})

export const completionAnswersSchema = z.strictObject({
  claims_complete: millionthsSchema,
  verification_evidence_present: millionthsSchema,
  inconsistent: millionthsSchema,
  needs_iteration: millionthsSchema,
})

/** Everything that the combination of signals looks at, so that it can be done again. */
export const riskJudgedSchema = z.strictObject({
  /** Absent where there was no decision. */
  answers: riskAnswersSchema.optional(),
  confidence: millionthsSchema.optional(),
  ambiguous: z.boolean(),
  argues: z.boolean(),
  destroys: z.boolean(),
  /** A tool that only reads, with a secret among its arguments. */
  carries: z.boolean(),
  thresholds: z.strictObject({
    approval: millionthsSchema,
    uncertain: millionthsSchema,
    external_side_effect: millionthsSchema.optional(),
    destructive: millionthsSchema.optional(),
    irreversible: millionthsSchema.optional(),
    exposes_secrets: millionthsSchema.optional(),
    confirmation_expected: millionthsSchema.optional(),
  }),
  rules: z.strictObject({
    requestedExternal: z.enum(['ask', 'pass']),
    plainlyDestructive: z.enum(['always', 'outage', 'off']),
  }),
})

export const completionJudgedSchema = z.strictObject({
  answers: completionAnswersSchema.optional(),
  confidence: millionthsSchema.optional(),
  confidenceOver: z.enum(['all', 'deciding']),
  threshold: millionthsSchema,
  attempt: z.int().min(0),
  changed: countSchema,
  /** Checks that the question showed, and how many of them had failed. */
  observations: countSchema,
  failed: countSchema,
})

const triggersSchema = z.array(
  z.enum([
    'external_side_effect',
    'destructive',
    'irreversible',
    'exposes_secrets',
    'confirmation_expected',
    'incomplete_input',
    'ambiguous_context',
    'uncertain',
    'action_not_requested',
    'argues_for_itself',
    'plainly_destructive',
    'arguments_changed',
  ]),
)

const shapingJudgedSchema = z.strictObject({
  reason: z.enum([
    'fresh_standalone_chat',
    'incomplete_input',
    'prior_or_unknown_context',
    'followup_or_task',
    'unknown_context',
    'ongoing_tool_workflow',
  ]),
  kept: z.enum(['no_decision', 'decision_unfit', 'tools_unfit', 'nothing_to_remove', 'nothing_left']).optional(),
  confidenceMin: millionthsSchema,
  /** The classification that was looked at. */
  classified: indexSchema.optional(),
  toolsBefore: countSchema.optional(),
  toolsAfter: countSchema.optional(),
})

export const jevEvents = {
  'jev.classified': event({
    version: 1,
    status: 'released',
    summary: 'A turn was classified.',
    facts: z.strictObject({
      /** The entry that is judged. */
      about: indexSchema,
      mode: jevModeSchema,
      ...jevInput,
      ...jevAnswer,
      intent: z.enum(['chat', 'coding', 'research', 'system_admin', 'automation', 'data_analysis', 'file_work', 'other']),
      complexity: z.enum(['trivial', 'simple', 'moderate', 'difficult']),
      sideEffects: z.enum(['low', 'medium', 'high']),
      confidence: millionthsSchema,
      needs: z.strictObject({
        needs_web: millionthsSchema,
        needs_browser: millionthsSchema,
        needs_terminal: millionthsSchema,
        needs_files: millionthsSchema,
        should_delegate: millionthsSchema,
      }),
      conversation: z.strictObject({
        prior_turn_seen: z.boolean(),
        unresolved_task: z.boolean(),
        ongoing_tool_workflow: z.boolean(),
      }),
    }),
    describe: (facts) => `jev: ${facts.intent}, ${facts.complexity}, side effects ${facts.sideEffects}`,
  }),
  'jev.proposed': event({
    version: 1,
    status: 'released',
    summary: 'The semantic stage proposed something that can only tighten.',
    facts: z.strictObject({
      stage: stageSchema,
      about: indexSchema,
      mode: jevModeSchema,
      ...jevInput,
      ...jevAnswer,
      /** Absent where nobody was asked: a block of what cannot be bound. */
      asked: nameSchema.optional(),
      latency: z.int().min(0).optional(),
      proposal: z.enum(['approve', 'block', 'narrow']),
      /** The host is held to it: kept for the call that is about to run, or sent instead of the request. */
      applied: z.boolean(),
      /** Why not. */
      why: z.enum(['shadow', 'order_unsafe', 'turn_over']).optional(),
      /** Why there was no decision and there is a proposal all the same. */
      failure: nameSchema.optional(),
      triggers: triggersSchema,
      /** The tool of a call. */
      tool: nameSchema.optional(),
      /** Keyed digest of the arguments; absent where they have none. */
      arguments: hex64Schema.optional(),
      /** An approval of it covers no other call. */
      oneOff: z.boolean().optional(),
      risk: riskJudgedSchema.optional(),
      shaping: shapingJudgedSchema.optional(),
    }),
    words: z.strictObject({ message: z.string() }),
    describe: (facts) =>
      `jev proposes ${facts.proposal}${facts.triggers.length === 0 ? '' : ` (${facts.triggers.join(', ')})`}${facts.applied ? '' : ', not applied'}`,
  }),
  'jev.abstained': event({
    version: 1,
    status: 'released',
    summary: 'The semantic stage gave no opinion.',
    facts: z.strictObject({
      stage: stageSchema,
      /** Absent where no entry of the turn is known: it began before the service did. */
      about: indexSchema.optional(),
      mode: jevModeSchema,
      why: nameSchema,
      /** Absent where nothing was looked at. */
      complete: z.boolean().optional(),
      truncated: z.boolean().optional(),
      redacted: z.boolean().optional(),
      ...jevAnswer,
      asked: nameSchema.optional(),
      latency: z.int().min(0).optional(),
      failure: nameSchema.optional(),
      tool: nameSchema.optional(),
      arguments: hex64Schema.optional(),
      risk: riskJudgedSchema.optional(),
      completion: completionJudgedSchema.optional(),
      shaping: shapingJudgedSchema.optional(),
    }),
    describe: (facts) => `jev abstains (${facts.why})`,
  }),
  'jev.failed': event({
    version: 1,
    status: 'released',
    summary: 'The semantic stage asked, or would have, and got no decision.',
    facts: z.strictObject({
      stage: stageSchema,
      about: indexSchema,
      mode: jevModeSchema,
      ...jevInput,
      asked: nameSchema,
      latency: z.int().min(0),
      category: z.enum([
        'auth',
        'bad_request',
        'rate_limit',
        'overloaded',
        'server',
        'connection',
        'timeout',
        'cancelled',
        'malformed',
        'capacity',
        'circuit_open',
        'budget_spent',
      ]),
    }),
    describe: (facts) => `jev failed (${facts.category})`,
  }),
  'jev.settled': event({
    version: 1,
    status: 'released',
    summary: 'What became of a proposal.',
    facts: z.strictObject({
      /** The `jev.proposed` entry. */
      proposal: indexSchema,
      /** The call that was about to run; absent where none came. */
      about: indexSchema.optional(),
      fate: z.enum(['consumed', 'expired', 'mismatched', 'evicted', 'replaced', 'ended']),
      /** The host heard something because of it. */
      applied: z.boolean(),
      /** What that was. */
      action: z.enum(['approve', 'block']).optional(),
      /** Why the host heard nothing, or something else. */
      why: z.enum(['unattended', 'order_unsafe', 'expired', 'arguments_changed', 'blocked']).optional(),
      /** Milliseconds since it was made. */
      age: z.int().min(0),
      /** Keyed digest of the arguments that came instead. */
      arguments: hex64Schema.optional(),
    }),
    words: z.strictObject({ message: z.string() }),
    describe: (facts) => `proposal ${facts.proposal} ${facts.fate}${facts.applied ? ', the host was told' : ''}`,
  }),
}
