// How one gate is asked again: what it needs to know of the history, and when that is not there any more. One record a gate.

import type { GateContext, GateDefinition, Verdict } from '../gates/gate.js'
import type { FoldedEntry, SeenEntry } from '../projections/projection.js'
import type { ErasedSoFar } from './erased-so-far.js'
import type { History } from './history.js'
import type { OtherSettings } from './other-settings.js'
import type { PoliciesSoFar } from './policies-so-far.js'
import type { TypedInSessions } from './typed-in-sessions.js'

/**
 * Why an entry cannot be judged again. `forgotten`: words that it was judged by are gone. `not_recorded`: an older version, or other settings,
 * did not write down what this judgement hangs on. `failed_then`: nobody judged it then, since judging failed. `gate_unknown`: this version has
 * no such gate.
 */
export type NotAgain = 'forgotten' | 'not_recorded' | 'failed_then' | 'gate_unknown'

export const notAgainReasons: readonly NotAgain[] = ['forgotten', 'not_recorded', 'failed_then', 'gate_unknown']

/** What was seen of the history below the decision. */
export interface KnownThen {
  readonly history: Pick<History, 'entry'>
  readonly typed: TypedInSessions
  readonly erased: ErasedSoFar
  readonly policies: PoliciesSoFar
}

/** A decision with the entry that it is about. */
export interface AskedAgain {
  readonly judged: SeenEntry & { readonly facts: Readonly<Record<string, unknown>> }
  readonly decided: FoldedEntry<'gate.decided'>
  /** What is to hold instead of what was in force. */
  readonly instead: OtherSettings
}

/** All that the gate is handed, and what it still may not say. */
export interface ContextAgain {
  readonly context: GateContext
  /** Why a verdict does not count after all; undefined where it does. */
  readonly doubt?: (verdict: Verdict | undefined) => NotAgain | undefined
}

export interface GateReplay {
  readonly gate: GateDefinition
  readonly contextOf: (asked: AskedAgain, known: KnownThen) => Promise<ContextAgain | NotAgain>
}

/** What a gate is handed of which it reads nothing. */
export function contextOfNothing(decided: FoldedEntry<'gate.decided'>): GateContext {
  return {
    asOf: decided.facts.asOf,
    time: decided.time,
    modes: { provenance: 'off', capability: 'off' },
    provenance: { search: 'session', scope: 'decisions', attestedOnly: false },
    said: { messages: [], unavailable: false, refused: {} },
    capability: { policy: undefined, digest: undefined, unresolved: undefined },
  }
}
