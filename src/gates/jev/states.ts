// The three states that are asked about: exactly these fields leave the machine, each through the sanitizer, and nothing else does.
import type { InputMetadata } from '../../redaction/input-metadata.js'
import { type Sanitized, type SanitizeOptions, sanitizeState } from '../../redaction/sanitize.js'
import type { Conversation, TurnEntry } from './turn-cache.js'

/** Fields of a state, in the order in which they are sent; `input_metadata` is added by the sanitizer. */
export const stateFields = {
  turn: ['user_message', 'platform', 'model', 'host_first_turn', 'conversation', 'input_metadata'],
  risk: ['context_ambiguous', 'user_message', 'tool_name', 'arguments', 'platform', 'turn_intent', 'input_metadata'],
  completion: [
    'user_message',
    'turn_intent',
    'changed_paths',
    'final_response',
    'verification_evidence',
    'evidence_freshness',
    'input_metadata',
  ],
} as const

export interface TurnInput {
  readonly userMessage: unknown
  readonly platform: unknown
  /** The agent's model. */
  readonly model: unknown
  readonly hostFirstTurn: unknown
}

/** Nothing but a strict yes or no of the host counts. */
export function hostFirstTurn(given: unknown): boolean | null {
  return typeof given === 'boolean' ? given : null
}

export function turnState(input: TurnInput, conversation: Conversation, options: SanitizeOptions): Sanitized {
  return sanitizeState(
    {
      user_message: input.userMessage,
      platform: input.platform ?? null,
      model: input.model ?? null,
      host_first_turn: hostFirstTurn(input.hostFirstTurn),
      conversation: { ...conversation },
    },
    options,
  )
}

export interface RiskInput {
  readonly tool: string
  readonly args: unknown
  readonly isAmbiguous: boolean
}

export function riskState(entry: TurnEntry, { tool, args, isAmbiguous }: RiskInput, options: SanitizeOptions): Sanitized {
  return sanitizeState(
    {
      context_ambiguous: isAmbiguous,
      input_metadata: inherited(entry),
      user_message: said(entry),
      tool_name: tool,
      arguments: args,
      platform: entry.state?.state['platform'] ?? null,
      turn_intent: intentOf(entry),
    },
    options,
  )
}

export interface CompletionInput {
  readonly changedPaths: readonly unknown[]
  readonly finalResponse: unknown
  readonly evidence: readonly Readonly<Record<string, unknown>>[]
  /** One of the observations is not whole. */
  readonly isEvidenceCut: boolean
}

export function completionState(entry: TurnEntry, input: CompletionInput, options: SanitizeOptions): Sanitized {
  return sanitizeState(
    {
      input_metadata: input.isEvidenceCut ? { input_complete: false, truncated: true } : inherited(entry),
      user_message: said(entry),
      turn_intent: intentOf(entry),
      changed_paths: input.changedPaths,
      final_response: input.finalResponse ?? null,
      verification_evidence: input.evidence,
      evidence_freshness: 'unverified',
    },
    options,
  )
}

/** The message as it was sanitized for the turn; null where there is none. */
export function said(entry: TurnEntry): unknown {
  return entry.state?.state['user_message'] ?? null
}

function inherited(entry: TurnEntry): InputMetadata | { readonly input_complete: false } {
  return entry.state?.metadata ?? { input_complete: false }
}

function intentOf({ decision }: TurnEntry): string {
  return decision?.intent ?? 'unknown'
}
