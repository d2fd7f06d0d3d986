// Asks one gate about one entry. A gate that fails must not fail the host: it says itself what holds then.
import type { EventType } from '../events/event-catalog.js'
import type { GateContext, GateDefinition, JudgedEntry, Verdict } from './gate.js'

type Judge = (entry: JudgedEntry<never>, context: GateContext) => Verdict | undefined

/** Undefined where the gate has nothing to say. */
export function askGate(
  gate: GateDefinition,
  type: EventType,
  entry: JudgedEntry<never>,
  context: GateContext,
): Verdict | undefined {
  const step = (gate.on as Readonly<Record<string, Judge | undefined>>)[type]
  if (step === undefined) return undefined
  try {
    return step(entry, context)
  } catch {
    return gate.failed(context, entry)
  }
}
