// Long texts judged in the test's own thread, one turn of the event loop later.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { askGate } from '../../src/gates/ask-gate.js'
import type { GateDefinition, JudgedEntry } from '../../src/gates/gate.js'
import { quotesOfText } from '../../src/gates/provenance/quotes-of-text.js'
import type { LongTexts } from '../../src/hooks/hook-house.js'

export function longTextsHere(gates: () => readonly GateDefinition[]): LongTexts {
  return {
    judge: async (name, write, context) => {
      await nextTurn()
      const gate = gates().find((one) => one.name === name)
      return gate === undefined ? undefined : askGate(gate, 'write.proposed', write as JudgedEntry<never>, context)
    },
    quotes: async (texts) => texts.flatMap(quotesOfText),
  }
}
