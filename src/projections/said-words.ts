// The user's words as the provenance gate is handed them, live and when it judges again: those of the session and, where the settings say so,
// of others; what is older than words are kept is as good as forgotten.
import type { GateModes, SaidMessage, SaidWords } from '../gates/gate.js'
import { type GateContextView, gateContext, typedWords } from './gate-context.js'

/** A message of another session, and when it was typed. */
export interface SaidElsewhere extends SaidMessage {
  readonly time: string
}

export interface SaidAt {
  /** When the entries are made, as they say it. */
  readonly time: string
  /** Days that words back anything; 0 for ever. */
  readonly days: number
  /** The turn that is judged in: what was refused in an earlier one is not counted in it. */
  readonly turn: number
}

export function saidWords(
  said: GateContextView | 'unavailable' | undefined,
  elsewhere: readonly SaidElsewhere[] | 'unavailable',
  { time, days, turn }: SaidAt,
): SaidWords {
  const view = said === undefined || said === 'unavailable' ? gateContext.initial() : said
  const at = { atMs: Date.parse(time), days }
  const kept = new Set(typedWords(view.messages, at).map(({ index }) => index))
  const here = view.messages.map(
    ({ index, text, sender, source }): SaidMessage => ({
      index,
      text: kept.has(index) ? text : undefined,
      session: 'this',
      sender,
      attested: source === 'attached',
    }),
  )
  const others = typedWords(elsewhere === 'unavailable' ? [] : elsewhere, at).map(({ time: _, ...message }) => message)
  return {
    messages: [...others, ...here],
    unavailable: said === 'unavailable' || elsewhere === 'unavailable',
    refused: turn > view.turn ? {} : view.refused,
  }
}

export interface VouchedFor {
  /** The setting `provenance.evidence`; undefined where it follows from the rest. */
  readonly evidence: 'any' | 'attached' | undefined
  readonly mode: GateModes['provenance']
  /** Whether a host that could vouch for words had attached. */
  readonly attached: boolean
}

/** Words that nobody vouches for back nothing where a host that could vouch for them has attached, and the gate blocks. */
export function isAttestedOnly({ evidence, mode, attached }: VouchedFor): boolean {
  return evidence === undefined ? mode === 'block' && attached : evidence === 'attached'
}
